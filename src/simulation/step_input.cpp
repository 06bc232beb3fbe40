#include "simulation/step_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "geometry/convert.h"
#include "model/parameters.h"

namespace rigor {
namespace {

/// A wrench on a body, attacking at the body's centre of mass, as a wrench on its link.
void addWrench(const Model& model, int body, const Eigen::Vector3d& force, const Eigen::Vector3d& torque, bool in_world,
               StepInput& input) {
  const BodyPlacement& placement = model.placements()[body];
  if (placement.link < 0) return;
  LinkWrench wrench;
  wrench.link = placement.link;
  wrench.point = placement.X_LB * toVec3(model.body(body).mass.com);
  wrench.in_world = in_world;
  wrench.force = in_world ? toVec3(force) : placement.X_LB.R * toVec3(force);
  wrench.torque = in_world ? toVec3(torque) : placement.X_LB.R * toVec3(torque);
  input.wrenches.push_back(wrench);
  input.body_wrenches.push_back({body, force, torque, in_world});
}

/// Length of the part of [from, until] that lies in the kick.
double overlap(const Kick& kick, double from, double until) {
  return std::max(0.0, std::min(until, kick.end) - std::max(from, kick.begin));
}

/// Adds the row that acts at the node; nothing acts before the first one. A recording replayed as a table gives each kick
/// the torque that it had.
void addTorques(const TorqueTable& table, const Kick& kick, StepInput& input) {
  const double rounding = 1e-6 * (kick.end - kick.begin);
  const auto after = std::upper_bound(table.time.begin(), table.time.end(), kick.node + rounding);
  if (after == table.time.begin()) return;
  const Eigen::VectorXd& row = table.tau[after - table.time.begin() - 1];
  for (std::size_t j = 0; j < input.tau.size(); ++j) input.tau[j] += row[static_cast<int>(j)];
}

void checkTargets(const Eigen::VectorXd& ctrl, const StepInput& input) {
  const auto drives = static_cast<Eigen::Index>(input.drives.size());
  if (ctrl.size() == 0) return;
  if (ctrl.size() != drives)
    throw Error(fmt::format("Input::ctrl has {} entries, the scene has {} drives", ctrl.size(), drives),
                "One target per drive, in the order of listDrives(scene); empty for the targets of the scene.");
  for (Eigen::Index i = 0; i < drives; ++i)
    if (!std::isfinite(ctrl[i]))
      throw Error(fmt::format("Input::ctrl[{}] is {}, of {} entries", i, ctrl[i], drives),
                  "Targets are finite; to let a joint go, give its hold no gains.");
}

void checkInput(const Model& model, const Input& user) {
  if (user.tau.size() != model.nv())
    throw Error(fmt::format("Input::tau has {} entries, the model needs {}", user.tau.size(), model.nv()),
                "One generalised force per velocity.");
  for (const Input::Wrench& w : user.wrenches)
    if (w.body < 0 || w.body >= model.bodyCount())
      throw Error(fmt::format("Input::wrenches names body {}, the model has {}", w.body, model.bodyCount()),
                  "Use Model::findBody.");
}

}  // namespace

StepInput makeStepInput(const Scene& scene) {
  StepInput input = makeIdleInput(scene.model.nv());
  for (const HoldSpec& hold : listDrives(scene)) {
    const ModelJoint& joint = scene.model.joints()[hold.joint];
    setDrive({joint.v_index, joint.q_index, hold.kp, hold.kd, hold.target, hold.effort}, input);
  }
  input.wrenches.reserve(scene.wrenches.size() + 16);
  input.body_wrenches.reserve(scene.wrenches.size() + 16);
  return input;
}

Eigen::VectorXd targetsOf(const StepInput& input) {
  Eigen::VectorXd targets(static_cast<Eigen::Index>(input.drives.size()));
  for (Eigen::Index i = 0; i < targets.size(); ++i) targets[i] = input.drives[i].target;
  return targets;
}

void updateStepInput(const Scene& scene, const Eigen::VectorXd& targets, const Input& user, const Kick& kick,
                     StepInput& input) {
  assert(targets.size() == static_cast<Eigen::Index>(input.drives.size()) && "the scene has a target for each drive");
  checkInput(scene.model, user);
  checkTargets(user.ctrl, input);
  const Eigen::VectorXd& ctrl = user.ctrl.size() > 0 ? user.ctrl : targets;
  for (std::size_t i = 0; i < input.drives.size(); ++i) input.drives[i].target = ctrl[static_cast<int>(i)];
  std::copy_n(user.tau.data(), user.tau.size(), input.tau.begin());
  if (scene.torques) addTorques(*scene.torques, kick, input);
  input.wrenches.clear();
  input.body_wrenches.clear();
  for (const WrenchSpec& w : scene.wrenches) {
    const double share = overlap(kick, w.from, w.until) / (kick.end - kick.begin);
    if (share > 0.0) addWrench(scene.model, w.body, share * w.force, share * w.torque, w.in_world, input);
  }
  for (const Input::Wrench& w : user.wrenches) addWrench(scene.model, w.body, w.force, w.torque, w.in_world, input);
}

}  // namespace rigor
