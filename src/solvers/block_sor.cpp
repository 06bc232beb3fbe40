#include "solvers/block_sor.h"

#include <algorithm>
#include <cmath>

#include "contact/judge.h"
#include "contact/row_product.h"
#include "contact/visit_block.h"
#include "rigor/solver.h"

namespace rigor {
namespace {

// Solves the unit with all others held, moves by the relaxed difference. Returns |Δλ|.
template <class Unit>
double relaxUnit(const ContactProblem& problem, const Unit& unit, int row, double relaxation, Iterate& iterate) {
  constexpr int kRows = Unit::kRows;
  double* impulse = iterate.impulse.data() + row;
  double W[kRows][kRows], free[kRows], solved[kRows], moved = 0.0;
  problem.W.copyBlock<kRows>(row, W);
  for (int r = 0; r < kRows; ++r) {
    free[r] = multiplyRow(problem.W, row + r, iterate.impulse.data()) + problem.b[row + r];
    for (int c = 0; c < kRows; ++c) free[r] -= W[r][c] * impulse[c];
  }
  iterate.modes[row] = unit.solveAlone(W, free, impulse, solved);
  for (int r = 0; r < kRows; ++r) {
    const double change = relaxation * (solved[r] - impulse[r]);
    impulse[r] += change;  // K is convex: a relaxed step between two of its points stays inside
    moved += change * change;
  }
  return std::sqrt(moved);
}

double relaxBlock(const ContactProblem& problem, const Block& block, double relaxation, Iterate& iterate) {
  double moved = 0.0;
  forEachInequality(problem, block, [&](const auto& unit, int row) {
    moved = std::max(moved, relaxUnit(problem, unit, row, relaxation, iterate));
  });
  return moved;
}

}  // namespace

void solveBlockAlone(const ContactProblem& problem, const Block& block, Iterate& iterate) {
  relaxBlock(problem, block, 1.0, iterate);
}

double sweepBlocks(const ContactProblem& problem, bool forward, double relaxation, Iterate& iterate) {
  const int count = static_cast<int>(problem.blocks.size());
  double moved = 0.0;
  for (int i = 0; i < count; ++i) {
    const Block& block = problem.blocks[forward ? i : count - 1 - i];
    moved = std::max(moved, blockScale(problem, block) * relaxBlock(problem, block, relaxation, iterate));
  }
  return moved;
}

int relaxBlocks(const ContactProblem& problem, double tolerance, int max_sweeps, double relaxation, Iterate& iterate) {
  // A move below this may be the last one needed; the judge's own limit is at least tolerance · leastScale.
  double ask_below = 1e3 * tolerance * leastScale(problem);
  for (int sweep = 1; sweep <= max_sweeps; ++sweep) {
    const double moved = sweepBlocks(problem, sweep % 2 == 1, relaxation, iterate);
    const bool last = sweep == max_sweeps;
    if (!last && moved > ask_below && sweep % 8 != 0) continue;
    judgeIterate(problem, iterate);
    if (last || accepts(iterate.residuals, tolerance) || !iterate.residuals.finite) return sweep;
  }
  return 0;
}

}  // namespace rigor
