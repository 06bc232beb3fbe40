// Derivatives of forward dynamics from those of inverse dynamics: rnea(q, v, aba(q, v, τ)) = τ, so
//
//     ∂a/∂q = −M⁻¹ ∂τ/∂q,    ∂a/∂v = −M⁻¹ ∂τ/∂v,    ∂a/∂τ = M⁻¹,    with ∂τ/∂· at that acceleration.
#pragma once

#include <vector>

#include "math/scalar.h"
#include "model/topology.h"

namespace rigor {

/// Which rows of column j of ∂τ/∂q can differ from zero: the freedoms above j and those in its subtree.
struct PairSupport {
  std::vector<int> subtree_end;  ///< [links] one past the last freedom of the subtree
  std::vector<int> rows;         ///< [nv] scratch

  void resize(const Topology& topology) {
    rows.resize(topology.nv);
    subtree_end.resize(topology.links);
    for (int link = topology.links - 1; link >= 0; --link) {
      const int own_end = topology.v_index[link] + topology.dofs[link];
      int& end = subtree_end[link];
      if (end < own_end) end = own_end;
      if (topology.parent[link] >= 0 && subtree_end[topology.parent[link]] < end)
        subtree_end[topology.parent[link]] = end;
    }
  }

  /// Freedoms between the first and the last of the subtree that do not belong to it hold zeros: they cost, not harm.
  int collect(const Topology& topology, int link) {
    int count = 0;
    const int* chain = topology.chain.data() + topology.chain_start[link];
    for (; count < topology.chain_length[link] - topology.dofs[link]; ++count) rows[count] = chain[count];
    for (int row = topology.v_index[link]; row < subtree_end[link]; ++row) rows[count++] = row;
    return count;
  }
};

/// kBlock rows of two products that share a matrix: out = −A x over the given columns of A.
template <int kBlock, class T>
RIGOR_INLINE void subtractColumns(const T* A, int stride, const int* columns, int count, const T* x, const T* y,
                                  T* out_x, T* out_y) {
  T sum_x[kBlock], sum_y[kBlock];
  for (int r = 0; r < kBlock; ++r) sum_x[r] = sum_y[r] = T(0.0);
  for (int c = 0; c < count; ++c) {
    const T* column = A + static_cast<std::ptrdiff_t>(stride) * columns[c];
    const T factor_x = x[columns[c]], factor_y = y[columns[c]];
#pragma GCC unroll 6
    for (int r = 0; r < kBlock; ++r) {
      sum_x[r] -= column[r] * factor_x;
      sum_y[r] -= column[r] * factor_y;
    }
  }
  for (int r = 0; r < kBlock; ++r) out_x[r] = sum_x[r], out_y[r] = sum_y[r];
}

/// out_q = −M⁻¹ tau_q, out_v = −M⁻¹ tau_v, all [nv × nv] by columns; M⁻¹ is symmetric. Pairs of different trees are not
/// written and must be zero before.
template <class T>
void solvePairs(const Topology& topology, const T* inverse, const T* tau_q, const T* tau_v, PairSupport& support,
                T* out_q, T* out_v) {
  constexpr int kBlock = 6;
  const int n = topology.nv;
  for (int link = 0; link < topology.links; ++link) {
    const int root = topology.tree_root[topology.tree[link]];
    const int begin = topology.v_index[root], end = support.subtree_end[root];
    const int count = support.collect(topology, link);
    for (int j = topology.v_index[link]; j < topology.v_index[link] + topology.dofs[link]; ++j) {
      const std::ptrdiff_t column = static_cast<std::ptrdiff_t>(n) * j;
      int row = begin;
      for (; row + kBlock <= end; row += kBlock)
        subtractColumns<kBlock>(inverse + row, n, support.rows.data(), count, tau_q + column, tau_v + column,
                                out_q + column + row, out_v + column + row);
      for (; row < end; ++row)
        subtractColumns<1>(inverse + row, n, support.rows.data(), count, tau_q + column, tau_v + column,
                           out_q + column + row, out_v + column + row);
    }
  }
}

extern template void solvePairs(const Topology&, const double*, const double*, const double*, PairSupport&, double*,
                                double*);

}  // namespace rigor
