#include "comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "experiments/bars.h"
#include "experiments/csv.h"
#include "experiments/phase_chart.h"

namespace rigor::app {
namespace {

/// What tells the runs apart goes into their names: the stepper if there are several, solver and law unless they are all the same.
std::string nameOf(const ComparedRun& run, const std::vector<ComparedRun>& runs) {
  const auto same = [&](const ComparedRun& other) {
    return other.scene.solver == run.scene.solver && other.scene.law == run.scene.law;
  };
  const bool many_steppers = std::any_of(
      runs.begin(), runs.end(), [&](const ComparedRun& other) { return other.scene.stepper != run.scene.stepper; });
  if (many_steppers && std::all_of(runs.begin(), runs.end(), same)) return run.scene.stepper;
  const std::string name = run.scene.solver + ", " + run.scene.law;
  return many_steppers ? run.scene.stepper + ", " + name : name;
}

/// What CSV and pictures show: one number of a run.
struct Measure {
  const char* name;
  double (*of)(const ComparedRun& run);
};

constexpr Measure kMeasures[] = {
    {"us_per_step", [](const ComparedRun& run) { return run.summary.microsecondsPerStep(); }},
    {"solve_us", [](const ComparedRun& run) { return run.summary.microsecondsPerStep(&PhaseTimes::solve); }},
    {"iterations_mean", [](const ComparedRun& run) { return run.summary.meanIterations(); }},
    {"iterations_max", [](const ComparedRun& run) { return static_cast<double>(run.summary.iterations_max); }},
    {"substeps", [](const ComparedRun& run) { return static_cast<double>(run.summary.substeps); }},
    {"law_residual", [](const ComparedRun& run) { return run.summary.law; }},
    {"step_residual", [](const ComparedRun& run) { return run.summary.step; }},
    {"law_gap_max", [](const ComparedRun& run) { return run.summary.law_gap_max; }},
    {"law_gap_mean", [](const ComparedRun& run) { return run.summary.meanLawGap(); }},
    {"penetration_m", [](const ComparedRun& run) { return run.summary.penetration_max; }},
    {"creep_m_per_s", [](const ComparedRun& run) { return run.summary.sticking.creep().speed; }},
    {"energy_end_J", [](const ComparedRun& run) { return run.summary.energy_end; }},
    {"energy_gain_J", [](const ComparedRun& run) { return run.summary.energy_gain_max; }},
    {"apart_max", [](const ComparedRun& run) { return run.apart_max; }},
};

experiments::Table tableOf(const std::vector<ComparedRun>& runs) {
  experiments::Table table;
  table.columns = {"stepper", "solver",       "law",     "status",      "us/step",    "solve", "iterations",
                   "most",    "law residual", "law gap", "penetration", "energy end", "apart", "parted at"};
  for (const ComparedRun& run : runs) {
    const RunSummary& summary = run.summary;
    const std::string status = summary.status == RunStatus::kRefused && summary.first_failure
                                   ? fmt::format("refused at step {}", summary.first_failure->step)
                                   : runStatusName(summary.status);
    table.rows.push_back({run.scene.stepper, run.scene.solver, run.scene.law, status, summary.microsecondsPerStep(),
                          summary.microsecondsPerStep(&PhaseTimes::solve), summary.meanIterations(),
                          static_cast<double>(summary.iterations_max), summary.law, summary.law_gap_max,
                          summary.penetration_max, summary.energy_end, run.apart_max,
                          run.parted ? fmt::format("{:.3g} s", *run.parted) : std::string("never")});
  }
  return table;
}

std::string csvOf(const std::vector<ComparedRun>& runs) {
  std::string text = "stepper,solver,law,status,steps,refused";
  for (const Measure& measure : kMeasures) text += fmt::format(",{}", measure.name);
  for (const ComparedRun& run : runs) {
    text += fmt::format("\n{},{},{},{},{},{}", run.scene.stepper, run.scene.solver, run.scene.law,
                        runStatusName(run.summary.status), run.summary.steps, run.summary.failed_steps);
    for (const Measure& measure : kMeasures) text += fmt::format(",{:.17g}", measure.of(run));
  }
  return text + "\n";
}

experiments::BarChart phaseChart(const std::vector<ComparedRun>& runs) {
  std::vector<experiments::PhaseBar> bars;
  for (const ComparedRun& run : runs)
    bars.push_back({nameOf(run, runs), run.summary.nanoseconds, static_cast<double>(run.summary.steps)});
  return experiments::chartPhases(bars);
}

experiments::BarChart iterationChart(const std::vector<ComparedRun>& runs) {
  experiments::BarChart chart{"Iterations of a step", "", "sweeps and Newton steps", false, true, {}, {}};
  chart.series = {{"mean", {}}, {"most", {}}};
  for (const ComparedRun& run : runs) {
    chart.categories.push_back(nameOf(run, runs));
    chart.series[0].values.push_back(run.summary.meanIterations());
    chart.series[1].values.push_back(run.summary.iterations_max);
  }
  return chart;
}

}  // namespace

void PoseWatch::see(const Simulator& simulator, const RunStep& step) {
  if (!step.report.accepted()) return;
  const Eigen::VectorXd& q = simulator.state().q;
  if (keeps_) {
    first_.push_back(q);
  } else if (steps_ < first_.size()) {
    end_ = (q - first_[steps_]).cwiseAbs().maxCoeff();
    max_ = std::max(max_, end_);
    if (!parted_ && end_ > ComparedRun::kParted) parted_ = simulator.state().time;
  }
  ++steps_;
}

void PoseWatch::fill(ComparedRun& run) const {
  run.apart_max = max_;
  run.apart_end = end_;
  run.parted = parted_;
}

experiments::Outcome describeComparison(const std::vector<ComparedRun>& runs, const std::string& folder) {
  experiments::Outcome outcome;
  const ComparedRun& first = runs.front();
  outcome.setting = {
      fmt::format("{}: {} steps of {:g} ms.", first.scene.name, first.summary.steps, 1e3 * first.scene.dt),
      fmt::format("Apart: largest difference of a coordinate from {}; parted: when it first exceeded {:g}.",
                  nameOf(first, runs), ComparedRun::kParted)};
  outcome.table = tableOf(runs);
  if (folder.empty()) return outcome;
  const std::filesystem::path place(folder);
  outcome.files = {"compare.csv", "compare-time.svg", "compare-iterations.svg"};
  experiments::saveText((place / outcome.files[0]).string(), csvOf(runs));
  experiments::saveBars((place / outcome.files[1]).string(), phaseChart(runs));
  experiments::saveBars((place / outcome.files[2]).string(), iterationChart(runs));
  return outcome;
}

}  // namespace rigor::app
