// VG figure 7b: an hour of a double pendulum. The energy of the variational integrator breathes but has no trend, that of Heun's
// method grows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/counted_steps.h"
#include "experiments/csv.h"
#include "experiments/plot.h"
#include "experiments/statistics.h"
#include "experiments/vg.h"

namespace rigor::experiments {
namespace {

constexpr double kStep = 0.01, kSeconds = 3600.0, kQuickSeconds = 60.0;
constexpr std::int64_t kEvery = 100;  // steps behind one point of a curve: their mean
constexpr double kNoTrend =
    0.1;  // of what the energy breathes by: means of ten minutes of a chaotic motion differ by some of it

/// Energy at the nodes of a run [J]; it begins with 0.
struct EnergyRun {
  std::string name;
  std::vector<double> mean = {};  ///< of every kEvery nodes
  std::vector<double> all = {};

  double lowest() const { return *std::min_element(all.begin(), all.end()); }
  double highest() const { return *std::max_element(all.begin(), all.end()); }
  double breath() const { return highest() - lowest(); }
  /// Mean of the last sixth less mean of the first.
  double trend() const {
    const auto part = static_cast<std::ptrdiff_t>(all.size() / 6);
    return meanOf({all.end() - part, all.end()}) - meanOf({all.begin(), all.begin() + part});
  }
};

EnergyRun measure(const Scene& scene, const std::string& name, std::int64_t count, CountedSteps& steps) {
  EnergyRun run{name};
  Simulator simulator = steps.start(scene);
  double sum = 0.0;
  for (std::int64_t i = 0; i < count && steps.step(simulator); ++i) {
    run.all.push_back(simulator.report().kinetic + simulator.report().potential);
    sum += run.all.back();
    if ((i + 1) % kEvery == 0) run.mean.push_back(sum / kEvery), sum = 0.0;
  }
  return run;
}

std::vector<Finding> compareWithPaper(const std::vector<EnergyRun>& runs, bool refused, bool full) {
  const EnergyRun &ours = runs[0], &heun = runs[2];
  const bool bounded = !refused && std::fabs(ours.trend()) <= kNoTrend * ours.breath();
  return {{"the energy error stays bounded for the variational integrator",
           fmt::format("node energy within [{:.3f}, {:.3f}] J, trend {:+.1e} J", ours.lowest(), ours.highest(),
                       ours.trend()),
           shown(bounded, full)},
          {"Heun's method injects energy", fmt::format("{:+.2f} J at the end", heun.mean.back()),
           heun.mean.back() > 10.0 * ours.highest()}};
}

Outcome runEnergy(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const double seconds = request.quick ? kQuickSeconds : kSeconds;
  const auto count = static_cast<std::int64_t>(std::lround(seconds / kStep));
  Scene scene = loadMaximal(request, "double_pendulum.toml", kStep);
  std::vector<EnergyRun> runs = {measure(scene, "variational", count, steps)};
  scene.stepper = "minimal";
  for (const char* integrator : {"leapfrog", "heun", "rk4"}) {
    scene.integrator = integrator;
    runs.push_back(measure(scene, integrator, count, steps));
  }

  Outcome outcome;
  outcome.setting = {
      fmt::format("Two cubes of 0.1 m and 1 kg on massless rods of 1 m, released straight out, where the energy is "
                  "0; {:g} s in steps of {:g} ms.",
                  seconds, 1e3 * kStep),
      "The trend is the mean of the last sixth of the run less that of the first.",
      "All but the first are integrators of stepper minimal."};
  outcome.table.columns = {"integrator", "lowest [J]", "highest [J]", "trend [J]"};
  std::vector<double> time;
  for (std::int64_t i = 0; i < count / kEvery; ++i) time.push_back(kStep * (static_cast<double>(i) + 0.5) * kEvery);
  std::vector<Column> columns = {{"time", time}};
  Plot plot{"Energy of a double pendulum", "time [s]", "mean energy of a second [J]", false, {}};
  for (EnergyRun& run : runs) {
    outcome.table.rows.push_back({run.name, run.lowest(), run.highest(), run.trend()});
    run.mean.resize(time.size(), NAN);  // after a refused step
    columns.push_back({run.name, run.mean});
    plot.series.push_back({run.name, time, run.mean});
  }
  outcome.findings = compareWithPaper(runs, steps.refused() > 0, !request.quick);
  saveCsv(request.folder + "/vg-energy.csv", columns);
  savePlot(request.folder + "/vg-energy.svg", plot);
  outcome.files = {"vg-energy.csv", "vg-energy.svg"};
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment vgEnergy() {
  return {.name = "vg-energy",
          .paper = "VG",
          .title = "energy of a double pendulum in an hour (figure 7b)",
          .steps = 4 * static_cast<std::int64_t>(kSeconds / kStep),
          .run = runEnergy,
          .quick_steps = 4 * static_cast<std::int64_t>(kQuickSeconds / kStep)};
}

}  // namespace rigor::experiments
