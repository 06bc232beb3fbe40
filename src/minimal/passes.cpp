#include "minimal/passes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "contact/judge.h"
#include "contact/visit_block.h"
#include "dynamics/integrate.h"
#include "math/pair.h"
#include "minimal/contact_work.h"
#include "minimal/discrete_motion.h"
#include "minimal/ghosts.h"
#include "minimal/loop_swing.h"
#include "minimal/row_kinds.h"
#include "minimal/secant.h"
#include "minimal/step_judge.h"

namespace rigor {
namespace {

constexpr int kMaxPasses = 6;  // solves of one step before it is refused
// Rows at a predicted pose that turns contradict each other by the square of the turn: sticking corners of one body cannot
// all stand still by them. An exact answer would be one to that contradiction, and the next pass is nearer.
constexpr double kEnough[] = {1e-2, 1e-5};     // of the first passes
constexpr double kContraction = 0.3;           // a pass that shrinks the residual less keeps the rows of the last one
constexpr double kAim = 0.1;                   // passes go on to this share of the judge's ε while they still help
constexpr double kResting = 1e-8;              // [m or rad] poses that move less in a step share their rows
constexpr double kMaxTurn = 0.3;               // [rad] a joint, of a variational step a link, may turn in one step
constexpr double kMeanVelocity = 1e-7;         // share of its energy that a step may miss because of v̄ (missedMean)
constexpr double kMeanVelocityOfLoops = 1e-9;  // with loops: share of the speed
constexpr int kRenewals = 8;       // passes that take the velocity terms anew before the step is too long for them
constexpr double kCredible = 0.1;  // residual above which a pass went astray: no velocity terms are taken from it
constexpr double kUnsettled =
    1e-3;                    // share of its energy that a step may miss where two answers of friction take turns
constexpr int kGrowths = 8;  // passes that may find more features of solids, beyond the others
constexpr double kInnerShare = 10.0;  // of the judge's ε: solvers go on one digit further

/// How a pass found the end pose.
enum class PassOutcome {
  kUnanswered,  ///< the velocity does not answer to impulses yet: a first guess, or a motor reached its bound
  kMoreRows,    ///< the end violates constraints that took no part
  kRenewed,     ///< velocity-dependent terms were taken anew
  kGoesOn,      ///< the law does not hold well enough yet
  kStalled,     ///< nor do new rows help: the present ones are kept
  kHolds,       ///< the law holds
};

/// What one pass leaves for the next.
struct PassState {
  bool answered = false;        ///< the velocity at the end answers to the impulses
  bool afresh = true;           ///< problems must be set up anew: it did not answer to those before
  bool settled = false;         ///< velocity-dependent terms belong to this velocity
  bool renewed_enough = false;  ///< or stay as they are
  bool solver_failed = false;
  bool failed_again = false;  ///< for the second time in a row, on a large island
  int pass = 0, renewals = 0;
  double missed = 0.0;  ///< share of the energy, of a variational step of the momentum, that the last renewal was for
  int rests = 0;        ///< passes after which contacts came to rest
  int growths = 0;      ///< passes that found more features of solids
  double previous = std::numeric_limits<double>::infinity();  ///< residual of the pass before, with the same rows
  Residuals law;                                              ///< of the last pass that was judged
};

/// Largest entry of v or w.
double largestSpeed(const Part& part, const double* v, const double* w) {
  double speed = 0.0;
  for (const Run& run : part.runs) {
    Pair most_v(speed), most_w(speed);
    int j = run.trees.first_dof;
    for (; j + 1 < run.trees.end_dof; j += 2) {
      most_v = larger(most_v, absolute(Pair::load(v + j)));
      most_w = larger(most_w, absolute(Pair::load(w + j)));
    }
    const Pair most = larger(most_v, most_w);
    speed = std::max(most.lane(0), most.lane(1));
    for (; j < run.trees.end_dof; ++j) speed = std::max(speed, std::max(std::fabs(v[j]), std::fabs(w[j])));
  }
  return speed;
}

/// How much v̄ misses the mean of v and v′, as a share of the energy that it costs in this step: h·ω·|v̄ − (v + v′)/2|/|v|,
/// ω the largest rate of a joint. A loop turns velocity into force far more than a chain does: there it is the share of
/// the speed (at 10 ms the extrapolation alone gains 0.5 % of a four-bar's energy per minute).
double missedMean(const StepContext& context, const FreeMotion& motion, const double* v_end) {
  double missed = 0.0, rate = 0.0;
  for (const Run& run : context.part.runs) {
    missed = std::max(missed, missedVelocity(run.trees, motion, context.v, v_end));
    for (const JointTurn& turn : within(context.tables.turns, run.trees))  // round links have no such forces
      for (int k = 0; k < turn.count; ++k) rate = std::max(rate, std::fabs(v_end[turn.dof + k]));
  }
  const double speed = largestSpeed(context.part, context.v, v_end);
  return (context.tables.loops.empty() ? motion.h * rate : 1.0) * missed / std::max(speed, motion.h);
}

/// Takes the velocity-dependent terms at the mean of v and v′ instead of the extrapolated one, if that matters. Returns
/// false if they were good enough.
bool renewVelocityTerms(const StepTask& task, const StepContext& context, const double* v_end, double& missed) {
  FreeMotion& motion = task.work.motion;
  if (motion.isDiscrete()) return lineariseAnew(task, context, v_end, kContraction, missed);
  if (task.options.integrator == Integrator::kLeapfrogCarried || context.input.increment) return false;
  const double allowed = context.tables.loops.empty() ? kMeanVelocity : kMeanVelocityOfLoops;
  missed = missedMean(context, motion, v_end);
  if (missed <= allowed) return false;
  context.part.forEachDof([&](int j) { motion.predicted[j] = v_end[j] - context.v[j]; });
  computeBias(context.part, context.parameters, task.work.start.pose.kin, context.input, context.v, motion);
  computeKick(context.part, context.parameters, context.input, context.q, context.v, motion);
  return true;
}

LinearAlgebra algebraOf(const ContactProblem& problem) {
  const DelassusMatrix& W = problem.W;
  if (!W.isFactored()) return LinearAlgebra::kDense;
  if (!W.hasForest()) return hasEqualRows(problem) ? LinearAlgebra::kGraph : LinearAlgebra::kBody;
  const DelassusFactors& factors = W.factors();
  for (int block = 0; block < factors.blocks(); ++block)
    if (factors.first_side[block + 1] - factors.first_side[block] > 1) return LinearAlgebra::kGraph;
  return LinearAlgebra::kTree;
}

bool hasLargeIsland(const Islands& islands) {
  return std::any_of(islands.list.begin(), islands.list.begin() + islands.count, [](const Island& island) {
    const ContactProblem& problem = island.problem;  // without its loops a problem may be small
    return problem.W.isFactored() && (problem.W.hasForest() || !hasEqualRows(problem));
  });
}

void solveAndApply(const StepTask& task, const StepContext& context, Snapshot& to, PhaseClock& clock,
                   PassState& state) {
  const bool failed_before = state.solver_failed;
  const double enough = state.pass < static_cast<int>(std::size(kEnough)) ? kEnough[state.pass] : 0.0;
  state.solver_failed = !solveProblems(task, enough);
  state.failed_again = failed_before && state.solver_failed && hasLargeIsland(task.work.islands);
  clock.finish(&PhaseTimes::solve);
  applyToVelocity(task, context, ImpulseChoice::kAll, to.state.v.data());
  state.answered = !saturateMotors(task, context, to.state.v.data());
  state.afresh = !state.answered;
  clock.finish(&PhaseTimes::assemble);
}

/// One Newton correction: problems from the present rows, their solution, the velocity it leads to.
void correct(const StepTask& task, const StepContext& context, Snapshot& to, PhaseClock& clock, PassState& state) {
  if (state.afresh) findIslands(context.topology, task.work.set, task.work.islands);
  assembleProblems(task, context, state.afresh, to.state.v.data());
  clock.finish(&PhaseTimes::assemble);
  solveAndApply(task, context, to, clock, state);
}

/// The first velocity: without constraints that of the free motion, which is the answer; else what the last steps suggest,
/// or, at rest, a first solve with the rows of the start.
void guessVelocity(const StepTask& task, const StepContext& context, Snapshot& to, PhaseClock& clock,
                   PassState& state) {
  StepWork& work = task.work;
  double* v_end = to.state.v.data();
  const std::vector<Run>& runs = context.part.runs;
  if (work.set.empty() || std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.increments == 0; }))
    applyToVelocity(task, context, ImpulseChoice::kNone, v_end);
  for (const Run& run : runs)
    for (int j = run.trees.first_dof; !work.set.empty() && run.increments > 0 && j < run.trees.end_dof; ++j) {
      work.change[j] = work.motion.predicted[j];
      v_end[j] = context.v[j] + work.change[j];
    }
  if (work.set.empty()) state.answered = !saturateMotors(task, context, v_end);
  if (state.answered || work.motion.h * largestSpeed(context.part, v_end, v_end) >= kResting) return;
  useStartRows(context, v_end, work.motion, work.set);
  ContactRows::writeFloors(context, work.start.pose, work.motion.h, work.set);
  correct(task, context, to, clock, state);
}

