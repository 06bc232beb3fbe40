// OS table I: processor time of pendulums of n links in minimal and in redundant coordinates, by time and by events.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/csv.h"
#include "experiments/os.h"
#include "experiments/os_runs.h"
#include "experiments/plot.h"

namespace rigor::experiments {
namespace {

constexpr double kMinimalWish = 50.0, kRedundantWish = 100.0;  // times faster than the paper's
constexpr double kDeep = 1e-10;                                // [m] that hard contact may sink
constexpr const OsWay* kWays[] = {&kOsByTime, &kOsByEvents};

double gain(const OsRow& row, bool redundant) {
  return redundant ? row.paper.redundant / row.redundant.seconds : row.paper.minimal / row.minimal.seconds;
}

const OsRun& runOf(const OsRow& row, bool redundant) { return redundant ? row.redundant : row.minimal; }

/// Least and largest of a number over rows; of nothing, NaN.
struct Range {
  double least = NAN, most = NAN;
  void add(double number) { least = std::fmin(least, number), most = std::fmax(most, number); }
};

/// Runs that were given up count with what they would have taken at their rate so far.
Finding compareGains(const std::vector<OsRow>& rows, const OsWay& way, bool redundant, int links, bool full) {
  const double wish = redundant ? kRedundantWish : kMinimalWish;
  Finding finding{fmt::format("(wish) {} {}: {:g} times faster than the paper{}", redundant ? "redundant" : "minimal",
                              way.name, wish, links ? fmt::format(" at {} links", links) : ", at every size"),
                  "shorter runs: not told", std::nullopt};  // no factor against the paper's five seconds
  if (!full) return finding;
  Range gains;
  int given_up = 0, refused = 0;
  for (const OsRow& row : rows) {
    if (row.way != &way || (links && row.paper.links != links)) continue;
    const OsRun& run = runOf(row, redundant);
    if (!run.refused) gains.add(gain(row, redundant));
    given_up += run.given_up;
    refused += run.refused;
  }
  finding.ours = std::isnan(gains.least) ? "not told" : fmt::format("{:.0f} to {:.0f} times", gains.least, gains.most);
  if (given_up) finding.ours += fmt::format("; {} given up, counted at their rate so far", given_up);
  if (refused) finding.ours += fmt::format("; {} REFUSED", refused);
  if (!refused || gains.least < wish) finding.holds = given_up == 0 && gains.least >= wish;
  return finding;
}

Finding compareGrowth(const std::vector<OsRow>& rows, const OsWay& way, double friction, bool redundant, bool full) {
  const OsRow *first = nullptr,
              *last =
                  nullptr;  // the smallest came to its end, the largest at least tells how long it did not take less
  for (const OsRow& row : rows) {
    if (row.way != &way || row.friction != friction) continue;
    if (runOf(row, redundant).refused) continue;
    if (!first) first = &row;
    last = &row;
  }
  const std::string name = fmt::format("{} coordinates", redundant ? "redundant" : "minimal");
  if (!first || first == last)
    return {name + ": growth of time", fmt::format("{}, mu {:g}: not told by these runs", way.name, friction),
            std::nullopt};
  const auto growth = [&](double a, double b) {
    return std::log(b / a) / std::log(static_cast<double>(last->paper.links) / first->paper.links);
  };
  const double paper = redundant ? growth(first->paper.redundant, last->paper.redundant)
                                 : growth(first->paper.minimal, last->paper.minimal);
  const double ours = growth(runOf(*first, redundant).seconds, runOf(*last, redundant).seconds);
  const bool guessed = runOf(*first, redundant).given_up || runOf(*last, redundant).given_up;
  return {
      fmt::format("{}: time grows as n^{:.2f} from {} to {} links", name, paper, first->paper.links, last->paper.links),
      fmt::format("{}, mu {:g}: as n^{:.2f}{}", way.name, friction, ours,
                  guessed ? ", by the rate of what was given up" : ""),
      !full || (guessed && ours <= paper) ? std::nullopt : std::optional(ours <= paper)};
}

Finding comparePrices(const std::vector<OsRow>& rows, const OsWay& way, bool full) {
  Range prices;
  for (const OsRow& row : rows)
    if (row.way == &way && row.minimal.done() && row.redundant.done())
      prices.add(row.redundant.seconds / row.minimal.seconds);
  const bool told = !std::isnan(prices.least);
  return {"minimal coordinates are 3 to 50 times faster than redundant ones",
          told ? fmt::format("{}: {:.1f} to {:.1f} times", way.name, prices.least, prices.most)
               : fmt::format("{}: no two runs came to their end", way.name),
          told ? shown(prices.least >= 3.0, full) : std::nullopt};
}

Finding compareHardness(const std::vector<OsRow>& rows, const OsWay& way) {
  double deepest = 0.0, gap = 0.0;
  for (const OsRow& row : rows) {
    if (row.way != &way) continue;
    deepest = std::max({deepest, row.minimal.deepest, row.redundant.deepest});
    gap = std::max(gap, row.redundant.gap);
  }
  return {fmt::format("(wish) contact and hinges are hard, {}", way.name),
          fmt::format("deepest {:.1e} m, hinges open by {:.1e} m", deepest, gap), deepest <= kDeep && gap <= kDeep};
}

/// Whether stepper event went from event to event all the way.
Finding compareFallbacks(const std::vector<OsRow>& rows, bool full) {
  std::string told;
  for (const OsRow& row : rows)
    for (const bool redundant : {false, true}) {
      const OsRun& run = runOf(row, redundant);
      if (run.fallbacks == 0) continue;
      told += fmt::format("{}{} links, mu {:g}, {}: {} from {:.2f} s on", told.empty() ? "" : "; ", row.paper.links,
                          row.friction, redundant ? "redundant" : "minimal", run.fallbacks, run.first_fallback);
    }
  return {"(wish) by events without sub-steps of time stepping", told.empty() ? "none" : told,
          shown(told.empty(), full)};
}

std::vector<Finding> judge(const std::vector<OsRow>& rows, bool full) {
  std::vector<Finding> findings;
  for (const OsWay* way : kWays) {
    findings.push_back(comparePrices(rows, *way, full));
    findings.push_back(compareGains(rows, *way, false, 0, full));
    findings.push_back(compareGains(rows, *way, true, rows.back().paper.links, full));
    findings.push_back(compareHardness(rows, *way));
    for (const double friction : kOsFrictions)
      for (const bool redundant : {false, true})
        findings.push_back(compareGrowth(rows, *way, friction, redundant, full));
  }
  findings.push_back(compareFallbacks(rows, full));
  return findings;
}

std::string nameOf(const OsRow& row) {
  std::string name = row.name();
  for (const bool redundant : {false, true}) {
    const OsRun& run = runOf(row, redundant);
    if (!run.done())
      name += fmt::format(", {} {} at {:.2f} s", redundant ? "redundant" : "minimal",
                          run.refused ? "REFUSED" : "given up", run.until);
  }
  return name;
}

void tabulate(const std::vector<OsRow>& rows, bool full, Table& table) {
  table.columns = {"pendulum",  "minimal [s]",  "paper [s]",           "times faster", "redundant [s]",
                   "paper [s]", "times faster", "redundant / minimal", "impacts",      "impacts, redundant",
                   "fallbacks", "deepest [m]",  "hinges open [m]"};
  for (const OsRow& row : rows) {
    const OsRun &minimal = row.minimal, &redundant = row.redundant;
    const auto faster = [&](bool r) { return full && runOf(row, r).done() ? gain(row, r) : NAN; };
    table.rows.push_back({nameOf(row), minimal.seconds, row.paper.minimal, faster(false), redundant.seconds,
                          row.paper.redundant, faster(true),
                          minimal.done() && redundant.done() ? redundant.seconds / minimal.seconds : NAN,
                          static_cast<double>(minimal.impacts), static_cast<double>(redundant.impacts),
                          static_cast<double>(minimal.fallbacks + redundant.fallbacks),
                          std::max(minimal.deepest, redundant.deepest), redundant.gap});
  }
}

/// Times over links; a run that did not come to its end leaves a gap.
Plot drawTimes(const std::vector<OsRow>& rows) {
  Plot plot{"Pendulums of n links",
            "links",
            "processor time [s]",
            true,
            {{"paper, minimal", {}, {}}, {"paper, redundant", {}, {}}},
            true};
  for (const OsRow& row : rows) {
    if (row.way != &kOsByTime || row.friction != kOsFrictions[0]) continue;
    plot.series[0].x.push_back(row.paper.links), plot.series[0].y.push_back(row.paper.minimal);
    plot.series[1].x.push_back(row.paper.links), plot.series[1].y.push_back(row.paper.redundant);
  }
  for (const OsWay* way : kWays)
    for (const double friction : kOsFrictions)
      for (const bool redundant : {false, true}) {
        Series& series = plot.series.emplace_back();
        series.name = fmt::format("{} {}, mu {:g}", redundant ? "redundant" : "minimal", way->name, friction);
        for (const OsRow& row : rows) {
          if (row.way != way || row.friction != friction) continue;
          series.x.push_back(row.paper.links);
          series.y.push_back(runOf(row, redundant).done() ? runOf(row, redundant).seconds : NAN);
        }
      }
  return plot;
}

Outcome runPendulum(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const std::vector<OsRow> rows = measureOs(request.quick, steps);
  const double seconds = request.quick ? kOsQuickSeconds : kOsRunSeconds;
  Outcome outcome;
  outcome.setting = {
      "n balls of 1 kg and 12/n m on hinges at their poles, from straight to the left at 1 rad/s downwards; floor 10 m "
      "below the first hinge, wall 4 m to its right, every two balls but neighbours meet; restitution 0.5.",
      fmt::format("{:g} s by time: stepper minimal, steps of 0.1 ms; by events: stepper event, told every 10 ms, "
                  "accuracy {:g} per second. Round "
                  "friction cones; processor time of one run, one core, nothing recorded. The paper's times are of its "
                  "machine, with Bullet and PATH.",
                  seconds, kOsByEvents.accuracy),
      fmt::format("A run by events is given up once it would take more than {:g} of the paper's time or {:g} s at its "
                  "rate so far; "
                  "that is the time that the table then has.",
                  kOsByEvents.part, kOsByEvents.longest),
      "The paper prints no friction: 0 and 0.5 are both done."};
  tabulate(rows, !request.quick, outcome.table);
  saveTable(request.folder + "/os-pendulum.csv", outcome.table);
  savePlot(request.folder + "/os-pendulum.svg", drawTimes(rows));
  outcome.files = {"os-pendulum.csv", "os-pendulum.svg"};
  outcome.findings = judge(rows, !request.quick);
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment osPendulum() {
  return {.name = "os-pendulum",
          .paper = "OS",
          .title = "time of pendulums of n links in minimal and redundant coordinates (table I)",
          .steps = countOsSteps(false),
          .run = runPendulum,
          .quick_steps = countOsSteps(true)};
}

}  // namespace rigor::experiments
