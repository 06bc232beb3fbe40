#include "simulation/step_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "geometry/convert.h"
#include "model/parameters.h"
#include "model/topology.h"
#include "rigor/integrator.h"

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

/// The time that one kick of the leapfrog stands for: from the middle of the last step to the middle of this one.
struct Kick {
  double begin, end;
};

/// From node to node it is the step itself; a contact step that follows a node then takes a force that begins inside the
/// step as its mean over the whole step.
Kick kickOf(const Scene& scene, const Snapshot& from, int tree) {
  const double last = from.memory.last_step[tree], time = from.state.time;
  const bool node_to_node = last == 0.0 && !isLeapfrog(findIntegrator(integratorOf(scene)));
  return {time - 0.5 * last, time + (node_to_node ? 1.0 : 0.5) * scene.dt};
}

/// Length of the part of [from, until] that lies in the kick.
double overlap(const Kick& kick, double from, double until) {
  return std::max(0.0, std::min(until, kick.end) - std::max(from, kick.begin));
}

/// Adds the row that acts at the node; nothing acts before the first one. A recording replayed as a table gives each kick
/// the torque that it had.
void addTorques(const TorqueTable& table, double time, double dt, StepInput& input) {
  const double rounding = 1e-6 * dt;
  const auto after = std::upper_bound(table.time.begin(), table.time.end(), time + rounding);
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
  input.motions = listMotions(scene);
  input.wrenches.reserve(scene.wrenches.size() + 16);
  input.body_wrenches.reserve(scene.wrenches.size() + 16);
  return input;
}

Eigen::VectorXd targetsOf(const StepInput& input) {
  Eigen::VectorXd targets(static_cast<Eigen::Index>(input.drives.size()));
  for (Eigen::Index i = 0; i < targets.size(); ++i) targets[i] = input.drives[i].target;
  return targets;
}

void updateStepInput(const Scene& scene, const Eigen::VectorXd& targets, const Input& user, const Snapshot& from,
                     StepInput& input) {
  assert(targets.size() == static_cast<Eigen::Index>(input.drives.size()) && "the scene has a target for each drive");
  checkInput(scene.model, user);
  checkTargets(user.ctrl, input);
  if (const bool given = user.ctrl.size() > 0; given || input.retargeted) {
    const Eigen::VectorXd& ctrl = given ? user.ctrl : targets;
    for (std::size_t i = 0; i < input.drives.size(); ++i) input.drives[i].target = ctrl[static_cast<int>(i)];
    input.retargeted = given;
  }
  std::copy_n(user.tau.data(), user.tau.size(), input.tau.begin());
  if (scene.torques) addTorques(*scene.torques, from.state.time, scene.dt, input);
  input.wrenches.clear();
  input.body_wrenches.clear();
  for (const WrenchSpec& w : scene.wrenches) {
    const int link = scene.model.placements()[w.body].link;
    if (link < 0) continue;
    const Kick kick = kickOf(scene, from, scene.model.topology().tree[link]);
    const double share = overlap(kick, w.from, w.until) / (kick.end - kick.begin);
    if (share > 0.0) addWrench(scene.model, w.body, share * w.force, share * w.torque, w.in_world, input);
  }
  for (const Input::Wrench& w : user.wrenches) addWrench(scene.model, w.body, w.force, w.torque, w.in_world, input);
}

}  // namespace rigor
