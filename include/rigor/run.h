// Many steps in a row, watched: the loop of `rigor run`, and of any program that wants its recording, its verdict and its
// way with refused steps.
//
//   Summarizer summarizer;                        // run_summary.h
//   Recorder recorder(simulator.scene());         // recording.h
//   run(simulator, 5000, {}, {&summarizer, &recorder});
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <vector>

#include "rigor/report.h"
#include "rigor/simulator.h"

namespace rigor {

/// How a run ended, as its user asks: can I believe it?
enum class RunStatus : std::uint8_t {
  kDone,         ///< to its end, every step accepted, nothing left out
  kIncomplete,   ///< to its end, every step accepted, but shapes passed through each other for want of contact code
  kRefused,      ///< a step was refused
  kInterrupted,  ///< by the user
};
const char* runStatusName(RunStatus status);  ///< "done", "incomplete", "refused", "interrupted"

/// What to do with a step that is refused, halvings included. The state is always the last good one.
enum class OnFailure : std::uint8_t {
  kSubstep,   ///< halve the step, at most 8 times; if that fails too, stop
  kStop,      ///< no halving: stop
  kContinue,  ///< as substep, but count it and try again without the memory of earlier steps
};
/// Halvings happen inside a step, so the simulator must be made for the policy.
SimulatorOptions simulatorOptions(OnFailure on_failure);

struct RunPolicy {
  OnFailure on_failure = OnFailure::kSubstep;
  int most_refusals = 100;  ///< in a row; then `kContinue` stops too
  /// Asked before every step, e.g. for Ctrl-C; empty: never. A step that may take long is given up by SimulatorOptions::stop: it
  /// ends the run too, and observers are not told of it.
  std::function<bool()> stop_requested = {};
};

/// One step that was tried. The references hold until the observer returns.
struct RunStep {
  const StepReport& report;
  const Eigen::VectorXd& q_start;  ///< [nq] pose at which the step began
  double seconds;                  ///< real time that it took
  std::int64_t count;              ///< steps tried so far, with this one
};

struct RunOutcome {
  RunStatus status = RunStatus::kDone;  ///< never kIncomplete: what contact was missing is the Summarizer's to find
  std::int64_t steps = 0;               ///< tried: accepted and refused
  std::int64_t refused = 0;
  double seconds = 0.0;  ///< real time from the first step to the last, observers included
};

/// Someone who watches a run. Every function may be left out. What an observer throws ends the run at the last good
/// state; the end is then not told.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// Parts of the reports that it reads. The simulator is asked for what some observer wants, no more.
  virtual ReportParts wants() const { return {}; }
  /// The simulator stands where the run begins; `steps` shall be taken.
  virtual void begin(const Simulator& /*simulator*/, std::int64_t /*steps*/) {}
  /// After every step, refused ones too. The simulator stands at the end of an accepted step, or at the start of the
  /// scene if that step reset it.
  virtual void see(const Simulator& /*simulator*/, const RunStep& /*step*/) {}
  /// The simulator stands at the last good state; it may be asked for the values of that node.
  virtual void end(Simulator& /*simulator*/, const RunOutcome& /*outcome*/) {}
};

/// What at least one of them wants.
ReportParts wantedBy(const std::vector<RunObserver*>& observers);

/// Takes `steps` steps unless one is refused and the policy says stop, or a stop is requested. Observers are told in the
/// order of the list.
RunOutcome run(Simulator& simulator, std::int64_t steps, const RunPolicy& policy = {},
               const std::vector<RunObserver*>& observers = {});

}  // namespace rigor
