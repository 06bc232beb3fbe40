// The inverse of the mass matrix, dense, from its factors M = Lᵀ D L (crba.h).
#pragma once

#include "model/topology.h"

namespace rigor {

/// Row by row from L M⁻¹ = D⁻¹ L⁻ᵀ, whose right-hand side is upper triangular:
///
///     (M⁻¹)_ij = −Σ_a L_ia (M⁻¹)_aj  for j < i,    (M⁻¹)_ii = 1/D_i − Σ_a L_ia (M⁻¹)_ai,    a the ancestors of i.
///
/// O(n²·depth), and all sums run over contiguous memory. `inverse` is [nv × nv]; pairs of different trees are not
/// written and must be zero before.
template <class T>
void invertMass(const Topology& topology, const T* L, const T* inverse_D, T* inverse) {
  const int n = topology.nv;
  for (int i = 0; i < n; ++i) {
    const int link = topology.dof_link[i];
    const int first = topology.v_index[topology.tree_root[topology.tree[link]]];
    const int depth = topology.dof_depth[i];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    const T* row = L + topology.row_start[i];
    T* __restrict own = inverse + static_cast<std::ptrdiff_t>(n) * i;
    for (int j = first; j < i; ++j) own[j] = T(0.0);
    const auto column = [&](int a) { return inverse + static_cast<std::ptrdiff_t>(n) * chain[a]; };
    int a = 0;
    for (; a + 3 <= depth; a += 3) {  // three at a time: fewer loops over short columns
      const T* __restrict x = column(a), * __restrict y = column(a + 1), * __restrict z = column(a + 2);
      const T fx = row[a], fy = row[a + 1], fz = row[a + 2];
      for (int j = first; j < i; ++j) own[j] -= (fx * x[j] + fy * y[j]) + fz * z[j];
    }
    for (; a < depth; ++a) {
      const T* __restrict x = column(a);
      for (int j = first; j < i; ++j) own[j] -= row[a] * x[j];
    }
    T diagonal = inverse_D[i];
    for (a = 0; a < depth; ++a) diagonal -= row[a] * own[chain[a]];
    own[i] = diagonal;
    for (int j = first; j < i; ++j) inverse[static_cast<std::ptrdiff_t>(n) * j + i] = own[j];
  }
}

extern template void invertMass(const Topology&, const double*, const double*, double*);

}  // namespace rigor
