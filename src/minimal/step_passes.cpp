// The passes of one step: solve, move, judge at the end pose, until the law holds there. Rows are taken at the predicted pose
// and kept when a pass does not contract.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "contact/judge.h"
#include "dynamics/integrate.h"
#include "minimal/row_kinds.h"
#include "minimal/secant.h"
#include "minimal/step_result.h"
#include "minimal/time_stepper.h"

namespace rigor {
namespace {

constexpr int kMaxPasses = 6;                  // solves of one step before it is refused
constexpr double kContraction = 0.3;           // a pass that shrinks the residual less keeps the rows of the last one
constexpr double kAim = 0.1;                   // passes go on to this share of the judge's ε while they still help
constexpr double kResting = 1e-8;              // [m or rad] poses that move less in a step share their rows
constexpr double kMaxTurn = 0.3;               // [rad] a joint may turn in one step
constexpr double kMeanVelocity = 1e-7;         // share of its energy that a step may miss because of v̄ (missedMean)
constexpr double kMeanVelocityOfLoops = 1e-9;  // with loops: share of the speed
constexpr int kRenewals = 8;  // passes that take the velocity terms anew before the step is too long for them
constexpr double kSolverTolerance = 1e-11;  // inner ε, one digit inside the judge's

/// Largest change of a coordinate in the step [m or rad].
double largestMove(const Topology& topology, const double* v, double h) {
  double speed = 0.0;
  for (int j = 0; j < topology.nv; ++j) speed = std::max(speed, std::fabs(v[j]));
  return h * speed;
}

}  // namespace

bool turnsTooFar(const Topology& topology, const std::vector<char>& exempt, const double* v, double h) {
  double rate = 0.0;
  for (int link = 0; link < topology.links; ++link) {
    if (exempt[link]) continue;
    const int turns = rotationCount(topology.joint[link]);
    const double* omega = v + topology.v_index[link] + topology.dofs[link] - turns;
    double sum = 0.0;
    for (int k = 0; k < turns; ++k) sum += omega[k] * omega[k];
    rate = std::max(rate, sum);
  }
  return h * std::sqrt(rate) > kMaxTurn;
}

StepStatus TimeStepper::findImpulses(const StepContext& context, Snapshot& to, StepReport& report, PhaseClock& clock) {
  double* v_end = to.state.v.data();
  const StepEnd end{end_, to.state.q.data(), v_end, motion_.h};
  bool solved = set_.empty();  // without constraints the free motion is the answer
  if (solved || context.memory.increments == 0)
    applyImpulses(topology_, motion_, set_, ImpulseChoice::kNone, change_.data());
  else
    std::copy(motion_.predicted.begin(), motion_.predicted.end(), change_.begin());
  for (int j = 0; j < topology_.nv; ++j) v_end[j] = context.v[j] + change_[j];
  if (solved) solved = !saturateMotors(context, v_end);

  Residuals law;
  int renewals = 0;
  double previous = std::numeric_limits<double>::infinity();
  PassState pass_state;
  if (!solved && largestMove(topology_, v_end, motion_.h) < kResting) {
    useStartRows(context, v_end, motion_, set_);
    solved = correct(context, true, to, report, clock, pass_state);
  }
  for (int pass = 0;; ++pass) {
    ++report.passes;
    moveTo(context, to);
    if (!to.state.q.allFinite()) return StepStatus::kNotConverged;
    clock.finish(&PhaseTimes::kinematics);

    const bool appended = solved && appendViolated(context, start_, end, motion_, set_);
    computeSecants(context, start_, end, set_);
    clock.finish(&PhaseTimes::collide);
    if (turnsTooFar(topology_, tables_->collision.round, v_end, motion_.h)) return StepStatus::kTooFast;

    bool stalled = false;
    if (solved && !appended) {
      law = judgeLawAtEnd();
      clock.finish(&PhaseTimes::judge);
      if (!law.finite) return StepStatus::kNotConverged;
      pass_state.law = law.law;
      const bool renewed = renewVelocityTerms(context, v_end);
      if (renewed && ++renewals > kRenewals) return StepStatus::kNotConverged;
      if (law.law <= kAim * options_.tolerance && !renewed) break;
      stalled = pass > 1 && law.law > kContraction * previous && !renewed;
      previous = law.law;
      if ((stalled || pass >= kMaxPasses) && law.law <= options_.tolerance && !renewed) break;
      pass_state.afresh = pass_state.afresh || renewed;
    } else {
      previous = std::numeric_limits<double>::infinity();  // other rows: nothing to compare with
    }
    if (pass >= kMaxPasses + renewals) {
      refused_law_ = pass_state.law;
      return pass_state.solver_failed ? StepStatus::kNotSolved : StepStatus::kNotConverged;
    }

    if (!stalled || appended) {
      computeConstraintRows(context, start_, end, motion_, set_);
      solved = correct(context, appended || pass_state.afresh, to, report, clock, pass_state);
    } else {
      for (int i = 0; i < islands_.count; ++i) correctFreeVelocity(set_, islands_.list[i]);
      solved = solveAndApply(context, to, report, clock, pass_state);
    }
  }
  const double balance = judgeMomentum(context, start_.kin, motion_, set_, v_end, momentum_);
  verdict_.law = law.law;
  verdict_.floor = law.floor;
  verdict_.by_floor = needsFloor(law, options_.tolerance);
  verdict_.balance = balance;
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

/// How much v̄ misses the mean of v and v′, as a share of the energy that it costs in this step: h·ω·|v̄ − (v + v′)/2|/|v|,
/// ω the largest rate of a joint. A loop turns velocity into force far more than a chain does: there it is the share of
/// the speed (at 10 ms the extrapolation alone gains 0.5 % of a four-bar's energy per minute).
double TimeStepper::missedMean(const StepContext& context, const double* v_end) const {
  double missed = 0.0, speed = motion_.h, rate = 0.0;
  for (int j = 0; j < topology_.nv; ++j) {
    missed = std::max(missed, std::fabs(motion_.mean_velocity[j] - 0.5 * (context.v[j] + v_end[j])));
    speed = std::max({speed, std::fabs(context.v[j]), std::fabs(v_end[j])});
  }
  for (int link = 0; link < topology_.links; ++link) {
    if (tables_->collision.round[link]) continue;  // no velocity-dependent force
    const int turns = rotationCount(topology_.joint[link]);
    const double* omega = v_end + topology_.v_index[link] + topology_.dofs[link] - turns;
    for (int k = 0; k < turns; ++k) rate = std::max(rate, std::fabs(omega[k]));
  }
  return (tables_->loops.empty() ? motion_.h * rate : 1.0) * missed / speed;
}

/// Takes the velocity-dependent terms at the mean of v and v′ instead of the extrapolated one, if that matters. Returns
/// false if they were good enough.
bool TimeStepper::renewVelocityTerms(const StepContext& context, const double* v_end) {
  if (options_.integrator == Integrator::kLeapfrogCarried) return false;
  if (missedMean(context, v_end) <= (tables_->loops.empty() ? kMeanVelocity : kMeanVelocityOfLoops)) return false;
  for (int j = 0; j < topology_.nv; ++j) motion_.predicted[j] = v_end[j] - context.v[j];
  computeBias(topology_, parameters_, start_.kin, context.input, context.v, motion_);
  computeKick(topology_, parameters_, context.input, context.q, context.v, motion_);
  return true;
}

Residuals TimeStepper::judgeLawAtEnd() {
  Residuals worst;
  for (int i = 0; i < islands_.count; ++i) {
    const Residuals one = judgePositions(set_, islands_.list[i]);
    worst.finite = worst.finite && one.finite;
    worst.law = std::max(worst.law, one.law);
    worst.plain_law = std::max(worst.plain_law, one.plain_law);
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
    solver_->solve(island.problem, {.tolerance = options_.tolerance, .aim = kSolverTolerance}, island.solution);
    report.iterations += island.solution.iterations;
    verdict_.equation = std::max(verdict_.equation, island.solution.residuals.equation);
    if (report.stage[0] == '\0' || std::strcmp(island.solution.stage, "sets") != 0)
      report.stage = island.solution.stage;
    solved = solved && accepts(island.solution.residuals, options_.tolerance);
    for (std::size_t k = 0; k < island.constraints.size(); ++k) {
      const Constraint& c = set_.slots[island.constraints[k]];
      std::copy_n(&island.solution.impulse[island.problem.blocks[k].row], c.rows, &set_.impulse[c.first_row]);
    }
  }
  return solved;
}

/// A PD torque beyond its limit leaves M̂ and becomes a box row; within a step it does not come back.
bool TimeStepper::saturateMotors(const StepContext& context, const double* v_end) {
  const int before = set_.size();
  for (int link = 0; link < topology_.links; ++link) {
    const int j = topology_.v_index[link];
    if (topology_.dofs[link] != 1 || motion_.saturated[j] || !std::isfinite(context.input.effort[j])) continue;
    const double impulse = pdImpulse(context.input, motion_, j, context.q[topology_.q_index[link]], v_end[j]);
    if (std::fabs(impulse) <= motion_.kick * context.input.effort[j]) continue;
    motion_.saturated[j] = 1;
    JointRows::addMotor(context, j, motion_, set_);
    const Constraint& motor = set_.at(set_.size() - 1);
    set_.impulse[motor.first_row] = std::copysign(motor.block.hi, impulse);
  }
  if (set_.size() == before) return false;
  factorMass(topology_, parameters_, context.input, motion_);
  computeKick(topology_, parameters_, context.input, context.q, context.v, motion_);
  computeResponses(topology_, motion_, 0, set_);
  return true;
}

}  // namespace rigor
