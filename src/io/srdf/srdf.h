// SRDF: what MoveIt writes beside a URDF. Only its list of links that need not be tested for collisions is read.
#pragma once

#include <string>

#include "io/urdf/robot.h"

namespace rigor {

/// Excludes every <disable_collisions link1 link2> of the file; `prefix` goes before the names of links. A link that the robot
/// does not have becomes a warning with its line, and so do tags that would change which links meet and are not read.
/// Throws Error for a file that is no SRDF.
void addSrdf(const std::string& file, const UrdfRobot& robot, const std::string& prefix, ModelBuilder& builder);

}  // namespace rigor
