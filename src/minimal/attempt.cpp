#include "minimal/attempt.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "minimal/discrete_motion.h"
#include "minimal/own_trouble.h"
#include "minimal/passes.h"
#include "minimal/step_report.h"
#include "minimal/step_result.h"

namespace rigor {
namespace {

/// Motors that ended the last step at their bounds begin this one as rows.
void recallSaturation(const StepContext& context, FreeMotion& motion) {
  context.part.forEachDof([&](int j) { motion.saturated[j] = 0; });
  motion.saturations = 0;
  const auto earlier = [](const BlockMemory& block, const RowId& id) { return block.id < id; };
  const std::vector<BlockMemory>& blocks = context.memory.blocks;
  for (const Run& run : context.part.runs) {
    auto block = std::lower_bound(blocks.begin(), blocks.end(), rowId(RowSource::kMotor, run.trees.first_dof), earlier);
    for (; block != blocks.end() && isMotor(*block) && motorDof(*block) < run.trees.end_dof; ++block) {
      if (!isMotorAtBound(*block)) continue;
      const int j = motorDof(*block);  // the hold may have been taken away since
      motion.saturated[j] = context.input.drive_of[j] >= 0;
      motion.saturations += motion.saturated[j];
    }
  }
}

/// The step of the chosen integrator. Nothing if a constraint is in its way after all: then it is a contact step.
std::optional<StepStatus> takeSmoothStep(const StepTask& task, const StepContext& context, double h, Snapshot& to,
                                         PhaseClock& clock) {
  StepWork& work = task.work;
  work.smooth.findNodeVelocity(context, work.node_velocity);
  const NodeStepResult result = work.smooth.take(context, work.node_velocity.data(), h, to.state);
  task.report.iterations += result.iterations;
  clock.finish(&PhaseTimes::free_motion);
  if (!result.converged) return StepStatus::kNotIntegrated;
  if (!finitePositions(context.part, to.state.q) || !finiteFreedoms(context.part, to.state.v.data()))
    return StepStatus::kNotConverged;
  if (work.smooth.saturated()) return std::nullopt;
  if (turnsTooFar(context, work.node_velocity.data(), h) || turnsTooFar(context, to.state.v.data(), h))
    return StepStatus::kTooFast;
  place(context.tables, context.part, to.state.q, work.end);
  clock.finish(&PhaseTimes::kinematics);
  const StepEnd end{work.end.pose, to.state.q.data(), to.state.v.data(), h};
  if (appendViolated(context, work.start.pose, end, work.motion, work.set)) return std::nullopt;
  clock.finish(&PhaseTimes::collide);

  work.verdict.smooth = true;
  work.verdict.balance = result.residual;
  return StepStatus::kAccepted;
}

}  // namespace

void startMotion(const StepTask& task, const Snapshot& from, double h, PhaseClock& clock) {
  StepWork& work = task.work;
  FreeMotion& motion = work.motion;
  cutIntoRuns(task.tables.topology, from.memory, work.part);
  const StepContext context = task.from(from);
  if (!isAt(work.part, from.state.q, work.start)) place(task.tables, work.part, from.state.q, work.start);
  clock.finish(&PhaseTimes::kinematics);
  setLengths(work.part, h, motion);
  motion.least = kLeastPart * task.length;
  motion.velocity_scale = task.length;
  recallSaturation(context, motion);
  predictIncrement(work.part, from.memory, motion);
  if (context.input.increment) std::copy_n(context.input.increment, motion.predicted.size(), motion.predicted.begin());
  if (task.options.integrator == Integrator::kLeapfrogCarried)
    std::fill(motion.predicted.begin(), motion.predicted.end(), 0.0);
  tellPrescribed(work.part, context.input, from.state.time, context.q, context.v, motion);
  motion.own.compute(context.tables.own, context.topology, &work.part, work.start.pose.kin);
  if (motion.isDiscrete())
    startDiscrete(task, context);
  else
    computeFreeMotion(work.part, context.parameters, work.start.pose.kin, context.input, context.q, context.v, motion);
  clock.finish(&PhaseTimes::free_motion);
}

StepStatus attempt(const StepTask& task, const Snapshot& from, double h, bool softly, Snapshot& to) {
  if (isRaised(task.options.stop)) return StepStatus::kInterrupted;
  PhaseClock clock(task.report);
  StepWork& work = task.work;
  work.closing = {};
  work.verdict = {};
  const StepContext context = task.from(from);
  startMotion(task, from, h, clock);
  // a velocity that is not finite makes the forces so
  if (!potentialsAreFinite(context.tables, work.motion, task.report) || !finitePositions(work.part, from.state.q) ||
      !finiteFreedoms(work.part, work.motion.rhs.data()))
    return StepStatus::kNotFinite;
  to.state.q.resize(context.topology.nq);
  to.state.v.resize(context.topology.nv);
  work.islands.count = 0;
  searchNear(context, work.start.pose, work.motion, work.set);
  clock.finish(&PhaseTimes::collide);
  addConstraints(context, work.start.pose, work.motion, work.set);
  if (!constraintsAreFinite(context.tables, work.set, task.report)) return StepStatus::kNotFinite;
  if (work.set.empty() && work.part.whole && !isLeapfrog(task.options.integrator)) {
    const std::optional<StepStatus> status = takeSmoothStep(task, context, h, to, clock);
    if (status) return *status;
  }
  findCrowds(context, work.crowds, work.set);
  findRolling(work.set);
  if (!softly && strikesAtNode(work.set)) {
    work.closing = {.time = 0.0};
    return StepStatus::kAccepted;
  }
  computeResponses(context.topology, work.motion, 0, work.set);
  clock.finish(&PhaseTimes::assemble);

  const StepStatus status = findImpulses(task, context, softly, to, clock);
  if (status != StepStatus::kAccepted) constraintsAreFinite(context.tables, work.set, task.report);  // else told
  return status;
}

void addWays(const StepTask& task, const double* v, double h, Ways& way) {
  constexpr double kBend = 1.1;  // levers change while joints turn, by at most 0.3 rad
  StepWork& work = task.work;
  const StepTables& tables = task.tables;
  for (const Run& run : work.part.runs) computeVelocities(run.trees, work.start.pose.kin, v, work.V);
  for (const int tree : work.part.trees) {
    for (int k = tables.balls_start[tree]; k < tables.balls_start[tree + 1]; ++k) {
      const int ball = tables.balls_of_tree[k];
      const Motion<double>& V = work.V[tables.collision.ball_link[ball]];
      const double arm = absoluteSum(work.start.pose.centres[ball].relative);
      way.balls[ball] += kBend * h * (absoluteSum(V.linear) + absoluteSum(V.angular) * arm);
    }
    if (!tables.collision.has_solids) continue;
    for (const int shape : tables.collision.shapesOf(tree)) {
      const SolidPlace& place = tables.collision.solids[shape];
      const PlacedSolid& solid = work.start.pose.solids[shape];
      const Motion<double>& V = work.V[place.link];
      const double arm = absoluteSum(solid.X_WS.p - solid.origin) + place.bound;
      way.solids[shape] += kBend * h * (absoluteSum(V.angular) * arm + absoluteSum(V.linear));
    }
  }
}

void accept(const StepTask& task, const Snapshot& from, double h, Snapshot& to) {
  PhaseClock clock(task.report);
  StepWork& work = task.work;
  to.state.time = from.state.time + h;
  if (work.verdict.smooth)
    rememberNode(from.memory, to.memory);
  else if (h > 0.0)
    remember(work.part, from.memory, work.motion, work.set, work.islands, work.change.data(), to.memory);
  else
    rememberImpact(work.part, from.memory, work.set, work.islands, to.memory);
  if (work.motion.isDiscrete())
    carryMomentum(task.from(from), work, to.state.v.data(), to.memory);
  else
    to.memory.momentum.resize(0);  // what another stepper left says nothing any more
  addToReport(task.from(from), to.state.v.data(), work, task.report);
  if (task.observer) task.observer(task.from(from), work);
  if (h > 0.0 && !work.part.whole) addWays(task, to.state.v.data(), h, work.split.way);
  if (h > 0.0 && work.part.whole) std::swap(work.start, work.end);  // the others are where they were
  clock.finish(&PhaseTimes::integrate);
}

}  // namespace rigor
