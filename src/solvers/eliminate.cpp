#include "solvers/eliminate.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "contact/check_problem.h"
#include "contact/row_product.h"
#include "contact/visit_block.h"

namespace rigor {
namespace {

// What remains of a scaled matrix beyond its rank is rounding, 1e-16 times a moderate condition.
constexpr double kRedundant = 1e-10;
// What elimination leaves of a row that the loops hold entirely.
constexpr double kHeld = 1e-12;

}  // namespace

bool Elimination::reduce(const ContactProblem& problem, const StopFlag* stop, const ScalesBefore* before) {
  assert(hasFittingSizes(problem) && "b, W and the blocks have the same rows");
  sortRows(problem);
  before ? scaleAsBefore(problem, *before) : scaleEqual(problem);
  factorEqual(stop);
  if (isRaised(stop)) return false;
  fillPanel(problem);
  fillReduced(problem, before);
  factorFree();
  return true;
}

void Elimination::sortRows(const ContactProblem& problem) {
  equations_.clear();
  kept_.clear();
  kept_blocks_.clear();
  reduced_.blocks.clear();
  int index = 0;
  for (const Block& block : problem.blocks) {
    const bool equal = visitBlock(block, []<class Unit>(UnitType<Unit>) { return Unit::kEquation; });
    if (!equal) {
      kept_blocks_.push_back(index);
      reduced_.blocks.push_back(block);
      reduced_.blocks.back().row = keptCount();
    }
    for (int row = block.row; row < block.row + block.size; ++row) (equal ? equations_ : kept_).push_back(row);
    ++index;
  }
  unknowns_ = equations_;
}

// Largest entry of every row and every column becomes 1, so that metres and radians, heavy and light compare.
void Elimination::scaleEqual(const ContactProblem& problem) {
  const int n = equalCount();
  row_scale_.assign(n, 0.0);
  col_scale_.assign(n, 0.0);
  factors_.resize(static_cast<std::size_t>(n) * n);
  double largest = 0.0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double entry = std::fabs(problem.W(equations_[i], unknowns_[j]));
      row_scale_[i] = std::max(row_scale_[i], entry);
      largest = std::max(largest, entry);
    }
  for (double& scale : row_scale_) scale = invertScale(scale, kDeadRow * largest);
  double* A = factors_.data();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      A[i * n + j] = row_scale_[i] * problem.W(equations_[i], unknowns_[j]);
      col_scale_[j] = std::max(col_scale_[j], std::fabs(A[i * n + j]));
    }
  for (double& scale : col_scale_) scale = invertScale(scale, kDeadRow);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i * n + j] *= col_scale_[j];
}

void Elimination::scaleAsBefore(const ContactProblem& problem, const ScalesBefore& before) {
  const int n = equalCount();
  row_scale_.resize(n);
  col_scale_.resize(n);
  factors_.resize(static_cast<std::size_t>(n) * n);
  for (int i = 0; i < n; ++i) row_scale_[i] = before.row[equations_[i]], col_scale_[i] = before.column[unknowns_[i]];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      factors_[static_cast<std::size_t>(i) * n + j] =
          row_scale_[i] * problem.W(equations_[i], unknowns_[j]) * col_scale_[j];
}

void Elimination::swapPivot(int k, int row, int column) {
  const int n = equalCount();
  double* A = factors_.data();
  if (row != k) {
    std::swap(equations_[k], equations_[row]);
    std::swap(row_scale_[k], row_scale_[row]);
    std::swap(largest_[k], largest_[row]);
    std::swap_ranges(A + k * n, A + (k + 1) * n, A + row * n);
  }
  if (column != k) {
    std::swap(unknowns_[k], unknowns_[column]);
    std::swap(col_scale_[k], col_scale_[column]);
    for (int i = 0; i < n; ++i) std::swap(A[i * n + k], A[i * n + column]);
  }
}

// The largest entry that remains, but for rows that are as good and move much more: redundant rows disagree by what positions round,
// and what the pivots leave open of a row is as many times more as it moves more than they do.
Elimination::Pivot Elimination::findPivot(int k) const {
  constexpr double kAsGood = 0.1, kMoves = 0.05;
  const int n = equalCount();
  Pivot largest{k, k, 0.0};
  for (int i = k; i < n; ++i)
    if (largest_[i].size > largest.size) largest = {i, largest_[i].column, largest_[i].size};
  Pivot chosen = largest;
  for (int i = k; i < n; ++i)
    if (row_scale_[i] > 0.0 && row_scale_[i] < kMoves * row_scale_[chosen.row])
      if (largest_[i].size >= kAsGood * largest.size && largest_[i].size > kRedundant)
        chosen = {i, largest_[i].column, largest_[i].size};
  return chosen;
}

