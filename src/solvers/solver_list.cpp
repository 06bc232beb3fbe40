#include <string>

#include "rigor/error.h"
#include "rigor/solver.h"
#include "solvers/ladder.h"

namespace rigor {

const std::vector<SolverInfo>& listSolvers() {
  static const std::vector<SolverInfo> solvers = {
      {"bisection", "coulomb", "block SOR over contacts, each solved exactly by its secular equation"},
      {"newton", "coulomb", "sets from block SOR, reduced Newton to rounding"},
      {"interior_point", "coulomb", "two smooth cones per contact, one path from their middle, Newton polish"},
      {"auto", "coulomb", "ladder from the last sets over Newton and interior point, judged after each stage"},
  };
  return solvers;
}

std::unique_ptr<ContactSolver> makeSolver(std::string_view name) {
  if (name == "bisection") return eliminateLoops(std::make_unique<BisectionSolver>());
  if (name == "newton") return eliminateLoops(std::make_unique<NewtonSolver>());
  if (name == "interior_point") return eliminateLoops(std::make_unique<InteriorPointSolver>());
  if (name == "auto") return eliminateLoops(std::make_unique<LadderSolver>());
  std::string known;
  for (const SolverInfo& solver : listSolvers()) known += (known.empty() ? "" : ", ") + std::string(solver.name);
  throw Error("unknown contact solver \"" + std::string(name) + "\"", "Known solvers: " + known + ".");
}

}  // namespace rigor
