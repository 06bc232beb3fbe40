// Solves with triangular factors of a tree that are not written down: an entry for a freedom k and its ancestor a is
// column_a · factor_k / d_k. A product with an inverse passes on one force or one motion: O(depth) where rows take O(depth²).
#pragma once

#include <algorithm>
#include <vector>

#include "math/spatial.h"
#include "model/topology.h"

namespace rigor {

/// Columns of the freedoms, factors and 1/d, [nv] each.
template <class T>
struct TreeFactors {
  const std::vector<Motion<T>>& columns;
  const std::vector<Force<T>>& factors;
  const std::vector<T>& inverse_d;
  const Vec3<T>* shift = nullptr;  ///< [links] from the parent's point to the link's, where not all are about O

  /// What a force about a link's point is about its parent's, and the motion of the parent about the link's.
  RIGOR_INLINE void moveToParent(int link, Force<T>& f) const {
    if (shift) f.angular += cross(shift[link], f.linear);
  }
  RIGOR_INLINE void moveToLink(int link, Motion<T>& a) const {
    if (shift) a.linear += cross(a.angular, shift[link]);
  }
};

/// x ← L⁻ᵀ (x − Sᵀ passed), leaves first: `passed` [links] begins with forces on the links, and is used up.
template <class T>
void passInward(const Trees& trees, const TreeFactors<T>& L, std::vector<Force<T>>& passed, T* x) {
  const Topology& topology = trees.topology;
  for (int link = trees.end_link - 1; link >= trees.first_link; --link) {
    const int first = topology.v_index[link];
    Force<T> f = passed[link];
    for (int j = first + topology.dofs[link] - 1; j >= first; --j) {
      x[j] -= dot(L.columns[j], f);
      f += (L.inverse_d[j] * x[j]) * L.factors[j];
    }
    if (topology.parent[link] < 0) continue;
    L.moveToParent(link, f);
    passed[topology.parent[link]] += f;
  }
}

/// x ← L⁻ᵀ x. `passed` [links] is scratch: of a subtree to its root.
template <class T>
void solveInward(const Trees& trees, const TreeFactors<T>& L, std::vector<Force<T>>& passed, T* x) {
  std::fill(passed.begin() + trees.first_link, passed.begin() + trees.end_link, Force<T>{});
  passInward(trees, L, passed, x);
}

/// x ← L⁻¹ x, roots first. `moved` [links] is scratch: by the freedoms that are known.
template <class T>
void solveOutward(const Trees& trees, const TreeFactors<T>& L, std::vector<Motion<T>>& moved, T* x) {
  const Topology& topology = trees.topology;
  for (int link = trees.first_link; link < trees.end_link; ++link) {
    const int first = topology.v_index[link];
    Motion<T> a = topology.parent[link] < 0 ? Motion<T>{} : moved[topology.parent[link]];
    L.moveToLink(link, a);
    for (int j = first; j < first + topology.dofs[link]; ++j) {
      x[j] -= L.inverse_d[j] * dot(a, L.factors[j]);
      a += x[j] * L.columns[j];
    }
    moved[link] = a;
  }
}

/// X ← L⁻ᵀ X for kRows vectors on the chain of a link; entry k·kRows + r as in jacobian.h.
template <int kRows, class T>
void solveChainInward(const Topology& topology, int link, const TreeFactors<T>& L, T* X) {
  const int* chain = topology.chain.data() + topology.chain_start[link];
  Force<T> f[kRows] = {};
  for (int k = topology.chain_length[link] - 1; k >= 0; --k) {
    const int j = chain[k];
    for (int r = 0; r < kRows; ++r) {
      T& x = X[k * kRows + r];
      x -= dot(L.columns[j], f[r]);
      f[r] += (L.inverse_d[j] * x) * L.factors[j];
    }
    if (L.shift && k > 0 && topology.dof_link[chain[k - 1]] != topology.dof_link[j])
      for (int r = 0; r < kRows; ++r) L.moveToParent(topology.dof_link[j], f[r]);
  }
}

/// Σ weight_j (LᵀDL)⁻¹_jj over those of the `freedoms` that belong to the trees, one at a time: column j of L⁻ᵀ lives on the chain of
/// its link. solveChain(link, x) ← L⁻ᵀ x there; `column` [nv] is scratch.
template <class T, class SolveChain>
T weighInverseByChains(const Trees& trees, const std::vector<int>& freedoms, const std::vector<T>& weight,
                       const std::vector<T>& inverse_D, T* column, const SolveChain& solveChain) {
  const Topology& topology = trees.topology;
  T sum(0.0);
  for (const int j : freedoms) {
    if (j < trees.first_dof || j >= trees.end_dof) continue;
    const int link = topology.dof_link[j], length = topology.chain_length[link];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    for (int k = 0; k < length; ++k) column[k] = T(0.0);
    column[topology.dof_depth[j]] = T(1.0);
    solveChain(link, column);
    for (int k = 0; k < length; ++k) sum += weight[j] * column[k] * column[k] * inverse_D[chain[k]];
  }
  return sum;
}

}  // namespace rigor
