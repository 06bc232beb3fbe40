// A URDF file as it is written: links and joints by name, checked one by one, not yet a tree.
#pragma once

#include <string>
#include <vector>

#include "rigor/error.h"
#include "rigor/io.h"
#include "rigor/model.h"

namespace rigor {

struct UrdfLink {
  std::string name;
  MassProperties mass;                       ///< in the link's axes; zero without <inertial>
  std::vector<ShapeSpec> shapes;             ///< collision shapes; names unique within the file
  std::vector<MissingShape> missing_shapes;  ///< those whose meshes could not be read
  std::vector<VisualSpec> visuals;           ///< only if they were asked for
  Place where;
};

struct UrdfJoint {
  JointSpec spec;
  std::string parent, child;
  Place where;
};

struct UrdfRobot {
  std::string name, file;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<Warning> warnings;
};

/// Reads every element and the meshes that it names; throws Error with file, line, element and remedy. What is not read but
/// could change the motion (missing meshes, simulator extensions, unknown tags and attributes) becomes a warning.
UrdfRobot parseUrdf(const std::string& text, const std::string& file, const LoadOptions& options);

/// One step of the walk from the root outwards: a link, the joint that carries it and the link that it hangs on (the
/// last two are −1 for the root).
struct UrdfVisit {
  int link, joint, parent;
};

/// Links depth-first, children in file order. Throws Error for dangling names, cycles, two parents, two roots.
std::vector<UrdfVisit> orderLinks(const UrdfRobot& robot);

}  // namespace rigor
