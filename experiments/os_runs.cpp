#include "experiments/os_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/call_time.h"
#include "experiments/os_scene.h"

namespace rigor::experiments {
namespace {

constexpr OsPaperTime kPaper[] = {{3, 13.3258, 47.7948},   {6, 10.5026, 68.7122},    {12, 19.0632, 305.2764},
                                  {15, 21.7605, 558.0966}, {24, 38.1993, 1899.8575}, {30, 73.7386, 4100.5061}};
constexpr double kLook = 3.0;  // [s] of the processor, after which a run may be given up
constexpr const OsWay* kWays[] = {&kOsByTime, &kOsByEvents};

OsRun timeRun(const OsPendulum& wanted, std::int64_t count, double patience, CountedSteps& steps) {
  OsRun run;
  Simulator simulator = steps.start(makeOsPendulum(wanted));
  const double start = processorSeconds();
  std::int64_t i = 0;
  for (; i < count && run.done(); ++i) {
    run.refused = !steps.step(simulator);
    const StepReport& report = simulator.report();
    run.deepest = std::max(run.deepest, report.penetration);
    run.gap = std::max(run.gap, report.loop_gap);
    run.impacts += report.impacts;
    if (run.fallbacks == 0 && report.fallbacks > 0) run.first_fallback = report.time;
    run.fallbacks += report.fallbacks;
    run.seconds = processorSeconds() - start;
    const double expected = run.seconds * static_cast<double>(count) / static_cast<double>(i + 1);
    run.given_up = !run.refused && i + 1 < count && run.seconds > std::min(kLook, patience) && expected > patience;
    if (run.given_up) run.seconds = expected;
  }
  run.until = wanted.dt * static_cast<double>(run.refused ? i - 1 : i);
  steps.tell(count - i);
  return run;
}

}  // namespace

std::int64_t OsWay::steps(bool quick) const { return std::lround((quick ? kOsQuickSeconds : kOsRunSeconds) / dt); }

std::string OsRow::name() const { return fmt::format("{} links, mu {:g}, {}", paper.links, friction, way->name); }

std::vector<OsPaperTime> listOsSizes(bool quick) {
  return quick ? std::vector<OsPaperTime>(kPaper, kPaper + 2)
               : std::vector<OsPaperTime>(std::begin(kPaper), std::end(kPaper));
}

std::vector<OsRow> measureOs(bool quick, CountedSteps& steps) {
  std::vector<OsRow> rows;
  for (const OsWay* way : kWays)
    for (const double friction : kOsFrictions)
      for (const OsPaperTime& paper : listOsSizes(quick)) {
        OsPendulum wanted{paper.links, friction, false, way->dt, true, way->stepper, way->accuracy};
        OsRow& row = rows.emplace_back(OsRow{way, paper, friction, {}, {}});
        const auto patience = [&](double seconds) { return std::min(way->part * seconds, way->longest); };
        row.minimal = timeRun(wanted, way->steps(quick), patience(paper.minimal), steps);
        wanted.redundant = true;
        row.redundant = timeRun(wanted, way->steps(quick), patience(paper.redundant), steps);
      }
  return rows;
}

std::int64_t countOsSteps(bool quick) {
  std::int64_t steps = 0;
  for (const OsWay* way : kWays)
    steps += 2 * static_cast<std::int64_t>(std::size(kOsFrictions) * listOsSizes(quick).size()) * way->steps(quick);
  return steps;
}

}  // namespace rigor::experiments
