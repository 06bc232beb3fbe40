// PC section V-A: steps of 20 ms. "Stable" is a claim about every scene: no step refused, no energy from nowhere, and what
// shall stand or walk does not fall.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/csv.h"
#include "experiments/pc.h"
#include "experiments/pc_scenes.h"

namespace rigor::experiments {
namespace {

constexpr double kLongStep = 0.02;   // [s]
constexpr double kEnergyRoom = 2.0;  // a thrown robot's energy may not exceed this many times that of its start
constexpr double kStrides = 1.0;     // [s] a trot that stood for less was not seen to walk
constexpr double kFallen = 0.25;     // [m] a trotting base lower than this lies on the floor
constexpr std::array<PcMethod, 2> kMethods = {kPcBisection, kOurs};

Outcome runRate(const Request& request, const Watch& watch) {
  const std::int64_t steps = std::max<std::int64_t>(1, stepsOf(request) / 20);
  Outcome outcome;
  outcome.setting = {fmt::format("All four scenes in {} steps of {:g} ms.", steps, 1e3 * kLongStep)};
  outcome.table.columns = {"scene",        "solver",  "us / step",      "steps refused", "highest energy [J]",
                           "at start [J]", "way [m]", "lowest base [m]"};
  std::int64_t before = 0, refused = 0, ours_refused = 0;
  bool stable = true, upright = true, touched = true;
  double speed = 0.0;
  for (const PcScene& scene : kPcScenes)
    for (const PcMethod& method : kMethods) {
      Scene loaded = loadPcScene(request, scene, method);
      loaded.dt = kLongStep;
      const PcRun run = runPcScene(request, loaded, method.tolerance, steps, before, watch);
      before += steps;
      touched = touched && run.touched();
      const double way = run.end.size() > 0 ? (run.end - run.start).head<2>().norm() : 0.0;
      outcome.table.rows.push_back({std::string(scene.name), std::string(method.name),
                                    1e6 * run.total() / static_cast<double>(run.seconds.size()),
                                    static_cast<double>(run.refused), run.highest_energy, run.first_energy, way,
                                    run.lowest_base});
      const bool driven = !loaded.holds.empty();
      (method.solver == std::string_view("auto") ? ours_refused : refused) += run.refused;
      stable = stable && std::isfinite(run.highest_energy) &&
               (driven || run.highest_energy < kEnergyRoom * run.first_energy);
      if (&scene == &kPcScenes[0]) {
        upright = upright && run.lowest_base > kFallen;
        speed = way / (static_cast<double>(steps) * kLongStep);
      }
    }
  const bool was_stable = ours_refused == 0 && stable;
  const bool walked = static_cast<double>(steps) * kLongStep >= kStrides;
  // what went wrong has been seen; that nothing did says something only of runs in which something happened
  outcome.findings = {
      {"the simulation is stable at 50 Hz",
       fmt::format("{} steps refused ({} by the paper's solver), energies {}{}", ours_refused, refused,
                   stable ? "bounded" : "NOT bounded", touched ? "" : "; in so few steps some scenes touched nothing"),
       was_stable && !touched ? std::nullopt : std::optional(was_stable)},
      {"(wish) the trot does not fall at 20 ms",
       fmt::format("{}, {:.2f} m/s{}", upright ? "upright" : "fallen", speed,
                   walked ? "" : "; it was watched for less than a second"),
       upright && !walked ? std::nullopt : std::optional(upright)}};
  outcome.done = ours_refused == 0;
  return outcome;
}

}  // namespace

Experiment pcRate() {
  return {"pc-rate",
          "PC",
          "are steps of 20 ms stable? (section V-A)",
          kPcSteps / 20 * std::ssize(kPcScenes) * std::ssize(kMethods),
          runRate,
          false,
          kPcSteps};
}

}  // namespace rigor::experiments
