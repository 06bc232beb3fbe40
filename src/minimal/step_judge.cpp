#include "minimal/step_judge.h"

#include <algorithm>
#include <cmath>

#include "contact/judge.h"
#include "minimal/row_kinds.h"

namespace rigor {

Residuals judgePositions(const ConstraintSet& set, Island& island) {
  const int m = island.problem.rows();
  island.velocity.resize(m);
  island.floor.resize(m);
  for (std::size_t i = 0; i < island.constraints.size(); ++i) {
    const Constraint& c = set.slots[island.constraints[i]];
    const int row = island.problem.blocks[i].row;
    std::copy_n(&set.velocity[c.first_row], c.rows, &island.velocity[row]);
    std::copy_n(&set.floor[c.first_row], c.rows, &island.floor[row]);
  }
  // u is read from the end pose: its error counts, and that of b, read from the same positions, not once more
  std::vector<double> error_of_b;
  error_of_b.swap(island.problem.row_error);
  Residuals residuals =
      judgeLaw(island.problem, island.solution.impulse.data(), island.velocity.data(), island.floor.data());
  residuals.law_gap = residuals.law;
  if (const Law law = island.problem.law; law != Law::kCoulomb) {
    island.problem.law = Law::kCoulomb;
    residuals.law_gap =
        judgeLaw(island.problem, island.solution.impulse.data(), island.velocity.data(), island.floor.data()).law;
    island.problem.law = law;
  }
  error_of_b.swap(island.problem.row_error);
  return residuals;
}

bool keepsGaps(const ConstraintSet& set, double h) {
  return std::all_of(set.active.begin(), set.active.end(), [&](int slot) {
    const Constraint& c = set.slots[slot];
    return visitRows(c, [&](auto kind) { return kind.held(c, set, h); });
  });
}

}  // namespace rigor
