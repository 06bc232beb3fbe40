// The three kinds of elements that a URDF robot is made of.
#pragma once

#include <set>

#include "io/urdf/reader.h"
#include "io/urdf/robot.h"

namespace rigor {

/// `shape_names` are those in use; the names of the link's shapes are added.
UrdfLink readLink(const XmlElement& element, UrdfReader& reader, std::set<std::string>& shape_names);
UrdfJoint readJoint(const XmlElement& element, UrdfReader& reader);

}  // namespace rigor
