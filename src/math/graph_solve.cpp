// Substitution on the graph, VG Alg. 2 and 4 (line 9 and line 10 with the index i where c is printed), and refinement.
#include <algorithm>
#include <cmath>
#include <utility>

#include "math/block_product.h"
#include "math/graph_plan.h"
#include "math/pivot_block.h"
#include "rigor/block_graph.h"

namespace rigor {

// Lines 1–6 and 8: from the leaves, each node gives its part to its later neighbours.
void BlockGraph::forward(double* x, int columns) {
  const double* f = factors_.data();
  for (const Plan::Pivot& p : plan_->pivots) {
    double* own = x + static_cast<std::ptrdiff_t>(p.row) * columns;
    const PivotBlock inverse{p.size,          &factors_[p.diagonal], &inverse_pivot_[p.row],
                             &row_of_[p.row], &column_of_[p.row],    &scale_[p.row]};
    applyInverse(inverse, columns_moved_[p.node] != 0, own, columns, columns, scratch_.data());
    for (int e = p.first; e < p.end; ++e) {
      const Plan::Entry& entry = plan_->entries[e];
      double* other = x + static_cast<std::ptrdiff_t>(entry.row) * columns;
      subtractProduct(f + entry.lower, own, other, entry.size, p.size, columns, columns);
    }
  }
}

// Lines 7–12: back to the leaves.
void BlockGraph::backward(double* x, int columns) {
  const double* f = factors_.data();
  for (int pivot = nodeCount() - 1; pivot >= 0; --pivot) {
    const Plan::Pivot& p = plan_->pivots[pivot];
    double* own = x + static_cast<std::ptrdiff_t>(p.row) * columns;
    for (int e = p.first; e < p.end; ++e) {
      const Plan::Entry& entry = plan_->entries[e];
      const double* other = x + static_cast<std::ptrdiff_t>(entry.row) * columns;
      subtractProduct(f + entry.upper, other, own, p.size, entry.size, columns, columns);
    }
  }
}

void BlockGraph::solve(double* x, int columns) {
  if (!plan_ || columns < 1) return;
  forward(x, columns);
  backward(x, columns);
}

// r ← b − F x; returns its largest entry, NaN if there is one.
double BlockGraph::findResidual(const double* b, const double* x, double* r, int columns) const {
  const int count = rows() * columns;
  std::copy_n(b, count, r);
  const auto subtract = [&](int block, int row, int row_size, int column, int column_size) {
    subtractProduct(&values_[block], x + column * columns, r + row * columns, row_size, column_size, columns, columns);
  };
  for (const Plan::Pivot& p : plan_->pivots) {
    subtract(p.diagonal, p.row, p.size, p.row, p.size);
    for (int e = p.first; e < p.end; ++e) {
      const Plan::Entry& entry = plan_->entries[e];
      if (entry.upper >= plan_->values) continue;  // fill: not in F
      subtract(entry.upper, p.row, p.size, entry.row, entry.size);
      subtract(entry.lower, entry.row, entry.size, p.row, p.size);
    }
  }
  double largest = 0.0;
  for (int i = 0; i < count; ++i)
    if (!(std::fabs(r[i]) <= largest)) largest = std::fabs(r[i]);
  return largest;
}

// Refinement works on a few columns at a time, copied together into memory of this object.
BlockGraph::Panel BlockGraph::takePanel(const double* b, const double* x, int first, int columns) {
  const int count = rows() * kFixedSizes;
  double* memory = panel_.data();
  Panel panel{std::min(kFixedSizes, columns - first), memory, memory + count, memory + 2 * count, memory + 3 * count};
  for (int i = 0; i < rows(); ++i) {
    const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(i) * columns + first;
    std::copy_n(b + from, panel.columns, panel.b + i * panel.columns);
    std::copy_n(x + from, panel.columns, panel.x + i * panel.columns);
  }
  return panel;
}

double BlockGraph::refine(Panel& panel, int steps) {
  const int count = rows() * panel.columns;
  double before = findResidual(panel.b, panel.x, panel.r, panel.columns);
  for (int step = 0; step < steps && before > 0.0; ++step) {
    solve(panel.r, panel.columns);
    for (int i = 0; i < count; ++i) panel.trial[i] = panel.x[i] + panel.r[i];
    const double after = findResidual(panel.b, panel.trial, panel.r, panel.columns);
    if (!(after < before)) break;
    before = after;
    std::swap(panel.x, panel.trial);
  }
  return before;
}

double BlockGraph::solveRefined(const double* b, double* x, int columns, int steps) {
  double largest = 0.0;
  if (!plan_) return largest;
  for (int first = 0; first < columns; first += kFixedSizes) {
    Panel panel = takePanel(b, b, first, columns);
    solve(panel.x, panel.columns);
    const double left = refine(panel, steps);
    if (!(left <= largest)) largest = left;
    for (int i = 0; i < rows(); ++i)
      std::copy_n(panel.x + i * panel.columns, panel.columns, x + static_cast<std::ptrdiff_t>(i) * columns + first);
  }
  return largest;
}

double BlockGraph::residual(const double* b, const double* x, int columns) {
  double largest = 0.0;
  if (!plan_) return largest;
  for (int first = 0; first < columns; first += kFixedSizes) {
    const Panel panel = takePanel(b, x, first, columns);
    const double left = findResidual(panel.b, panel.x, panel.r, panel.columns);
    if (!(left <= largest)) largest = left;
  }
  return largest;
}

}  // namespace rigor
