#include "solvers/loop_lu.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "contact/side_product.h"
#include "contact/visit_block.h"
#include "solvers/eliminate.h"

namespace rigor {
namespace {

// Of a scaled pivot: what is smaller may be redundant, or good only together with other rows. It costs time to leave a row to the rest,
// never digits; three digits that a pivot costs come back by a correction.
constexpr double kSafePivot = 1e-3;
constexpr std::size_t kMostPlans = 8;

// C −= A B, [rows × inner] [inner × columns], row-major. Sizes are known to the compiler where they are std::integral_constant.
template <class Size>
void subtractBlocks(const double* A, const double* B, int rows, Size inner, Size columns, double* C) {
  for (int i = 0; i < rows; ++i, A += inner, C += columns)
    for (int k = 0; k < inner; ++k) {
      const double a = A[k];
      for (int j = 0; j < columns; ++j) C[j] -= a * B[k * columns + j];
    }
}

void subtractProduct(const double* A, const double* B, int rows, int inner, int columns, double* C) {
  constexpr std::integral_constant<int, 5> kHinge;  // the most frequent joint
  inner == kHinge&& columns == kHinge ? subtractBlocks(A, B, rows, kHinge, kHinge, C)
                                      : subtractBlocks(A, B, rows, inner, columns, C);
}

// x −= A y.
void subtractProduct(const double* A, const double* y, int rows, int columns, double* x) {
  for (int i = 0; i < rows; ++i, A += columns) {
    double sum = 0.0;
    for (int k = 0; k < columns; ++k) sum += A[k] * y[k];
    x[i] -= sum;
  }
}

// D [n × n] ← the inverse over its pivots, the largest on the diagonal first; rows and columns without one become 0.
void invertPivots(double* D, int n, char* is_pivot) {
  std::fill_n(is_pivot, n, 0);
  for (int count = 0; count < n; ++count) {
    int k = -1;
    for (int i = 0; i < n; ++i)
      if (!is_pivot[i] && (k < 0 || std::fabs(D[i * n + i]) > std::fabs(D[k * n + k]))) k = i;
    if (!(std::fabs(D[k * n + k]) > kSafePivot)) break;
    is_pivot[k] = 1;
    const double inverse = 1.0 / D[k * n + k];
    D[k * n + k] = 1.0;
    for (int j = 0; j < n; ++j) D[k * n + j] *= inverse;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = D[i * n + k];
      D[i * n + k] = 0.0;
      for (int j = 0; j < n; ++j) D[i * n + j] -= factor * D[k * n + j];
    }
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (!is_pivot[i] || !is_pivot[j]) D[i * n + j] = 0.0;
}

}  // namespace

void LoopLu::prepare(const ContactProblem& problem) {
  findNodes(problem);
  findEdges(problem.W.factors());
  choosePlan();
  part_.resize(plan_->largest);
}

// A node for all equal blocks between the same trees.
void LoopLu::findNodes(const ContactProblem& problem) {
  const DelassusFactors& factors = problem.W.factors();
  ties_.clear();
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    if (!isEquation(problem.blocks[i])) continue;
    TiedBlock tied{{factors.nodes(), -1}, static_cast<int>(i), 0, 0};
    for (int s = factors.first_side[i]; s < factors.first_side[i + 1]; ++s) {
      tied.trees.first = std::min(tied.trees.first, factors.sides[s].node);
      tied.trees.second = std::max(tied.trees.second, factors.sides[s].node);
    }
    ties_.push_back(tied);
  }
  std::sort(ties_.begin(), ties_.end(), [](const TiedBlock& a, const TiedBlock& b) {
    return std::pair(a.trees, a.block) < std::pair(b.trees, b.block);
  });
  start_.assign(1, 0);
  rows_.clear();
  for (std::size_t i = 0; i < ties_.size(); ++i) {
    if (i == 0 || ties_[i].trees != ties_[i - 1].trees) start_.push_back(start_.back());
    const Block& block = problem.blocks[ties_[i].block];
    ties_[i].node = static_cast<int>(start_.size()) - 2;
    ties_[i].first = start_.back() - start_[ties_[i].node];
    for (int row = block.row; row < block.row + block.size; ++row) rows_.push_back(row);
    start_.back() += block.size;
  }
}

