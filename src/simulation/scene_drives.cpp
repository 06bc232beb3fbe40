#include <map>

#include "rigor/scene.h"

namespace rigor {

void Scene::releaseJoints() {
  holds.clear();
  target_tables.clear();
  random_targets.clear();
  gaits.clear();
}

std::vector<HoldSpec> listDrives(const Scene& scene) {
  std::map<int, HoldSpec> by_joint;
  for (const HoldSpec& hold : scene.holds)
    if (hold.kp > 0.0 || hold.kd > 0.0) by_joint[hold.joint] = hold;
  std::vector<HoldSpec> drives;
  for (const auto& [joint, hold] : by_joint) drives.push_back(hold);
  return drives;
}

}  // namespace rigor