/// Without constraints the velocity-dependent terms can be renewed before any pose is found. False if that has no end.
bool settleFreeVelocity(const StepTask& task, const StepContext& context, double* v_end, PassState& state) {
  if (task.work.motion.isDiscrete()) return true;  // their momentum is that of the pose they lead to
  while (state.answered && task.work.set.empty() && renewVelocityTerms(task, context, v_end, state.missed)) {
    if (++state.renewals > kRenewals) return false;
    applyToVelocity(task, context, ImpulseChoice::kNone, v_end);
    state.answered = !saturateMotors(task, context, v_end);
  }
  state.settled = state.answered && task.work.set.empty();
  return true;
}

/// Judges a pass whose velocity answers to its impulses.
PassOutcome judgePass(const StepTask& task, const StepContext& context, const double* v_end, PassState& state) {
  state.law = judgeIslands(task.work);
  const double law = state.law.law, tolerance = task.options.tolerance;
  const bool renewed = state.law.finite && law <= kCredible && !state.settled && !state.renewed_enough &&
                       renewVelocityTerms(task, context, v_end, state.missed);
  const bool stalled = state.pass > 1 && law > kContraction * state.previous && !renewed;
  state.previous = law;
  if (renewed) return PassOutcome::kRenewed;
  const bool last = stalled || state.pass >= kMaxPasses;
  if (law <= kAim * tolerance || (last && law <= tolerance)) return PassOutcome::kHolds;
  return stalled ? PassOutcome::kStalled : PassOutcome::kGoesOn;
}