void LoopLu::findEdges(const DelassusFactors& factors) {
  sides_.clear();
  for (std::size_t i = 0; i < ties_.size(); ++i)
    for (int s = factors.first_side[ties_[i].block]; s < factors.first_side[ties_[i].block + 1]; ++s)
      sides_.push_back({factors.sides[s].node, static_cast<int>(i), s});
  std::sort(sides_.begin(), sides_.end());
  edges_.clear();
  for (std::size_t i = 0; i < sides_.size(); ++i)
    for (std::size_t j = i + 1; j < sides_.size() && sides_[j].tree == sides_[i].tree; ++j) {
      const auto [first, second] = std::minmax(ties_[sides_[i].tied].node, ties_[sides_[j].tied].node);
      if (first != second && (edges_.empty() || edges_.back() != NodeEdge(first, second)))
        edges_.emplace_back(first, second);
    }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

// The order depends on the graph alone: the bits of an answer may not depend on what was solved before.
void LoopLu::choosePlan() {
  const auto fits = [&](const Plan& plan) { return plan.start == start_ && plan.edges == edges_; };
  const auto known = std::find_if(plans_.begin(), plans_.end(), fits);
  if (known != plans_.end()) {
    plan_ = &*known;
    return;
  }
  if (plans_.size() < kMostPlans) plans_.emplace_back();
  plan_ = &plans_[next_plan_++ % kMostPlans];
  Plan& plan = *plan_;
  const int nodes = static_cast<int>(start_.size()) - 1;
  plan.start = start_;
  plan.edges = edges_;
  plan.pattern.analyze(nodes, edges_);
  plan.diagonal_start.assign(nodes, 0);
  plan.entry_start.assign(plan.pattern.entries(), 0);
  plan.diagonal_size = plan.entry_size = plan.largest = 0;
  for (int node = 0; node < nodes; ++node) {
    plan.diagonal_start[node] = plan.diagonal_size;
    plan.diagonal_size += size(node) * size(node);
    plan.largest = std::max(plan.largest, size(node));
    const int column = plan.pattern.place(node);
    for (int entry = plan.pattern.first(column); entry < plan.pattern.end(column); ++entry) {
      plan.entry_start[entry] = plan.entry_size;
      plan.entry_size += size(node) * size(plan.pattern.node(plan.pattern.row(entry)));
    }
  }
}

// W_EE, block by block; what only fills in is 0.
void LoopLu::fill(const DelassusFactors& factors) {
  const NodePattern& pattern = plan_->pattern;
  diagonal_.assign(plan_->diagonal_size, 0.0);
  lower_.assign(plan_->entry_size, 0.0);
  upper_.assign(plan_->entry_size, 0.0);
  block_.resize(static_cast<std::size_t>(plan_->largest) * plan_->largest);
  const auto rowsOf = [&](const TiedBlock& tied) {
    return factors.block_row[tied.block + 1] - factors.block_row[tied.block];
  };
  for (std::size_t i = 0; i < sides_.size(); ++i)
    for (std::size_t j = i; j < sides_.size() && sides_[j].tree == sides_[i].tree; ++j) {
      const TiedBlock &a = ties_[sides_[i].tied], &b = ties_[sides_[j].tied];
      double *forth, *back;  // rows of a and columns of b; the other way round
      if (a.node == b.node) {
        forth = back = diagonal(a.node);
      } else {
        const int entry = pattern.find(a.node, b.node);
        const bool a_first = pattern.place(a.node) < pattern.place(b.node);
        forth = a_first ? upper(entry) : lower(entry);
        back = a_first ? lower(entry) : upper(entry);
      }
      const DelassusSide &of_a = factors.sides[sides_[i].side], &of_b = factors.sides[sides_[j].side];
      const int wide_b = size(b.node), wide_a = size(a.node);
      addSideProduct(factors, of_a, rowsOf(a), of_b, rowsOf(b), forth + a.first * wide_b + b.first, wide_b);
      if (i != j) addSideProduct(factors, of_b, rowsOf(b), of_a, rowsOf(a), back + b.first * wide_a + a.first, wide_a);
    }
}

// f(block, first row, rows, first column, columns) of all blocks of W_EE.
template <class F>
void LoopLu::forEachBlock(F&& f) {
  const NodePattern& pattern = plan_->pattern;
  for (int column = 0; column < pattern.nodes(); ++column) {
    const int node = pattern.node(column), n = size(node);
    f(diagonal(node), start_[node], n, start_[node], n);
    for (int entry = pattern.first(column); entry < pattern.end(column); ++entry) {
      const int later = pattern.node(pattern.row(entry));
      f(lower(entry), start_[later], size(later), start_[node], n);
      f(upper(entry), start_[node], n, start_[later], size(later));
    }
  }
}

// As Elimination scales.
void LoopLu::scale() {
  row_scale_.assign(rows(), 0.0);
  col_scale_.assign(rows(), 0.0);
  forEachBlock([&](const double* block, int first_row, int rows, int, int columns) {
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c, ++block)
        row_scale_[first_row + r] = std::max(row_scale_[first_row + r], std::fabs(*block));
  });
  const double largest = row_scale_.empty() ? 0.0 : *std::max_element(row_scale_.begin(), row_scale_.end());
  for (double& scale : row_scale_) scale = invertScale(scale, kDeadRow * largest);
  forEachBlock([&](double* block, int first_row, int rows, int first_column, int columns) {
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c, ++block) {
        *block *= row_scale_[first_row + r];
        col_scale_[first_column + c] = std::max(col_scale_[first_column + c], std::fabs(*block));
      }
  });
  for (double& scale : col_scale_) scale = invertScale(scale, kDeadRow);
  forEachBlock([&](double* block, int, int rows, int first_column, int columns) {
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c, ++block) *block *= col_scale_[first_column + c];
  });
}

