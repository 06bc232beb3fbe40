// PC table II, figures 4 and 5: what a step costs, where the time goes and how often solvers iterate.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/bars.h"
#include "experiments/csv.h"
#include "experiments/pc.h"
#include "experiments/pc_scenes.h"
#include "experiments/phase_chart.h"
#include "experiments/statistics.h"

namespace rigor::experiments {
namespace {

constexpr std::array<PcMethod, 7> kMethods = {kPcBisection, kPcPgs, kCoulombBisection, kOursAtPaper, kOurBisection,
                                              kOurPgs,      kOurs};
constexpr int kRuns = 2;  // of each method in each scene: for the time, and for everything else

struct Measured {
  const PcScene* scene;
  const PcMethod* method;
  PcRun run;
};

double perSteps(const PcRun& run) {  // [s] for as many steps as the paper's
  return run.seconds.empty() ? NAN : run.total() / static_cast<double>(run.seconds.size()) * kPcSteps;
}

std::vector<Measured> measureAll(const Request& request, const Watch& watch) {
  std::vector<Measured> all;
  for (const PcScene& scene : kPcScenes)
    for (const PcMethod& method : kMethods) {
      const std::int64_t steps = stepsOf(request), before = static_cast<std::int64_t>(all.size()) * kRuns * steps;
      const Scene loaded = loadPcScene(request, scene, method);
      all.push_back({&scene, &method, runPcScene(request, loaded, method.tolerance, steps, before, watch)});
      all.back().run.seconds = timePcScene(request, loaded, method.tolerance, steps, before + steps, watch);
    }
  return all;
}

Table tableOf(const std::vector<Measured>& all) {
  Table table{{"scene", "solver", "s / 100k steps", "paper", "solve [us]", "p99 step [us]", "worst step [us]",
               "iterations", "most", "contacts", "deepest [m]", "refused"},
              {}};
  for (const auto& [scene, method, run] : all) {
    const double printed = method->name == std::string(kPcPgs.name)         ? scene->pgs
                           : method->name == std::string(kPcBisection.name) ? scene->bisection
                                                                            : 0.0;
    const double steps = static_cast<double>(run.seconds.size());
    table.rows.push_back({std::string(scene->name), std::string(method->name), perSteps(run),
                          printed > 0.0 ? fmt::format("{:.2f}", printed) : std::string("-"),
                          1e-3 * run.nanoseconds.solve / steps, 1e6 * quantileOf(run.seconds, 0.99),
                          1e6 * quantileOf(run.seconds, 1.0), meanOf(run.iterations), quantileOf(run.iterations, 1.0),
                          quantileOf(run.contacts, 1.0), quantileOf(run.penetration, 1.0),
                          static_cast<double>(run.refused)});
  }
  return table;
}

/// Shares of steps with contact by their iterations; edges grow by a factor of two as in the paper's figure.
std::string saveIterations(const std::string& folder, const PcScene& scene, const std::vector<Measured>& all) {
  std::vector<double> edges;
  BarChart chart{fmt::format("Iterations of a step: {}", scene.name), "iterations", "% of steps", false, false, {}, {}};
  for (double edge = 1.0; edge <= 65536.0; edge *= 2.0) {
    edges.push_back(edge);
    chart.categories.push_back(fmt::format("{:g}", edge));
  }
  edges.push_back(1e9);
  for (const auto& [its_scene, method, run] : all) {
    if (its_scene != &scene) continue;
    std::vector<double> some;
    for (double count : run.iterations)
      if (count > 0.0) some.push_back(count);
    chart.series.push_back({method->name, sharesBetween(some, edges)});
  }
  const std::string file = fmt::format("pc-figure-4-{}.svg", scene.name);
  saveBars(folder + "/" + file, chart);
  return file;
}

std::string savePhases(const std::string& folder, const std::vector<Measured>& all) {
  std::vector<PhaseBar> bars;
  for (const auto& [scene, method, run] : all)
    bars.push_back(
        {fmt::format("{}, {}", scene->name, method->name), run.nanoseconds, static_cast<double>(run.seconds.size())});
  saveBars(folder + "/pc-figure-5.svg", chartPhases(bars));
  return "pc-figure-5.svg";
}

const PcRun& runOf(const std::vector<Measured>& all, std::size_t scene, const PcMethod& method) {
  return std::find_if(all.begin(), all.end(),
                      [&](const Measured& one) {
                        return one.scene == &kPcScenes[scene] && one.method->name == std::string(method.name);
                      })
      ->run;
}

std::string toldTime(const std::vector<Measured>& all, std::size_t scene, const PcMethod& method) {
  const PcRun& run = runOf(all, scene, method);
  return fmt::format("{:.2f} s{}", perSteps(run), run.refused > 0 ? " until it was refused" : "");
}

void compareWithPaper(const std::vector<Measured>& all, Outcome& outcome) {
  for (std::size_t s = 0; s < kPcScenes.size(); ++s) {
    const PcScene& scene = kPcScenes[s];
    const double bisection = perSteps(runOf(all, s, kPcBisection)), pgs = perSteps(runOf(all, s, kPcPgs)),
                 coulomb = perSteps(runOf(all, s, kCoulombBisection)), ours = perSteps(runOf(all, s, kOursAtPaper));
    outcome.figures.push_back({fmt::format("table II, {}, bisection [s]", scene.name), scene.bisection, bisection});
    outcome.figures.push_back({fmt::format("table II, {}, PGS [s]", scene.name), scene.pgs, pgs});
    const bool paper_ahead = scene.bisection < scene.pgs;
    // what solvers cost is told by contacts alone
    const bool seen = runOf(all, s, kPcBisection).touched() && runOf(all, s, kPcPgs).touched();
    if (!seen) {
      outcome.findings.push_back({fmt::format("{}: {} is faster, {:.2f} and {:.2f} s", scene.name,
                                              paper_ahead ? "bisection" : "PGS", scene.bisection, scene.pgs),
                                  "nothing touched in so few steps", std::nullopt});
      continue;
    }
    outcome.findings.push_back({fmt::format("{}: {} is faster ({:.2f} and {:.2f} s)", scene.name,
                                            paper_ahead ? "bisection" : "PGS", scene.bisection, scene.pgs),
                                fmt::format("bisection {}, by Coulomb's law {}, PGS {}", toldTime(all, s, kPcBisection),
                                            toldTime(all, s, kCoulombBisection), toldTime(all, s, kPcPgs)),
                                (bisection < pgs) == paper_ahead});
    outcome.findings.push_back(
        {fmt::format("(wish) {}: twice as fast as the paper", scene.name),
         fmt::format("bisection {:.1f} times, by Coulomb's law {:.1f}, auto {:.1f}", scene.bisection / bisection,
                     scene.bisection / coulomb, scene.bisection / ours),
         2.0 * bisection <= scene.bisection});
  }
  double worst = 0.0;
  bool seen = true;
  for (std::size_t s = 0; s < kPcScenes.size(); ++s) {
    worst = std::max(worst, perSteps(runOf(all, s, kPcBisection)));
    seen = seen && runOf(all, s, kPcBisection).touched();
  }
  outcome.findings.push_back(
      {"a step takes less than 20 us",
       fmt::format("at most {:.1f} us on average{}", 10.0 * worst, seen ? "" : "; some scenes touched nothing"),
       worst < 2.0 && !seen ? std::nullopt : std::optional(worst < 2.0)});
}

Outcome runSteps(const Request& request, const Watch& watch) {
  const std::vector<Measured> all = measureAll(request, watch);
  Outcome outcome;
  outcome.setting = {
      fmt::format("ANYmal in four scenes, {} steps of 1 ms each; solvers at the paper's tolerance (1e-6) and at ours.",
                  stepsOf(request)),
      "The paper's contact acts on velocities; here it acts on positions at the end of the step, for every solver.",
      "A tolerance is relative to the velocities of a step here; the paper stops at 1e-6 m/s, which at rest is 1e-4 of "
      "them.",
      "A run ends after three refusals in a row; its numbers are then those of the steps before.",
      "By law dissipation sweeps have no end in some impacts of drop: a contact in the Painlevé range opens as soon as "
      "it is "
      "pressed (PC Alg. 2 line 3), and closes as soon as it is open. By Coulomb's law they have one.",
      "Times are of runs that write nothing down, as in the paper; solve times and iterations of the same steps once "
      "more.",
      "The paper's times are of one core of a Xeon E5-1620."};
  outcome.table = tableOf(all);
  compareWithPaper(all, outcome);
  outcome.files = {"pc-table-2.csv"};
  saveTable(request.folder + "/pc-table-2.csv", outcome.table);
  for (const PcScene& scene : kPcScenes) outcome.files.push_back(saveIterations(request.folder, scene, all));
  outcome.files.push_back(savePhases(request.folder, all));
  outcome.done = std::none_of(all.begin(), all.end(), [&](const Measured& one) {
    return one.method->solver == std::string("auto") && one.run.refused > 0;
  });
  return outcome;
}

}  // namespace

Experiment pcSteps() {
  return {"pc-steps",
          "PC",
          "cost and iterations of a step in four scenes (table II, figures 4 and 5)",
          kPcSteps * static_cast<std::int64_t>(kRuns * kPcScenes.size() * kMethods.size()),
          runSteps,
          false,
          kPcSteps};
}

}  // namespace rigor::experiments
