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
  std::string name;
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
  const Scene scene = makeExoskeleton(exercise.spastic ? kSpastic : kHealthy, exercise.high ? 1.0 : kAdapted);
  Simulator simulator = steps.start(scene, kTolerance);
  simulator.wanted().torques = true;
  const ModelJoint& drive = scene.model.joints()[static_cast<std::size_t>(scene.model.findJoint("eFE"))];
  const ModelJoint& elbow = scene.model.joints()[static_cast<std::size_t>(scene.model.findJoint("forearm"))];
  for (std::int64_t k = 0; k < std::lround(seconds / scene.dt); ++k) {
    const double time = scene.dt * static_cast<double>(k + 1), swing = 0.25 * kPi * std::sin(time);
    const double lead = 0.1 * 0.25 * kPi * std::cos(time);  // D θ̇_d as a shift of the target: D = P/10
    simulator.input().ctrl = Eigen::Vector2d(0.25 * kPi + swing + lead, -0.25 * kPi + swing + lead);
    if (!steps.step(simulator)) break;
    exercise.time.push_back(time);
    exercise.torque.push_back(simulator.report().tau[drive.v_index]);
    exercise.angle.push_back(simulator.state().q[elbow.q_index]);
    exercise.gap = std::max(exercise.gap, simulator.report().loop_gap);
    exercise.error = std::max(exercise.error, std::fabs(exercise.angle.back() + 0.25 * kPi - swing));
  }
}

std::vector<Finding> compareWithPaper(const std::vector<Exercise>& all, bool full) {
  const auto within = [&](bool high, bool spastic) {
    return std::find_if(all.begin(), all.end(), [&](const Exercise& one) {
             return one.high == high && one.spastic == spastic;
           })->largest() <= kComfort;
  };
  const auto told = [&](bool high) {
    std::string text;
    for (const Exercise& one : all)
      if (one.high == high)
        text += fmt::format("{}{} {:.2f} N m", text.empty() ? "" : ", ", one.spastic ? "spastic" : "healthy",
                            one.largest());
    return text;
  };
  double gap = 0.0;
  for (const Exercise& one : all) gap = std::max(gap, one.gap);
  return {{"high gains stay within 5 N m for the healthy patient and exceed them for the spastic one", told(true),
           shown(within(true, false) && !within(true, true), full)},
          {"adapted gains stay within 5 N m for both", told(false),
           shown(within(false, false) && within(false, true), full)},
          {"two connected loops of joints, not of springs",
           fmt::format("cuffs leave their planes by {:.1e} at most", gap), gap <= kClosed}};
}

Outcome runExoskeleton(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const double seconds = request.quick ? kQuickSeconds : kSeconds;
  std::vector<Exercise> all = {{"high gains, healthy", true, false},
                               {"high gains, spastic", true, true},
                               {"adapted gains, healthy", false, false},
                               {"adapted gains, spastic", false, true}};
  for (Exercise& one : all) practise(one, seconds, steps);

  Outcome outcome;
  outcome.setting = {fmt::format("Shoulder and elbow follow sines of 45 degrees, {:g} s in steps of 1 ms; drives P 100 "
                                 "and 50, D a tenth, adapted: over "
                                 "4.75. The torque is that of the elbow's drive.",
                                 seconds),
                     "Cuffs are planar joints with springs of 100; their dampers (10) are ours, the paper prints none.",
                     "Where the published frames do not fit each other, arm and machine are put on one line: unit sIE "
                     "turned back by its roll, cuffs "
                     "at the centres of mass of the arms."};
  outcome.table.columns = {"case", "largest torque [N m]", "farthest from the reference [rad]", "gap of cuffs"};
  Plot plot{"Torque of the elbow's drive", "time [s]", "torque [N m]", false, {}};
  std::vector<Column> columns = {{"time", all[0].time}};
  for (const Exercise& one : all) {
    outcome.table.rows.push_back({one.name, one.largest(), one.error, one.gap});
    plot.series.push_back({one.name, one.time, one.torque});
    columns.push_back({one.name, one.torque});
    columns.back().values.resize(columns[0].values.size(), NAN);  // after a refused step
  }
  outcome.findings = compareWithPaper(all, !request.quick);
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
          .steps = 40000,
          .run = runExoskeleton,
          .quick_steps = 8000};
}

}  // namespace rigor::experiments
