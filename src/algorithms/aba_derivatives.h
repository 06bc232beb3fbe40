// Derivatives of forward dynamics from those of inverse dynamics: rnea(q, v, aba(q, v, τ)) = τ, so
//
//     ∂a/∂q = −M⁻¹ ∂τ/∂q,    ∂a/∂v = −M⁻¹ ∂τ/∂v,    ∂a/∂τ = M⁻¹,    with ∂τ/∂· at that acceleration.
//
// Column j of ∂τ/∂q and of ∂τ/∂v differs from zero only above j and in its subtree, and so does L⁻ᵀ times it: only the
// second half solve of M = Lᵀ D L (crba.h) runs over the whole tree. Columns that share these rows are solved together.
#pragma once

#include <vector>

#include "math/scalar.h"
#include "model/topology.h"

namespace rigor {

/// Up to four consecutive freedoms of an unbranched run of links: the same rows of their columns differ from zero.
struct ColumnGroup {
  static constexpr int kMost = 4;

  int first, count;          ///< freedoms
  int rows_begin, rows_end;  ///< into ColumnGroups::rows: ancestors first, parents before children
  int tree_begin, tree_end;  ///< freedoms of the tree
};

/// All columns but those of a free base's translation, which changes nothing.
struct ColumnGroups {
  std::vector<ColumnGroup> groups;
  std::vector<int> rows;

  RIGOR_INLINE ~ColumnGroups() = default;  // in line: units for other processors share no code

  void resize(const Topology& topology);

 private:
  void collectRows(const Topology& topology, ColumnGroup& group);
};

/// kWidth numbers side by side: one row of a group's columns.
template <int kWidth, class T>
struct GroupRow {
  T x[kWidth];

  RIGOR_INLINE static GroupRow load(const T* from) {
    GroupRow row;
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c) row.x[c] = from[c];
    return row;
  }
  RIGOR_INLINE void store(T* to) const {
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c) to[c] = x[c];
  }
  RIGOR_INLINE void scale(T factor) {
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c) x[c] = factor * x[c];
  }
  RIGOR_INLINE void subtract(T factor, const GroupRow& other) {
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c) x[c] -= factor * other.x[c];
  }
};

/// X ← L⁻ᵀ X for kWidth vectors that live on the rows of the group, freedom by freedom. A freedom and the one right above
/// it go up together: one pass over their ancestors.
template <int kWidth, class T>
void solveGroupLTranspose(const Topology& topology, const T* L, const ColumnGroup& group, const int* rows, T* X) {
  using Row = GroupRow<kWidth, T>;
  const auto at = [X](int k) { return X + static_cast<std::ptrdiff_t>(kWidth) * k; };
  for (int r = group.rows_end - 1; r >= group.rows_begin; --r) {
    const int k = rows[r], depth = topology.dof_depth[k];
    const int* chain = topology.chain.data() + topology.chain_start[topology.dof_link[k]];
    const T* factors = L + topology.row_start[k];
    const Row own = Row::load(at(k));
    if (r == group.rows_begin || rows[r - 1] != chain[depth - 1]) {
      for (int a = 0; a < depth; ++a) {
        Row sum = Row::load(at(chain[a]));
        sum.subtract(factors[a], own);
        sum.store(at(chain[a]));
      }
      continue;
    }
    const int above = rows[--r];
    const T* factors_above = L + topology.row_start[above];
    Row own_above = Row::load(at(above));
    own_above.subtract(factors[depth - 1], own);
    own_above.store(at(above));
    for (int a = 0; a < depth - 1; ++a) {
      Row sum = Row::load(at(chain[a]));
      sum.subtract(factors[a], own);
      sum.subtract(factors_above[a], own_above);
      sum.store(at(chain[a]));
    }
  }
}

