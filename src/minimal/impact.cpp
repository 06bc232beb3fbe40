#include "minimal/impact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "minimal/attempt.h"
#include "minimal/energy_guard.h"
#include "minimal/landing.h"
#include "minimal/own_trouble.h"
#include "minimal/passes.h"
#include "minimal/secant.h"
#include "minimal/step_judge.h"

namespace rigor {
namespace {

constexpr int kRefinements = 4;  // solves for what rounding left of an impact
constexpr int kSaturations = 4;  // solves of a half kick in which motors reach their limits

StepStatus judgeNode(const StepTask& task, const StepContext& context, const double* v_end) {
  StepWork& work = task.work;
  work.verdict.balance = std::max(
      work.verdict.balance, judgeMomentum(context, work.start.pose.kin, work.motion, work.set, v_end, work.momentum));
  return work.verdict.balance <= task.options.tolerance ? StepStatus::kAccepted : StepStatus::kNotConverged;
}

/// Impulses and velocity of a step of length 0, judged. The rates of the velocity that the impulses lead to differ from
/// W λ + b by the rounding of M⁻¹, which long chains magnify: what is left is solved for again.
StepStatus solveAtNode(const StepTask& task, const StepContext& context, Snapshot& to, PhaseClock& clock) {
  StepWork& work = task.work;
  double* v_end = to.state.v.data();
  if (!potentialsAreFinite(context.tables, work.motion, task.report) ||
      !constraintsAreFinite(context.tables, work.set, task.report))
    return StepStatus::kNotFinite;
  applyToVelocity(task, context, ImpulseChoice::kNone, v_end);
  useStartRows(context, v_end, work.motion, work.set);
  computeNodeRates(context, v_end, work.set);
  findIslands(context.topology, work.set, work.islands);
  assembleProblems(task, context, true, v_end);
  clock.finish(&PhaseTimes::assemble);
  double before = std::numeric_limits<double>::infinity();
  for (int refinements = 0; refinements <= kRefinements; ++refinements) {
    const bool solved = solveProblems(task);
    clock.finish(&PhaseTimes::solve);
    applyToVelocity(task, context, ImpulseChoice::kAll, v_end);
    computeNodeRates(context, v_end, work.set);
    const Residuals law = judgeIslands(work);
    clock.finish(&PhaseTimes::judge);
    work.refused_law = law.law;
    if (!law.finite || isRaised(task.options.stop)) break;
    if (law.law <= task.options.tolerance) {  // whatever the solver says of itself
      work.verdict.add(law, task.options.tolerance);
      return judgeNode(task, context, v_end);
    }
    if (!solved && !(law.law < before)) break;
    before = law.law;
    for (int i = 0; i < work.islands.count; ++i) correctFreeVelocity(work.set, work.islands.list[i]);
  }
  return StepStatus::kNotSolved;
}

/// Asks an island's approaching contacts to leave again: ν = e u⁻. False if none does.
bool demandBounce(const ConstraintSet& set, Island& island) {
  bool bounces = false;
  for (std::size_t k = 0; k < island.constraints.size(); ++k) {
    const Constraint& c = set.slots[island.constraints[k]];
    if (c.restitution == 0.0) continue;
    const double before = rateOfGap(set, c);
    if (before >= -c.threshold) continue;
    island.problem.bias[island.problem.blocks[k].row] = c.restitution * before;
    bounces = true;
  }
  return bounces;
}

/// Gives back what restitution demands, island by island, no more than energy allows. An island whose bounce has no
/// solution (a ball that fits its slot) keeps the impulses without it. Returns false if nothing bounces.
bool bounce(const StepTask& task, const StepContext& context, Snapshot& to) {
  StepWork& work = task.work;
  const double tolerance = task.options.tolerance;
  bool any = false;
  for (int i = 0; i < work.islands.count; ++i) {
    Island& island = work.islands.list[i];
    if (!demandBounce(work.set, island)) continue;
    std::vector<double>& elastic = island.solution.impulse;
    island.plastic.assign(elastic.begin(), elastic.end());
    island.plastic_modes = island.solution.modes;
    task.crew.first().solve(island.problem, {.tolerance = tolerance, .aim = 0.1 * tolerance, .stop = task.options.stop},
                            island.solution);
    ++task.report.solves;
    task.report.iterations += island.solution.iterations;
    double theta = 0.0;
    if (accepts(island.solution.residuals, tolerance)) {
      theta = guardEnergy(island.problem, island.plastic.data(), elastic.data());
      work.verdict.add(island.solution.residuals, tolerance);
    } else {
      elastic = island.plastic;
      island.solution.modes = island.plastic_modes;
    }
    work.verdict.theta = std::min(work.verdict.theta, theta);
    any = any || theta > 0.0;
    takeImpulses(island, elastic, work.set);
  }
  if (!any) return false;
  applyToVelocity(task, context, ImpulseChoice::kAll, to.state.v.data());
  computeNodeRates(context, to.state.v.data(), work.set);
  return true;
}

/// The impact itself: impulses alone.
StepStatus strike(const StepTask& task, const Snapshot& from, Snapshot& to) {
  PhaseClock clock(task.report);
  const StepContext context = task.from(from);
  startNode(task, from, to, clock);
  StepStatus status = solveAtNode(task, context, to, clock);
  if (status == StepStatus::kAccepted && bounce(task, context, to))
    status = judgeNode(task, context, to.state.v.data());
  if (isRaised(task.options.stop)) return StepStatus::kInterrupted;  // a bounce that was given up is none
  if (status == StepStatus::kAccepted) accept(task, from, 0.0, to);
  return status;
}

}  // namespace

ImpactWay goThroughImpact(const StepTask& task, const Snapshot& from, HalvingLevel& level, Snapshot& struck) {
  ImpactWay way{&from, 0.0, false};
  if (task.work.closing.time > task.work.motion.least) {
    const StepStatus status = land(task, from, level.landed, way.time);
    if (status != StepStatus::kAccepted) return {&from, 0.0, false};
    way.reached = &level.landed;
  }
  if (isInFlight(task.work.part, way.reached->memory)) {
    if (closeKick(task, *way.reached, level.closed) != StepStatus::kAccepted) return way;
    way.reached = &level.closed;
  }
  if (strike(task, *way.reached, struck) != StepStatus::kAccepted) return way;
  ++task.report.impacts;
  return {&struck, way.time, true};
}

StepStatus closeKick(const StepTask& task, const Snapshot& from, Snapshot& to) {
  PhaseClock clock(task.report);
  const StepContext context = task.from(from);
  startNode(task, from, to, clock);
  for (int solves = 0;; ++solves) {
    const StepStatus status = solveAtNode(task, context, to, clock);
    if (status != StepStatus::kAccepted || !saturateMotors(task, context, to.state.v.data())) {
      if (status == StepStatus::kAccepted) accept(task, from, 0.0, to);
      return status;
    }
    if (solves == kSaturations) return StepStatus::kNotConverged;
  }
}

void startNode(const StepTask& task, const Snapshot& from, Snapshot& to, PhaseClock& clock) {
  StepWork& work = task.work;
  work.verdict = {};
  startMotion(task, from, 0.0, clock);
  to.state.q.resize(task.tables.topology.nq);
  to.state.v.resize(task.tables.topology.nv);
  copyPositions(work.part, from.state.q, to.state.q);
  copyFreedoms(work.part, from.state.v, to.state.v);
  work.islands.count = 0;
  findTouching(task.from(from), work.start.pose, work.motion, work.set);
  computeResponses(task.tables.topology, work.motion, 0, work.set);
  clock.finish(&PhaseTimes::collide);
}

}  // namespace rigor
