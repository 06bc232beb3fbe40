#include "rigor/run.h"

#include <cassert>
#include <chrono>

namespace rigor {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The same state without warm starts and extrapolation. A step is a function of the snapshot, so only a changed one
// can end differently.
void forgetHistory(Simulator& simulator) {
  Snapshot snapshot = simulator.save();
  snapshot.memory.blocks.clear();
  snapshot.memory.increments.assign(snapshot.memory.increments.size(), 0);
  simulator.restore(snapshot);
}

// Asks the simulator for what the observers of one run read; afterwards it reports as before, also after an exception.
class ReportRequest {
 public:
  ReportRequest(Simulator& simulator, const ReportParts& parts) : simulator_(simulator), before_(simulator.wanted()) {
    simulator_.wanted() = parts;
  }
  ~ReportRequest() { simulator_.wanted() = before_; }
  ReportRequest(const ReportRequest&) = delete;

 private:
  Simulator& simulator_;
  const ReportParts before_;
};

}  // namespace

const char* runStatusName(RunStatus status) {
  switch (status) {
    case RunStatus::kDone:
      return "done";
    case RunStatus::kIncomplete:
      return "incomplete";
    case RunStatus::kRefused:
      return "refused";
    case RunStatus::kInterrupted:
      return "interrupted";
  }
  return "";
}

SimulatorOptions simulatorOptions(OnFailure on_failure) {
  SimulatorOptions options;
  if (on_failure == OnFailure::kStop) options.max_halvings = 0;
  return options;
}

ReportParts wantedBy(const std::vector<RunObserver*>& observers) {
  ReportParts parts;
  for (const RunObserver* observer : observers) {
    assert(observer && "leave out an observer that is not there: the list holds no null");
    const ReportParts wish = observer->wants();
    parts.contacts |= wish.contacts;
    parts.energy |= wish.energy;
    parts.momentum |= wish.momentum;
    parts.torques |= wish.torques;
    parts.record |= wish.record;
    parts.timing |= wish.timing;
    parts.problem |= wish.problem;
  }
  return parts;
}

RunOutcome run(Simulator& simulator, std::int64_t steps, const RunPolicy& policy,
               const std::vector<RunObserver*>& observers) {
  assert(steps >= 0 && policy.most_refusals > 0 && "a run takes a number of steps and bears a number of refusals");
  const ReportRequest request(simulator, wantedBy(observers));
  for (RunObserver* observer : observers) observer->begin(simulator, steps);
  RunOutcome outcome;
  Eigen::VectorXd q_start;
  int refusals = 0;  // in a row
  bool stopped = false, interrupted = false;
  const Clock::time_point start = Clock::now();
  while (outcome.steps < steps && !stopped) {
    interrupted = policy.stop_requested && policy.stop_requested();
    if (interrupted) break;
    q_start = simulator.state().q;
    const Clock::time_point before = Clock::now();
    const StepReport& report = simulator.step();
    interrupted = report.status == StepStatus::kInterrupted;
    if (interrupted) break;
    const RunStep step{report, q_start, secondsSince(before), ++outcome.steps};
    for (RunObserver* observer : observers) observer->see(simulator, step);
    if (report.accepted()) {
      refusals = 0;
      continue;
    }
    ++outcome.refused;
    stopped = policy.on_failure != OnFailure::kContinue || ++refusals >= policy.most_refusals;
    if (policy.on_failure == OnFailure::kContinue) forgetHistory(simulator);
  }
  outcome.seconds = secondsSince(start);
  if (outcome.refused > 0)
    outcome.status = RunStatus::kRefused;
  else if (interrupted)
    outcome.status = RunStatus::kInterrupted;
  for (RunObserver* observer : observers) observer->end(simulator, outcome);
  return outcome;
}

}  // namespace rigor
