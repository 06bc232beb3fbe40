// Which solvers a test is about.
#pragma once

#include <vector>

#include "rigor/solver.h"

namespace rigor {

/// Those of the list that solve this law.
inline std::vector<SolverInfo> solversOf(Law law) {
  std::vector<SolverInfo> solvers;
  for (const SolverInfo& info : listSolvers())
    if (makeSolver(info.name)->solves(law)) solvers.push_back(info);
  return solvers;
}

}  // namespace rigor
