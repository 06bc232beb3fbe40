#include "solvers/sets.h"

#include <limits>

#include "contact/judge.h"
#include "contact/visit_block.h"
#include "solvers/block_sor.h"

namespace rigor {

Edge findEdge(const ContactProblem& problem, const ContactMode* modes, const double* impulse, const double* direction) {
  Edge nearest{std::numeric_limits<double>::infinity(), -1, ContactMode::kOpen};
  forEachUnit(problem, [&](const auto& unit, int row) {
    const UnitEdge edge = unit.findEdge(modes[row], impulse + row, direction + row);
    if (edge.length < nearest.length) nearest = {edge.length, row, edge.mode};
  });
  return nearest;
}

void conformToModes(const ContactProblem& problem, Iterate& iterate) {
  forEachUnit(problem, [&](const auto& unit, int row) {
    unit.conform(&iterate.velocity[row], &iterate.impulse[row], iterate.modes[row]);
  });
}

bool correctSets(const ContactProblem& problem, double tolerance, Iterate& iterate) {
  const double least = 0.1 * tolerance * leastScale(problem);
  bool changed = false;
  for (const Block& block : problem.blocks) {
    // A velocity within its own error contradicts no mode.
    const double slack = least + (problem.row_error.empty() ? 0.0 : problem.row_error[block.row]);
    forEachUnit(problem, block, [&](const auto& unit, int row) {
      ContactMode& mode = iterate.modes[row];
      const ContactMode before = mode;
      if (unit.correct(&iterate.impulse[row], &iterate.velocity[row], slack, mode))
        solveBlockAlone(problem, block, iterate);
      changed = changed || mode != before;
    });
  }
  return changed;
}

}  // namespace rigor
