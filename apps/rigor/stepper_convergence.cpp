// How two steppers converge to each other: the same scene with shorter and shorter steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "argument_check.h"
#include "comparison.h"
#include "experiments/plot.h"
#include "output.h"

namespace rigor::app {
namespace {

constexpr int kHalvings = 3;

constexpr double kParting = 1.0;  // below, the difference is not that of two smooth methods of second order

/// A run at the nodes of the scene's own step, as far as it came.
struct CoarseRun {
  std::vector<Eigen::VectorXd> poses;
  std::int64_t substeps = 0, impacts = 0;
};

CoarseRun runWith(Scene scene, const std::string& stepper, int halvings, const InterruptFlag& interrupt) {
  const std::int64_t nodes = countSteps(scene.time, scene.dt), parts = std::int64_t(1) << halvings;
  scene.stepper = stepper;
  scene.dt /= static_cast<double>(parts);
  SimulatorOptions options = simulatorOptions(OnFailure::kSubstep);
  options.stop = InterruptFlag::flag();
  Simulator simulator(scene, options);
  CoarseRun run;
  for (std::int64_t step = 1; step <= nodes * parts && !interrupt.raised(); ++step) {
    const StepReport& report = simulator.step();
    if (!report.accepted()) break;
    run.substeps += report.substeps, run.impacts += report.impacts;
    if (step % parts == 0) run.poses.push_back(simulator.state().q);
  }
  return run;
}

double distanceOf(const std::vector<Eigen::VectorXd>& a, const std::vector<Eigen::VectorXd>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).cwiseAbs().maxCoeff());
  return largest;
}

/// Both lengths were cut into the same pieces: the shorter one tells nothing new.
bool sameSubsteps(const StepperGap& longer, const StepperGap& shorter) {
  return longer.substeps[0] == shorter.substeps[0] && longer.substeps[1] == shorter.substeps[1];
}

/// The order that two lengths show. None where they show none: nothing apart, the same sub-steps, or an impact that the two steppers
/// have at times, and then for velocities, that differ by more than their own errors.
std::optional<double> orderOf(const StepperGap& longer, const StepperGap& shorter) {
  const double before = longer.apart.value_or(0.0), now = shorter.apart.value_or(0.0);
  if (!(before > 0.0 && now > 0.0) || sameSubsteps(longer, shorter)) return {};
  const double order = std::log2(before / now);
  if (order < kParting && shorter.impacts > 0) return {};
  return order;
}

/// Why an order is missing; empty if it is not, or if the table says so itself.
std::string remarkOn(const StepperGap& longer, const StepperGap& shorter) {
  if (shorter.order || !longer.apart || !shorter.apart) return "";
  const std::string lengths = fmt::format("{:g} and {:g} ms", 1e3 * longer.dt, 1e3 * shorter.dt);
  if (!(*longer.apart > 0.0 && *shorter.apart > 0.0)) return "No order with " + lengths + ": nothing is apart.";
  if (sameSubsteps(longer, shorter))
    return "No order with " + lengths + ": what happens cuts both into the same sub-steps.";
  return "No order with " + lengths + ": an impact parts the runs, and from there on they are two motions.";
}

}  // namespace

std::vector<StepperGap> findConvergence(const Scene& scene, const std::vector<std::string>& steppers,
                                        const InterruptFlag& interrupt) {
  std::vector<StepperGap> gaps;
  for (int halvings = 0; halvings <= kHalvings && !interrupt.raised(); ++halvings) {
    tell(fmt::format("both steppers with steps of {:g} ms", 1e3 * scene.dt / (1 << halvings)));
    const CoarseRun a = runWith(scene, steppers[0], halvings, interrupt),
                    b = runWith(scene, steppers[1], halvings, interrupt);
    if (interrupt.raised()) break;  // what was cut off tells nothing
    StepperGap gap{scene.dt / (1 << halvings), {}, {}, {a.substeps, b.substeps}, a.impacts + b.impacts};
    const auto nodes = static_cast<std::size_t>(countSteps(scene.time, scene.dt));
    if (a.poses.size() == nodes && b.poses.size() == nodes) gap.apart = distanceOf(a.poses, b.poses);
    if (!gaps.empty()) gap.order = orderOf(gaps.back(), gap);
    gaps.push_back(gap);
  }
  return gaps;
}

experiments::Outcome describeConvergence(const std::vector<StepperGap>& gaps, const std::vector<std::string>& steppers,
                                         const std::string& folder) {
  experiments::Outcome outcome;
  outcome.table.columns = {"step [ms]", "steppers apart", "order"};
  experiments::Plot plot{"Largest difference of a coordinate", "step [ms]", "m or rad", true, {}, true};
  plot.series = {{fmt::format("{}, {}", steppers[0], steppers[1]), {}, {}}};
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const StepperGap& gap = gaps[i];
    outcome.table.rows.push_back({1e3 * gap.dt,
                                  gap.apart ? fmt::format("{:.4g}", *gap.apart) : std::string("a step was refused"),
                                  gap.order ? fmt::format("{:.2f}", *gap.order) : std::string("-")});
    plot.series[0].x.push_back(1e3 * gap.dt);
    plot.series[0].y.push_back(gap.apart.value_or(0.0));  // which leaves a gap
    if (i == 0) continue;
    const std::string remark = remarkOn(gaps[i - 1], gap);
    if (!remark.empty()) outcome.setting.push_back(remark);
  }
  if (folder.empty()) return outcome;
  outcome.files = {"compare-convergence.svg"};
  experiments::savePlot((std::filesystem::path(folder) / outcome.files[0]).string(), plot);
  return outcome;
}

}  // namespace rigor::app