/// Counts a renewal of the velocity terms. The last one is kept if it misses little: where friction has several answers,
/// renewed terms may call for one and the other in turn. False if there is no end of it.
bool mayRenewOn(PassState& state) {
  if (++state.renewals < kRenewals) return true;
  state.renewed_enough = true;
  return state.missed <= kUnsettled;
}

/// Looks at the end pose of a pass.
PassOutcome lookAtEnd(const StepTask& task, const StepContext& context, const StepEnd& end, PhaseClock& clock,
                      PassState& state) {
  StepWork& work = task.work;
  const bool more = state.answered && appendViolated(context, work.start.pose, end, work.motion, work.set);
  computeSecants(context, work.start.pose, end, work.set);
  clock.finish(&PhaseTimes::collide);
  if (state.answered && !more) {
    const PassOutcome outcome = judgePass(task, context, end.v, state);
    clock.finish(&PhaseTimes::judge);
    return outcome;
  }
  state.previous = std::numeric_limits<double>::infinity();  // other rows: nothing to compare with
  return more ? PassOutcome::kMoreRows : PassOutcome::kUnanswered;
}

/// Then what is outside of a face is near its border, and what runs far within it runs without end.
bool isShort(const StepTask& task, double h) {
  constexpr double kShort = 1e-2;
  return h < kShort * task.length;
}

