#include "experiments/cube_toss.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/csv.h"
#include "experiments/plot.h"
#include "experiments/toss_fit.h"
#include "rigor/rigor.h"

namespace rigor::experiments {
namespace {

constexpr int kLeastFrames = 12;
constexpr std::int64_t kProgress = 1000;
// What others reach on the same tosses from given friction and restitution [share of the width], [degrees].
constexpr const char* kOthers = "MuJoCo tuned 12.5 %, 10.4 deg; DART 12.6 %, 9.2 deg; Drake 12.2 %, 10.3 deg";
constexpr double kGoalPosition = 0.125, kGoalRotation = 9.0, kGoalFitted = 0.12;

/// One row of the table: a way to roll out all tosses, or the half that was not used for fitting.
struct Trial {
  std::string name, solver, law;
  std::vector<TossError> errors;
  TossScore score;
};

/// Tells how far the experiment is; throws Stopped.
class Meter {
 public:
  Meter(const Watch& watch, int parts) : watch_(watch), parts_(parts) {}
  void next() {
    if (!watch_(std::min<std::int64_t>(kProgress, kProgress * done_++ / parts_))) throw Stopped{};
  }

 private:
  const Watch& watch_;
  int parts_, done_ = 0;
};

/// Every second toss, from the first or the second on.
std::vector<Toss> halfOf(const std::vector<Toss>& tosses, std::size_t first) {
  std::vector<Toss> half;
  for (std::size_t i = first; i < tosses.size(); i += 2) half.push_back(tosses[i]);
  return half;
}

Trial tryOut(const std::string& name, const std::vector<Toss>& tosses, const CubeModel& cube,
             const RolloutSettings& settings, Meter& meter) {
  meter.next();
  Trial trial{name, settings.solver, settings.law, rollOut(tosses, cube, settings), {}};
  trial.score = scoreOf(trial.errors);
  return trial;
}

/// All pairs of a solver and a law that it solves.
std::vector<RolloutSettings> listSettings(const StopFlag* stop) {
  std::vector<RolloutSettings> all;
  for (const SolverInfo& solver : listSolvers())
    for (const char* law : {"coulomb", "dissipation", "pyramid"}) {
      RolloutSettings settings;
      settings.solver = std::string(solver.name);
      settings.law = law;
      settings.stop = stop;
      if (isSolved(settings)) all.push_back(settings);
    }
  return all;
}

/// Largest difference of the errors of one toss between two trials [share of the width].
double differenceOf(const Trial& a, const Trial& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.errors.size(); ++i)
    if (!a.errors[i].refused && !b.errors[i].refused)
      largest = std::max(largest, std::fabs(a.errors[i].position - b.errors[i].position));
  return largest;
}

Table tableOf(const std::vector<Trial>& trials) {
  Table table;
  table.columns = {"start and parameters",
                   "solver",
                   "law",
                   "tosses",
                   "position, mean [% of width]",
                   "position, median [%]",
                   "rotation, mean [deg]",
                   "rotation, median [deg]",
                   "right face [%]",
                   "refused"};
  for (const Trial& trial : trials) {
    const TossScore& s = trial.score;
    table.rows.push_back({trial.name, trial.solver, trial.law, static_cast<double>(trial.errors.size()),
                          100.0 * s.position_mean, 100.0 * s.position_median, s.rotation_mean, s.rotation_median,
                          100.0 * s.right_faces, static_cast<double>(s.refused)});
  }
  return table;
}

/// A curve per trial: the errors of its tosses, sorted, over the share of tosses that have at most that much.
Plot plotOf(const std::string& title, const std::string& y_label, const std::vector<const Trial*>& trials,
            double (*value)(const TossError&)) {
  Plot plot{title, "share of tosses [%]", y_label, false, {}};
  for (const Trial* trial : trials) {
    Series series{trial->name, {}, {}};
    for (const TossError& error : trial->errors)
      if (!error.refused) series.y.push_back(value(error));
    std::sort(series.y.begin(), series.y.end());
    for (std::size_t i = 0; i < series.y.size(); ++i)
      series.x.push_back(100.0 * (static_cast<double>(i) + 0.5) / static_cast<double>(series.y.size()));
    plot.series.push_back(std::move(series));
  }
  return plot;
}

/// A line per toss that all of these trials did.
void saveErrors(const std::string& file, const std::vector<Toss>& tosses, const std::vector<Trial>& trials) {
  std::string text = "toss,start,solver,law,position,rotation,right_face,refused\n";
  for (const Trial& trial : trials) {
    if (trial.errors.size() != tosses.size()) continue;
    for (std::size_t i = 0; i < tosses.size(); ++i) {
      const TossError& e = trial.errors[i];
      text += fmt::format("\"{}\",{},{},{},{},{},{:d},{:d}\n", tosses[i].name, trial.name, trial.solver, trial.law,
                          e.position, e.rotation, e.right_face, e.refused);
    }
  }
  saveText(file, text);
}

std::vector<Finding> findingsOf(const Trial& as_given, const Trial& as_fitted) {
  const TossScore &given = as_given.score, &fitted = as_fitted.score;
  // scores are means of the tosses that were not refused
  const auto find = [](const char* what, const Trial& trial, const std::string& ours, bool holds) -> Finding {
    const bool seen = trial.score.refused < std::ssize(trial.errors);
    return {what,
            seen                   ? ours
            : trial.errors.empty() ? "there is no toss for it"
                                   : "every toss was refused",
            seen ? std::optional(holds) : std::nullopt};
  };
  const std::size_t rollouts = as_given.errors.size() + as_fitted.errors.size();
  return {
      find(fmt::format("given friction and restitution: position within 12.5 % of the width, mean of all tosses ({})",
                       kOthers)
               .c_str(),
           as_given, fmt::format("{:.2f} % (median {:.2f} %)", 100 * given.position_mean, 100 * given.position_median),
           given.position_mean <= kGoalPosition),
      find("given friction and restitution: rotation within 9.0 deg, median of all tosses", as_given,
           fmt::format("{:.2f} deg", given.rotation_median), given.rotation_median <= kGoalRotation),
      find("fitted on every second toss: position within 12 % of the width, mean of the other half", as_fitted,
           fmt::format("{:.2f} % (median {:.2f} %, rotation {:.2f} deg)", 100 * fitted.position_mean,
                       100 * fitted.position_median, fitted.rotation_median),
           fitted.position_mean <= kGoalFitted),
      {"solver auto refuses no step",
       fmt::format("{} of {} rollouts refused", given.refused + fitted.refused, rollouts),
       given.refused + fitted.refused == 0},
  };
}

std::vector<std::string> describeSetting(const std::vector<Toss>& tosses, const MeasuredScale& scale,
                                         const CubeModel& fitted) {
  const CubeModel given;
  return {fmt::format(
              "{} measured tosses of a cube of {:g} m and {:g} kg; friction {:g} and restitution {:g} as identified by "
              "their authors; 10 steps per frame.",
              tosses.size(), given.edge(), CubeModel::kMass, given.friction, given.restitution),
          "Error of a toss: mean over its frames of the distance of the centres and of the angle of the rotation "
          "between them.",
          "Start: least squares over the first frames of the flight, at most 10; \"first frame\" takes the velocities "
          "of the file.",
          fmt::format(
              "Scale of the measured lengths: cubes at rest lie as if they were {:.4f} of their width, and fall with "
              "{:.4f} of gravity; the fit uses the mean of both, from the half that it is fitted on.",
              scale.of_rest, scale.of_fall),
          fmt::format(
              "Fitted on every second toss, scored on the others: friction {:.4f}, restitution {:.3f}, scale {:.4f}.",
              fitted.friction, fitted.restitution, fitted.scale)};
}

double largestDifference(const std::vector<Trial>& trials, const Trial& reference) {
  double largest = 0.0;
  for (const Trial& trial : trials)
    if (trial.name == reference.name && trial.law == reference.law)
      largest = std::max(largest, differenceOf(trial, reference));
  return largest;
}

Outcome runTosses(const Request& request, const Watch& watch) {
  const std::vector<Toss> tosses = loadTosses(request.data, kLeastFrames);
  const std::vector<Toss> training = halfOf(tosses, 0), rest = halfOf(tosses, 1);
  const std::vector<RolloutSettings> settings = listSettings(request.stop);
  RolloutSettings usual;
  usual.stop = request.stop;
  Meter meter(watch, static_cast<int>(settings.size()) + kFitSamples + 4);

  std::vector<Trial> trials;
  for (const RolloutSettings& one : settings) trials.push_back(tryOut("flight + given", tosses, {}, one, meter));
  const auto chosen = std::find_if(trials.begin(), trials.end(),
                                   [](const Trial& t) { return t.solver == "auto" && t.law == "coulomb"; });
  const std::size_t given = chosen - trials.begin();
  RolloutSettings first_frame = usual;
  first_frame.first_frame_only = true;
  trials.push_back(tryOut("first frame + given", tosses, {}, first_frame, meter));

  const MeasuredScale scale = measureScale(training);
  CubeModel cube;
  cube.scale = 0.5 * (scale.of_rest + scale.of_fall);
  trials.push_back(tryOut("flight + given + scale", tosses, cube, usual, meter));
  cube = fitContact(training, cube, usual, [&] { meter.next(); });
  trials.push_back(tryOut("flight + fitted: training half", training, cube, usual, meter));
  trials.push_back(tryOut("flight + fitted: other half", rest, cube, usual, meter));

  Outcome outcome;
  outcome.setting = describeSetting(tosses, scale, cube);
  outcome.setting.push_back(fmt::format(
      "A sliding face rests on four corners, whose shares of the load no law tells, and a toss is chaotic: solvers "
      "of Coulomb's law differ by up to {:.1e} of the width in the error of one toss.",
      largestDifference(trials, trials[given])));
  outcome.table = tableOf(trials);
  outcome.findings = findingsOf(trials[given], trials.back());
  const std::vector<const Trial*> shown = {&trials[settings.size()], &trials[given], &trials.back()};
  saveErrors(request.folder + "/cube-toss.csv", tosses, trials);
  savePlot(request.folder + "/cube-toss-position.svg",
           plotOf("Position error of measured tosses", "mean distance [% of the width]", shown,
                  [](const TossError& e) { return 100.0 * e.position; }));
  savePlot(request.folder + "/cube-toss-rotation.svg", plotOf("Rotation error of measured tosses", "mean angle [deg]",
                                                              shown, [](const TossError& e) { return e.rotation; }));
  outcome.files = {"cube-toss.csv", "cube-toss-position.svg", "cube-toss-rotation.svg"};
  return outcome;
}

}  // namespace

Experiment cubeToss() {
  return {"cube-toss", "CN", "measured tosses of a cube, done again (needs --data)", kProgress, runTosses, true};
}

}  // namespace rigor::experiments
