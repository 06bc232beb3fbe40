#include "simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "output.h"
#include "progress.h"

namespace rigor::app {
namespace {

constexpr int kRefusalsInARow = 100;  // then `continue` gives up
constexpr double kMostSteps = 1e12;   // a month at 3 µs per step

double seconds(std::chrono::steady_clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

// The same state without warm starts and extrapolation. A step is a function of the snapshot, so only a changed one
// can end differently.
void forgetHistory(Simulator& simulator) {
  Snapshot snapshot = simulator.save();
  snapshot.memory.blocks.clear();
  snapshot.memory.increments = 0;
  simulator.restore(snapshot);
}

}  // namespace

SimulatorOptions simulatorOptions(OnFailure on_failure) {
  SimulatorOptions options;
  if (on_failure == OnFailure::kStop) options.max_halvings = 0;
  return options;
}

std::int64_t countSteps(double time, double dt) {
  const double steps = time / dt;
  if (!(steps <= kMostSteps))
    throw Error(fmt::format("{:g} s are {:.1e} steps of {:g} s: more than anyone can wait for", time, steps, dt),
                "Shorten --time or lengthen --dt.");
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(steps - 1e-6)));  // 5/0.001 may be 5000.0…01
}

RunResult simulate(Simulator& simulator, std::int64_t steps, OnFailure on_failure, const InterruptFlag& interrupt,
                   Recording* recording) {
  using Clock = std::chrono::steady_clock;
  RunResult result;
  RunSummary& summary = result.summary;
  summary.tolerance = simulatorOptions(on_failure).tolerance;
  Eigen::VectorXd q_start;
  int refusals = 0;
  {
    Progress progress(steps);
    const Clock::time_point start = Clock::now();
    for (std::int64_t i = 0; i < steps && result.ending == Ending::kDone; ++i) {
      if (recording) q_start = simulator.state().q;
      const Clock::time_point before = Clock::now();
      const StepReport& report = simulator.step();
      summary.step_time += seconds(Clock::now() - before);
      summary.add(report);
      if (report.accepted()) {
        refusals = 0;
        if (recording) recording->append(q_start, report);
      } else {
        if (++refusals == 1) tell(report.explain());
        if (on_failure != OnFailure::kContinue || refusals == kRefusalsInARow) result.ending = Ending::kRefused;
        if (on_failure == OnFailure::kContinue) forgetHistory(simulator);
      }
      if (interrupt.raised()) result.ending = Ending::kInterrupted;
      progress.show(i + 1);
    }
    summary.wall_time = seconds(Clock::now() - start);
  }
  const NodeValues node = simulator.node();
  summary.energy_end = node.kinetic + node.potential;
  if (recording) recording->finish(simulator.state().q, node);
  return result;
}

}  // namespace rigor::app
