#include "minimal/time_stepper.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "dynamics/energy.h"
#include "dynamics/integrate.h"
#include "minimal/restitution.h"
#include "minimal/secant.h"
#include "minimal/step_result.h"

namespace rigor {
namespace {

constexpr int kMaxPasses = 6;               // solves of one step before it is refused
constexpr double kContraction = 0.3;        // a pass that shrinks the residual less keeps the rows of the last one
constexpr double kAim = 0.1;                // passes go on to this share of the judge's ε while they still help
constexpr double kResting = 1e-8;           // [m or rad] poses that move less in a step share their rows
constexpr double kMaxTurn = 0.3;            // [rad] a joint may turn in one step
constexpr double kSolverTolerance = 1e-11;  // inner ε, one digit inside the judge's

/// Largest angle that a joint turns in the step [rad].
double largestTurn(const Topology& topology, const double* v, double h) {
  double rate = 0.0;
  for (int link = 0; link < topology.links; ++link) {
    const int turns = rotationCount(topology.joint[link]);
    const double* omega = v + topology.v_index[link] + topology.dofs[link] - turns;
    double sum = 0.0;
    for (int k = 0; k < turns; ++k) sum += omega[k] * omega[k];
    rate = std::max(rate, sum);
  }
  return h * std::sqrt(rate);
}

/// Largest change of a coordinate in the step [m or rad].
double largestMove(const Topology& topology, const double* v, double h) {
  double speed = 0.0;
  for (int j = 0; j < topology.nv; ++j) speed = std::max(speed, std::fabs(v[j]));
  return h * speed;
}

bool isFinite(const Eigen::VectorXd& x) { return (x.array() - x.array() == 0.0).all(); }

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
      solver_(std::move(solver)),
      options_(options),
      change_(topology_.nv),
      link_velocity_(topology_.links),
      halves_(options.max_halvings + 1) {
  start_.kin.resize(topology_);
  end_.kin.resize(topology_);
  start_q_.setConstant(topology_.nq, std::numeric_limits<double>::quiet_NaN());  // equals no pose
  motion_.resize(topology_);
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
  report.law = report.equation = report.step = report.floor = report.penetration = report.mean_velocity_gap = 0.0;
  report.contacts.clear();
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
  if (!isFinite(from.state.q) || !isFinite(from.state.v)) return StepStatus::kNotFinite;
  const StepContext context{topology_, parameters_, contacts_,           limits_,
                            input,     from.memory, from.state.q.data(), from.state.v.data()};
  if (start_q_ != from.state.q) {
    computeKinematics(topology_, parameters_, context.q, start_.kin);
    computeBallCentres(contacts_.balls, topology_, start_.kin, start_.centres);
    start_q_ = from.state.q;
  }
  clock.finish(&PhaseTimes::kinematics);
  startMotion(context, from, h, clock);
  if (!allFinite(motion_.rhs)) return StepStatus::kNotFinite;
  findConstraints(context, start_, motion_, set_);
  computeResponses(topology_, motion_, 0, set_);
  applyRestitution(context, motion_, 0, set_, change_.data());
  islands_.count = 0;
  clock.finish(&PhaseTimes::collide);

  to.state.q.resize(topology_.nq);
  to.state.v.resize(topology_.nv);
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
  computeBias(topology_, parameters_, start_.kin, context.input, context.v, motion_);
  computeMass(topology_, parameters_, start_.kin, motion_);
  factorMass(topology_, context.input, motion_);
  computeKick(topology_, parameters_, context.input, context.q, context.v, motion_);
  clock.finish(&PhaseTimes::free_motion);
}

/// q′ = q ⊕ h v′ and the links there.
void TimeStepper::moveTo(const StepContext& context, Snapshot& to) {
  integrate(topology_, context.q, to.state.v.data(), motion_.h, to.state.q.data());
  computeKinematics(topology_, parameters_, to.state.q.data(), end_.kin);
  computeBallCentres(contacts_.balls, topology_, end_.kin, end_.centres);
  end_q_ = to.state.q;
}

StepStatus TimeStepper::findImpulses(const StepContext& context, Snapshot& to, StepReport& report, PhaseClock& clock) {
  double* v_end = to.state.v.data();
  bool solved = set_.list.empty();  // without constraints the free motion is the answer
  if (solved || context.memory.increments == 0)
    applyImpulses(topology_, motion_, set_, ImpulseChoice::kNone, change_.data());
  else
    std::copy(motion_.predicted.begin(), motion_.predicted.end(), change_.begin());
  for (int j = 0; j < topology_.nv; ++j) v_end[j] = context.v[j] + change_[j];
  if (solved) solved = !saturateMotors(context, v_end);

  Residuals law;
  double previous = std::numeric_limits<double>::infinity();
  PassState pass_state;
  if (!solved && largestMove(topology_, v_end, motion_.h) < kResting) {
    useStartRows(context, v_end, motion_, set_);
    solved = correct(context, true, to, report, clock, pass_state);
  }
  for (int pass = 0;; ++pass) {
    ++report.passes;
    moveTo(context, to);
    if (!isFinite(to.state.q)) return StepStatus::kNotConverged;
    clock.finish(&PhaseTimes::kinematics);

    const int known = static_cast<int>(set_.list.size());
    const bool appended = solved && appendViolated(context, start_, end_, to.state.q.data(), motion_, set_);
    if (appended) applyRestitution(context, motion_, known, set_, change_.data());
    computeSecants(context, start_, end_, to.state.q.data(), v_end, motion_.h, set_);
    clock.finish(&PhaseTimes::collide);
    if (largestTurn(topology_, v_end, motion_.h) > kMaxTurn || ballsPassed(context, end_, set_))
      return StepStatus::kTooFast;

    bool stalled = false;
    if (solved && !appended) {
      law = judgeLawAtEnd();
      clock.finish(&PhaseTimes::judge);
      if (!law.finite) return StepStatus::kNotConverged;
      pass_state.law = law.law;
      if (law.law <= kAim * options_.tolerance) break;
      stalled = pass > 1 && law.law > kContraction * previous;
      previous = law.law;
      if ((stalled || pass == kMaxPasses) && law.law <= options_.tolerance) break;
    } else {
      previous = std::numeric_limits<double>::infinity();  // other rows: nothing to compare with
    }
    if (pass == kMaxPasses) {
      refused_law_ = pass_state.law;
      return pass_state.solver_failed ? StepStatus::kNotSolved : StepStatus::kNotConverged;
    }

    if (!stalled || appended) {
      computeConstraintRows(context, end_, v_end, motion_, set_);
      solved = correct(context, appended || pass_state.afresh, to, report, clock, pass_state);
    } else {
      for (int i = 0; i < islands_.count; ++i) correctFreeVelocity(set_, islands_.list[i]);
      solved = solveAndApply(context, to, report, clock, pass_state);
    }
  }
  const double balance = judgeMomentum(context, start_.kin, motion_, set_, v_end, momentum_);
  report.law = std::max(report.law, law.law);
  report.floor = std::max(report.floor, law.floor);
  report.step = std::max(report.step, balance);
  clock.finish(&PhaseTimes::judge);
  return balance <= options_.tolerance && keepsGaps(set_, motion_.h) ? StepStatus::kAccepted
                                                                     : StepStatus::kNotConverged;
}

/// One Newton correction: problems from the present rows, their solution, the velocity it leads to. `afresh` if the
/// velocity at the end does not answer to the present impulses. Returns false if a motor saturated on the way.
bool TimeStepper::correct(const StepContext& context, bool afresh, Snapshot& to, StepReport& report, PhaseClock& clock,
                          PassState& state) {
  if (afresh) findIslands(topology_, set_, islands_);
  assembleProblems(context, afresh, to.state.v.data());
  clock.finish(&PhaseTimes::assemble);
  return solveAndApply(context, to, report, clock, state);
}

bool TimeStepper::solveAndApply(const StepContext& context, Snapshot& to, StepReport& report, PhaseClock& clock,
                                PassState& state) {
  state.solver_failed = !solveProblems(report);
  clock.finish(&PhaseTimes::solve);
  applyImpulses(topology_, motion_, set_, ImpulseChoice::kAll, change_.data());
  for (int j = 0; j < topology_.nv; ++j) to.state.v[j] = context.v[j] + change_[j];
  state.afresh = saturateMotors(context, to.state.v.data());
  clock.finish(&PhaseTimes::assemble);
  return !state.afresh;
}

void TimeStepper::fillReport(const StepContext& context, const double* v_end, StepReport& report) {
  for (int j = 0; j < topology_.nv; ++j)
    report.mean_velocity_gap =
        std::max(report.mean_velocity_gap, std::fabs(motion_.mean_velocity[j] - 0.5 * (context.v[j] + v_end[j])));
  addContacts(context, set_, islands_, model_.shapes(), motion_.h, report);
  if (report.substeps++ > 0) return;  // node values belong to the start of the whole step
  computeNodeVelocity(context, motion_, set_, v_end, change_.data(), report.velocity);
  computeActuatorTorques(context, motion_, set_, v_end, report.tau);
  const auto sum =
      computeEnergy(topology_, parameters_, start_.kin, motion_.inertias, report.velocity.data(), link_velocity_);
  report.kinetic = sum.kinetic;
  report.potential = sum.potential;
  report.momentum << sum.linear.x, sum.linear.y, sum.linear.z, sum.angular.x, sum.angular.y, sum.angular.z;
}

Residuals TimeStepper::judgeLawAtEnd() {
  Residuals worst;
  for (int i = 0; i < islands_.count; ++i) {
    const Residuals one = judgePositions(set_, islands_.list[i]);
    worst.finite = worst.finite && one.finite;
    worst.law = std::max(worst.law, one.law);
    worst.floor = std::max(worst.floor, one.floor);
  }
  return worst;
}

void TimeStepper::assembleProblems(const StepContext& context, bool afresh, const double* v_end) {
  for (int i = 0; i < islands_.count; ++i) {
    Island& island = islands_.list[i];
    assembleIsland(topology_, motion_, set_, island);
    if (afresh) {
      guessModes(set_, island);
      assembleFreeVelocity(topology_, motion_, set_, context.v, v_end, island);
    } else {
      correctFreeVelocity(set_, island);
    }
  }
}

bool TimeStepper::solveProblems(StepReport& report) {
  ++report.solves;
  bool solved = true;
  for (int i = 0; i < islands_.count; ++i) {
    Island& island = islands_.list[i];
    solver_->solve(island.problem, {.tolerance = kSolverTolerance}, island.solution);
    report.iterations += island.solution.iterations;
    report.equation = std::max(report.equation, island.solution.residuals.equation);
    if (report.stage[0] == '\0' || std::strcmp(island.solution.stage, "sets") != 0)
      report.stage = island.solution.stage;
    solved = solved && accepts(island.solution.residuals, options_.tolerance);
    for (std::size_t k = 0; k < island.constraints.size(); ++k) {
      const Constraint& c = set_.list[island.constraints[k]];
      std::copy_n(&island.solution.impulse[island.problem.blocks[k].row], c.rows, &set_.impulse[c.first_row]);
    }
  }
  return solved;
}

/// A PD torque beyond its limit leaves M̂ and becomes a box row; within a step it does not come back.
bool TimeStepper::saturateMotors(const StepContext& context, const double* v_end) {
  const std::size_t before = set_.list.size();
  for (int link = 0; link < topology_.links; ++link) {
    const int j = topology_.v_index[link];
    if (topology_.dofs[link] != 1 || motion_.saturated[j] || !std::isfinite(context.input.effort[j])) continue;
    const double impulse = pdImpulse(context.input, motion_, j, context.q[topology_.q_index[link]], v_end[j]);
    if (std::fabs(impulse) <= motion_.kick * context.input.effort[j]) continue;
    motion_.saturated[j] = 1;
    addMotor(context, j, motion_, set_);
    set_.impulse[set_.list.back().first_row] = std::copysign(set_.list.back().hi, impulse);
  }
  if (set_.list.size() == before) return false;
  factorMass(topology_, context.input, motion_);
  computeKick(topology_, parameters_, context.input, context.q, context.v, motion_);
  computeResponses(topology_, motion_, 0, set_);
  return true;
}

}  // namespace rigor