/// A step that is not much shorter than it was meant to be may not hold on to faces where they are not; and no step to balls that it
/// only thought would meet.
bool hasGhosts(const StepTask& task, const StepContext& context, const StepEnd& end) {
  const StepWork& work = task.work;
  const bool of_solids = !work.set.solids.taken.empty() && !isShort(task, end.h);
  return std::any_of(work.set.active.begin(), work.set.active.end(), [&](int slot) {
    const Constraint& c = work.set.slots[slot];
    return pushesApart(c, work.set) || (of_solids && pushesNothing(context, work.start.pose, end, c, work.set));
  });
}

bool givesEnergy(const StepTask& task, const StepContext& context, const double* v_end) {
  const Islands& islands = task.work.islands;
  if (task.work.set.solids.taken.empty()) return false;
  return std::any_of(islands.list.begin(), islands.list.begin() + islands.count,
                     [&](const Island& island) { return givesEnergy(task, context, island, v_end); });
}

bool loopsSwingTooFast(const StepTask& task, const StepContext& context, const double* v_end) {
  const Islands& islands = task.work.islands;
  if (context.tables.loops.empty()) return false;
  return std::any_of(islands.list.begin(), islands.list.begin() + islands.count,
                     [&](const Island& island) { return loopsSwingTooFast(task, context, island, v_end); });
}

/// A short step that follows a contact of lines that became parallel: where it ran to, their ends hold.
bool leaveRunaways(const StepTask& task, const StepContext& context, const StepEnd& end) {
  return isShort(task, end.h) && givesEnergy(task, context, end.v) && leaveRunaways(context, end.v, task.work.set);
}

/// The judge of the step as a whole: momentum, and gaps whatever the law was told.
StepStatus judgeStep(const StepTask& task, const StepContext& context, const double* v_end, const Residuals& law) {
  StepWork& work = task.work;
  work.verdict.add(law, task.options.tolerance);
  work.verdict.balance = judgeMomentum(context, work.start.pose.kin, work.motion, work.set, v_end, work.momentum);
  const bool holds = work.verdict.balance <= task.options.tolerance && keepsGaps(work.set, work.motion.h);
  return holds ? StepStatus::kAccepted : StepStatus::kNotConverged;
}

/// What a pass tells of impacts can be believed. Where several trees step together those that meet nobody still need its end. The
/// momentum of a variational step must be near enough to where it leads: a large impulse bends it.
bool isCredible(const StepContext& context, const FreeMotion& motion, PassOutcome outcome, const PassState& state) {
  constexpr double kNear = 1e-7;
  return context.part.trees.size() == 1 && state.answered && outcome != PassOutcome::kMoreRows &&
         state.law.law <= kCredible && (!motion.isDiscrete() || state.missed <= kNear);
}

/// The first impact of the step as the last pass has it.
bool strikes(const StepTask& task, const StepContext& context) {
  StepWork& work = task.work;
  findCrowds(context, work.crowds, work.set);  // more may have joined
  findRolling(work.set);
  work.closing = findFirstClosing(context, work.motion, work.set, work.islands, work.motion.h);
  return work.closing.found();
}

}  // namespace

bool givesEnergy(const StepTask& task, const StepContext& context, const Island& island, const double* v_end) {
  StepWork& work = task.work;
  return givesEnergy(context, work.start.pose.kin, work.motion, work.set, island, v_end, work.contact_work);
}

bool loopsSwingTooFast(const StepTask& task, const StepContext& context, const Island& island, const double* v_end) {
  StepWork& work = task.work;
  return loopsSwingTooFast(context, work.start.pose.kin, work.motion, work.set, island, v_end, work.contact_work);
}

bool turnsTooFar(const StepContext& context, const Trees& trees, const double* v, double h) {
  double rate = 0.0;
  for (const JointTurn& turn : within(context.tables.turns, trees)) {
    double sum = 0.0;
    for (int k = 0; k < turn.count; ++k) sum += v[turn.dof + k] * v[turn.dof + k];
    rate = std::max(rate, sum);
  }
  return h * std::sqrt(rate) > kMaxTurn;
}

