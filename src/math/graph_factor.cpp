// F = L D U on the graph, VG Alg. 1 and 3. Each node, when it is its turn, changes all blocks that two of its later neighbours
// share; the papers' algorithms do the same products in another order, each node asking its earlier neighbours.
#include <algorithm>
#include <cmath>

#include "math/block_product.h"
#include "math/graph_plan.h"
#include "math/pivot_block.h"
#include "rigor/block_graph.h"

namespace rigor {

// The size of a diagonal block before it changes again: what is left after cancellation is measured by it.
void BlockGraph::noteScale(int pivot) {
  const Plan::Pivot& p = plan_->pivots[pivot];
  const double* block = &factors_[p.diagonal];
  raiseScale(p.size, block, &scale_[p.row]);
  if (shift_[p.node] == 0.0) return;
  double trace = 0.0;
  for (int i = 0; i < p.size; ++i) trace += block[i * (p.size + 1)];
  if (std::fabs(trace) > std::fabs(trace_[p.node])) trace_[p.node] = trace;
}

void BlockGraph::addShift(int pivot) {
  const Plan::Pivot& p = plan_->pivots[pivot];
  const double shift = shift_[p.node] * trace_[p.node];
  for (int i = 0; i < p.size; ++i) factors_[p.diagonal + i * (p.size + 1)] += shift;
}

void BlockGraph::factorPivot(int pivot, double zero_pivot) {
  const Plan::Pivot& p = plan_->pivots[pivot];
  const int numbers = p.size * p.size;
  double* block = &factors_[p.diagonal];
  const PivotBlock task{p.size, block, &inverse_pivot_[p.row], &row_of_[p.row], &column_of_[p.row], &scale_[p.row]};
  std::copy_n(block, numbers, scratch_.data());
  columns_moved_[p.node] = 0;
  if (factorPartially(task, zero_pivot)) return;
  std::copy_n(scratch_.data(), numbers, block);
  const int zeros = factorCompletely(task, zero_pivot);
  columns_moved_[p.node] = 1;
  if (zeros < 0) report_.finite = false;
  if (zeros > 0 && report_.zero_pivots == 0) report_.first_zero_node = p.node;
  report_.zero_pivots += std::max(zeros, 0);
}

// D, L and U are the blocks of node i. U ← D⁻¹ U (VG Alg. 1 line 4, Alg. 3 lines 4 and 19), then for its later neighbours a and b
// F_ab ← F_ab − L_a U_b (Alg. 1 line 5; Alg. 3 lines 5, 14, 15 and 20). L stays L D (line 3 multiplies by D⁻¹ what line 5 multiplies
// by D again).
void BlockGraph::eliminate(int pivot) {
  const Plan::Pivot& p = plan_->pivots[pivot];
  const Plan::Entry* entries = plan_->entries.data();
  const int* target = plan_->targets.data() + p.target;
  double* f = factors_.data();
  const PivotBlock inverse{p.size,          f + p.diagonal,     &inverse_pivot_[p.row],
                           &row_of_[p.row], &column_of_[p.row], &scale_[p.row]};
  for (int a = p.first; a < p.end; ++a) {
    const Plan::Entry& row = entries[a];
    applyInverse(inverse, columns_moved_[p.node] != 0, f + row.upper, row.size, row.size, scratch_.data());
    for (int b = p.first; b < a; ++b, ++target) {
      const Plan::Entry &column = entries[b], &block = entries[*target];
      subtractProduct(f + row.lower, f + column.upper, f + block.lower, row.size, p.size, column.size, column.size);
      subtractProduct(f + column.lower, f + row.upper, f + block.upper, column.size, p.size, row.size, row.size);
    }
    subtractProduct(f + row.lower, f + row.upper, f + row.diagonal, row.size, p.size, row.size, row.size);
    noteScale(row.pivot);
  }
}

const GraphReport& BlockGraph::factor(double zero_pivot) {
  report_ = {};
  if (!plan_) return report_;
  std::copy(values_.begin(), values_.end(), factors_.begin());
  std::fill(factors_.begin() + plan_->values, factors_.end(), 0.0);
  std::fill(scale_.begin(), scale_.end(), 0.0);
  std::fill(trace_.begin(), trace_.end(), 0.0);
  const int count = nodeCount();
  for (int pivot = 0; pivot < count; ++pivot) noteScale(pivot);
  for (int pivot = 0; pivot < count && report_.finite; ++pivot) {
    if (shift_[plan_->pivots[pivot].node] != 0.0) addShift(pivot);
    factorPivot(pivot, zero_pivot);
    eliminate(pivot);
  }
  return report_;
}

}  // namespace rigor