// The largest entry of a row from column k on, the first of equal ones.
Elimination::Pivot Elimination::largestOf(int row, int k) const {
  const int n = equalCount();
  const double* A = factors_.data() + static_cast<std::size_t>(row) * n;
  constexpr int kLanes = 8;  // side by side: the size first, then who has it
  double lanes[kLanes] = {};
  int j = k;
  for (; j + kLanes <= n; j += kLanes)
    for (int lane = 0; lane < kLanes; ++lane) {
      const double size = std::fabs(A[j + lane]);
      lanes[lane] = size > lanes[lane] ? size : lanes[lane];
    }
  Pivot best{row, k, 0.0};
  for (; j < n; ++j) best.size = std::max(best.size, std::fabs(A[j]));
  for (const double size : lanes) best.size = std::max(best.size, size);
  if (best.size > 0.0)
    while (std::fabs(A[best.column]) != best.size) ++best.column;
  return best;
}

// Takes pivot k, which came from `column`, out of the rows below it. Rows that have no part in it stay as they are, and so do their
// largest entries unless these were in a column that was swapped: loops of a chain meet their neighbours alone.
void Elimination::eliminatePivot(int k, int column) {
  const int n = equalCount();
  double* A = factors_.data();
  const double inverse = 1.0 / A[k * n + k];
  for (int i = k + 1; i < n; ++i) {
    const double factor = A[i * n + k] * inverse;
    A[i * n + k] = factor;
    if (factor != 0.0)
      for (int j = k + 1; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
    if (factor != 0.0 || largest_[i].column == k || largest_[i].column == column) largest_[i] = largestOf(i, k + 1);
  }
}

void Elimination::factorEqual(const StopFlag* stop) {
  const int n = equalCount();
  largest_.resize(n);
  for (int i = 0; i < n; ++i) largest_[i] = largestOf(i, 0);
  for (rank_ = 0; rank_ < n; ++rank_) {
    const Pivot pivot = findPivot(rank_);
    if (!(pivot.size > kRedundant) || isRaised(stop)) break;
    swapPivot(rank_, pivot.row, pivot.column);
    eliminatePivot(rank_, pivot.column);
  }
}

// panel ← (pivots of the scaled W_EE)⁻¹ panel, row-major [rank × columns].
void Elimination::solvePanel(double* panel, int columns) const {
  const int n = equalCount();
  const auto subtract = [&](int i, int j) {
    const double factor = factors_[static_cast<std::size_t>(i) * n + j];
    if (factor == 0.0) return;  // many, where loops make a chain
    for (int c = 0; c < columns; ++c) panel[i * columns + c] -= factor * panel[j * columns + c];
  };
  for (int i = 1; i < rank_; ++i)
    for (int j = 0; j < i; ++j) subtract(i, j);
  for (int i = rank_ - 1; i >= 0; --i) {
    for (int j = i + 1; j < rank_; ++j) subtract(i, j);
    const double inverse = 1.0 / factors_[static_cast<std::size_t>(i) * n + i];
    for (int c = 0; c < columns; ++c) panel[i * columns + c] *= inverse;
  }
}

void Elimination::fillPanel(const ContactProblem& problem) {
  panel_.resize(static_cast<std::size_t>(rank_) * panelColumns());
  for (int i = 0; i < rank_; ++i) {
    const double* W = problem.W.row(equations_[i]);
    double* to = panelRow(i);
    for (const int column : kept_) *to++ = row_scale_[i] * W[column];
    *to++ = row_scale_[i] * problem.b[equations_[i]];
    for (int j = rank_; j < equalCount(); ++j) *to++ = row_scale_[i] * col_scale_[j] * W[unknowns_[j]];
  }
  solvePanel(panel_.data(), panelColumns());
}

void Elimination::fillReduced(const ContactProblem& problem, const ScalesBefore* before) {
  const int kept = keptCount();
  reduced_.W.setZero(kept);
  for (auto* array : {&reduced_.b, &reduced_.bias, &reduced_.compliance}) array->resize(kept);
  reduced_.velocity_scale = problem.velocity_scale;
  reduced_.law = problem.law;
  reduced_.directions = problem.directions;
  reduced_.row_error.resize(problem.row_error.empty() ? 0 : kept);
  for (int i = 0; i < kept; ++i) {
    const double* W = problem.W.row(kept_[i]);
    double* to = reduced_.W.row(i);
    double& b = reduced_.b[i];
    for (int j = 0; j < kept; ++j) to[j] = W[kept_[j]];
    b = problem.b[kept_[i]];
    for (int p = 0; p < rank_; ++p) {
      const double factor = W[unknowns_[p]] * col_scale_[p];
      const double* X = panelRow(p);
      for (int j = 0; j < kept; ++j) to[j] -= factor * X[j];
      b -= factor * X[kept];
    }
    reduced_.bias[i] = problem.bias[kept_[i]];
    reduced_.compliance[i] = problem.compliance[kept_[i]];
    if (!reduced_.row_error.empty()) reduced_.row_error[i] = problem.row_error[kept_[i]];
  }
  const auto before_loops = [&](int row) { return before ? before->diagonal[row] : problem.W(row, row); };
  for (const Block& block : reduced_.blocks)
    for (int i = block.row; i < block.row + block.size; ++i) holdRow(block, i, kHeld * before_loops(kept_[i]));
}

// What loops hold keeps no w of its own worth dividing by, or a negative one where the step passes a dead centre: force and
// constraint rows point to different sides of it. In u + ν + R λ it may as well be a part of the compliance, if that outweighs
// it. What such a row and the others do to each other is real (a spring whose impulse is known, dry friction, a damper), and stays
// where bounds or compliance limit its impulse; without them the coupling of rounding would ask for any impulse.
void Elimination::holdRow(const Block& block, int i, double rounding) {
  double& w = reduced_.W(i, i);
  double& compliance = reduced_.compliance[i];
  if (w > rounding) return;
  const bool yields = compliance + w > rounding;
  const bool bounded = visitBlock(block, []<class Unit>(UnitType<Unit>) { return Unit::kHasBounds; }) &&
                       std::isfinite(block.lo) && std::isfinite(block.hi);
  if (yields) compliance += w;
  w = 0.0;
  if (yields || bounded) return;
  for (int j = 0; j < keptCount(); ++j) reduced_.W(i, j) = reduced_.W(j, i) = 0.0;
}

void Elimination::factorFree() {
  const int count = freeCount();
  if (count == 0) return;
  free_.resize(count);
  for (int i = 0; i < count; ++i) {
    double* to = free_.row(i);
    for (int j = 0; j < count; ++j) to[j] = i == j ? 1.0 : 0.0;
    for (int p = 0; p < rank_; ++p) {
      const double* Z = responses(p);
      for (int j = 0; j < count; ++j) to[j] += Z[i] * Z[j];
    }
  }
  free_.factorInOrder();
}

// Free multipliers y and pivots x − Z y with the least |x − Z y|² + |y|²: (I + ZᵀZ) y = Zᵀ x.
void Elimination::shareFree() {
  const int count = freeCount();
  if (count == 0) return;
  double* y = multipliers_.data() + rank_;
  for (int p = 0; p < rank_; ++p)
    for (int j = 0; j < count; ++j) y[j] += responses(p)[j] * multipliers_[p];
  free_.solve(y);
  for (int p = 0; p < rank_; ++p)
    for (int j = 0; j < count; ++j) multipliers_[p] -= responses(p)[j] * y[j];
}

void Elimination::writeNull(int index, double* multipliers) const {
  std::fill_n(multipliers, keptCount() + equalCount(), 0.0);
  multipliers[unknowns_[rank_ + index]] = 1.0;
  for (int p = 0; p < rank_; ++p) multipliers[unknowns_[p]] = -responses(p)[index];
}

void Elimination::restrict(const ContactSolution& full, ContactSolution& reduced) const {
  assert(full.impulse.size() == kept_.size() + equations_.size() &&
         "the start belongs to the problem that was reduced");
  reduced.impulse.resize(kept_.size());
  reduced.modes.resize(kept_blocks_.size());
  for (std::size_t i = 0; i < kept_.size(); ++i) reduced.impulse[i] = full.impulse[kept_[i]];
  for (std::size_t i = 0; i < kept_blocks_.size(); ++i) reduced.modes[i] = full.modes[kept_blocks_[i]];
  reduced.modes_known = full.modes_known;
}

void Elimination::recover(const ContactProblem& problem, const ContactSolution& reduced, ContactSolution& full) {
  assert(reduced.impulse.size() == kept_.size() && reduced.modes.size() == kept_blocks_.size() &&
         "the answer belongs to the reduced problem");
  multipliers_.assign(equalCount(), 0.0);
  for (int p = 0; p < rank_; ++p)
    multipliers_[p] = -panelRow(p)[keptCount()] - multiplyRow(panelRow(p), keptCount(), reduced.impulse.data());
  shareFree();
  for (int i = 0; i < keptCount(); ++i) full.impulse[kept_[i]] = reduced.impulse[i];
  for (int i = 0; i < equalCount(); ++i) full.impulse[unknowns_[i]] = col_scale_[i] * multipliers_[i];
  // one correction by what is left, at the price of a product
  right_.resize(rank_);
  for (int p = 0; p < rank_; ++p) {
    const int row = equations_[p];
    const double u = multiplyRow(problem.W, row, full.impulse.data()) + problem.b[row];
    right_[p] = row_scale_[p] * u;
  }
  solvePanel(right_.data(), 1);
  for (int p = 0; p < rank_; ++p) full.impulse[unknowns_[p]] -= col_scale_[p] * right_[p];

  full.modes.assign(problem.blocks.size(), ContactMode::kStick);
  for (std::size_t i = 0; i < kept_blocks_.size(); ++i) full.modes[kept_blocks_[i]] = reduced.modes[i];
}

}  // namespace rigor
