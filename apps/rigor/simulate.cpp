#include "simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "output.h"
#include "progress.h"
#include "rigor/missing_contact.h"

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

// Node values come with the step that begins at the node, so a copy looks one step ahead.
double energyNow(const Simulator& simulator, double fallback) {
  Simulator ahead(simulator);
  const StepReport& report = ahead.step();
  return report.accepted() ? report.kinetic + report.potential : fallback;
}

/// What might help, and only that: halving was tried before a step is refused, so a slightly smaller step would not.
std::string remedyFor(StepStatus status, OnFailure on_failure, const Scene& scene) {
  if (status == StepStatus::kNotFinite) return "Look for exploding speeds, targets or torques in the steps before.";
  if (status == StepStatus::kNotSolved && scene.solver != "auto") return "Try --solver auto.";
  if (on_failure == OnFailure::kStop)
    return fmt::format("Try --on-failure substep, which halves the step, or a --dt below {:g}.", scene.dt);
  if (status == StepStatus::kNotIntegrated)
    return "Try --integrator implicit_euler_newton in place of a fixed point, or leapfrog.";
  return fmt::format(
      "Steps of {:.2g} s were tried too. Look for speeds, torques, gains or masses that are not meant; if all are, try "
      "a "
      "--dt below that.",
      std::ldexp(scene.dt, -simulatorOptions(on_failure).max_halvings));
}

// A reset puts the scene back to its first pose: a jump, not a way on which shapes could have met.
void watch(const Simulator& simulator, const Eigen::VectorXd& first, MissingContact& missing) {
  const State& state = simulator.state();
  if (state.q == first)
    missing.restart(state.time, state.q);
  else
    missing.see(state.time, state.q);
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

RunSummary simulate(Simulator& simulator, std::int64_t steps, OnFailure on_failure, const InterruptFlag& interrupt,
                    Recording* recording) {
  using Clock = std::chrono::steady_clock;
  RunSummary summary;
  summary.tolerance = simulatorOptions(on_failure).tolerance;
  MissingContact missing(simulator.scene().model);
  const Eigen::VectorXd first = simulator.state().q;
  missing.see(simulator.state().time, first);
  Eigen::VectorXd q_start;
  int refusals = 0;
  bool stopped = false;
  {
    Progress progress(steps);
    const Clock::time_point start = Clock::now();
    for (std::int64_t i = 0; i < steps && !stopped && !interrupt.raised(); ++i) {
      if (recording) q_start = simulator.state().q;
      const Clock::time_point before = Clock::now();
      const StepReport& report = simulator.step();
      summary.step_time += seconds(Clock::now() - before);
      summary.add(report);
      if (report.accepted()) {
        refusals = 0;
        if (recording) recording->append(q_start, report);
        watch(simulator, first, missing);
      } else {
        if (++refusals == 1) tell(report.explain() + "\n  " + remedyFor(report.status, on_failure, simulator.scene()));
        stopped = on_failure != OnFailure::kContinue || refusals == kRefusalsInARow;
        if (on_failure == OnFailure::kContinue) forgetHistory(simulator);
      }
      progress.show(i + 1);
    }
    summary.wall_time = seconds(Clock::now() - start);
  }
  summary.energy_end = energyNow(simulator, summary.energy_end);
  summary.ignored_pairs = missing.pairs(), summary.ignored_shapes = missing.shapes();
  summary.missing_contact = missing.text();
  if (summary.failed_steps > 0)
    summary.status = RunStatus::kRefused;
  else if (interrupt.raised() && summary.steps < steps)
    summary.status = RunStatus::kInterrupted;
  else if (!missing.complete())
    summary.status = RunStatus::kIncomplete;
  return summary;
}

}  // namespace rigor::app
