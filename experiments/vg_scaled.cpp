// VG figure 11: pendulums of three sizes in steps of all lengths: do short ones still work, and what do they cost?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/counted_steps.h"
#include "experiments/csv.h"
#include "experiments/maximal_models.h"
#include "experiments/plot.h"
#include "experiments/vg.h"

namespace rigor::experiments {
namespace {

constexpr double kScales[] = {1.0, 0.5, 0.1};
constexpr std::int64_t kCounts[] = {10, 30, 100, 300, 1000, 3000, 10000, 100000};  // steps of half a swing
constexpr double kTrue = 1.1803406;          // the period from the horizontal over that of small angles
constexpr double kAtHalfSmall = -1.4104407;  // [rad] where the pendulum is after half the period of small angles
constexpr double kFine = 1e-6;               // [rad] error of second order at 0.3 ms: a millionth

/// A rod of length s² and mass s without thickness.
Scene makePendulum(double scale, double dt) {
  const double length = scale * scale;
  ModelBuilder builder("scaled pendulum");
  BodySpec rod;
  rod.name = "rod";
  rod.joint.name = "pivot";
  rod.joint.type = kHinge;
  rod.joint.axis = Eigen::Vector3d::UnitX();
  rod.mass = {scale, {0.0, 0.0, -0.5 * length}, Eigen::Vector3d(1.0, 1.0, 0.0).asDiagonal()};
  rod.mass.inertia *= scale * length * length / 12.0;
  builder.addBody(rod);
  Scene scene = makeMaximalScene("scaled pendulum", builder.build(), dt);
  scene.q[0] = 0.5 * kPi;
  return scene;
}

double smallPeriod(double scale) { return 2.0 * kPi * scale * std::sqrt(2.0 / (3.0 * 9.81)); }

struct HalfSwing {
  double angle = NAN, iterations = NAN;  ///< [rad] at the end; Newton steps per step in the mean
};

HalfSwing swing(double scale, double seconds, std::int64_t count, CountedSteps& steps) {
  Simulator simulator = steps.start(makePendulum(scale, seconds / static_cast<double>(count)));
  std::int64_t passes = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!steps.step(simulator)) return {};
    passes += simulator.report().passes;
  }
  return {simulator.state().q[0], static_cast<double>(passes) / static_cast<double>(count)};
}

Outcome runScaled(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  Outcome outcome;
  outcome.setting = {
      "Rods of mass s and length s^2, s = 1, 0.5, 0.1, from the horizontal for half a swing; steps in units of s.",
      "The paper stops after half the period of small angles and compares with -pi/2, where the pendulum is not yet: "
      "it is at "
      "-1.41044 rad. Here it is compared with that, and with -pi/2 after half of its true period."};
  outcome.table.columns = {"steps",     "step / s [s]", "scale s", "error at T_true/2 [rad]", "error at T/2 [rad]",
                           "iterations"};
  Plot error{"Error of the angle after half a swing", "step / s [s]", "error [rad]", true, {}, true};
  Plot iterations{"Newton iterations of a step", "step / s [s]", "iterations in the mean", false, {}, true};
  double longest = NAN, shortest = NAN, worst_fine = NAN, order = INFINITY;
  for (const double scale : kScales) {
    Series errors{fmt::format("s = {:g}", scale), {}, {}}, costs = errors;
    double coarse = NAN;
    for (const std::int64_t count : kCounts) {
      if (request.quick && count > 1000) break;
      const double period = smallPeriod(scale);
      const HalfSwing full = swing(scale, 0.5 * kTrue * period, count, steps),
                      small = swing(scale, 0.5 * period, count, steps);
      const double off = std::fabs(full.angle + 0.5 * kPi), off_small = std::fabs(small.angle - kAtHalfSmall);
      const double step = 0.5 * kTrue * period / static_cast<double>(count) / scale;
      outcome.table.rows.push_back({fmt::format("{}", count), step, scale, off, off_small, full.iterations});
      errors.x.push_back(step), errors.y.push_back(off_small);
      costs.x.push_back(step), costs.y.push_back(full.iterations);
      if (count == kCounts[0]) longest = full.iterations;
      shortest = full.iterations;
      if (count == 100) coarse = off_small;
      if (count == 1000) order = std::min(order, std::log10(coarse / off_small));
      if (count >= 3000) worst_fine = std::fmax(worst_fine, off_small);  // of NaN and a number the number
    }
    error.series.push_back(errors);
    iterations.series.push_back(costs);
  }
  const std::string fine = std::isnan(worst_fine)
                               ? std::string("steps below 0.35 ms were not run; the error of longer ones is")
                               : fmt::format("below 0.35 ms the error is at most {:.1e} rad,", worst_fine);
  outcome.findings = {
      {"the simulation is successful and accurate even for small steps",
       fmt::format("{}; {} of order {:.2f}",
                   steps.refused() == 0 ? "no step refused" : fmt::format("{} runs refused", steps.refused()), fine,
                   order),
       shown(steps.refused() == 0 && !(worst_fine > kFine) && order > 1.9, !request.quick)},
      {"(wish) smaller steps need no more iterations; the paper's need more, being ill-conditioned",
       fmt::format("{:.2f} in the mean at the longest steps, {:.2f} at the shortest", longest, shortest),
       shortest <= longest}};
  saveTable(request.folder + "/vg-scaled.csv", outcome.table);
  savePlot(request.folder + "/vg-scaled-error.svg", error);
  savePlot(request.folder + "/vg-scaled-iterations.svg", iterations);
  outcome.files = {"vg-scaled.csv", "vg-scaled-error.svg", "vg-scaled-iterations.svg"};
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment vgScaled() {
  return {.name = "vg-scaled",
          .paper = "VG",
          .title = "pendulums of three sizes in steps of all lengths (figure 11)",
          .steps = 6 * 114440,
          .run = runScaled,
          .quick_steps = 6 * 1440};
}

}  // namespace rigor::experiments
