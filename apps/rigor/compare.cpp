// rigor compare: one scene with every solver and law, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "argument_check.h"
#include "commands.h"
#include "comparison.h"
#include "json.h"
#include "output.h"
#include "report_page.h"
#include "rigor/io.h"
#include "run_start.h"
#include "simulate.h"
#include "warnings.h"

namespace rigor::app {
namespace {

/// Laws that some solver solves.
const std::vector<std::string> kLaws = {"coulomb", "dissipation", "pyramid"};

/// Ways to step.
const std::vector<std::string> kSteppers = {"minimal", "maximal", "event"};

constexpr const char* kConvergence = "How the steppers converge to each other";

struct Choice {
  std::string solver, law, stepper;
};

bool wanted(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// Every solver with every law that it solves, as far as asked for, by every stepper; `auto` first, the others are measured by it.
std::vector<Choice> listChoices(const CompareArguments& arguments, const Scene& scene) {
  std::vector<Choice> choices;
  const std::vector<std::string> steppers =
      arguments.steppers.empty() ? std::vector<std::string>{scene.stepper} : arguments.steppers;
  const bool by_stepper = steppers.size() > 1;
  const auto solvers = by_stepper && arguments.solvers.empty() ? std::vector<std::string>{"auto"} : arguments.solvers;
  const auto laws = by_stepper && arguments.laws.empty() ? std::vector<std::string>{"coulomb"} : arguments.laws;
  for (const std::string& stepper : steppers)
    for (const SolverInfo& solver : listSolvers())
      for (const std::string& law : kLaws)
        if (wanted(solvers, solver.name) && wanted(laws, law) && makeSolver(solver.name)->solves(findLaw(law)))
          choices.push_back({std::string(solver.name), law, stepper});
  if (choices.empty())
    throw Error("none of the chosen solvers solves one of the chosen laws", "See rigor solve --list.");
  std::stable_partition(choices.begin(), choices.end(),
                        [](const Choice& choice) { return choice.solver == "auto" && choice.law == "coulomb"; });
  return choices;
}

Scene withChoice(Scene scene, const Choice& choice) {
  scene.solver = choice.solver;
  scene.law = choice.law;
  scene.stepper = choice.stepper;
  if (scene.stepper != "event") scene.step_accuracy = 0.0;
  return scene;
}

/// Some laws are not defined for some scenes. Those that nobody named are left out, and told; for those that were, this throws.
void leaveOutLaws(const CompareArguments& arguments, const Scene& scene, std::vector<Choice>& choices) {
  for (const std::string& law : kLaws) {
    const auto choice = std::find_if(choices.begin(), choices.end(), [&](const Choice& one) { return one.law == law; });
    if (choice == choices.end()) continue;
    try {
      withChoice(scene, *choice).check();
    } catch (const Error& error) {
      if (!arguments.laws.empty()) throw;
      tell(fmt::format("law {} is left out: {}", law, error.problem()));
      std::erase_if(choices, [&](const Choice& one) { return one.law == law; });
    }
  }
  if (choices.empty())
    throw Error("the chosen solvers solve no law that this scene can have", "See rigor solve --list.");
}

void checkArguments(const CompareArguments& arguments) {
  checkPositive("--time", arguments.time);
  checkPositive("--dt", arguments.dt);
  for (const std::string& solver : arguments.solvers) makeSolver(solver);  // throws for names that are not known
  for (const std::string& law : arguments.laws) checkKnown("--laws", law, kLaws);
  for (const std::string& stepper : arguments.steppers) {
    checkKnown("--steppers", stepper, kSteppers);
    if (std::count(arguments.steppers.begin(), arguments.steppers.end(), stepper) > 1)
      throw Error(fmt::format("--steppers: {} is named twice", stepper), "A run is not compared with itself.");
  }
}

/// Result of all runs, for the terminal.
std::string textOf(const experiments::Outcome& runs, const experiments::Outcome* convergence) {
  std::string text;
  for (const std::string& line : runs.setting) text += line + "\n";
  text += tableText(runs.table);
  if (!convergence) return text;
  text += fmt::format("\n{}:\n{}", kConvergence, tableText(convergence->table));
  for (const std::string& line : convergence->setting) text += line + "\n";
  return text;
}

}  // namespace

int execute(const CompareArguments& arguments) {
  checkArguments(arguments);
  LoadOptions load = arguments.load;
  if (!arguments.steppers.empty()) load.stepper = arguments.steppers.front();
  Scene scene = loadScene(arguments.scene, load, arguments.limp);
  if (arguments.time) scene.time = *arguments.time;
  if (arguments.dt) scene.dt = *arguments.dt;
  std::vector<Choice> choices = listChoices(arguments, scene);
  const Scene plain = withChoice(scene, {"auto", "coulomb", choices.front().stepper});
  plain.check();
  leaveOutLaws(arguments, scene, choices);
  if (!arguments.out.empty()) makeReportFolder(arguments.out);
  for (const std::string& stepper : arguments.steppers)
    Simulator(withChoice(scene, {"auto", "coulomb", stepper}));  // throws for what a stepper does not follow
  const std::int64_t steps = countSteps(scene.time, scene.dt);
  tellWarnings(Simulator(plain).warnings());

  const InterruptFlag interrupt;
  std::vector<ComparedRun> runs;
  std::vector<Eigen::VectorXd> poses;
  for (const Choice& choice : choices) {
    if (interrupt.raised()) break;
    ComparedRun run;
    run.scene = withChoice(scene, choice);
    SimulatorOptions options = simulatorOptions(OnFailure::kSubstep);
    options.stop = InterruptFlag::flag();
    Simulator simulator(run.scene, options);
    PoseWatch watch(poses);
    tell(fmt::format("{}, {}, {} ({} of {})", choice.stepper, choice.solver, choice.law, runs.size() + 1,
                     choices.size()));
    run.summary = simulate(simulator, steps, OnFailure::kSubstep, interrupt, {&watch});
    watch.fill(run);
    runs.push_back(std::move(run));
  }
  std::vector<StepperGap> gaps;
  if (arguments.steppers.size() == 2) gaps = findConvergence(scene, arguments.steppers, interrupt);
  const experiments::Outcome outcome = describeComparison(runs, arguments.out);
  std::optional<experiments::Outcome> convergence;
  if (!gaps.empty()) convergence = describeConvergence(gaps, arguments.steppers, arguments.out);
  if (!arguments.out.empty()) {
    std::vector<ReportSection> sections = {{scene.name, &outcome}};
    if (convergence) sections.push_back({kConvergence, &*convergence});
    saveReport(arguments.steppers.size() > 1 ? "Steppers side by side" : "Solvers and laws side by side", "",
               arguments.out, sections);
  }
  writeResult(arguments.json ? compareJson(runs, gaps) : textOf(outcome, convergence ? &*convergence : nullptr));
  if (interrupt.raised()) return kInterrupted;
  return std::all_of(runs.begin(), runs.end(),
                     [](const ComparedRun& run) { return run.summary.status == RunStatus::kDone; })
             ? kDone
             : kFailed;
}

}  // namespace rigor::app
