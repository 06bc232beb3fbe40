// Drives of a scene file: which robots a controller means, and the gains of their joints.
#pragma once

#include <vector>

#include "io/scene/assemble.h"

namespace rigor {

/// All robots, or the one that `robot` names; [[body]] with [[joint]] between them are one too, called "joints".
std::vector<SceneRobot> chooseRobots(TableReader& reader, const SceneDraft& draft);
/// The only one; with several the file must name it.
SceneRobot chooseRobot(TableReader& reader, const SceneDraft& draft);

/// PD with kp and kd of the table on the robots' joints of one freedom, targets where they start. Returns the joints that have a
/// drive now.
std::vector<int> addDrives(TableReader& reader, const std::vector<SceneRobot>& robots, Scene& scene);

}  // namespace rigor
