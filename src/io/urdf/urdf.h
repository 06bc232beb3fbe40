// From a parsed URDF robot to bodies of a model.
#pragma once

#include "io/urdf/robot.h"
#include "rigor/io.h"

namespace rigor {

struct UrdfPlacement {
  Pose X_WR;           ///< root link in the world
  std::string prefix;  ///< before every name of body, joint and shape
};

/// q of a free joint: position, quaternion.
Eigen::VectorXd freeCoordinates(const Pose& pose);

/// Throws Error for a folder of packages that is not there: a typing mistake would else show as missing meshes.
void checkPackagePath(const LoadOptions& options);

UrdfRobot loadUrdf(const std::string& file, const LoadOptions& options);

/// Returns the index of the root body. A free base gets a free joint "root_joint", first in q and v.
int addRobot(const UrdfRobot& robot, const LoadOptions& options, const UrdfPlacement& placement, ModelBuilder& builder);

/// What `strict` does: the first warning that is more than a notice is thrown as an Error.
void refuseWarnings(const std::vector<Warning>& warnings);

}  // namespace rigor
