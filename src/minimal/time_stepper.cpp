#include "minimal/time_stepper.h"

#include <algorithm>

#include "minimal/attempt.h"
#include "minimal/impact.h"
#include "minimal/own_trouble.h"
#include "minimal/split_step.h"
#include "minimal/step_record.h"
#include "minimal/step_report.h"
#include "minimal/step_result.h"

namespace rigor {

namespace {

Solvers alone(std::unique_ptr<ContactSolver> solver) {
  Solvers solvers;
  solvers.push_back(std::move(solver));
  return solvers;
}

}  // namespace

TimeStepper::TimeStepper(const Model& model, Solvers solvers, const TimeStepperOptions& options)
    : tables_(std::make_shared<const StepTables>(model, options.own, options.bounces_always)),
      options_(options),
      crew_(std::move(solvers)),
      work_(*tables_, options) {}

TimeStepper::TimeStepper(const Model& model, std::unique_ptr<ContactSolver> solver, const TimeStepperOptions& options)
    : TimeStepper(model, alone(std::move(solver)), options) {}

TimeStepper::TimeStepper(const TimeStepper& other, Solvers solvers)
    : tables_(other.tables_), options_(other.options_), crew_(std::move(solvers)), work_(*tables_, options_) {}

StepTask TimeStepper::makeTask(const StepInput& input, double h, StepReport& report) {
  work_.refused_law = 0.0;
  return {*tables_, options_, crew_, input, h, work_, report, observer_};
}

void TimeStepper::step(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report) {
  beginReport(from.state.time, h, report);
  startRecord(input, report.record);
  report.status = takeStep(makeTask(input, h, report), from, to);
  if (report.accepted()) return report.own_trouble.clear();  // shorter sub-steps went around it
  refuseReport(work_.refused_law, report);
  startRecord(input, report.record);
}

void TimeStepper::findNode(const StepInput& input, const Snapshot& from, double h, StepReport& node) {
  beginReport(from.state.time, 0.0, node);
  startRecord(input, node.record);
  TimeStepperOptions to_the_end = options_;
  to_the_end.stop = nullptr;  // whoever stops a run wants to know where it stands
  work_.refused_law = 0.0;
  const StepTask task{*tables_, to_the_end, crew_, input, h, work_, node, observer_};
  Snapshot& thrown_away = work_.levels[0].closed;
  beginWhole(task);
  if (isInFlight(work_.part, from.memory)) {
    node.status = closeKick(task, from, thrown_away);
  } else {  // v is the node velocity already
    PhaseClock clock(node);
    startNode(task, from, thrown_away, clock);
    work_.set.clear();
    addToReport(task.from(from), from.state.v.data(), work_, node);
    const bool finite = potentialsAreFinite(*tables_, work_.motion, node);
    node.status = finite ? StepStatus::kAccepted : StepStatus::kNotFinite;
  }
  if (node.accepted()) return;
  refuseReport(work_.refused_law, node);
  readNode(task.from(from), work_, node);
}

}  // namespace rigor
