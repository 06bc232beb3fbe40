#include "minimal/impact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "minimal/attempt.h"
#include "minimal/landing.h"
#include "minimal/own_trouble.h"
#include "minimal/passes.h"
#include "minimal/secant.h"
#include "minimal/step_judge.h"
#include "minimal/strike.h"

namespace rigor {
namespace {

constexpr int kRefinements = 4;  // solves for what rounding left of an impact
constexpr int kSaturations = 4;  // solves of a half kick in which motors reach their limits

}  // namespace

ImpactWay goThroughImpact(const StepTask& task, const Snapshot& from, HalvingLevel& level, Snapshot& struck) {
  ImpactWay way{&from, 0.0, false};
  const bool in_order = task.options.sequential_impacts;
  if (in_order) noteRested(task.work.set, false);
  if (task.work.closing.time > task.work.motion.least) {
    const StepStatus status = land(task, from, level.landed, way.time);
    if (status != StepStatus::kAccepted) return {&from, 0.0, false};
    way.reached = &level.landed;
  }
  if (isInFlight(task.work.part, way.reached->memory)) {
    if (closeKick(task, *way.reached, level.closed) != StepStatus::kAccepted) return way;
    way.reached = &level.closed;
    if (in_order) noteRested(task.work.set, true);
  }
  if (strike(task, *way.reached, level, struck) != StepStatus::kAccepted) return way;
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

StepStatus judgeNode(const StepTask& task, const StepContext& context, const double* v_end) {
  StepWork& work = task.work;
  work.verdict.balance = std::max(
      work.verdict.balance, judgeMomentum(context, work.start.pose.kin, work.motion, work.set, v_end, work.momentum));
  return work.verdict.balance <= task.options.tolerance ? StepStatus::kAccepted : StepStatus::kNotConverged;
}

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

}  // namespace rigor
