#include "simulation/step_input.h"

#include <algorithm>

#include "model/parameters.h"

namespace rigor {
namespace {

Vec3<double> toVec(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }

/// A wrench on a body, attacking at the body's centre of mass, as a wrench on its link.
void addWrench(const Model& model, int body, const Eigen::Vector3d& force, const Eigen::Vector3d& torque, bool in_world,
               StepInput& input) {
  const BodyPlacement& placement = model.placements()[body];
  if (placement.link < 0) return;
  LinkWrench wrench;
  wrench.link = placement.link;
  wrench.point = placement.X_LB * toVec(model.body(body).mass.com);
  wrench.in_world = in_world;
  wrench.force = in_world ? toVec(force) : placement.X_LB.R * toVec(force);
  wrench.torque = in_world ? toVec(torque) : placement.X_LB.R * toVec(torque);
  input.wrenches.push_back(wrench);
}

/// Row of the table that acts at `time`; null before the first one.
const Eigen::VectorXd* torquesAt(const TorqueTable& table, double time) {
  // a step that begins within rounding of a row's time belongs to that row
  const auto after = std::upper_bound(table.time.begin(), table.time.end(), time + 1e-9);
  return after == table.time.begin() ? nullptr : &table.tau[after - table.time.begin() - 1];
}

}  // namespace

StepInput makeStepInput(const Scene& scene) {
  const int nv = scene.model.nv();
  StepInput input;
  for (auto* array : {&input.tau, &input.kp, &input.kd, &input.target}) array->assign(nv, 0.0);
  input.effort.assign(nv, std::numeric_limits<double>::infinity());
  for (const HoldSpec& hold : scene.holds) {
    const int dof = scene.model.vIndex(hold.body);
    input.kp[dof] = hold.kp;
    input.kd[dof] = hold.kd;
    input.target[dof] = hold.target;
    if (hold.kp > 0.0 || hold.kd > 0.0) input.effort[dof] = hold.effort;
  }
  input.wrenches.reserve(scene.wrenches.size() + 16);
  return input;
}

void updateStepInput(const Scene& scene, const Input& user, double time, StepInput& input) {
  std::copy_n(user.tau.data(), user.tau.size(), input.tau.begin());
  if (scene.torques)
    if (const Eigen::VectorXd* row = torquesAt(*scene.torques, time))
      for (int j = 0; j < row->size(); ++j) input.tau[j] += (*row)[j];
  input.wrenches.clear();
  for (const WrenchSpec& w : scene.wrenches)
    if (time >= w.from - 1e-9 && time < w.until - 1e-9)
      addWrench(scene.model, w.body, w.force, w.torque, w.in_world, input);
  for (const Input::Wrench& w : user.wrenches) addWrench(scene.model, w.body, w.force, w.torque, w.in_world, input);
}

}  // namespace rigor