/// X ← −L⁻¹ D⁻¹ X for kWidth vectors of one tree, freedom by freedom; a freedom and the one right below it together.
template <int kWidth, class T>
void solveGroupL(const Topology& topology, const T* L, const T* inverse_D, int begin, int end, T* X) {
  using Row = GroupRow<kWidth, T>;
  const auto at = [X](int k) { return X + static_cast<std::ptrdiff_t>(kWidth) * k; };
  for (int k = begin; k < end; ++k) {
    const int depth = topology.dof_depth[k];
    const int* chain = topology.chain.data() + topology.chain_start[topology.dof_link[k]];
    const T* factors = L + topology.row_start[k];
    Row sum = Row::load(at(k));
    sum.scale(-inverse_D[k]);
    const int below = k + 1;
    if (below == end || topology.dof_depth[below] != depth + 1 ||
        topology.chain[topology.chain_start[topology.dof_link[below]] + depth] != k) {
      for (int a = 0; a < depth; ++a) sum.subtract(factors[a], Row::load(at(chain[a])));
      sum.store(at(k));
      continue;
    }
    const T* factors_below = L + topology.row_start[below];
    Row sum_below = Row::load(at(below));
    sum_below.scale(-inverse_D[below]);
    for (int a = 0; a < depth; ++a) {
      const Row x = Row::load(at(chain[a]));
      sum.subtract(factors[a], x);
      sum_below.subtract(factors_below[a], x);
    }
    sum_below.subtract(factors_below[depth], sum);
    sum.store(at(k));
    sum_below.store(at(below));
    ++k;
  }
}

/// The columns of one group: gathered freedom by freedom, by q and by v in turn, solved, and put back by columns.
template <int kCount, class T>
void solveColumns(const Topology& topology, const T* L, const T* inverse_D, const ColumnGroup& group, const int* rows,
                  const T* tau_q, const T* tau_v, T* X, T* out_q, T* out_v) {
  constexpr int kWidth = 2 * kCount;
  const std::ptrdiff_t n = topology.nv, offset = n * group.first;
  for (int i = group.tree_begin * kWidth; i < group.tree_end * kWidth; ++i) X[i] = T(0.0);
  for (int r = group.rows_begin; r < group.rows_end; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < kCount; ++c) {
      X[rows[r] * kWidth + 2 * c] = tau_q[offset + n * c + rows[r]];
      X[rows[r] * kWidth + 2 * c + 1] = tau_v[offset + n * c + rows[r]];
    }
  solveGroupLTranspose<kWidth>(topology, L, group, rows, X);
  solveGroupL<kWidth>(topology, L, inverse_D, group.tree_begin, group.tree_end, X);
  for (int c = 0; c < kCount; ++c)
    for (int k = group.tree_begin; k < group.tree_end; ++k) {
      out_q[offset + n * c + k] = X[k * kWidth + 2 * c];
      out_v[offset + n * c + k] = X[k * kWidth + 2 * c + 1];
    }
}

/// out_q = −M⁻¹ tau_q, out_v = −M⁻¹ tau_v, all [nv × nv] by columns, from the factors of M. Pairs of different trees, and
/// the columns of a free base's translation, are not written and must be zero before. `X` is scratch, [nv × 8].
template <class T>
void solvePairs(const Topology& topology, const T* L, const T* inverse_D, const ColumnGroups& columns, const T* tau_q,
                const T* tau_v, T* X, T* out_q, T* out_v) {
  static_assert(ColumnGroup::kMost == 4);
  using Solve = decltype(&solveColumns<1, T>);
  constexpr Solve kSolve[] = {solveColumns<1, T>, solveColumns<2, T>, solveColumns<3, T>, solveColumns<4, T>};
  for (const ColumnGroup& group : columns.groups)
    kSolve[group.count - 1](topology, L, inverse_D, group, columns.rows.data(), tau_q, tau_v, X, out_q, out_v);
}

extern template void solvePairs(const Topology&, const double*, const double*, const ColumnGroups&, const double*,
                                const double*, double*, double*, double*);

}  // namespace rigor
