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

  void resize(const Topology& topology) {
    groups.clear();
    rows.clear();
    std::vector<int> children(topology.links, 0);
    for (int link = 0; link < topology.links; ++link)
      if (topology.parent[link] >= 0) ++children[topology.parent[link]];
    for (int j = 0; j < topology.nv; ++j) {
      const int link = topology.dof_link[j], parent = topology.parent[link];
      if (topology.joint[link] == kFree && j < topology.v_index[link] + 3) continue;
      const int before = j > 0 ? topology.dof_link[j - 1] : -1;
      const bool same_rows = before == link || (before >= 0 && before == parent && children[parent] == 1);
      const bool follows = !groups.empty() && groups.back().first + groups.back().count == j;
      if (follows && same_rows && groups.back().count < ColumnGroup::kMost)
        ++groups.back().count;
      else
        groups.push_back({j, 1, 0, 0, 0, 0});
    }
    for (ColumnGroup& group : groups) collectRows(topology, group);
  }

 private:
  void collectRows(const Topology& topology, ColumnGroup& group) {
    const int own = topology.dof_link[group.first + group.count - 1];
    const int* chain = topology.chain.data() + topology.chain_start[own];
    group.rows_begin = static_cast<int>(rows.size());
    rows.insert(rows.end(), chain, chain + topology.chain_length[own]);
    group.tree_begin = group.tree_end = topology.v_index[topology.tree_root[topology.tree[own]]];
    for (int link = topology.tree_root[topology.tree[own]]; link < topology.links; ++link) {
      if (topology.tree[link] != topology.tree[own]) break;
      group.tree_end += topology.dofs[link];
      int above = topology.parent[link];
      while (above > own) above = topology.parent[above];
      if (above != own) continue;
      for (int k = 0; k < topology.dofs[link]; ++k) rows.push_back(topology.v_index[link] + k);
    }
    group.rows_end = static_cast<int>(rows.size());
  }
};

/// X ← −M⁻¹ X for kWidth vectors of one tree, freedom by freedom; only the rows of the group differ from zero before.
template <int kWidth, class T>
void solveGroup(const Topology& topology, const T* __restrict L, const T* __restrict inverse_D,
                const ColumnGroup& group, const int* rows, T* __restrict X) {
  for (int r = group.rows_end - 1; r >= group.rows_begin; --r) {
    const int k = rows[r], depth = topology.dof_depth[k];
    const int* chain = topology.chain.data() + topology.chain_start[topology.dof_link[k]];
    const T* row = L + topology.row_start[k];
    T own[kWidth];
    const T* __restrict from = X + static_cast<std::ptrdiff_t>(kWidth) * k;
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c) own[c] = from[c];
    for (int a = 0; a < depth; ++a) {
      T* __restrict x = X + static_cast<std::ptrdiff_t>(kWidth) * chain[a];
      const T factor = row[a];
      T sum[kWidth];  // written after all is read: then it is one vector
#pragma GCC unroll 8
      for (int c = 0; c < kWidth; ++c) sum[c] = x[c] - factor * own[c];
#pragma GCC unroll 8
      for (int c = 0; c < kWidth; ++c) x[c] = sum[c];
    }
  }
  for (int k = group.tree_begin; k < group.tree_end; ++k) {
    const int depth = topology.dof_depth[k];
    const int* chain = topology.chain.data() + topology.chain_start[topology.dof_link[k]];
    const T* row = L + topology.row_start[k];
    const T scale = -inverse_D[k];
    T sum[kWidth];
    T* __restrict to = X + static_cast<std::ptrdiff_t>(kWidth) * k;
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c) sum[c] = scale * to[c];
    for (int a = 0; a < depth; ++a) {
      const T* x = X + static_cast<std::ptrdiff_t>(kWidth) * chain[a];
      const T factor = row[a];
#pragma GCC unroll 8
      for (int c = 0; c < kWidth; ++c) sum[c] -= factor * x[c];
    }
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c) to[c] = sum[c];
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
  solveGroup<kWidth>(topology, L, inverse_D, group, rows, X);
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
