#include "simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output.h"
#include "progress.h"
#include "squeezed.h"

namespace rigor::app {
namespace {

constexpr double kMostSteps = 1e12;  // a month at 3 µs per step

/// What might help, and only that: halving was tried before a step is refused, so a slightly smaller step would not.
std::string remedyFor(StepStatus status, OnFailure on_failure, const Simulator& simulator) {
  const Scene& scene = simulator.scene();
  if (status == StepStatus::kNotFinite) return "Look for exploding speeds, targets or torques in the steps before.";
  if (status == StepStatus::kNotSolved && scene.solver != "auto") return "Try --solver auto.";
  if (const std::optional<Squeezed> squeezed = findSqueezed(simulator))
    return fmt::format(
        "A prescribed motion may force overlap: {} moves as it is told and presses {} against {}.\n"
        "  No force stops a kinematic body: let its motion end where there is room, or drive it by a force.",
        squeezed->by, squeezed->body, squeezed->against);
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

/// Tells of a refused step, once until one is accepted again.
class RefusalTeller final : public RunObserver {
 public:
  explicit RefusalTeller(OnFailure on_failure) : on_failure_(on_failure) {}

  void see(const Simulator& simulator, const RunStep& step) override {
    const bool refused = !step.report.accepted();
    if (refused && !told_) tell(step.report.explain() + "\n  " + remedyFor(step.report.status, on_failure_, simulator));
    told_ = refused;
  }

 private:
  const OnFailure on_failure_;
  bool told_ = false;
};

}  // namespace

std::int64_t countSteps(double time, double dt) {
  const double steps = time / dt;
  if (!(steps <= kMostSteps))
    throw Error(fmt::format("{:g} s are {:.1e} steps of {:g} s: more than anyone can wait for", time, steps, dt),
                "Shorten --time or lengthen --dt.");
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(steps - 1e-6)));  // 5/0.001 may be 5000.0…01
}

RunSummary simulate(Simulator& simulator, std::int64_t steps, OnFailure on_failure, const InterruptFlag& interrupt,
                    const std::vector<RunObserver*>& watchers) {
  ProgressObserver progress;
  RefusalTeller teller(on_failure);
  Summarizer summarizer;
  std::vector<RunObserver*> observers{&teller, &progress, &summarizer};
  observers.insert(observers.end(), watchers.begin(), watchers.end());
  run(simulator, steps, {.on_failure = on_failure, .stop_requested = [&] { return interrupt.raised(); }}, observers);
  return summarizer.summary();
}

}  // namespace rigor::app
