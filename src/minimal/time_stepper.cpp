#include "minimal/time_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/energy.h"
#include "dynamics/integrate.h"
#include "minimal/secant.h"
#include "minimal/step_record.h"
#include "minimal/step_result.h"

namespace rigor {
namespace {

constexpr int kMaxImpacts = 16;      // of one (half of a) step before it is halved
constexpr double kSoftPart = 1e-2;   // of a step: how long an impact without a solution of its own takes
constexpr double kLeastPart = 1e-5;  // of a step: impacts closer together than this are simultaneous

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
      levels_(options.max_halvings + 1) {
  start_.kin.resize(topology_);
  end_.kin.resize(topology_);
  start_q_.setConstant(topology_.nq, std::numeric_limits<double>::quiet_NaN());  // equals no pose
  motion_.resize(topology_, parameters_);
  momentum_.resize(topology_);
  for (Level& level : levels_)  // a step that is halved or hits something for the first time allocates nothing
    for (Snapshot* part : {&level.middle, &level.landed, &level.closed, &level.struck[0], &level.struck[1]}) {
      part->state.q.resize(topology_.nq);
      part->state.v.resize(topology_.nv);
      for (Eigen::VectorXd& rate : part->memory.rates) rate.resize(topology_.nv);
      part->memory.blocks.reserve(64);
      part->memory.controller.reserve(8);
    }
}

StepContext TimeStepper::makeContext(const StepInput& input, const Snapshot& from) const {
  return {topology_,   parameters_,         contacts_,          limits_, loops_, input,
          from.memory, from.state.q.data(), from.state.v.data()};
}

void TimeStepper::step(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report) {
  beginReport(from.state.time, h, report);
  startRecord(input, report.record);
  refused_law_ = 0.0;
  step_length_ = h;
  report.status = advance(input, from, h, 0, to, report);
  if (report.accepted()) return;
  refuseReport(refused_law_, report);
  startRecord(input, report.record);
}

void TimeStepper::findNode(const StepInput& input, const Snapshot& from, double h, StepReport& node) {
  beginReport(from.state.time, 0.0, node);
  startRecord(input, node.record);
  refused_law_ = 0.0;
  step_length_ = h;
  Snapshot& thrown_away = levels_[0].closed;
  if (from.memory.last_step > 0.0) {
    node.status = closeKick(input, from, thrown_away, node);
  } else {  // v is the node velocity already
    PhaseClock clock(node.nanoseconds);
    startNode(makeContext(input, from), from, thrown_away, clock);
    set_.list.clear();
    fillReport(makeContext(input, from), from.state.v.data(), node);
    node.status = StepStatus::kAccepted;
  }
  if (!node.accepted()) refuseReport(refused_law_, node);
}

/// The step as a whole, or impact by impact; what is refused is tried again in halves. Impacts that cannot be told apart
/// any more, or have no solution, end softly: without a bounce, within a short step of their own or else within the rest.
StepStatus TimeStepper::advance(const StepInput& input, const Snapshot& from, double h, int halvings, Snapshot& to,
                                StepReport& report) {
  Level& level = levels_[halvings];
  const Snapshot* at = &from;
  double left = h;
  bool softly = false;
  double soft_part = kSoftPart * step_length_;
  for (int impacts = 0;; ++impacts) {
    Snapshot& next = level.struck[impacts % 2];
    const double part = softly ? std::min(left, soft_part) : left;
    const StepStatus status = attempt(input, *at, part, softly, part < left ? next : to, report);
    if (status == StepStatus::kNotFinite) return status;
    if (status == StepStatus::kAccepted && !closing_.found()) {
      if (softly) noteLostBounce(at->state.v.data(), report);
      accept(input, *at, part, part < left ? next : to, report);
      if (part == left) return status;
      at = &next;
      left -= part;
      softly = false;
      continue;
    }
    if (softly && part < left) {
      soft_part = left;
      continue;
    }
    if (status == StepStatus::kAccepted && impacts < kMaxImpacts) {
      const Impact impact = goThroughImpact(input, *at, level, next, report);
      at = impact.reached;
      left -= impact.time;
      if (left <= kLeastPart * step_length_) {
        to = *at;
        to.state.time += left;
        return status;
      }
      softly = !impact.struck && impact.time > 0.0;
      if (impact.struck || softly) continue;
    }
    if (halvings < options_.max_halvings) return halve(input, *at, left, halvings, to, report);
    if (status != StepStatus::kAccepted || softly) return status;
    softly = true;
  }
}

/// A bounce that was owed and not given must be told: the guard's factor is then 0.
void TimeStepper::noteLostBounce(const double* v, StepReport& report) const {
  for (const Constraint& c : set_.list)
    if (c.source == RowSource::kContact && set_.impulse[c.first_row] > 0.0 &&
        contacts_.pairs[c.index].restitution > 0.0 &&
        rateAt(topology_, set_, c, v) < -contacts_.pairs[c.index].threshold)
      report.theta = 0.0;
}

StepStatus TimeStepper::halve(const StepInput& input, const Snapshot& from, double h, int halvings, Snapshot& to,
                              StepReport& report) {
  Snapshot& middle = levels_[halvings].middle;
  const StepStatus first = advance(input, from, 0.5 * h, halvings + 1, middle, report);
  if (first != StepStatus::kAccepted) return first;
  return advance(input, middle, 0.5 * h, halvings + 1, to, report);
}

/// A step of length h as if nothing struck anything, and in closing_ the first impact that it runs into: at time 0 it is
/// one at the node, and nothing else was computed. `softly` looks for none. Changes neither the report's verdicts nor any memory.
StepStatus TimeStepper::attempt(const StepInput& input, const Snapshot& from, double h, bool softly, Snapshot& to,
                                StepReport& report) {
  PhaseClock clock(report.nanoseconds);
  closing_ = {};
  verdict_ = {};
  if (!from.state.q.allFinite() || !from.state.v.allFinite()) return StepStatus::kNotFinite;
  const StepContext context = makeContext(input, from);
  computeStartPose(from.state.q);
  clock.finish(&PhaseTimes::kinematics);
  startMotion(context, from, h, clock);
  if (!allFinite(motion_.rhs)) return StepStatus::kNotFinite;
  to.state.q.resize(topology_.nq);
  to.state.v.resize(topology_.nv);
  islands_.count = 0;
  findConstraints(context, start_, motion_, set_);
  if (set_.list.empty() && !isLeapfrog(options_.integrator)) {
    const std::optional<StepStatus> status = takeSmoothStep(context, h, to, report, clock);
    if (status) return *status;
  }
  if (!softly && strikesAtNode(context, set_)) {
    closing_ = {.time = 0.0};
    return StepStatus::kAccepted;
  }
  computeResponses(topology_, motion_, 0, set_);
  clock.finish(&PhaseTimes::collide);

  const StepStatus status = findImpulses(context, to, report, clock);
  if (status == StepStatus::kAccepted && !softly) closing_ = findFirstClosing(context, motion_, set_, islands_, h);
  return status;
}

/// Makes the last attempt count.
void TimeStepper::accept(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report) {
  PhaseClock clock(report.nanoseconds);
  const StepContext context = makeContext(input, from);
  to.state.time = from.state.time + h;
  if (verdict_.smooth)
    rememberNode(from.memory, to.memory);
  else if (h > 0.0)
    remember(from.memory, motion_, set_, islands_, change_.data(), to.memory);
  else
    rememberImpact(from.memory, set_, islands_, to.memory);
  fillReport(context, to.state.v.data(), report);
  if (h > 0.0) {
    std::swap(start_, end_);
    start_q_.swap(end_q_);
  }
  clock.finish(&PhaseTimes::integrate);
}

void TimeStepper::computeStartPose(const Eigen::VectorXd& q) {
  if (start_q_ == q) return;
  computeKinematics(topology_, parameters_, q.data(), start_.kin);
  computeBallCentres(contacts_.balls, topology_, start_.kin, start_.centres);
  start_q_ = q;
}

void TimeStepper::startMotion(const StepContext& context, const Snapshot& from, double h, PhaseClock& clock) {
  motion_.h = h;
  motion_.kick = 0.5 * (from.memory.last_step + h);
  motion_.least = kLeastPart * step_length_;
  motion_.velocity_scale = step_length_;
  for (int j = 0; j < topology_.nv; ++j) motion_.saturated[j] = 0;
  for (const BlockMemory& block : from.memory.blocks)
    if (isMotorAtBound(block)) {
      const int j = motorDof(block);  // the hold may have been taken away since
      motion_.saturated[j] = context.input.kp[j] + context.input.kd[j] > 0.0;
    }
  predictIncrement(from.memory, motion_.kick, motion_);
  if (options_.integrator == Integrator::kLeapfrogCarried)
    std::fill(motion_.predicted.begin(), motion_.predicted.end(), 0.0);
  computeInertiasAndBias(topology_, parameters_, start_.kin, context.input, context.v, motion_);
  computeMass(topology_, parameters_, start_.kin, motion_);
  computeStretch(topology_, parameters_, context.q, motion_);
  factorMass(topology_, parameters_, context.input, motion_);
  computeKick(topology_, parameters_, context.input, context.q, context.v, motion_);
  clock.finish(&PhaseTimes::free_motion);
}

/// The step of the chosen integrator. Nothing if a constraint is in its way after all: then it is a contact step.
std::optional<StepStatus> TimeStepper::takeSmoothStep(const StepContext& context, double h, Snapshot& to,
                                                      StepReport& report, PhaseClock& clock) {
  smooth_.findNodeVelocity(context, node_velocity_);
  const NodeStepResult result = smooth_.take(context, node_velocity_.data(), h, to.state);
  report.iterations += result.iterations;
  clock.finish(&PhaseTimes::free_motion);
  if (!result.converged) return StepStatus::kNotIntegrated;
  if (!to.state.q.allFinite() || !to.state.v.allFinite()) return StepStatus::kNotConverged;
  if (smooth_.saturated()) return std::nullopt;
  if (turnsTooFar(topology_, contacts_.round, node_velocity_.data(), h) ||
      turnsTooFar(topology_, contacts_.round, to.state.v.data(), h))
    return StepStatus::kTooFast;
  computeEndPose(to.state.q);
  clock.finish(&PhaseTimes::kinematics);
  if (appendViolated(context, start_, end_, to.state.q.data(), motion_, set_)) return std::nullopt;
  clock.finish(&PhaseTimes::collide);

  verdict_.smooth = true;
  verdict_.balance = result.residual;
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

}  // namespace rigor