void LoopLu::eliminate(int node) {
  const NodePattern& pattern = plan_->pattern;
  const int n = size(node), column = pattern.place(node);
  invertPivots(diagonal(node), n, &is_pivot_[start_[node]]);
  const int first = pattern.first(column), end = pattern.end(column);
  const int* target = pattern.targets(column);
  for (int a = first; a < end; ++a) {
    const int later = pattern.node(pattern.row(a)), rows = size(later);
    std::copy_n(lower(a), rows * n, block_.data());
    std::fill_n(lower(a), rows * n, 0.0);
    subtractProduct(block_.data(), diagonal(node), rows, n, n, lower(a));  // −L
    for (int k = 0; k < rows * n; ++k) lower(a)[k] = -lower(a)[k];
    subtractProduct(lower(a), upper(a), rows, n, rows, diagonal(later));
    for (int b = first; b < a; ++b, ++target) {
      const int columns = size(pattern.node(pattern.row(b)));
      subtractProduct(lower(a), upper(b), rows, n, columns, lower(*target));
      subtractProduct(lower(b), upper(a), columns, n, rows, upper(*target));
    }
  }
}

bool LoopLu::factor(const DelassusFactors& factors, const StopFlag* stop) {
  fill(factors);
  scale();
  is_pivot_.assign(rows(), 0);
  for (int place = 0; place < plan_->pattern.nodes(); ++place) {
    if (isRaised(stop)) return false;
    eliminate(plan_->pattern.node(place));
  }
  return true;
}

// x ← S⁻¹ x, 0 in rows without a pivot.
void LoopLu::solve(double* x) const {
  const NodePattern& pattern = plan_->pattern;
  for (int place = 0; place < pattern.nodes(); ++place) {
    const int node = pattern.node(place);
    for (int entry = pattern.first(place); entry < pattern.end(place); ++entry) {
      const int later = pattern.node(pattern.row(entry));
      subtractProduct(lower_.data() + plan_->entry_start[entry], x + start_[node], size(later), size(node),
                      x + start_[later]);
    }
  }
  for (int place = pattern.nodes() - 1; place >= 0; --place) {
    const int node = pattern.node(place), n = size(node);
    double *own = x + start_[node], *right = part_.data();
    for (int entry = pattern.first(place); entry < pattern.end(place); ++entry) {
      const int later = pattern.node(pattern.row(entry));
      subtractProduct(upper_.data() + plan_->entry_start[entry], x + start_[later], n, size(later), own);
    }
    const double* inverse = diagonal_.data() + plan_->diagonal_start[node];
    for (int i = 0; i < n; ++i) right[i] = -own[i], own[i] = 0.0;
    subtractProduct(inverse, right, n, n, own);
  }
}

}  // namespace rigor
