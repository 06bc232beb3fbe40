#include "minimal/attempt.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "minimal/passes.h"
#include "minimal/step_report.h"
#include "minimal/step_result.h"

namespace rigor {
namespace {

bool allFinite(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += value - value;  // NaN for NaN and infinity
  return sum == 0.0;
}

/// Motors that ended the last step at their bounds begin this one as rows.
void recallSaturation(const StepContext& context, FreeMotion& motion) {
  std::fill(motion.saturated.begin(), motion.saturated.end(), 0);
  for (const BlockMemory& block : context.memory.blocks)
    if (isMotorAtBound(block)) {
      const int j = motorDof(block);  // the hold may have been taken away since
      motion.saturated[j] = context.input.drive_of[j] >= 0;
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
  if (!to.state.q.allFinite() || !to.state.v.allFinite()) return StepStatus::kNotConverged;
  if (work.smooth.saturated()) return std::nullopt;
  const std::vector<JointTurn>& turns = context.tables.turns;
  if (turnsTooFar(turns, work.node_velocity.data(), h) || turnsTooFar(turns, to.state.v.data(), h))
    return StepStatus::kTooFast;
  place(context.tables, to.state.q, work.end);
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
  const StepContext context = task.from(from);
  if (work.start.q != from.state.q) place(task.tables, from.state.q, work.start);
  clock.finish(&PhaseTimes::kinematics);
  motion.h = h;
  motion.kick = 0.5 * (from.memory.last_step + h);
  motion.least = kLeastPart * task.length;
  motion.velocity_scale = task.length;
  recallSaturation(context, motion);
  predictIncrement(from.memory, motion.kick, motion);
  if (task.options.integrator == Integrator::kLeapfrogCarried)
    std::fill(motion.predicted.begin(), motion.predicted.end(), 0.0);
  computeFreeMotion(context.topology, context.parameters, work.start.pose.kin, context.input, context.q, context.v,
                    motion);
  clock.finish(&PhaseTimes::free_motion);
}

StepStatus attempt(const StepTask& task, const Snapshot& from, double h, bool softly, Snapshot& to) {
  PhaseClock clock(task.report);
  StepWork& work = task.work;
  work.closing = {};
  work.verdict = {};
  if (!from.state.q.allFinite() || !from.state.v.allFinite()) return StepStatus::kNotFinite;
  const StepContext context = task.from(from);
  startMotion(task, from, h, clock);
  if (!allFinite(work.motion.rhs)) return StepStatus::kNotFinite;
  to.state.q.resize(context.topology.nq);
  to.state.v.resize(context.topology.nv);
  work.islands.count = 0;
  searchNear(context, work.start.pose, work.motion, work.set);
  clock.finish(&PhaseTimes::collide);
  addConstraints(context, work.start.pose, work.motion, work.set);
  if (work.set.empty() && !isLeapfrog(task.options.integrator)) {
    const std::optional<StepStatus> status = takeSmoothStep(task, context, h, to, clock);
    if (status) return *status;
  }
  if (!softly && strikesAtNode(context, work.set)) {
    work.closing = {.time = 0.0};
    return StepStatus::kAccepted;
  }
  computeResponses(context.topology, work.motion, 0, work.set);
  clock.finish(&PhaseTimes::assemble);

  const StepStatus status = findImpulses(task, context, to, clock);
  if (status == StepStatus::kAccepted && !softly)
    work.closing = findFirstClosing(context, work.motion, work.set, work.islands, h);
  return status;
}

void accept(const StepTask& task, const Snapshot& from, double h, Snapshot& to) {
  PhaseClock clock(task.report);
  StepWork& work = task.work;
  to.state.time = from.state.time + h;
  if (work.verdict.smooth)
    rememberNode(from.memory, to.memory);
  else if (h > 0.0)
    remember(from.memory, work.motion, work.set, work.islands, work.change.data(), to.memory);
  else
    rememberImpact(from.memory, work.set, work.islands, to.memory);
  addToReport(task.from(from), to.state.v.data(), work, task.report);
  if (task.observer) task.observer(task.from(from), work);
  if (h > 0.0) std::swap(work.start, work.end);
  clock.finish(&PhaseTimes::integrate);
}

}  // namespace rigor