bool turnsTooFar(const StepContext& context, const double* v, double h) {
  const std::vector<Run>& runs = context.part.runs;
  return std::any_of(runs.begin(), runs.end(), [&](const Run& run) { return turnsTooFar(context, run.trees, v, h); });
}

StepStatus findImpulses(const StepTask& task, const StepContext& context, bool softly, Snapshot& to,
                        PhaseClock& clock) {
  StepWork& work = task.work;
  const double h = work.motion.h;
  const StepEnd end{work.end.pose, to.state.q.data(), to.state.v.data(), h};
  work.attempted = end.v;
  PassState state;
  guessVelocity(task, context, to, clock, state);
  for (;; ++state.pass) {
    ++task.report.passes;
    if (!settleFreeVelocity(task, context, to.state.v.data(), state)) return StepStatus::kNotConverged;
    moveTo(task, context, to);
    if (!finitePositions(context.part, to.state.q)) return StepStatus::kNotConverged;
    clock.finish(&PhaseTimes::kinematics);
    if (turnsTooFar(context, end.v, h) || (work.motion.isDiscrete() && linksTurnTooFar(context, work, kMaxTurn)))
      return StepStatus::kTooFast;

    PassOutcome outcome = lookAtEnd(task, context, end, clock, state);
    if (!state.law.finite) return StepStatus::kNotConverged;
    if (outcome == PassOutcome::kHolds && work.set.solids.unresolved) return StepStatus::kNotConverged;
    const bool rests = work.set.may_rest && outcome == PassOutcome::kHolds &&
                       ContactRows::comeToRest(context, work.start.pose, work.motion, work.set);
    state.rests += rests;
    if (outcome == PassOutcome::kHolds && !rests && !leaveRunaways(task, context, end)) break;
    if (!softly && isCredible(context, work.motion, outcome, state) && strikes(task, context))
      return StepStatus::kAccepted;
    if (outcome == PassOutcome::kHolds) outcome = PassOutcome::kMoreRows;
    state.growths += outcome == PassOutcome::kMoreRows && !work.set.solids.contacts.empty();
    if (outcome == PassOutcome::kRenewed && !mayRenewOn(state)) return StepStatus::kNotConverged;
    // What other rows would make of it is worth the wait only while they still make the answer better.
    const bool hopeless = state.failed_again && outcome != PassOutcome::kGoesOn;
    if (isRaised(task.options.stop)) return StepStatus::kInterrupted;
    if (state.pass >= kMaxPasses + state.renewals + 2 * state.rests + std::min(state.growths, kGrowths) || hopeless) {
      work.refused_law = state.law.law;
      return state.solver_failed ? StepStatus::kNotSolved : StepStatus::kNotConverged;
    }
    if (outcome == PassOutcome::kStalled) {
      for (int i = 0; i < work.islands.count; ++i) correctFreeVelocity(work.set, work.islands.list[i]);
      solveAndApply(task, context, to, clock, state);
      continue;
    }
    computeConstraintRows(context, work.start.pose, end, work.motion, work.set);
    state.afresh = state.afresh || outcome == PassOutcome::kMoreRows || outcome == PassOutcome::kRenewed;
    correct(task, context, to, clock, state);
  }
  work.refused_law = state.law.law;
  if (hasGhosts(task, context, end)) return StepStatus::kNotConverged;
  if (givesEnergy(task, context, end.v)) return StepStatus::kGivesEnergy;
  if (loopsSwingTooFast(task, context, end.v)) return StepStatus::kLoopSwings;
  const StepStatus status = judgeStep(task, context, end.v, state.law);
  if (status == StepStatus::kAccepted && !softly) strikes(task, context);
  clock.finish(&PhaseTimes::judge);
  return status;
}

void moveTo(const StepTask& task, const StepContext& context, Snapshot& to) {
  for (const Run& run : context.part.runs)
    integrate(run.trees, context.q, to.state.v.data(), task.work.motion.h, to.state.q.data());
  const bool there =
      task.work.motion.isDiscrete() && isAt(context.part, to.state.q, task.work.end);  // the first guess is
  if (!there) place(context.tables, context.part, to.state.q, task.work.end);
}

