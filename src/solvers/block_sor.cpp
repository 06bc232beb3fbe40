#include "solvers/block_sor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "contact/judge.h"
#include "contact/row_product.h"
#include "rigor/solver.h"
#include "solvers/single_contact.h"

namespace rigor {
namespace {

// Solves the contact with the others held, moves by the relaxed difference. Returns |Δλ|.
double relaxContact(const ContactProblem& problem, const Block& contact, double relaxation, Iterate& iterate) {
  const int row = contact.row;
  double* impulse = iterate.impulse.data() + row;
  ContactBlock local;
  local.mu = contact.mu;
  problem.W.copyBlock<3>(row, local.W);
  for (int r = 0; r < 3; ++r) {
    double others = multiplyRow(problem.W, row + r, iterate.impulse.data()) + problem.b[row + r];
    for (int c = 0; c < 3; ++c) others -= local.W[r][c] * impulse[c];
    local.b[r] = others;
  }
  local.b[0] += problem.bias[row];
  const ContactAnswer answer = solveSingleContact(local);
  iterate.modes[row] = answer.mode;
  double moved = 0.0;
  for (int r = 0; r < 3; ++r) {
    const double change = relaxation * (answer.impulse[r] - impulse[r]);
    impulse[r] += change;  // K is convex: a relaxed step between two of its points stays inside
    moved += change * change;
  }
  return std::sqrt(moved);
}

double relaxRow(const ContactProblem& problem, const Block& block, int row, double relaxation, Iterate& iterate) {
  const double w = problem.W(row, row), old = iterate.impulse[row];
  const double u = multiplyRow(problem.W, row, iterate.impulse.data()) + problem.b[row];
  double next;
  if (block.kind == BlockKind::kAtLeast) {
    next = solveAtLeast(w, u - w * old + problem.bias[row]);
    iterate.modes[row] = next > 0.0 ? ContactMode::kStick : ContactMode::kOpen;
  } else {
    next = solveBox(w, u - w * old + problem.bias[row], problem.compliance[row], block.lo, block.hi, old);
    iterate.modes[row] = next > block.lo && next < block.hi ? ContactMode::kStick : ContactMode::kSlip;
  }
  const double change = relaxation * (next - old);
  iterate.impulse[row] = old + change;
  return std::abs(change);
}

double relaxBlock(const ContactProblem& problem, const Block& block, double relaxation, Iterate& iterate) {
  if (block.kind == BlockKind::kContact) return relaxContact(problem, block, relaxation, iterate);
  double moved = 0.0;
  for (int row = block.row; row < block.row + block.size; ++row)
    moved = std::max(moved, relaxRow(problem, block, row, relaxation, iterate));
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
