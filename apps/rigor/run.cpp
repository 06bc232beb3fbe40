// rigor run: one scene, from its start or a snapshot to its end.
#include <fmt/format.h>

#include <algorithm>

#include "argument_check.h"
#include "commands.h"
#include "output.h"
#include "rigor/check.h"
#include "rigor/half_turn_watch.h"
#include "rigor/tight_spring_watch.h"
#include "run_output.h"
#include "run_start.h"
#include "simulate.h"
#include "warnings.h"

namespace rigor::app {
namespace {

void checkArguments(const RunArguments& arguments) {
  checkPositive("--time", arguments.time);
  checkPositive("--dt", arguments.dt);
  checkPositive("--tol", arguments.tolerance);
  checkPositive("--accuracy", arguments.accuracy);
  checkLaw(arguments.solver, arguments.law, arguments.directions);
  if (arguments.stepper) checkKnown("--stepper", *arguments.stepper, {"minimal", "maximal", "event"});
  if (arguments.integrator) checkKnown("--integrator", *arguments.integrator, integratorNames());
  if (arguments.save_problem.first < 0)
    throw Error(fmt::format("--save-problem {}: not a step", arguments.save_problem.first), "Steps count from 0.");
}

/// A snapshot goes on in the formulation that saved it. What else the run that saved it chose differently is told, unless this one was
/// asked for it.
void goOnAsSaved(const RunArguments& arguments, Scene& scene) {
  const SnapshotOptions saved = loadSnapshotOptions(arguments.from);
  if (saved.stepper != scene.stepper && arguments.stepper) {
    tell(
        fmt::format("{} was saved by stepper {}: the run goes on with {}, as --stepper asks, from the velocities alone",
                    arguments.from, saved.stepper, scene.stepper));
  } else if (saved.stepper != scene.stepper) {
    tell(fmt::format("{} was saved by stepper {}: the run goes on with it (--stepper {} for the scene's)",
                     arguments.from, saved.stepper, scene.stepper));
    scene.stepper = saved.stepper;
  }
  std::string others;
  const auto compare = [&](const char* option, bool asked, const auto& then, const auto& now) {
    if (!asked && then != now) others += fmt::format("{}{} {}", others.empty() ? "" : ", ", option, then);
  };
  compare("--dt", arguments.dt.has_value(), saved.dt, scene.dt);
  if (!saved.integrator.empty())
    compare("--integrator", arguments.integrator.has_value(), saved.integrator, scene.integrator);
  if (!saved.solver.empty()) compare("--solver", arguments.solver.has_value(), saved.solver, scene.solver);
  if (!saved.law.empty()) compare("--law", arguments.law.has_value(), saved.law, scene.law);
  if (!others.empty())
    tell(fmt::format("{} was saved by a run with {}, which this run does not take over", arguments.from, others));
}

/// Steps of stepper event are then only how often the motion is told, and controllers asked.
void chooseAccuracy(double accuracy, bool has_dt, Scene& scene) {
  constexpr double kTold = 0.01;  // [s]
  scene.step_accuracy = accuracy;
  const bool moves =
      scene.torques || !scene.target_tables.empty() || !scene.random_targets.empty() || !scene.gaits.empty();
  if (has_dt || !(scene.dt < kTold) || moves) return;
  scene.dt = kTold;
  tell(fmt::format("--accuracy chooses how the motion is cut; it is told every {:g} s (--dt for another interval)",
                   kTold));
}

Scene makeScene(const RunArguments& arguments) {
  LoadOptions load = arguments.load;
  load.visuals = std::any_of(arguments.out.begin(), arguments.out.end(),
                             [](const std::string& out) { return hasEnding(out, ".html"); });
  load.stepper = arguments.stepper, load.integrator = arguments.integrator;
  load.solver = arguments.solver, load.law = arguments.law;
  Scene scene = loadScene(arguments.scene, load, arguments.limp);
  if (arguments.time) scene.time = *arguments.time;
  if (arguments.dt) scene.dt = *arguments.dt;
  if (arguments.accuracy) chooseAccuracy(*arguments.accuracy, arguments.dt.has_value(), scene);
  if (arguments.directions) scene.directions = *arguments.directions;
  if (arguments.tolerance) scene.accuracy = *arguments.tolerance;
  if (!arguments.from.empty()) goOnAsSaved(arguments, scene);
  if (!arguments.torques.empty()) {
    scene.torques = loadTorques(arguments.torques, scene.model);
    scene.releaseJoints();
  }
  tellChoices(scene, arguments.torques);
  scene.check();
  warnOfFastSprings(scene);
  return scene;
}

}  // namespace

int execute(const RunArguments& arguments) {
  checkArguments(arguments);
  const auto& [problem_step, problem_file] = arguments.save_problem;
  const RunFiles files{arguments.out, arguments.save_snapshot, problem_file};
  checkFiles(files);
  const Scene scene = makeScene(arguments);
  const std::int64_t steps = countSteps(scene.time, scene.dt);
  tellRounding(scene, steps);
  SimulatorOptions options = simulatorOptions(arguments.on_failure);
  options.threads = arguments.threads;
  options.stop = InterruptFlag::flag();
  Simulator simulator(scene, options);
  std::vector<Warning> warnings = simulator.warnings();
  SnapshotOverlap overlap;
  if (!arguments.from.empty()) {
    simulator.restore(loadSnapshot(arguments.from, scene));
    overlap = findSnapshotOverlap(scene, simulator.state().q, arguments.from);
    warnings.insert(warnings.end(), overlap.warnings.begin(), overlap.warnings.end());
  }
  if (arguments.from.empty())
    for (const Problem& problem : checkOutlook(scene))
      warnings.push_back({problem.where, problem.message + ". " + problem.remedy, false, WarningKind::kNotice});
  checkClock(simulator.state().time, scene, arguments.from.empty() ? scene.file : arguments.from);
  tellWarnings(warnings);
  const auto matters = [](const Warning& warning) { return warning.kind != WarningKind::kNotice; };
  if (arguments.load.strict && std::any_of(warnings.begin(), warnings.end(), matters))
    throw Error("--strict: the start pose is not clean", "Move the bodies named above apart, or leave --strict out.");

  const InterruptFlag interrupt;  // to the end: a Ctrl-C must not spoil the files either
  std::optional<Recorder> recorder;
  ProblemKeeper keeper(problem_step);
  std::vector<RunObserver*> watchers;
  if (!files.out.empty()) watchers.push_back(&recorder.emplace(scene));
  if (!files.problem.empty()) watchers.push_back(&keeper);
  FailureKeeper failure;
  watchers.push_back(&failure);
  std::optional<GeometryWatch> geometry;
  if (arguments.verify_geometry) watchers.push_back(&geometry.emplace(scene));
  HalfTurnWatch half_turns;
  TightSpringWatch tight_springs;
  watchers.insert(watchers.end(), {&half_turns, &tight_springs});
  RunSummary summary = simulate(simulator, steps, arguments.on_failure, interrupt, watchers);
  std::vector<Warning> of_springs = half_turns.warnings();
  for (const Warning& tight : tight_springs.warnings()) of_springs.push_back(tight);
  tellWarnings(of_springs);
  warnings.insert(warnings.end(), of_springs.begin(), of_springs.end());
  summary.penetration_max = std::max(summary.penetration_max, overlap.depth);
  if (geometry) summary.true_penetration_max = std::max(geometry->verdict().worst.overlap, overlap.depth);
  return finishRun(files, {arguments.json, arguments.allow_missing_contact}, simulator,
                   {summary, recorder ? &recorder->recording() : nullptr, files.problem.empty() ? nullptr : &keeper,
                    &failure, geometry ? &geometry->verdict() : nullptr, overlap.depth, warnings});
}

}  // namespace rigor::app
