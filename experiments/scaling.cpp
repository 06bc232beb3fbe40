#include "experiments/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/call_time.h"
#include "experiments/csv.h"
#include "experiments/plot.h"
#include "experiments/statistics.h"

namespace rigor::experiments {
namespace {

constexpr double kLongest = 10.0;  // [s] of processor time: after a run that takes longer, larger sizes are left out

/// A run that is looked at, not timed.
SizeTime inspect(const ScalingCase& one, const Scene& scene, int size, CountedSteps& steps) {
  Simulator simulator = steps.start(scene, one.tolerance);
  simulator.wanted() = {.contacts = true};
  const Witness witness = one.summon ? one.summon(scene) : Witness{};
  SizeTime seen;
  seen.size = size;
  if (witness) seen.residual = std::numeric_limits<double>::quiet_NaN();  // fmax takes any number for it
  for (std::int64_t i = 0; i < one.steps; ++i) {
    if (!steps.step(simulator)) {
      seen.refused = true;
      break;
    }
    const StepReport& report = simulator.report();
    seen.iterations += report.iterations / static_cast<double>(one.steps);
    seen.passes += report.passes / static_cast<double>(one.steps);
    seen.deepest = std::max(seen.deepest, report.penetration);
    seen.gap = std::max(seen.gap, report.loop_gap);
    if (const auto left = witness ? witness(simulator) : std::nullopt) seen.residual = std::fmax(seen.residual, *left);
    seen.contacts =
        std::max(seen.contacts,
                 static_cast<double>(std::count_if(report.contacts.begin(), report.contacts.end(),
                                                   [](const Contact& c) { return c.mode != ContactMode::kOpen; })));
  }
  return seen;
}

double timeRound(const ScalingCase& one, const Scene& scene, CountedSteps& steps) {
  Simulator simulator = steps.start(scene, one.tolerance);
  simulator.wanted() = {};
  const double start = processorSeconds();
  for (std::int64_t i = 0; i < one.steps; ++i)
    if (!simulator.step().accepted()) break;
  const double seconds = processorSeconds() - start;
  steps.tell(one.steps);
  return seconds;
}

double largestOf(const std::vector<SizeTime>& sizes, double SizeTime::* value) {
  double most = 0.0;
  for (const SizeTime& one : sizes) most = std::max(most, one.*value);
  return most;
}

}  // namespace

double ScalingCurve::growth() const {
  std::vector<double> x, y;
  for (const SizeTime& one : sizes)
    if (!one.refused) x.push_back(one.size), y.push_back(one.seconds);
  return growthOf(x, y);
}

double ScalingCurve::deepest() const { return largestOf(sizes, &SizeTime::deepest); }
double ScalingCurve::gap() const { return largestOf(sizes, &SizeTime::gap); }
double ScalingCurve::residual() const {
  const bool known =
      std::none_of(sizes.begin(), sizes.end(), [](const SizeTime& one) { return std::isnan(one.residual); });
  return known ? largestOf(sizes, &SizeTime::residual) : std::numeric_limits<double>::quiet_NaN();
}

bool ScalingCurve::refused() const {
  return std::any_of(sizes.begin(), sizes.end(), [](const SizeTime& one) { return one.refused; });
}

ScalingCurve measureScaling(const ScalingCase& one, CountedSteps& steps) {
  ScalingCurve curve{one.name, one.steps, static_cast<bool>(one.summon)};
  for (const int size : one.sizes) {
    const Scene scene = one.make(size);
    const double start = processorSeconds();
    SizeTime seen = inspect(one, scene, size, steps);
    const double taken = processorSeconds() - start;
    if (taken > kLongest) {  // looking at it is then nothing beside the run
      seen.seconds = taken;
      curve.sizes.push_back(seen);
      curve.left_out = size != one.sizes.back();
      break;
    }
    seen.seconds = NAN;
    for (int round = 0; round < one.rounds && !seen.refused; ++round)
      seen.seconds = std::fmin(seen.seconds, timeRound(one, scene, steps));
    curve.sizes.push_back(seen);
  }
  return curve;
}

std::vector<ScalingCurve> measureScaling(const std::vector<ScalingCase>& cases, CountedSteps& steps) {
  std::vector<ScalingCurve> curves;
  for (const ScalingCase& one : cases) curves.push_back(measureScaling(one, steps));
  return curves;
}

std::int64_t countScaling(const std::vector<ScalingCase>& cases) {
  std::int64_t count = 0;
  for (const ScalingCase& one : cases) count += std::ssize(one.sizes) * one.steps * (one.rounds + 1);
  return count;
}

void tellScaling(const std::vector<ScalingCurve>& curves, const std::string& title, const std::string& size_label,
                 const std::string& folder, const std::string& name, Outcome& outcome) {
  const bool witnessed = std::any_of(curves.begin(), curves.end(), [](const ScalingCurve& c) { return c.witnessed; });
  outcome.table.columns = {"case",       size_label, "time [s]",    "us / step", "contacts",
                           "iterations", "passes",   "deepest [m]", "gap [m]",   "refused"};
  if (witnessed) outcome.table.columns.push_back("residual");
  Plot plot{title, size_label, "time of all steps [s]", true, {}, true};
  for (const ScalingCurve& curve : curves) {
    Series series{curve.name, {}, {}};
    for (const SizeTime& one : curve.sizes) {
      outcome.table.rows.push_back({curve.name, one.size, one.seconds,
                                    1e6 * one.seconds / static_cast<double>(curve.steps), one.contacts, one.iterations,
                                    one.passes, one.deepest, one.gap, std::string(one.refused ? "refused" : "")});
      if (witnessed) outcome.table.rows.back().emplace_back(one.residual);
      series.x.push_back(one.size);
      series.y.push_back(one.seconds);
    }
    plot.series.push_back(series);
  }
  saveTable(folder + "/" + name + ".csv", outcome.table);
  savePlot(folder + "/" + name + ".svg", plot);
  outcome.files.push_back(name + ".csv");
  outcome.files.push_back(name + ".svg");
}

Finding linearFinding(const std::string& paper, const ScalingCurve& curve, bool quick) {
  const double power = curve.growth();
  const std::string told =
      fmt::format("{}: time ~ size^{:.2f}, {:.3g} us per step at {:g}{}", curve.name, power,
                  1e6 * curve.sizes.back().seconds / static_cast<double>(curve.steps), curve.sizes.back().size,
                  curve.refused()  ? "; steps were REFUSED"
                  : curve.left_out ? "; larger sizes take too long"
                                   : "");
  if (curve.refused()) return {paper, told, false};
  return {paper, told, quick ? std::nullopt : std::optional(power <= kLinear && !curve.left_out)};
}

}  // namespace rigor::experiments
