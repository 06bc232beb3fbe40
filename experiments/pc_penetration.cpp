// PC figure 7: how deep the feet of a hanging robot sink, by solver and tolerance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/csv.h"
#include "experiments/pc.h"
#include "experiments/pc_scenes.h"
#include "experiments/plot.h"
#include "experiments/statistics.h"

namespace rigor::experiments {
namespace {

constexpr std::size_t kHang = 1;
constexpr std::int64_t kEvery = 100;  // steps behind one point of a curve: the deepest of them
constexpr PcMethod kFinePgs{"pgs 1e-8", "pgs", "coulomb", 1e-8};
constexpr std::array<PcMethod, 5> kMethods = {kPcBisection, kPcPgs, kFinePgs, kOurBisection, kOurs};

std::vector<double> deepestOfEach(const std::vector<double>& depths) {
  std::vector<double> deepest;
  for (std::size_t i = 0; i < depths.size(); i += kEvery)
    deepest.push_back(
        *std::max_element(depths.begin() + static_cast<std::ptrdiff_t>(i),
                          depths.begin() + static_cast<std::ptrdiff_t>(std::min(i + kEvery, depths.size()))));
  return deepest;
}

Outcome runPenetration(const Request& request, const Watch& watch) {
  Outcome outcome;
  outcome.setting = {
      fmt::format("ANYmal hangs from its feet, joints limp: {} steps of 1 ms.", stepsOf(request)),
      "The paper draws metres of a law on velocities; here the law acts on positions at the end of a step."};
  outcome.table.columns = {"solver", "tolerance", "mean depth [m]", "deepest [m]", "refused"};
  Plot plot{"Penetration of the feet", "time [s]", "deepest foot in 0.1 s [m]", true, {}};
  std::vector<Column> columns;
  std::vector<double> mean, deepest;
  std::vector<char> touched;
  for (const PcMethod& method : kMethods) {
    const PcRun run = runPcScene(request, loadPcScene(request, kPcScenes[kHang], method), method.tolerance,
                                 stepsOf(request), static_cast<std::int64_t>(mean.size()) * stepsOf(request), watch);
    const std::vector<double> curve = deepestOfEach(run.penetration);
    if (columns.empty()) {
      columns.push_back({"time", {}});
      for (std::size_t i = 0; i < curve.size(); ++i)
        columns[0].values.push_back(1e-3 * kEvery * static_cast<double>(i));
    }
    touched.push_back(run.touched());
    mean.push_back(meanOf(run.penetration));
    deepest.push_back(curve.empty() ? 0.0 : *std::max_element(curve.begin(), curve.end()));
    outcome.table.rows.push_back({std::string(method.name), fmt::format("{:g}", method.tolerance), mean.back(),
                                  deepest.back(), static_cast<double>(run.refused)});
    plot.series.push_back({method.name, columns[0].values, curve});
    columns.push_back({method.name, curve});
    columns.back().values.resize(columns[0].values.size(), NAN);
    outcome.done = outcome.done && (run.refused == 0 || method.tolerance > kOurs.tolerance);
  }
  // Who touches nothing sinks into nothing.
  const auto add = [&](const char* paper, bool seen, const std::string& ours, bool holds) {
    outcome.findings.push_back(
        {paper, seen ? ours : "no foot touched anything in so few steps", seen ? std::optional(holds) : std::nullopt});
  };
  add("bisection penetrates less than PGS at the same threshold", touched[0] && touched[1],
      fmt::format("mean {:.2g} m, PGS {:.2g} m at 1e-6", mean[0], mean[1]), mean[0] < mean[1]);
  add("even at 1e-8 PGS is outperformed", touched[0] && touched[2], fmt::format("PGS {:.2g} m at 1e-8", mean[2]),
      mean[0] < mean[2]);
  add("penetration is unavoidable", touched.back() != 0,
      fmt::format("at 1e-10 the deepest foot is {:.2g} m deep", deepest.back()), deepest.back() > 1e-9);
  saveCsv(request.folder + "/pc-figure-7.csv", columns);
  savePlot(request.folder + "/pc-figure-7.svg", plot);
  outcome.files = {"pc-figure-7.csv", "pc-figure-7.svg"};
  return outcome;
}

}  // namespace

Experiment pcPenetration() {
  return {"pc-penetration",
          "PC",
          "how deep the feet of a hanging robot sink (figure 7)",
          kPcSteps * std::ssize(kMethods),
          runPenetration,
          false,
          kPcSteps};
}

}  // namespace rigor::experiments
