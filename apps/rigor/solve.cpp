// rigor solve: one saved contact problem, one solver, the judge's numbers. Complementarity problems: solve_lcp.h.
#include <fmt/format.h>

#include <chrono>

#include "argument_check.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "rigor/io.h"
#include "rigor/solver.h"
#include "solve_lcp.h"

namespace rigor::app {
namespace {

void listTable(bool json) {
  std::vector<std::vector<std::string>> rows{{"solver", "laws", "blocks", "how", "cost", "fails"}};
  for (const SolverInfo& solver : listSolvers()) {
    auto& row = rows.emplace_back();
    for (const std::string_view cell :
         {solver.name, solver.laws, solver.blocks, solver.description, solver.cost, solver.fails})
      row.emplace_back(cell);
  }
  writeResult(json ? solverListJson(listSolvers()) : formatTable(rows));
}

std::string remarkOn(Law law, const ContactSolution& solution) {
  const char* const beyond =
      solution.residuals.beyond_doubles
          ? "The impulses are so large that doubles do not tell the velocities they leave to 1e-6: nothing can be "
            "accepted. Smaller mass ratios or levers can be judged.\n"
          : "";
  switch (solution.status) {
    case SolveStatus::kBadInput:
      return law == Law::kDissipation ? "Law dissipation is not defined where loops share a contact's impulse.\n" : "";
    case SolveStatus::kNoSolution:
      return "No impulses solve this: those of the certificate (--json) move nothing and would have to stop an "
             "approach.\n";
    case SolveStatus::kUnsolved:
      return std::string("No solution was found, and no proof that there is none.\n") + beyond;
    case SolveStatus::kInaccurate:
      return std::string("The answer misses the limit by at most 1e-6 of its velocities.\n") + beyond;
    default:
      return solution.residuals.by_floor ? "Accepted within the rounding floor, which the law residual has taken off.\n"
                                         : "";
  }
}

std::string describeImpulses(const std::vector<double>& impulses) {
  constexpr std::size_t kFew = 12;
  if (impulses.size() > kFew) return fmt::format("{} numbers, with --json", impulses.size());
  std::vector<std::string> numbers;
  for (const double impulse : impulses) numbers.push_back(fmt::format("{:.6g}", impulse));
  return fmt::format("{} N s", fmt::join(numbers, ", "));
}

std::string describe(const SolveArguments& arguments, double tolerance, Law law, const ContactSolution& solution,
                     double microseconds) {
  const Residuals& residuals = solution.residuals;
  std::vector<std::vector<std::string>> rows{
      {"law residual", fmt::format("{:.2e}, the limit is {:.0e}", residuals.law, tolerance)},
      {"equation", fmt::format("{:.2e}", residuals.equation)},
      {"natural map", fmt::format("{:.2e} m/s", residuals.natural_map)},
      {"primal", fmt::format("{:.2e} N s outside the friction cones", residuals.primal)},
      {"dual", fmt::format("{:.2e} m/s outside the dual cones", residuals.dual)},
      {"complementarity", fmt::format("{:.2e} J", residuals.complementarity)},
      {"signorini", fmt::format("{:.2e} m/s", residuals.signorini)},
      {"dissipation", fmt::format("{:.2e} J put in by friction", residuals.dissipation)},
      {"rounding floor", fmt::format("{:.2e}", residuals.floor)}};
  rows.push_back({"impulses", describeImpulses(solution.impulse)});
  if (law != Law::kCoulomb) rows.push_back({"law gap", fmt::format("{:.2e} by Coulomb's law", residuals.law_gap)});
  return fmt::format("{}: {} by {}{}, {} iterations, {}\n{}{}", arguments.problem, statusName(solution.status),
                     arguments.solver, *solution.stage ? fmt::format(" ({})", solution.stage) : "", solution.iterations,
                     durationText(1e-6 * microseconds), formatTable(rows), remarkOn(law, solution));
}

int exitCode(SolveStatus status) {
  if (status == SolveStatus::kSolved) return kDone;
  return status == SolveStatus::kBadInput ? kBadInput : kFailed;
}

}  // namespace

int execute(const SolveArguments& arguments) {
  if (arguments.list) {
    listTable(arguments.json);
    return kDone;
  }
  checkPositive("--tol", arguments.tolerance);
  checkLaw(arguments.solver, arguments.law, arguments.directions);
  if (holdsLcp(arguments.problem)) return executeLcp(arguments);
  const double tolerance = arguments.tolerance.value_or(SolverOptions{}.tolerance);
  ContactProblem problem = loadProblem(arguments.problem);
  if (arguments.law) problem.law = findLaw(*arguments.law);
  if (arguments.directions) problem.directions = *arguments.directions;
  checkSolves(arguments.solver, problem.law);
  const auto solver = makeSolver(arguments.solver);

  ContactSolution solution;
  solution.impulse.assign(problem.b.size(), 0.0);
  solution.velocity.assign(problem.b.size(), 0.0);
  solution.modes.assign(problem.blocks.size(), ContactMode::kOpen);
  const auto start = std::chrono::steady_clock::now();
  solver->solve(problem, {.tolerance = tolerance}, solution);
  const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
  if (solution.status != SolveStatus::kBadInput)
    solution.residuals = judge(problem, solution, tolerance);  // all numbers, not only the gated

  writeResult(arguments.json ? solveJson(arguments.solver, std::string(lawName(problem.law)), solution, elapsed.count())
                             : describe(arguments, tolerance, problem.law, solution, elapsed.count()));
  return exitCode(solution.status);
}

}  // namespace rigor::app
