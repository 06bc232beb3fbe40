// How two steppers converge to each other: the same scene with shorter and shorter steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "argument_check.h"
#include "comparison.h"
#include "output.h"

namespace rigor::app {
namespace {

constexpr int kHalvings = 3;

/// Poses of a run at the nodes of the scene's own step, as far as it came.
std::vector<Eigen::VectorXd> posesOf(Scene scene, const std::string& stepper, int halvings,
                                     const InterruptFlag& interrupt) {
  const std::int64_t nodes = countSteps(scene.time, scene.dt), parts = std::int64_t(1) << halvings;
  scene.stepper = stepper;
  scene.dt /= static_cast<double>(parts);
  SimulatorOptions options = simulatorOptions(OnFailure::kSubstep);
  options.stop = InterruptFlag::flag();
  Simulator simulator(scene, options);
  std::vector<Eigen::VectorXd> poses;
  for (std::int64_t step = 1; step <= nodes * parts && !interrupt.raised(); ++step) {
    if (!simulator.step().accepted()) break;
    if (step % parts == 0) poses.push_back(simulator.state().q);
  }
  return poses;
}

double distanceOf(const std::vector<Eigen::VectorXd>& a, const std::vector<Eigen::VectorXd>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).cwiseAbs().maxCoeff());
  return largest;
}

}  // namespace

std::vector<StepperGap> findConvergence(const Scene& scene, const std::vector<std::string>& steppers,
                                        const InterruptFlag& interrupt) {
  std::vector<StepperGap> gaps;
  for (int halvings = 0; halvings <= kHalvings && !interrupt.raised(); ++halvings) {
    tell(fmt::format("both steppers with steps of {:g} ms", 1e3 * scene.dt / (1 << halvings)));
    const std::vector<Eigen::VectorXd> a = posesOf(scene, steppers[0], halvings, interrupt),
                                       b = posesOf(scene, steppers[1], halvings, interrupt);
    if (interrupt.raised()) break;  // what was cut off tells nothing
    StepperGap gap{scene.dt / (1 << halvings), {}, {}};
    const auto nodes = static_cast<std::size_t>(countSteps(scene.time, scene.dt));
    if (a.size() == nodes && b.size() == nodes) gap.apart = distanceOf(a, b);
    const double before = gaps.empty() ? 0.0 : gaps.back().apart.value_or(0.0), now = gap.apart.value_or(0.0);
    if (before > 0.0 && now > 0.0) gap.order = std::log2(before / now);
    gaps.push_back(gap);
  }
  return gaps;
}

experiments::Table tableOf(const std::vector<StepperGap>& gaps) {
  experiments::Table table;
  table.columns = {"step [ms]", "steppers apart", "order"};
  for (const StepperGap& gap : gaps)
    table.rows.push_back({1e3 * gap.dt,
                          gap.apart ? fmt::format("{:.4g}", *gap.apart) : std::string("a step was refused"),
                          gap.order ? fmt::format("{:.2f}", *gap.order) : std::string("")});
  return table;
}

}  // namespace rigor::app
