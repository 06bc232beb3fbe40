// Steps against springs and drives, ranges and efforts of joints.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "dynamics/poses.h"
#include "model/topology.h"
#include "simulation/checks.h"
#include "stepping/freedom_coordinate.h"

namespace rigor {
namespace {

constexpr double kFastest = 1.0;  // h·ω: a swing then has six steps

Place placeOfJoint(const Model& model, const ModelJoint& joint) {
  const Place& where = model.body(joint.body).where;
  return {where.file, where.line, fmt::format("joint \"{}\"", joint.spec.name)};
}

/// False if there is nothing to tell.
bool tellFast(const Scene& scene, const ModelJoint& joint, const char* what, double omega,
              std::vector<Problem>& problems) {
  if (!(scene.dt * omega > kFastest)) return false;
  problems.push_back({"step", false, placeOfJoint(scene.model, joint),
                      fmt::format("its {} swings at {:.3g} rad/s, {:.2g} of a radian in a step of {:g} s: what a run "
                                  "shows of it is damped or delayed",
                                  what, omega, scene.dt * omega, scene.dt),
                      fmt::format("Take steps below {:.1g} s (--dt), or make it softer.", 0.5 / omega)});
  return true;
}

/// Diagonal of M(q)⁻¹ [nv], tree by tree: trees do not share inertia.
Eigen::VectorXd responses(const Model& model, const Eigen::VectorXd& q) {
  const Topology& topology = model.topology();
  const Eigen::MatrixXd M = massMatrix(model, q);
  Eigen::VectorXd diagonal(model.nv());
  for (int tree = 0; tree < topology.trees; ++tree) {
    const int first = topology.v_index[topology.tree_root[tree]];
    const int end = tree + 1 < topology.trees ? topology.v_index[topology.tree_root[tree + 1]] : model.nv();
    const Eigen::LDLT<Eigen::MatrixXd> block(M.block(first, first, end - first, end - first));
    diagonal.segment(first, end - first) = block.solve(Eigen::MatrixXd::Identity(end - first, end - first)).diagonal();
  }
  return diagonal;
}

}  // namespace

/// A spring k on one freedom j swings at ω² = k·(M⁻¹)_jj if all other joints are free; with more springs the fastest mode is
/// at least that fast.
void checkStepLength(const Scene& scene, std::vector<Problem>& problems) {
  const Model& model = scene.model;
  bool stiff = !scene.holds.empty();
  for (const ModelJoint& joint : model.joints()) stiff = stiff || joint.spec.stiffness > 0.0;
  if (!stiff) return;
  const Eigen::VectorXd response = responses(model, scene.q);
  for (const ModelJoint& joint : model.joints()) {
    const double largest = response.segment(joint.v_index, velocityCount(joint.spec.type)).maxCoeff();
    tellFast(scene, joint, "spring", std::sqrt(std::max(0.0, joint.spec.stiffness * largest)), problems);
  }
  for (const HoldSpec& hold : listDrives(scene)) {
    const ModelJoint& joint = model.joints()[hold.joint];
    const double inverse = response[joint.v_index], omega = std::sqrt(std::max(0.0, hold.kp * inverse));
    if (tellFast(scene, joint, "PD drive", omega, problems) && hold.kd > 0.0)  // |1 − h kd (M⁻¹)_jj| < 1
      problems.back().remedy += fmt::format(
          " The drive itself is stable at any step; torques computed from the start of a step with its gains are so "
          "below {:.1g} s.",
          2.0 / (hold.kd * inverse));
  }
}

void checkJointLimits(const Scene& scene, std::vector<Problem>& problems) {
  std::string at_end;
  int count = 0;
  for (const ModelJoint& joint : scene.model.joints()) {
    const std::optional<Range>& range = joint.spec.range;
    if (!range) continue;
    const double q = scene.q[joint.q_index];
    if (q < range->lower || q > range->upper)
      problems.push_back(
          {"limit", false, placeOfJoint(scene.model, joint),
           fmt::format("starts at {:.6g}, outside its range {:.6g} … {:.6g}", q, range->lower, range->upper),
           "Start it within its range: [[robot]] q = {joint = value}."});
    else if (range->lower < range->upper && (q == range->lower || q == range->upper))
      at_end += fmt::format("{}\"{}\" at {:.4g}", at_end.empty() ? "" : ", ", joint.spec.name, q), ++count;
    else if (range->lower == range->upper)
      problems.push_back({"limit", false, placeOfJoint(scene.model, joint),
                          fmt::format("may only be at {:.6g}: it cannot move", range->lower),
                          "Give it a range, or make it a fixed joint."});
  }
  if (count > 0)
    problems.push_back({"limit",
                        false,
                        {scene.file, 0, "start"},
                        fmt::format("{} at the end of {} range and can move one way only: {}",
                                    count == 1 ? "a joint starts" : fmt::format("{} joints start", count),
                                    count == 1 ? "its" : "their", at_end),
                        "Nothing, if that is meant; else [[robot]] q = {joint = value}."});
  for (const auto& [freedom, x] : findOutside(scene.model, scene.q))
    problems.push_back(
        {"limit", false, scene.model.loops()[freedom.loop].where,
         fmt::format("starts at {:.6g}, outside its range {:.6g} … {:.6g}", x, freedom.lower, freedom.upper),
         "Start its bodies within its range."});
  for (const HoldSpec& hold : scene.holds)
    if (hold.effort == 0.0 && (hold.kp > 0.0 || hold.kd > 0.0))
      problems.push_back({"effort", false, placeOfJoint(scene.model, scene.model.joints()[hold.joint]),
                          "is held with an effort limit of 0, so it hangs limp",
                          "Write its real effort into <limit>, or leave effort out."});
}

}  // namespace rigor
