// OS figure 2: height and vertical velocity of the last link of a 12-link pendulum, in minimal and in redundant coordinates. They
// may differ by what the discretisation differs, before the first impact, and by what chaos makes of that later.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/call_time.h"
#include "experiments/counted_steps.h"
#include "experiments/csv.h"
#include "experiments/os.h"
#include "experiments/os_scene.h"
#include "experiments/plot.h"

namespace rigor::experiments {
namespace {

constexpr int kLinks = 12;
constexpr double kFriction = 0.5, kStep = 1e-4, kFineStep = 1e-5, kSeconds = 5.0;  // [s]
constexpr double kAccuracy = 1e-10;                                                // [per second] of stepper event
constexpr double kBeforeImpact = 0.7, kFall = 0.8, kQuick = 0.05;                  // [s]
constexpr double kSample = 0.01;                                                   // [s]
constexpr double kPatience = 60.0;              // [s] of the processor, after which a run is given up
constexpr double kNudge = 1e-12;                // [rad] change of the start
constexpr double kAgree = 1e-9, kChaos = 10.0;  // [m]; times what the nudge does

/// When the last ball of a pendulum that nothing stops reaches the floor [s], by an integration of its own: the first whole millisecond.
struct FallTime {
  int links;
  double seconds;
};
constexpr FallTime kFalls[] = {{3, 0.688}, {6, 0.722}, {12, 0.738}, {30, 0.747}};

/// The last ball over time.
struct Track {
  std::vector<double> time, height, velocity;  // [s], [m] of its centre, [m/s] mean of a step
  bool whole = true;                           // not refused, not given up
};

Track follow(const OsPendulum& wanted, double nudge, double seconds, CountedSteps& steps) {
  Scene scene = makeOsPendulum(wanted);
  if (nudge != 0.0) scene.q[0] += nudge;  // of minimal coordinates
  Simulator simulator = steps.start(scene);
  const auto height = [&] { return (simulator.pose(wanted.links - 1) * tipCentre(wanted.links)).z(); };
  Track track;
  const std::int64_t every = std::lround(kSample / wanted.dt), count = std::lround(seconds / wanted.dt);
  const double patience = processorSeconds() + kPatience;
  double before = height();
  std::int64_t i = 1;
  for (; i <= count && processorSeconds() < patience && steps.step(simulator); ++i) {
    const double now = height();
    if (i % every == 0) {
      track.time.push_back(wanted.dt * static_cast<double>(i));
      track.height.push_back(now);
      track.velocity.push_back((now - before) / wanted.dt);
    }
    before = now;
  }
  track.whole = i > count;
  return track;
}

/// Largest difference of the heights so far, at every sample.
std::vector<double> differ(const Track& one, const Track& other) {
  std::vector<double> most;
  for (std::size_t i = 0; i < std::min(one.height.size(), other.height.size()); ++i)
    most.push_back(std::max(most.empty() ? 0.0 : most.back(), std::fabs(one.height[i] - other.height[i])));
  return most;
}

double until(const Track& track, const std::vector<double>& most, double time) {
  double last = NAN;
  for (std::size_t i = 0; i < most.size() && track.time[i] <= time + 1e-9; ++i) last = most[i];
  return last;
}

/// The same pendulum by one stepper: minimal, redundant, and minimal from a start that is a hair off.
struct Trio {
  std::string stepper;
  double dt = 0.0;  // [s]
  Track minimal, redundant, nudged;
  std::vector<double> formulation, chaos;  // differences
  double worst = 0.0;                      // formulation / chaos, after the first impact
};

Trio followAll(OsPendulum wanted, double seconds, CountedSteps& steps) {
  Trio trio;
  trio.stepper = wanted.stepper;
  trio.dt = wanted.dt;
  trio.minimal = follow(wanted, 0.0, seconds, steps);
  trio.nudged = follow(wanted, kNudge, seconds, steps);
  wanted.redundant = true;
  trio.redundant = follow(wanted, 0.0, seconds, steps);
  trio.formulation = differ(trio.minimal, trio.redundant);
  trio.chaos = differ(trio.minimal, trio.nudged);
  for (std::size_t i = 0; i < std::min(trio.formulation.size(), trio.chaos.size()); ++i)
    if (trio.minimal.time[i] > kBeforeImpact) trio.worst = std::max(trio.worst, trio.formulation[i] / trio.chaos[i]);
  return trio;
}

/// Crossing of the floor between two steps, without floor; NaN if it is not reached.
double findFall(int links, double seconds, CountedSteps& steps) {
  const OsPendulum wanted{links, 0.0, false, kStep, false};
  Simulator simulator = steps.start(makeOsPendulum(wanted));
  const double radius = -tipCentre(links).z();
  double before = INFINITY, fall = NAN;
  for (std::int64_t i = 1; i <= std::lround(seconds / kStep) && steps.step(simulator); ++i) {
    const double gap = (simulator.pose(links - 1) * tipCentre(links)).z() - radius;
    if (std::isnan(fall) && gap <= 0.0) fall = kStep * (static_cast<double>(i) - gap / (gap - before));
    before = gap;
  }
  return fall;
}

Finding compareFalls(bool quick, CountedSteps& steps) {
  std::string told;
  bool holds = true;
  for (const FallTime& one : kFalls) {
    const double fall = findFall(one.links, quick ? kQuick : kFall, steps);
    told += fmt::format("{}{:.4f}", told.empty() ? "" : ", ", fall);
    holds = holds && fall > one.seconds - 1e-3 && fall <= one.seconds;  // within that millisecond
  }
  return {
      "(check) free motion reaches the floor in the millisecond before 0.688, 0.722, 0.738, 0.747 s with 3, 6, 12, 30 "
      "links",
      quick ? "not followed so far" : told + " s", quick ? std::nullopt : std::optional(holds)};
}

Finding compareChaos(const Trio& trio, bool full) {
  Finding finding{
      fmt::format("(wish) stepper {}: later they differ by at most {:g} times what 1e-12 rad at the start does",
                  trio.stepper, kChaos),
      "not followed so far", std::nullopt};
  if (!full) return finding;
  const auto tell = [&](const std::vector<double>& most) {
    return fmt::format("{:.1e}, {:.1e} and {:.1e} m", until(trio.minimal, most, 1.0), until(trio.minimal, most, 2.0),
                       until(trio.minimal, most, 5.0));
  };
  finding.ours = fmt::format("{:.2g} times at the most; at 1, 2 and 5 s {}, the nudged start {}", trio.worst,
                             tell(trio.formulation), tell(trio.chaos));
  const bool whole = trio.minimal.whole && trio.redundant.whole && trio.nudged.whole;
  if (!whole)
    finding.ours +=
        fmt::format("; followed until {:.2f} s, then refused or given up", kSample * trio.formulation.size());
  if (whole || trio.worst > kChaos) finding.holds = trio.worst <= kChaos;
  return finding;
}

void save(const std::vector<Trio>& trios, const std::string& folder, Outcome& outcome) {
  std::vector<Column> columns = {{"time", trios.front().minimal.time}};
  std::vector<Series> heights, velocities, differences;
  for (const Trio& trio : trios) {
    const std::vector<double>& time = trio.minimal.time;
    columns.push_back({trio.stepper + " height", trio.minimal.height});
    columns.push_back({trio.stepper + " height redundant", trio.redundant.height});
    columns.push_back({trio.stepper + " velocity", trio.minimal.velocity});
    columns.push_back({trio.stepper + " velocity redundant", trio.redundant.velocity});
    columns.push_back({trio.stepper + " difference", trio.formulation});
    columns.push_back({trio.stepper + " difference nudged", trio.chaos});
    differences.push_back({"stepper " + trio.stepper + ": redundant", time, trio.formulation});
    differences.push_back({"stepper " + trio.stepper + ": nudged start", time, trio.chaos});
    if (trio.stepper == "maximal") continue;  // the curve of either is that of minimal to the eye
    for (const auto& [name, track] : {std::pair{"minimal", &trio.minimal}, {"redundant", &trio.redundant}}) {
      const std::string label = fmt::format("{}, stepper {}", name, trio.stepper);
      heights.push_back({label, track->time, track->height});
      velocities.push_back({label, track->time, track->velocity});
    }
  }
  std::size_t rows = columns[0].values.size();  // a refused run is shorter
  for (const Column& column : columns) rows = std::min(rows, column.values.size());
  for (Column& column : columns) column.values.resize(rows);
  saveCsv(folder + "/os-agreement.csv", columns);
  savePlot(folder + "/os-agreement-height.svg", {"The last of 12 links", "time [s]", "height [m]", false, heights});
  savePlot(folder + "/os-agreement-velocity.svg",
           {"The last of 12 links", "time [s]", "vertical velocity [m/s]", false, velocities});
  savePlot(folder + "/os-agreement.svg",
           {"How far the heights differ", "time [s]", "difference so far [m]", true, differences});
  outcome.files = {"os-agreement.csv", "os-agreement-height.svg", "os-agreement-velocity.svg", "os-agreement.svg"};
}

/// How far apart both coordinates are before the first impact [m], by steps of 0.01 ms.
double differFinely(double seconds, CountedSteps& steps) {
  OsPendulum fine{kLinks, kFriction, false, kFineStep};
  const Track minimal = follow(fine, 0.0, seconds, steps);
  fine.redundant = true;
  return until(minimal, differ(minimal, follow(fine, 0.0, seconds, steps)), seconds);
}

Outcome runAgreement(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const bool full = !request.quick;
  const double seconds = full ? kSeconds : kQuick, early = full ? kBeforeImpact : kQuick;
  std::vector<Trio> trios;
  trios.push_back(followAll({kLinks, kFriction, false, kStep}, seconds, steps));
  trios.push_back(followAll({kLinks, kFriction, false, kStep, true, "maximal"}, seconds, steps));
  trios.push_back(followAll({kLinks, kFriction, false, kSample, true, "event", kAccuracy}, seconds, steps));
  const double at_fine = differFinely(early, steps);

  Outcome outcome;
  outcome.setting = {
      fmt::format("The pendulum of os-pendulum with {} links, mu {:g}; height of the centre of the last ball every 10 "
                  "ms, its velocity the mean of a step of 0.1 ms, by stepper event of 10 ms.",
                  kLinks, kFriction),
      fmt::format("Joint angles and poses of bodies are discretised differently by stepper minimal, with differences "
                  "of second order; stepper "
                  "maximal has the same equations in both; stepper event follows both with an accuracy of {:g} per "
                  "second. What differs grows "
                  "like any other change of the start.",
                  kAccuracy)};
  outcome.table.columns = {"until the first impact", "step [ms]", "largest difference [m]"};
  double apart[3] = {};
  for (std::size_t i = 0; i < trios.size(); ++i) {
    apart[i] = until(trios[i].minimal, trios[i].formulation, early);
    outcome.table.rows.push_back({"stepper " + trios[i].stepper, 1e3 * trios[i].dt, apart[i]});
  }
  outcome.table.rows.push_back({std::string("stepper minimal, fine"), 1e3 * kFineStep, at_fine});
  outcome.findings = {
      {"good agreement between the solutions from these two methods",
       fmt::format("until {:g} s {:.1e} m apart at 0.1 ms, {:.1e} m at 0.01 ms", early, apart[0], at_fine),
       shown(at_fine <= kAgree, full)},
      {"(wish) the same equations, the same motion",
       fmt::format("stepper maximal: {:.1e} m apart until {:g} s", apart[1], early), shown(apart[1] <= kAgree, full)},
      {fmt::format("(wish) by events both agree to {:g} m before the first impact", kAgree),
       fmt::format("stepper event: {:.1e} m apart until {:g} s", apart[2], early), shown(apart[2] <= kAgree, full)}};
  for (const Trio& trio : trios) outcome.findings.push_back(compareChaos(trio, full));
  outcome.findings.push_back(compareFalls(request.quick, steps));
  save(trios, request.folder, outcome);
  tellRefusals(steps, outcome);
  return outcome;
}

std::int64_t countSteps(bool quick) {
  const double seconds = quick ? kQuick : kSeconds, early = quick ? kQuick : kBeforeImpact;
  return 6 * std::lround(seconds / kStep) + 3 * std::lround(seconds / kSample) + 2 * std::lround(early / kFineStep) +
         static_cast<std::int64_t>(std::size(kFalls)) * std::lround((quick ? kQuick : kFall) / kStep);
}

}  // namespace

Experiment osAgreement() {
  return {.name = "os-agreement",
          .paper = "OS",
          .title = "the last of 12 links in minimal and redundant coordinates (figure 2)",
          .steps = countSteps(false),
          .run = runAgreement,
          .quick_steps = countSteps(true)};
}

}  // namespace rigor::experiments
