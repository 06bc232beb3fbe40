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

/// out_x −= A x, out_y −= A y for the given columns of A, three at a time: the sums stay in registers over three columns,
/// and each column is read once for both.
template <class T>
void subtractColumns(int rows, const T* A, int stride, const int* columns, int count, const T* x, const T* y,
                     T* __restrict out_x, T* __restrict out_y) {
  const auto column = [&](int c) { return A + static_cast<std::ptrdiff_t>(stride) * columns[c]; };
  int c = 0;
  for (; c + 3 <= count; c += 3) {
    const T* __restrict a0 = column(c), * __restrict a1 = column(c + 1), * __restrict a2 = column(c + 2);
    const T x0 = x[columns[c]], x1 = x[columns[c + 1]], x2 = x[columns[c + 2]];
    const T y0 = y[columns[c]], y1 = y[columns[c + 1]], y2 = y[columns[c + 2]];
    for (int r = 0; r < rows; ++r) {
      out_x[r] -= (a0[r] * x0 + a1[r] * x1) + a2[r] * x2;
      out_y[r] -= (a0[r] * y0 + a1[r] * y1) + a2[r] * y2;
    }
  }
  for (; c < count; ++c) {
    const T* __restrict a = column(c);
    const T x0 = x[columns[c]], y0 = y[columns[c]];
    for (int r = 0; r < rows; ++r) out_x[r] -= a[r] * x0, out_y[r] -= a[r] * y0;
  }
}

/// out_q = −M⁻¹ tau_q, out_v = −M⁻¹ tau_v, all [nv × nv] by columns; M⁻¹ is symmetric. Pairs of different trees, and the
/// columns of a free base's translation, are not written and must be zero before.
template <class T>
void solvePairs(const Topology& topology, const T* inverse, const T* tau_q, const T* tau_v, PairSupport& support,
                T* out_q, T* out_v) {
  const int n = topology.nv;
  for (int link = 0; link < topology.links; ++link) {
    const int root = topology.tree_root[topology.tree[link]];
    const int begin = topology.v_index[root], rows = support.subtree_end[root] - begin;
    const int count = support.collect(topology, link);
    const int first = topology.v_index[link] + (topology.joint[link] == kFree ? 3 : 0);
    for (int j = first; j < topology.v_index[link] + topology.dofs[link]; ++j) {
      const std::ptrdiff_t column = static_cast<std::ptrdiff_t>(n) * j;
      T *own_q = out_q + column + begin, *own_v = out_v + column + begin;
      for (int r = 0; r < rows; ++r) own_q[r] = own_v[r] = T(0.0);
      subtractColumns(rows, inverse + begin, n, support.rows.data(), count, tau_q + column, tau_v + column, own_q,
                      own_v);
    }
  }
}

extern template void solvePairs(const Topology&, const double*, const double*, const double*, PairSupport&, double*,
                                double*);

}  // namespace rigor
