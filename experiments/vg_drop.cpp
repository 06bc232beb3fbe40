// VG figure 7d: a cube falls 0.4 m onto the ground. How far from it does it come to rest?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/counted_steps.h"
#include "experiments/csv.h"
#include "experiments/plot.h"
#include "experiments/vg.h"

namespace rigor::experiments {
namespace {

constexpr double kStep = 0.01, kSeconds = 1.0, kHalf = 0.25;  // [s], [s], [m] half an edge of the cube
constexpr double kPaper = 43e-6, kMujoco = -0.027;            // [m] distances that the paper prints
constexpr double kOnTheGround = 1e-10;                        // [m]

/// The lowest corner above the ground.
double distanceOf(const Simulator& simulator) {
  double lowest = INFINITY;
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3d place(corner & 1 ? kHalf : -kHalf, corner & 2 ? kHalf : -kHalf, corner & 4 ? kHalf : -kHalf);
    lowest = std::min(lowest, (simulator.pose(0) * place).z());
  }
  return lowest;
}

std::string placeText(double distance) {
  return distance < 0.0 ? fmt::format("{:.1e} m below it", -distance) : fmt::format("{:.1e} m above it", distance);
}

Outcome runDrop(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  Simulator simulator = steps.start(loadMaximal(request, "cube_drop.toml", kStep));
  std::vector<double> time = {0.0}, distance = {distanceOf(simulator)};
  for (std::int64_t i = 1; i <= std::lround(kSeconds / kStep) && steps.step(simulator); ++i) {
    time.push_back(kStep * static_cast<double>(i));
    distance.push_back(distanceOf(simulator));
  }
  const double rest = distance.back(), lowest = *std::min_element(distance.begin(), distance.end());

  Outcome outcome;
  outcome.setting = {"A cube of 0.5 m and 1 kg, its bottom 0.4 m above the ground, mu 0.3, 1 s in steps of 10 ms.",
                     "The paper solved its contacts to 1e-3; rigor's judge asks for 1e-10."};
  outcome.table = {{"", "at rest [m]", "lowest [m]"},
                   {{std::string("rigor"), rest, lowest},
                    {std::string("paper"), kPaper, kPaper},
                    {std::string("MuJoCo, by the paper"), NAN, kMujoco}}};
  outcome.findings = {{"it stops 43 um above the ground; MuJoCo sinks by 2.7 cm",
                       fmt::format("{} at rest, at the lowest {}", placeText(rest), placeText(lowest)),
                       steps.refused() == 0 && std::fabs(rest) <= kOnTheGround && lowest >= -kOnTheGround}};
  outcome.figures = {{"distance at rest [m]", kPaper, rest}};
  saveCsv(request.folder + "/vg-drop.csv", {{"time", time}, {"distance", distance}});
  savePlot(request.folder + "/vg-drop.svg",
           {"A cube falls on the ground", "time [s]", "lowest corner [m]", false, {{"rigor", time, distance}}});
  outcome.files = {"vg-drop.csv", "vg-drop.svg"};
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment vgDrop() {
  return {.name = "vg-drop",
          .paper = "VG",
          .title = "where a dropped cube comes to rest (figure 7d)",
          .steps = 100,
          .run = runDrop};
}

}  // namespace rigor::experiments
