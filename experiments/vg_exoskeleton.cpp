// VG figure 14: gains of an exoskeleton that are fine for a healthy arm hurt a spastic one; softer gains are fine for both.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/counted_steps.h"
#include "experiments/csv.h"
#include "experiments/exoskeleton.h"
#include "experiments/maximal_models.h"
#include "experiments/plot.h"
#include "experiments/vg.h"

namespace rigor::experiments {
namespace {

constexpr double kSeconds = 10.0, kQuickSeconds = 2.0, kComfort = 5.0;  // [s], [s], [N m]
constexpr double kAdapted = 1.0 / 4.75;                                 // of the high gains
constexpr double kClosed = 1e-11;                                       // [m or rad]
constexpr double kTolerance = 1e-10;

struct Exercise {
  std::string name;  ///< of gains and patient
  MachineHinges hinges;
  bool high, spastic;
  std::vector<double> time = {}, torque = {},
                      angle = {};  ///< [s], [N m] of the elbow's drive, [rad] of the patient's elbow
  double gap = 0.0, error = 0.0;   ///< [m or rad] of the cuffs; [rad] farthest from the reference

  double largest() const {
    double most = 0.0;
    for (double one : torque) most = std::max(most, std::fabs(one));
    return most;
  }
};

void practise(Exercise& exercise, double seconds, CountedSteps& steps) {
  const Scene scene =
      makeExoskeleton(exercise.spastic ? kSpastic : kHealthy, exercise.high ? 1.0 : kAdapted, exercise.hinges);
  const bool four = exercise.hinges == MachineHinges::kFour;
  Simulator simulator = steps.start(scene, kTolerance);
  simulator.wanted().torques = true;
  const ModelJoint& drive = scene.model.joints()[static_cast<std::size_t>(scene.model.findJoint("eFE"))];
  const ModelJoint& elbow = scene.model.joints()[static_cast<std::size_t>(scene.model.findJoint("forearm"))];
  for (std::int64_t k = 0; k < std::lround(seconds / scene.dt); ++k) {
    const double time = scene.dt * static_cast<double>(k + 1), swing = 0.25 * kPi * std::sin(time);
    const double lead = 0.1 * 0.25 * kPi * std::cos(time);  // D θ̇_d as a shift of the target: D = P/10
    const double shoulder = 0.25 * kPi + swing + lead, bend = -0.25 * kPi + swing + lead;
    if (four)
      simulator.input().ctrl = Eigen::Vector4d(0.0, shoulder, 0.0, bend);
    else
      simulator.input().ctrl = Eigen::Vector2d(shoulder, bend);
    if (!steps.step(simulator)) break;
    exercise.time.push_back(time);
    exercise.torque.push_back(simulator.report().tau[drive.v_index]);
    exercise.angle.push_back(simulator.state().q[elbow.q_index]);
    exercise.gap = std::max(exercise.gap, simulator.report().loop_gap);
    exercise.error = std::max(exercise.error, std::fabs(exercise.angle.back() + 0.25 * kPi - swing));
  }
}

/// Both patients with the same machine and gains.
struct Pair {
  const Exercise &healthy, &spastic;

  std::string told() const {
    return fmt::format("healthy {:.2f} N m, spastic {:.2f} N m", healthy.largest(), spastic.largest());
  }
};

const char* nameOf(MachineHinges hinges) { return hinges == MachineHinges::kFour ? "four hinges" : "two hinges"; }

/// Of one machine: high gains and adapted ones.
void compareWithPaper(const Pair& high, const Pair& adapted, bool full, std::vector<Finding>& findings) {
  const std::string name = nameOf(high.healthy.hinges);
  findings.push_back({"high gains stay within 5 N m for the healthy patient and exceed them for the spastic one",
                      fmt::format("{}: {}", name, high.told()),
                      shown(high.healthy.largest() <= kComfort && high.spastic.largest() > kComfort, full)});
  findings.push_back({"adapted gains stay within 5 N m for both", fmt::format("{}: {}", name, adapted.told()),
                      shown(std::max(adapted.healthy.largest(), adapted.spastic.largest()) <= kComfort, full)});
}

std::vector<Exercise> listExercises() {
  std::vector<Exercise> all;
  for (const MachineHinges hinges : {MachineHinges::kFour, MachineHinges::kTwo})
    for (const bool high : {true, false})
      for (const bool spastic : {false, true})
        all.push_back({fmt::format("{} gains, {}", high ? "high" : "adapted", spastic ? "spastic" : "healthy"), hinges,
                       high, spastic});
  return all;
}

std::vector<std::string> settingOf(double seconds) {
  return {
      fmt::format("Shoulder and elbow follow sines of 45 degrees, {:g} s in steps of 1 ms; drives P 100 and 50, D a "
                  "tenth, adapted: over 4.75. The torque is that of the elbow's drive.",
                  seconds),
      "Four hinges: the machine that the paper describes; it prints no gains for abduction and rotation of the "
      "shoulder, which are held at 0 with those of its flexion. Two hinges: that of its script, where these are "
      "rigid.",
      "Cuffs are planar joints with springs of 100; their dampers (10) are ours, the paper prints none.",
      "Where the published frames do not fit each other, arm and machine are put on one line: unit sIE turned back "
      "by its roll, cuffs at the centres of mass of the arms."};
}

Outcome runExoskeleton(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const double seconds = request.quick ? kQuickSeconds : kSeconds;
  std::vector<Exercise> all = listExercises();
  for (Exercise& one : all) practise(one, seconds, steps);

  Outcome outcome;
  outcome.setting = settingOf(seconds);
  outcome.table.columns = {"case", "largest torque [N m]", "farthest from the reference [rad]", "gap of cuffs"};
  Plot plot{"Torque of the elbow's drive, machine of four hinges", "time [s]", "torque [N m]", false, {}};
  std::vector<Column> columns = {{"time", all[0].time}};
  double gap = 0.0;
  for (const Exercise& one : all) {
    const std::string name = fmt::format("{}, {}", nameOf(one.hinges), one.name);
    outcome.table.rows.push_back({name, one.largest(), one.error, one.gap});
    if (one.hinges == MachineHinges::kFour) plot.series.push_back({one.name, one.time, one.torque});
    columns.push_back({name, one.torque});
    columns.back().values.resize(columns[0].values.size(), NAN);  // after a refused step
    gap = std::max(gap, one.gap);
  }
  for (std::size_t i = 0; i < all.size(); i += 4)
    compareWithPaper({all[i], all[i + 1]}, {all[i + 2], all[i + 3]}, !request.quick, outcome.findings);
  outcome.findings.push_back({"two connected loops of joints, not of springs",
                              fmt::format("cuffs leave their planes by {:.1e} at most", gap), gap <= kClosed});
  saveCsv(request.folder + "/vg-exoskeleton.csv", columns);
  savePlot(request.folder + "/vg-exoskeleton.svg", plot);
  outcome.files = {"vg-exoskeleton.csv", "vg-exoskeleton.svg"};
  tellRefusals(steps, outcome);
  return outcome;
}

}  // namespace

Experiment vgExoskeleton() {
  return {.name = "vg-exoskeleton",
          .paper = "VG",
          .title = "gains of an exoskeleton for a healthy and a spastic arm (figure 14)",
          .steps = 80000,
          .run = runExoskeleton,
          .quick_steps = 16000};
}

}  // namespace rigor::experiments
