// The inverse of the mass matrix, dense, from its factors M = Lᵀ D L (crba.h).
#pragma once

#include "math/scalar.h"
#include "model/topology.h"

namespace rigor {

/// own = −Σ_a factors_a · column chain_a over kWidth entries; the sums stay in registers.
template <int kWidth, class T>
RIGOR_INLINE void startRow(int depth, const T* factors, const int* chain, const T* columns, std::ptrdiff_t stride,
                           T* own) {
  T sum[kWidth];
#pragma GCC unroll 8
  for (int c = 0; c < kWidth; ++c) sum[c] = T(0.0);
  for (int a = 0; a < depth; ++a) {
    const T* x = columns + stride * chain[a];
    const T factor = factors[a];
#pragma GCC unroll 8
    for (int c = 0; c < kWidth; ++c) sum[c] -= factor * x[c];
  }
#pragma GCC unroll 8
  for (int c = 0; c < kWidth; ++c) own[c] = sum[c];
}

/// Row by row from L M⁻¹ = D⁻¹ L⁻ᵀ, whose right-hand side is upper triangular:
///
///     (M⁻¹)_ij = −Σ_a L_ia (M⁻¹)_aj  for j < i,    (M⁻¹)_ii = 1/D_i − Σ_a L_ia (M⁻¹)_ai,    a the ancestors of i.
///
/// O(n²·depth), eight columns at a time: what this writes right of the diagonal is overwritten by the rows below.
/// `inverse` is [nv × nv]; pairs of different trees are not written and must be zero before.
template <class T>
void invertMass(const Topology& topology, const T* L, const T* inverse_D, T* inverse) {
  const int n = topology.nv;
  for (int i = 0; i < n; ++i) {
    const int link = topology.dof_link[i], tree = topology.tree[link];
    const int first = topology.v_index[topology.tree_root[tree]];
    const int end = tree + 1 < topology.trees ? topology.v_index[topology.tree_root[tree + 1]] : n;
    const int depth = topology.dof_depth[i];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    const T* row = L + topology.row_start[i];
    T* own = inverse + static_cast<std::ptrdiff_t>(n) * i;
    int j = first;
    for (; j < i && j + 8 <= end; j += 8) startRow<8>(depth, row, chain, inverse + j, n, own + j);
    for (; j < i && j + 2 <= end; j += 2) startRow<2>(depth, row, chain, inverse + j, n, own + j);
    if (j < i) startRow<1>(depth, row, chain, inverse + j, n, own + j);
    T diagonal = inverse_D[i];
    for (int a = 0; a < depth; ++a) diagonal -= row[a] * own[chain[a]];
    own[i] = diagonal;
    for (j = first; j < i; ++j) inverse[static_cast<std::ptrdiff_t>(n) * j + i] = own[j];
  }
}

extern template void invertMass(const Topology&, const double*, const double*, double*);

}  // namespace rigor
