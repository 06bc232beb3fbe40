#include "minimal/time_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/energy.h"
#include "dynamics/integrate.h"
#include "minimal/restitution.h"
#include "minimal/secant.h"
#include "minimal/step_record.h"
#include "minimal/step_result.h"

namespace rigor {
namespace {

bool allFinite(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += value - value;  // NaN for NaN and infinity
  return sum == 0.0;
}

std::vector<JointLimit> findLimits(const Model& model) {
  std::vector<JointLimit> limits;
  for (const ModelJoint& joint : model.joints())
    if (const auto& range = joint.spec.range)
      limits.push_back({joint.v_index, joint.q_index, range->lower, range->upper});
  return limits;
}

}  // namespace

TimeStepper::TimeStepper(const Model& model, std::unique_ptr<ContactSolver> solver, const TimeStepperOptions& options)
    : model_(model),
      topology_(model_.topology()),
      parameters_(model_.parameters()),
      contacts_(makeContactPairs(model)),
      limits_(findLimits(model)),
      loops_(makeLoopParts(model)),
      solver_(std::move(solver)),
      options_(options),
      smooth_(model_, options.integrator),
      node_velocity_(topology_.nv),
      change_(topology_.nv),
      link_velocity_(topology_.links),
      halves_(options.max_halvings + 1) {
  start_.kin.resize(topology_);
  end_.kin.resize(topology_);
  start_q_.setConstant(topology_.nq, std::numeric_limits<double>::quiet_NaN());  // equals no pose
  motion_.resize(topology_, parameters_);
  momentum_.resize(topology_);
  for (Snapshot& half : halves_) {  // a step that is halved for the first time allocates nothing
    half.state.q.resize(topology_.nq);
    half.state.v.resize(topology_.nv);
    for (Eigen::VectorXd& rate : half.memory.rates) rate.resize(topology_.nv);
    half.memory.blocks.reserve(64);
    half.memory.controller.reserve(8);
  }
}

void TimeStepper::step(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report) {
  report.substeps = report.solves = report.passes = report.iterations = 0;
  report.stage = "";
  report.law = report.equation = report.step = report.floor = report.penetration = 0.0;
  report.loop_gap = report.mean_velocity_gap = 0.0;
  report.smooth = true;
  report.contacts.clear();
  startRecord(input, report.record);
  report.nanoseconds = {};
  report.time = from.state.time;
  report.dt = h;
  refused_law_ = 0.0;
  report.status = advance(input, from, h, 0, to, report);
  if (!report.accepted()) report.law = refused_law_;
}

StepStatus TimeStepper::advance(const StepInput& input, const Snapshot& from, double h, int halvings, Snapshot& to,
                                StepReport& report) {
  const StepStatus status = attempt(input, from, h, to, report);
  if (status == StepStatus::kAccepted || status == StepStatus::kNotFinite || halvings >= options_.max_halvings)
    return status;
  Snapshot& middle = halves_[halvings];
  const StepStatus first = advance(input, from, 0.5 * h, halvings + 1, middle, report);
  if (first != StepStatus::kAccepted) return first;
  return advance(input, middle, 0.5 * h, halvings + 1, to, report);
}

StepStatus TimeStepper::attempt(const StepInput& input, const Snapshot& from, double h, Snapshot& to,
                                StepReport& report) {
  PhaseClock clock(report.nanoseconds);
  if (!from.state.q.allFinite() || !from.state.v.allFinite()) return StepStatus::kNotFinite;
  const StepContext context{topology_,   parameters_,         contacts_,          limits_, loops_, input,
                            from.memory, from.state.q.data(), from.state.v.data()};
  if (start_q_ != from.state.q) {
    computeKinematics(topology_, parameters_, context.q, start_.kin);
    computeBallCentres(contacts_.balls, topology_, start_.kin, start_.centres);
    start_q_ = from.state.q;
  }
  clock.finish(&PhaseTimes::kinematics);
  startMotion(context, from, h, clock);
  if (!allFinite(motion_.rhs)) return StepStatus::kNotFinite;
  to.state.q.resize(topology_.nq);
  to.state.v.resize(topology_.nv);
  islands_.count = 0;
  findConstraints(context, start_, motion_, set_);
  if (set_.list.empty() && !isLeapfrog(options_.integrator)) {
    const std::optional<StepStatus> status = takeSmoothStep(context, from.state.time, h, to, report, clock);
    if (status) return *status;
  }
  computeResponses(topology_, motion_, 0, set_);
  applyRestitution(context, motion_, 0, set_, change_.data());
  clock.finish(&PhaseTimes::collide);

  const StepStatus status = findImpulses(context, to, report, clock);
  if (status != StepStatus::kAccepted) return status;

  to.state.time = from.state.time + h;
  remember(from.memory, motion_, set_, islands_, change_.data(), to.memory);
  fillReport(context, to.state.v.data(), report);
  std::swap(start_, end_);
  start_q_.swap(end_q_);
  clock.finish(&PhaseTimes::integrate);
  return status;
}

void TimeStepper::startMotion(const StepContext& context, const Snapshot& from, double h, PhaseClock& clock) {
  motion_.h = h;
  motion_.kick = 0.5 * (from.memory.last_step + h);
  for (int j = 0; j < topology_.nv; ++j) motion_.saturated[j] = 0;
  for (const BlockMemory& block : from.memory.blocks)
    if (isMotorAtBound(block)) {
      const int j = motorDof(block);  // the hold may have been taken away since
      motion_.saturated[j] = context.input.kp[j] + context.input.kd[j] > 0.0;
    }
  computeInertias(topology_, parameters_, start_.kin, motion_.inertias);
  predictIncrement(from.memory, motion_.kick, motion_);
  if (options_.integrator == Integrator::kLeapfrogCarried)
    std::fill(motion_.predicted.begin(), motion_.predicted.end(), 0.0);
  computeBias(topology_, parameters_, start_.kin, context.input, context.v, motion_);
  computeMass(topology_, parameters_, start_.kin, motion_);
  computeStretch(topology_, parameters_, context.q, motion_);
  factorMass(topology_, parameters_, context.input, motion_);
  computeKick(topology_, parameters_, context.input, context.q, context.v, motion_);
  clock.finish(&PhaseTimes::free_motion);
}

/// The step of the chosen integrator. Nothing if a constraint is in its way after all: then it is a contact step.
std::optional<StepStatus> TimeStepper::takeSmoothStep(const StepContext& context, double time, double h, Snapshot& to,
                                                      StepReport& report, PhaseClock& clock) {
  smooth_.findNodeVelocity(context, node_velocity_);
  const NodeStepResult result = smooth_.take(context, node_velocity_.data(), h, to.state);
  report.iterations += result.iterations;
  clock.finish(&PhaseTimes::free_motion);
  if (!result.converged) return StepStatus::kNotIntegrated;
  if (!to.state.q.allFinite() || !to.state.v.allFinite()) return StepStatus::kNotConverged;
  if (smooth_.saturated()) return std::nullopt;
  if (turnsTooFar(topology_, node_velocity_.data(), h) || turnsTooFar(topology_, to.state.v.data(), h))
    return StepStatus::kTooFast;
  computeEndPose(to.state.q);
  clock.finish(&PhaseTimes::kinematics);
  if (appendViolated(context, start_, end_, to.state.q.data(), motion_, set_)) return std::nullopt;
  clock.finish(&PhaseTimes::collide);

  to.state.time = time + h;
  rememberNode(context.memory, to.memory);
  report.step = std::max(report.step, result.residual);
  recordSmoothStep(context, node_velocity_.data(), h, to.state.v.data(), report.record);
  fillSmoothReport(context, report);
  std::swap(start_, end_);
  start_q_.swap(end_q_);
  clock.finish(&PhaseTimes::integrate);
  return StepStatus::kAccepted;
}

/// q′ = q ⊕ h v′ and the links there.
void TimeStepper::moveTo(const StepContext& context, Snapshot& to) {
  integrate(topology_, context.q, to.state.v.data(), motion_.h, to.state.q.data());
  computeEndPose(to.state.q);
}

void TimeStepper::computeEndPose(const Eigen::VectorXd& q) {
  computeKinematics(topology_, parameters_, q.data(), end_.kin);
  computeBallCentres(contacts_.balls, topology_, end_.kin, end_.centres);
  end_q_ = q;
}

void TimeStepper::fillReport(const StepContext& context, const double* v_end, StepReport& report) {
  for (int j = 0; j < topology_.nv; ++j)
    report.mean_velocity_gap =
        std::max(report.mean_velocity_gap, std::fabs(motion_.mean_velocity[j] - 0.5 * (context.v[j] + v_end[j])));
  report.smooth = report.smooth && set_.list.empty();
  recordSubstep(context, motion_, set_, islands_, model_.shapes(), v_end, report.record);
  addContacts(context, set_, islands_, model_.shapes(), motion_.h, report);
  for (const Constraint& c : set_.list)
    if (c.source == RowSource::kLoop) report.loop_gap = std::max(report.loop_gap, c.gap_end);
  if (report.substeps++ > 0) return;  // node values belong to the start of the whole step
  computeNodeVelocity(context, motion_, set_, v_end, change_.data(), report.velocity);
  computeActuatorTorques(context, motion_, set_, v_end, report.tau);
  fillEnergy(report);
}

void TimeStepper::fillSmoothReport(const StepContext& context, StepReport& report) {
  if (report.substeps++ > 0) return;
  report.velocity = node_velocity_;
  report.tau.resize(topology_.nv);
  for (int j = 0; j < topology_.nv; ++j) report.tau[j] = context.input.tau[j];
  for (int link = 0; link < topology_.links; ++link) {
    const int j = topology_.v_index[link];
    if (topology_.dofs[link] == 1)
      report.tau[j] += pdTorque(context.input, j, context.q[topology_.q_index[link]], node_velocity_[j]);
  }
  fillEnergy(report);
}

/// Node values at the start pose, from the node velocity in the report.
void TimeStepper::fillEnergy(StepReport& report) {
  const auto sum =
      computeEnergy(topology_, parameters_, start_.kin, motion_.inertias, report.velocity.data(), link_velocity_);
  report.kinetic = sum.kinetic;
  report.potential = sum.potential;
  for (int j = 0; j < topology_.nv; ++j)
    report.potential += 0.5 * parameters_.stiffness[j] * motion_.stretch[j] * motion_.stretch[j];
  report.momentum << sum.linear.x, sum.linear.y, sum.linear.z, sum.angular.x, sum.angular.y, sum.angular.z;
}

}  // namespace rigor
