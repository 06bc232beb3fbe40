#include "rigor/follow_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigor/algorithms.h"

namespace rigor {

MotionFollower::MotionFollower(Simulator& simulator, MotionTable motion, std::vector<int> freedoms,
                               const InverseOptions& options)
    : simulator_(simulator), motion_(std::move(motion)), inverse_(simulator, options) {
  const Model& model = simulator.scene().model;
  checkMotion(model, motion_);
  desired_.freedoms = freedoms.empty() ? InverseDynamics::actuated(model) : std::move(freedoms);
  if (desired_.freedoms.empty())
    throw Error("nothing follows the motion: the model has no joints that torques act on",
                "Inverse dynamics needs joints; bodies that move as they are told are kinematic (motion = \"file\").");
  desired_.velocity.setZero(static_cast<Eigen::Index>(desired_.freedoms.size()));
  base_ = simulator.input().tau;
  way_.resize(model.nv());
  constexpr double kNear = 0.01;
  if (const double miss = missed(simulator.state()); !(miss <= kNear))
    throw Error(fmt::format("the scene does not start where the motion does: a joint is {:.3g} rad or m away", miss),
                "Start the scene in the pose of the motion's first row.");
  simulator.setController([this](const State& state, Input& input) { drive(state, input); });
}

/// Largest distance of a joint from the motion at the time of the state.
double MotionFollower::missed(const State& state) {
  sampleMotion(simulator_.scene().model, motion_, state.time, at_);
  difference(simulator_.scene().model, state.q, at_.q, way_);
  double most = 0.0;
  for (const int dof : desired_.freedoms) most = std::max(most, std::fabs(way_[dof]));
  return most;
}

void MotionFollower::drive(const State& state, Input& input) {
  const double dt = simulator_.scene().dt;
  sampleMotion(simulator_.scene().model, motion_, state.time + dt, at_);
  difference(simulator_.scene().model, state.q, at_.q, way_);
  for (std::size_t i = 0; i < desired_.freedoms.size(); ++i)
    desired_.velocity[static_cast<int>(i)] = way_[desired_.freedoms[i]] / dt;
  input.tau = base_;
  last_ = &inverse_.solve(simulator_, desired_);
  input.tau = last_->tau;
  summary_.corrections += last_->corrections;
}

void MotionFollower::see(const Simulator& simulator, const RunStep& step) {
  ++summary_.steps;
  switch (last_->status) {
    case InverseStatus::kSolved:
      ++summary_.solved;
      break;
    case InverseStatus::kLimited:
      ++summary_.solved, ++summary_.limited;
      break;
    case InverseStatus::kInfeasible:
      ++summary_.certified;
      break;
    case InverseStatus::kUnsolved:
      ++summary_.failed;
  }
  if (!step.report.accepted()) return;
  summary_.tracking_max = std::max(summary_.tracking_max, missed(simulator.state()));
  for (const int dof : desired_.freedoms)
    summary_.torque_max = std::max(summary_.torque_max, std::fabs(last_->tau[dof]));
  bool slips = false;
  for (const Contact& contact : step.report.contacts) {
    if (contact.mode == ContactMode::kOpen) continue;
    slips = slips || contact.mode == ContactMode::kSlip;
    summary_.cone_margin_min = std::min(summary_.cone_margin_min, coneMargin(simulator.scene().model, contact));
  }
  summary_.slipping += slips;
}

}  // namespace rigor