void assembleProblems(const StepTask& task, const StepContext& context, bool afresh, const double* v_end) {
  StepWork& work = task.work;
  // stages that know factors know Coulomb's law only
  const int most_dense = task.options.law == Law::kCoulomb ? task.crew.first().mostDenseRows() : kAlwaysDense;
  const double* base = work.motion.baseOr(context.v);
  if (afresh) computeLinkMotion(context.part, work.motion, base, v_end, work.set);
  for (int i = 0; i < work.islands.count; ++i) {
    Island& island = work.islands.list[i];
    island.problem.law = task.options.law;
    island.problem.directions = task.options.directions;
    assembleIsland(context.topology, work.motion, work.set, most_dense, island);
    if (afresh) {
      guessModes(work.set, island);
      assembleFreeVelocity(work.motion, work.set, base, v_end, island);
    } else {
      correctFreeVelocity(work.set, island);
    }
  }
}

bool solveProblems(const StepTask& task, double enough) {
  StepWork& work = task.work;
  StepReport& report = task.report;
  const double tolerance = task.options.tolerance;
  ++report.solves;
  bool solved = true;
  task.crew.solve({.tolerance = tolerance, .aim = tolerance / kInnerShare, .enough = enough, .stop = task.options.stop},
                  work.islands);
  for (int i = 0; i < work.islands.count; ++i) {
    const Island& island = work.islands.list[i];
    report.iterations += island.solution.iterations;
    report.algebra = std::max(report.algebra, algebraOf(island.problem));
    work.verdict.equation = std::max(work.verdict.equation, island.solution.residuals.equation);
    if (report.stage[0] == '\0' || std::strcmp(island.solution.stage, "sets") != 0)
      report.stage = island.solution.stage;
    if (!island.solution.complaint.empty()) report.complaint = island.solution.complaint;
    solved = solved && accepts(island.solution.residuals, std::max(tolerance, enough));
    takeImpulses(island, island.solution.impulse, work.set);
    takeModes(island, work.set);
  }
  return solved;
}

void applyToVelocity(const StepTask& task, const StepContext& context, ImpulseChoice choice, double* v_end) {
  StepWork& work = task.work;
  applyImpulses(context.part, work.motion, work.set, choice, work.change.data());
  const double* base = work.motion.baseOr(context.v);
  context.part.forEachDof([&](int j) { v_end[j] = base[j] + work.change[j]; });
  if (work.motion.isDiscrete()) context.part.forEachDof([&](int j) { work.change[j] = v_end[j] - context.v[j]; });
}

Residuals judgeIslands(StepWork& work) {
  Residuals worst;
  for (int i = 0; i < work.islands.count; ++i) {
    const Residuals one = judgePositions(work.set, work.islands.list[i]);
    worst.finite = worst.finite && one.finite;
    worst.law = std::max(worst.law, one.law);
    worst.plain_law = std::max(worst.plain_law, one.plain_law);
    worst.law_gap = std::max(worst.law_gap, one.law_gap);
  }
  return worst;
}

bool saturateMotors(const StepTask& task, const StepContext& context, const double* v_end) {
  StepWork& work = task.work;
  const int before = work.set.size();
  for (const Run& run : context.part.runs)
    for (const Drive& drive : within(context.input.drives, run.trees)) {
      if (work.motion.saturated[drive.dof] || !std::isfinite(drive.effort)) continue;
      const double impulse = driveImpulse(drive, work.motion, context.q, v_end);
      if (std::fabs(impulse) <= work.motion.kick[drive.dof] * drive.effort) continue;
      work.motion.saturated[drive.dof] = 1;
      ++work.motion.saturations;
      JointRows::addMotor(context, drive, work.motion, work.set);
      const Constraint& motor = work.set.at(work.set.size() - 1);
      work.set.impulse[motor.first_row] = std::copysign(motor.block.hi, impulse);
    }
  if (work.set.size() == before) return false;
  factorMass(context.part, context.parameters, context.input, work.motion);
  computeKick(context.part, context.parameters, context.input, context.q, context.v, work.motion);
  computeResponses(context.topology, work.motion, 0, work.set);
  return true;
}

}  // namespace rigor
