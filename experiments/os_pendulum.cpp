// OS table I: processor time of pendulums of n links in minimal and in redundant coordinates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/call_time.h"
#include "experiments/counted_steps.h"
#include "experiments/csv.h"
#include "experiments/os.h"
#include "experiments/os_scene.h"
#include "experiments/plot.h"

namespace rigor::experiments {
namespace {

constexpr double kStep = 1e-4, kSeconds = 5.0, kQuickSeconds = 0.1;  // [s]
constexpr double kMinimalWish = 50.0, kRedundantWish = 100.0;        // times faster than the paper's
constexpr double kDeep = 1e-10;                                      // [m] that hard contact may sink

struct PaperTime {
  int links;
  double minimal, redundant;  // [s] table I
};
constexpr PaperTime kPaper[] = {{3, 13.3258, 47.7948},   {6, 10.5026, 68.7122},    {12, 19.0632, 305.2764},
                                {15, 21.7605, 558.0966}, {24, 38.1993, 1899.8575}, {30, 73.7386, 4100.5061}};
constexpr double kFrictions[] = {0.0, 0.5};

std::vector<PaperTime> listSizes(bool quick) {
  return quick ? std::vector<PaperTime>(kPaper, kPaper + 2)
               : std::vector<PaperTime>(std::begin(kPaper), std::end(kPaper));
}

std::int64_t stepsOf(bool quick) { return std::lround((quick ? kQuickSeconds : kSeconds) / kStep); }

/// One run.
struct Run {
  double seconds = 0.0, deepest = 0.0, gap = 0.0;  // [s] of the processor; [m]; [m] of loops
  bool refused = false;
};

Run timeRun(const OsPendulum& wanted, bool quick, CountedSteps& steps) {
  Run run;
  Simulator simulator = steps.start(makeOsPendulum(wanted));
  const double start = processorSeconds();
  for (std::int64_t i = 0; i < stepsOf(quick) && !run.refused; ++i) {
    run.refused = !steps.step(simulator);
    run.deepest = std::max(run.deepest, simulator.report().penetration);
    run.gap = std::max(run.gap, simulator.report().loop_gap);
  }
  run.seconds = processorSeconds() - start;
  return run;
}

/// Both formulations of one pendulum.
struct Row {
  PaperTime paper;
  double friction;
  Run minimal, redundant;
  bool refused() const { return minimal.refused || redundant.refused; }
};

std::vector<Row> measure(bool quick, CountedSteps& steps) {
  std::vector<Row> rows;
  for (const double friction : kFrictions)
    for (const PaperTime& paper : listSizes(quick)) {
      OsPendulum wanted{paper.links, friction, false, kStep};
      Row& row = rows.emplace_back(Row{paper, friction, {}, {}});
      row.minimal = timeRun(wanted, quick, steps);
      wanted.redundant = true;
      row.redundant = timeRun(wanted, quick, steps);
    }
  return rows;
}

/// Least and largest of a number over all rows that came to their end.
std::pair<double, double> rangeOf(const std::vector<Row>& rows, double (*number)(const Row&)) {
  double least = INFINITY, most = -INFINITY;
  for (const Row& row : rows) {
    if (row.refused()) continue;
    least = std::min(least, number(row));
    most = std::max(most, number(row));
  }
  return {least, most};
}

double minimalGain(const Row& row) { return row.paper.minimal / row.minimal.seconds; }
double redundantGain(const Row& row) { return row.paper.redundant / row.redundant.seconds; }
double priceOfRedundancy(const Row& row) { return row.redundant.seconds / row.minimal.seconds; }

Finding compareGrowth(const std::vector<Row>& rows, double friction, bool redundant, bool full) {
  const Row *first = nullptr, *last = nullptr;
  for (const Row& row : rows) {
    if (row.friction != friction || row.refused()) continue;
    if (!first) first = &row;
    last = &row;
  }
  const char* name = redundant ? "redundant" : "minimal";
  if (!first || first == last) return {fmt::format("growth, {}", name), "runs were REFUSED", std::nullopt};
  const auto growth = [&](double a, double b) {
    return std::log(b / a) / std::log(static_cast<double>(last->paper.links) / first->paper.links);
  };
  const double paper = redundant ? growth(first->paper.redundant, last->paper.redundant)
                                 : growth(first->paper.minimal, last->paper.minimal);
  const double ours = redundant ? growth(first->redundant.seconds, last->redundant.seconds)
                                : growth(first->minimal.seconds, last->minimal.seconds);
  return {fmt::format("{} coordinates: time grows as n^{:.2f} from {} to {} links", name, paper, first->paper.links,
                      last->paper.links),
          fmt::format("mu {:g}: as n^{:.2f}", friction, ours), full ? std::optional(ours <= paper) : std::nullopt};
}

std::vector<Finding> judge(const std::vector<Row>& rows, bool full) {
  const auto [cheapest, dearest] = rangeOf(rows, priceOfRedundancy);
  const auto [slowest, fastest] = rangeOf(rows, minimalGain);
  double redundant = INFINITY, deepest = 0.0, gap = 0.0;  // at the largest size
  for (const Row& row : rows) {
    if (row.paper.links == rows.back().paper.links && !row.refused())
      redundant = std::min(redundant, redundantGain(row));
    deepest = std::max({deepest, row.minimal.deepest, row.redundant.deepest});
    gap = std::max(gap, row.redundant.gap);
  }
  // a short look is a part of the paper's five seconds: no factor against its times is told from it
  std::vector<Finding> findings = {
      {"minimal coordinates are 3 to 50 times faster than redundant ones",
       fmt::format("{:.1f} to {:.1f} times", cheapest, dearest), shown(cheapest >= 3.0, full)},
      {fmt::format("(wish) minimal: {:g} times faster than the paper, at every size", kMinimalWish),
       full ? fmt::format("{:.0f} to {:.0f} times", slowest, fastest) : "shorter runs: not told",
       full ? std::optional(slowest >= kMinimalWish) : std::nullopt},
      {fmt::format("(wish) redundant: {:g} times faster than the paper at 30 links", kRedundantWish),
       full ? fmt::format("{:.0f} times", redundant) : "shorter runs: not told",
       full ? std::optional(redundant >= kRedundantWish) : std::nullopt},
      {"(wish) contact and hinges are hard", fmt::format("deepest {:.1e} m, hinges open by {:.1e} m", deepest, gap),
       deepest <= kDeep && gap <= kDeep}};
  for (const double friction : kFrictions)
    for (const bool is_redundant : {false, true}) findings.push_back(compareGrowth(rows, friction, is_redundant, full));
  return findings;
}

void tellRows(const std::vector<Row>& rows, const std::string& folder, Outcome& outcome) {
  outcome.table.columns = {"pendulum",  "minimal [s]",  "paper [s]",           "times faster", "redundant [s]",
                           "paper [s]", "times faster", "redundant / minimal", "deepest [m]",  "hinges open [m]"};
  std::vector<Series> series = {{"paper, minimal", {}, {}}, {"paper, redundant", {}, {}}};
  for (const double friction : kFrictions)
    for (const char* name : {"minimal", "redundant"})
      series.push_back({fmt::format("{}, mu {:g}", name, friction), {}, {}});
  for (const Row& row : rows) {
    outcome.table.rows.push_back(
        {fmt::format("{} links, mu {:g}{}", row.paper.links, row.friction, row.refused() ? ", REFUSED" : ""),
         row.minimal.seconds, row.paper.minimal, minimalGain(row), row.redundant.seconds, row.paper.redundant,
         redundantGain(row), priceOfRedundancy(row), std::max(row.minimal.deepest, row.redundant.deepest),
         row.redundant.gap});
    const auto add = [&](std::size_t one, double seconds) {
      series[one].x.push_back(row.paper.links);
      series[one].y.push_back(seconds);
    };
    const std::size_t ours = row.friction == kFrictions[0] ? 2 : 4;
    if (ours == 2) add(0, row.paper.minimal), add(1, row.paper.redundant);
    add(ours, row.minimal.seconds);
    add(ours + 1, row.redundant.seconds);
  }
  saveTable(folder + "/os-pendulum.csv", outcome.table);
  savePlot(folder + "/os-pendulum.svg",
           {"Pendulums of n links", "links", "processor time [s]", true, std::move(series), true});
  outcome.files = {"os-pendulum.csv", "os-pendulum.svg"};
}

Outcome runPendulum(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const std::vector<Row> rows = measure(request.quick, steps);
  Outcome outcome;
  outcome.setting = {
      "n balls of 1 kg and 12/n m on hinges at their poles, from straight to the left at 1 rad/s downwards; floor 10 m "
      "below the first hinge, wall 4 m to its right, every two balls but neighbours meet; restitution 0.5.",
      fmt::format("{:g} s in steps of 0.1 ms, stepper minimal, round friction cones; processor time of one run, one "
                  "core, nothing recorded. The paper's times are of its machine, with Bullet and PATH.",
                  static_cast<double>(stepsOf(request.quick)) * kStep),
      "The paper prints no friction: 0 and 0.5 are both done."};
  tellRows(rows, request.folder, outcome);
  outcome.findings = judge(rows, !request.quick);
  tellRefusals(steps, outcome);
  return outcome;
}

std::int64_t countSteps(bool quick) { return static_cast<std::int64_t>(listSizes(quick).size()) * 4 * stepsOf(quick); }

}  // namespace

Experiment osPendulum() {
  return {.name = "os-pendulum",
          .paper = "OS",
          .title = "time of pendulums of n links in minimal and redundant coordinates (table I)",
          .steps = countSteps(false),
          .run = runPendulum,
          .quick_steps = countSteps(true)};
}

}  // namespace rigor::experiments
