#include "minimal/step_judge.h"

#include <algorithm>
#include <cmath>

#include "contact/judge.h"

namespace rigor {

Residuals judgePositions(const ConstraintSet& set, Island& island) {
  const int m = island.problem.rows();
  island.velocity.resize(m);
  island.floor.resize(m);
  for (std::size_t i = 0; i < island.constraints.size(); ++i) {
    const Constraint& c = set.list[island.constraints[i]];
    const int row = island.problem.blocks[i].row;
    std::copy_n(&set.velocity[c.first_row], c.rows, &island.velocity[row]);
    std::copy_n(&set.floor[c.first_row], c.rows, &island.floor[row]);
  }
  // u is read from the end pose: its error counts, and that of b, read from the same positions, not once more
  std::vector<double> error_of_b;
  error_of_b.swap(island.problem.row_error);
  const Residuals residuals =
      judgeLaw(island.problem, island.solution.impulse.data(), island.velocity.data(), island.floor.data());
  error_of_b.swap(island.problem.row_error);
  return residuals;
}

bool keepsGaps(const ConstraintSet& set, double h) {
  constexpr double kDeeper = 1e-11;  // [m]
  for (const Constraint& c : set.list) {
    if (c.source == RowSource::kLoop && c.gap_end > kDeeper + h * set.floor[c.first_row]) return false;
    if (c.source != RowSource::kContact && c.source != RowSource::kLimit) continue;
    if (c.gap_end < std::min(c.gap, 0.0) - kDeeper - h * set.floor[c.first_row]) return false;
  }
  return true;
}

}  // namespace rigor
