// LT figures 7 and 8: A1 walks for ten seconds, and no foot enters the ground.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/a1.h"
#include "experiments/counted_steps.h"
#include "experiments/csv.h"
#include "experiments/lt.h"
#include "experiments/maximal_models.h"
#include "experiments/plot.h"

namespace rigor::experiments {
namespace {

constexpr double kSeconds = 10.0, kQuickSeconds = 1.0;
constexpr double kPaper = 1.5e-9, kOnTheGround = 1e-10;  // [m]
constexpr double kWalked = 0.1, kUpright = 0.15;         // [m] forward, height of the trunk; the paper prints neither

Scene makeStart(const Request& request) {
  Scene scene = makeA1(request);
  const Eigen::Vector3d turn(0.00102226, -0.0247454, 0.00297319);
  const Eigen::Quaterniond rotation(Eigen::AngleAxisd(turn.norm(), turn.normalized()));
  scene.q.head<7>() << -0.0070445, 0.0028496, 0.2157596, rotation.w(), rotation.vec();
  setLeg(scene.model, "FR", {0.0, 0.93782, -1.97670}, scene.q);
  setLeg(scene.model, "FL", {0.0, 0.84117, -1.95832}, scene.q);
  setLeg(scene.model, "RR", {0.0, 0.82659, -2.00949}, scene.q);
  setLeg(scene.model, "RL", {0.0, 0.92946, -2.02607}, scene.q);
  return scene;
}

/// Hip, thigh and calf at a time, shifted by half a period for the other pair of legs.
std::array<double, 3> gaitAt(double time, double shift) {
  const double phase = 2.0 * kPi * time + shift;
  return {0.0, 0.95 * (0.9 + 0.1 * std::cos(phase)), -1.9 - 0.1 * std::sin(phase)};
}

Outcome runQuadruped(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const Scene scene = makeStart(request);
  const A1Targets targets(scene);
  Simulator simulator = steps.start(scene);
  const double seconds = request.quick ? kQuickSeconds : kSeconds;
  std::vector<Column> columns = {{"time", {}}};
  for (const char* leg : kA1Legs) columns.push_back({leg, {}});
  double lowest = INFINITY, way = 0.0, lowest_trunk = INFINITY;
  std::array<double, 4> highest{};
  for (std::int64_t k = 0; k < std::lround(seconds / scene.dt); ++k) {
    const double time = scene.dt * static_cast<double>(k + 1);
    targets.set(gaitAt(time, 0.0), gaitAt(time, kPi), simulator.input().ctrl);
    if (!steps.step(simulator)) break;
    columns[0].values.push_back(time);
    const std::array<double, 4> heights = footHeights(simulator);
    for (std::size_t i = 0; i < heights.size(); ++i) {
      columns[i + 1].values.push_back(heights[i]);
      lowest = std::min(lowest, heights[i]);
      highest[i] = std::max(highest[i], heights[i]);
    }
    way = simulator.pose(0).position.x() - scene.q[0];
    lowest_trunk = std::min(lowest_trunk, simulator.pose(0).position.z());
  }

  Outcome outcome;
  outcome.setting = {
      fmt::format(
          "A1 from the authors' start, feet 0.3 to 1 mm above the ground, gait of 1 Hz, mu 0.2, {:g} s in steps "
          "of 1 ms.",
          seconds),
      "Drives act at the end of a step; the script takes torques from its start.",
      fmt::format("Contact points are balls of {:g} m.", kPointRadius)};
  outcome.table.columns = {"foot", "lowest [m]", "highest [m]"};
  Plot plot{"Feet of A1", "time [s]", "distance from the ground [m]", false, {}};
  for (std::size_t i = 0; i < kA1Legs.size(); ++i) {
    const std::vector<double>& foot = columns[i + 1].values;
    outcome.table.rows.push_back({std::string(kA1Legs[i]), *std::min_element(foot.begin(), foot.end()), highest[i]});
    plot.series.push_back({kA1Legs[i], columns[0].values, foot});
  }
  outcome.figures = {{"minimum distance of all feet [m]", kPaper, lowest}};
  outcome.findings = {
      {"minimum distance of all feet 1.5e-9 m: no penetration", fmt::format("{:.1e} m", lowest),
       shown(steps.refused() == 0 && lowest >= -kOnTheGround, !request.quick)},
      {"the quadruped walks with a periodic gait",
       fmt::format(
           "{:+.2f} m along x in {:g} s; front feet lifted by {:.0f} mm, hind feet slide; trunk never below {:.3f} m",
           way, seconds, 1e3 * std::min(highest[0], highest[1]), lowest_trunk),
       shown((request.quick || way > kWalked) && lowest_trunk > kUpright, !request.quick)}};
  saveCsv(request.folder + "/lt-quadruped.csv", columns);
  savePlot(request.folder + "/lt-quadruped.svg", plot);
  outcome.files = {"lt-quadruped.csv", "lt-quadruped.svg"};
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment ltQuadruped() {
  return {.name = "lt-quadruped",
          .paper = "LT",
          .title = "A1 walks, and no foot enters the ground (figures 7 and 8)",
          .steps = 10000,
          .run = runQuadruped,
          .quick_steps = 1000};
}

}  // namespace rigor::experiments
