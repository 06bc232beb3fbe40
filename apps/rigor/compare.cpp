// rigor compare: one scene with every solver and law, side by side.
#include <fmt/format.h>

#include <algorithm>

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

struct Choice {
  std::string solver, law;
};

bool wanted(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// Every solver with every law that it solves, as far as asked for; `auto` first, the others are measured by it.
std::vector<Choice> listChoices(const CompareArguments& arguments) {
  std::vector<Choice> choices;
  for (const SolverInfo& solver : listSolvers())
    for (const std::string& law : kLaws)
      if (wanted(arguments.solvers, solver.name) && wanted(arguments.laws, law) &&
          makeSolver(solver.name)->solves(findLaw(law)))
        choices.push_back({std::string(solver.name), law});
  std::stable_partition(choices.begin(), choices.end(),
                        [](const Choice& choice) { return choice.solver == "auto" && choice.law == "coulomb"; });
  if (choices.empty())
    throw Error("none of the chosen solvers solves one of the chosen laws", "See rigor solve --list.");
  return choices;
}

void checkArguments(const CompareArguments& arguments) {
  checkPositive("--time", arguments.time);
  checkPositive("--dt", arguments.dt);
  for (const std::string& solver : arguments.solvers) makeSolver(solver);  // throws for names that are not known
  for (const std::string& law : arguments.laws) checkKnown("--laws", law, kLaws);
}

}  // namespace

int execute(const CompareArguments& arguments) {
  checkArguments(arguments);
  const std::vector<Choice> choices = listChoices(arguments);
  if (!arguments.out.empty()) makeReportFolder(arguments.out);
  Scene scene = loadScene(arguments.scene, arguments.load, arguments.limp);
  if (arguments.time) scene.time = *arguments.time;
  if (arguments.dt) scene.dt = *arguments.dt;
  scene.check();
  const std::int64_t steps = countSteps(scene.time, scene.dt);
  tellWarnings(Simulator(scene).warnings());

  const InterruptFlag interrupt;
  std::vector<ComparedRun> runs;
  std::vector<Eigen::VectorXd> poses;
  for (const Choice& choice : choices) {
    if (interrupt.raised()) break;
    ComparedRun run;
    run.scene = scene;
    run.scene.solver = choice.solver;
    run.scene.law = choice.law;
    SimulatorOptions options = simulatorOptions(OnFailure::kSubstep);
    options.stop = InterruptFlag::flag();
    Simulator simulator(run.scene, options);
    PoseWatch watch(poses);
    tell(fmt::format("{}, {} ({} of {})", choice.solver, choice.law, runs.size() + 1, choices.size()));
    run.summary = simulate(simulator, steps, OnFailure::kSubstep, interrupt, {&watch});
    watch.fill(run);
    runs.push_back(std::move(run));
  }
  const experiments::Outcome outcome = describeComparison(runs, arguments.out);
  if (!arguments.out.empty()) saveReport("Solvers and laws side by side", arguments.out, {{scene.name, &outcome}});
  std::string text;
  for (const std::string& line : outcome.setting) text += line + "\n";
  writeResult(arguments.json ? compareJson(runs) : text + tableText(outcome.table));
  if (interrupt.raised()) return kInterrupted;
  return std::all_of(runs.begin(), runs.end(),
                     [](const ComparedRun& run) { return run.summary.status == RunStatus::kDone; })
             ? kDone
             : kFailed;
}

}  // namespace rigor::app
