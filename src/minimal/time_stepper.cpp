#include "minimal/time_stepper.h"

#include <algorithm>

#include "minimal/attempt.h"
#include "minimal/impact.h"
#include "minimal/step_record.h"
#include "minimal/step_report.h"
#include "minimal/step_result.h"

namespace rigor {
namespace {

constexpr int kMaxImpacts = 16;     // of one (half of a) step before it is halved
constexpr double kSoftPart = 1e-2;  // of a step: how long an impact without a solution of its own takes

/// A bounce that was owed and not given must be told: the guard's factor is then 0.
void noteLostBounce(const StepTask& task, const double* v) {
  const ConstraintSet& set = task.work.set;
  for (int i = 0; i < set.size(); ++i) {
    const Constraint& c = set.at(i);
    if (c.restitution > 0.0 && set.impulse[c.first_row] > 0.0 && rateAt(task.tables.topology, set, c, v) < -c.threshold)
      task.report.theta = 0.0;
  }
}

StepStatus advance(const StepTask& task, const Snapshot& from, double h, int halvings, Snapshot& to);

StepStatus halve(const StepTask& task, const Snapshot& from, double h, int halvings, Snapshot& to) {
  Snapshot& middle = task.work.levels[halvings].middle;
  const StepStatus first = advance(task, from, 0.5 * h, halvings + 1, middle);
  if (first != StepStatus::kAccepted) return first;
  return advance(task, middle, 0.5 * h, halvings + 1, to);
}

/// The step as a whole, or impact by impact; what is refused is tried again in halves. Impacts that cannot be told apart
/// any more, or have no solution, end softly: without a bounce, within a short step of their own or else within the rest.
StepStatus advance(const StepTask& task, const Snapshot& from, double h, int halvings, Snapshot& to) {
  HalvingLevel& level = task.work.levels[halvings];
  const Snapshot* at = &from;
  double left = h, soft_part = kSoftPart * task.length;
  bool softly = false;
  for (int impacts = 0;; ++impacts) {
    Snapshot& next = level.struck[impacts % 2];
    const double part = softly ? std::min(left, soft_part) : left;
    Snapshot& end = part < left ? next : to;
    const StepStatus status = attempt(task, *at, part, softly, end);
    if (status == StepStatus::kNotFinite) return status;
    if (status == StepStatus::kAccepted && !task.work.closing.found()) {
      if (softly) noteLostBounce(task, at->state.v.data());
      accept(task, *at, part, end);
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
      const ImpactWay way = goThroughImpact(task, *at, level, next);
      at = way.reached;
      left -= way.time;
      if (left <= kLeastPart * task.length) {
        to = *at;
        to.state.time += left;
        return status;
      }
      softly = !way.struck && way.time > 0.0;
      if (way.struck || softly) continue;
    }
    if (halvings < task.options.max_halvings) return halve(task, *at, left, halvings, to);
    if (status != StepStatus::kAccepted || softly) return status;
    softly = true;
  }
}

}  // namespace

TimeStepper::TimeStepper(const Model& model, std::unique_ptr<ContactSolver> solver, const TimeStepperOptions& options)
    : tables_(std::make_shared<const StepTables>(model)),
      options_(options),
      solver_(std::move(solver)),
      work_(*tables_, options) {}

TimeStepper::TimeStepper(const TimeStepper& other, std::unique_ptr<ContactSolver> solver)
    : tables_(other.tables_), options_(other.options_), solver_(std::move(solver)), work_(*tables_, options_) {}

StepTask TimeStepper::makeTask(const StepInput& input, double h, StepReport& report) {
  work_.refused_law = 0.0;
  return {*tables_, options_, *solver_, input, h, work_, report, observer_};
}

void TimeStepper::step(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report) {
  beginReport(from.state.time, h, report);
  startRecord(input, report.record);
  report.status = advance(makeTask(input, h, report), from, h, 0, to);
  if (report.accepted()) return;
  refuseReport(work_.refused_law, report);
  startRecord(input, report.record);
}

void TimeStepper::findNode(const StepInput& input, const Snapshot& from, double h, StepReport& node) {
  beginReport(from.state.time, 0.0, node);
  startRecord(input, node.record);
  const StepTask task = makeTask(input, h, node);
  Snapshot& thrown_away = work_.levels[0].closed;
  if (from.memory.last_step > 0.0) {
    node.status = closeKick(task, from, thrown_away);
  } else {  // v is the node velocity already
    PhaseClock clock(node);
    startNode(task, from, thrown_away, clock);
    work_.set.clear();
    addToReport(task.from(from), from.state.v.data(), work_, node);
    node.status = StepStatus::kAccepted;
  }
  if (!node.accepted()) refuseReport(work_.refused_law, node);
}

}  // namespace rigor
