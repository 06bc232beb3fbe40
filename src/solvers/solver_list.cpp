#include <fmt/format.h>

#include <string>

#include "contact/refuse_name.h"
#include "rigor/error.h"
#include "rigor/solver.h"
#include "solvers/ladder.h"
#include "solvers/lemke_solver.h"

namespace rigor {

const std::vector<SolverInfo>& listSolvers() {
  static const std::vector<SolverInfo> solvers = {
      {"bisection", "coulomb, dissipation, pyramid", "all", "block SOR, each contact solved to rounding",
       "per sweep n² and 0.1 to 0.3 µs per contact", "mass ratios above 100, tall stacks: too many sweeps"},
      {"bisection_hybrid", "dissipation", "all but equal", "block SOR, PC Alg. 1 with gradient eq. 13–16",
       "per sweep n² and 0.5 µs per slip", "as bisection"},
      {"bisection_polar", "dissipation", "all but equal", "block SOR, PC Alg. 1 with gradient in polar coordinates",
       "per sweep n² and 0.6 µs per slip", "as bisection"},
      {"bisection_naive", "dissipation", "all but equal", "block SOR, PC Alg. 1 with gradient eq. 9–12",
       "per sweep n² and 0.6 µs per slip", "as bisection"},
      {"golden", "dissipation", "all but equal", "block SOR, golden section on each contact's energy",
       "per sweep n² and 0.7 µs per slip", "as bisection"},
      {"quartic", "dissipation", "all but equal", "block SOR, Ferrari's formula for each contact",
       "per sweep n² and 0.3 µs per slip", "as bisection"},
      {"pgs", "coulomb, pyramid", "all", "projected Gauss–Seidel, PC eq. 17–18", "n² per sweep, hundreds of sweeps",
       "impacts, levers, mass ratios: thousands of sweeps"},
      {"newton", "coulomb, dissipation, pyramid", "all", "sets from sweeps, reduced Newton; else the natural map",
       "n³ per step, two to ten steps", "sliding stacks and columns: cycles between sets"},
      {"interior_point", "coulomb, pyramid", "all", "two smooth cones per contact, one path from their middle",
       "n³ per step, ten to thirty steps, no warm start", "heavy on light: ends short of rounding"},
      {"lemke", "pyramid", "all", "Lemke's method on the complementarity problem, OS eq. 34",
       "n³ per pivot, n the pushes at hand; two to four pivots per contact, none with the last sets",
       "islands of hundreds of contacts: seconds"},
      {"auto", "coulomb, dissipation, pyramid", "all", "ladder from the last sets over Newton and interior point",
       "that of the stage that wins; large islands O(n) by coulomb, else n³",
       "jams near rest without a proof; seconds before it gives up"},
  };
  return solvers;
}

std::unique_ptr<ContactSolver> makeSolver(std::string_view name) {
  const auto perContact = [](std::string_view solver, std::string_view single) {
    return eliminateLoops(std::make_unique<PerContactSolver>(solver, single));
  };
  if (name == "bisection") return eliminateLoops(std::make_unique<BisectionSolver>());
  if (name == "bisection_hybrid") return perContact("bisection_hybrid", "hybrid");
  if (name == "bisection_polar") return perContact("bisection_polar", "polar");
  if (name == "bisection_naive") return perContact("bisection_naive", "naive");
  if (name == "golden") return perContact("golden", "golden");
  if (name == "quartic") return perContact("quartic", "quartic");
  if (name == "pgs") return eliminateLoops(std::make_unique<PgsSolver>());
  if (name == "newton") return eliminateLoops(std::make_unique<NewtonSolver>());
  if (name == "interior_point") return eliminateLoops(std::make_unique<InteriorPointSolver>());
  if (name == "lemke") return eliminateLoops(std::make_unique<LemkeSolver>());
  if (name == "auto") return eliminateLoops(std::make_unique<LadderSolver>());
  std::vector<std::string> known;
  for (const SolverInfo& solver : listSolvers()) known.emplace_back(solver.name);
  refuseName("contact solver", name, known);
}

void checkSolves(std::string_view solver, Law law) {
  if (makeSolver(solver)->solves(law)) return;
  std::vector<std::string> others;
  for (const SolverInfo& info : listSolvers())
    if (makeSolver(info.name)->solves(law)) others.emplace_back(info.name);
  throw Error(fmt::format("solver \"{}\" does not solve law \"{}\"", solver, lawName(law)),
              others.empty() ? "No solver of rigor does; only the judge knows this law."
                             : "Solvers of this law: " + joinNames(others) + ".");
}

}  // namespace rigor
