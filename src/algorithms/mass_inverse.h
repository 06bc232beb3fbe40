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

/// kWidth columns of M⁻¹ from `begin` on, from their diagonal down, and their mirror image. Rows are contiguous here: what
/// lies above the diagonal is the mirror image of earlier columns.
template <int kWidth, class T>
void invertColumns(const Topology& topology, const T* L, const T* inverse_D, int begin, int end, T* inverse) {
  const std::ptrdiff_t n = topology.nv;
  for (int i = begin; i < end; ++i) {
    const int depth = topology.dof_depth[i];
    const int* chain = topology.chain.data() + topology.chain_start[topology.dof_link[i]];
    const T* row = L + topology.row_start[i];
    T* own = inverse + n * i;
    startRow<kWidth>(depth, row, chain, inverse + begin, n, own + begin);
    if (i >= begin + kWidth) continue;
    T diagonal = inverse_D[i];  // what the row holds right of it is overwritten by the mirror image of the next ones
    for (int a = 0; a < depth; ++a) diagonal -= row[a] * own[chain[a]];
    own[i] = diagonal;
    for (int j = begin; j < i; ++j) inverse[n * j + i] = own[j];
  }
  for (int i = begin + kWidth; i < end; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < kWidth; ++j) inverse[n * (begin + j) + i] = inverse[n * i + begin + j];
}

/// From L M⁻¹ = D⁻¹ L⁻ᵀ, whose right-hand side is upper triangular:
///
///     (M⁻¹)_ij = −Σ_a L_ia (M⁻¹)_aj  for j < i,    (M⁻¹)_ii = 1/D_i − Σ_a L_ia (M⁻¹)_ai,    a the ancestors of i.
///
/// O(n²·depth). `inverse` is [nv × nv]; pairs of different trees are not written and must be zero before.
template <class T>
void invertMass(const Topology& topology, const T* L, const T* inverse_D, T* inverse) {
  for (int tree = 0; tree < topology.trees; ++tree) {
    int begin = topology.v_index[topology.tree_root[tree]];
    const int end = tree + 1 < topology.trees ? topology.v_index[topology.tree_root[tree + 1]] : topology.nv;
    for (; begin + 8 <= end; begin += 8) invertColumns<8>(topology, L, inverse_D, begin, end, inverse);
    for (; begin + 4 <= end; begin += 4) invertColumns<4>(topology, L, inverse_D, begin, end, inverse);
    for (; begin < end; ++begin) invertColumns<1>(topology, L, inverse_D, begin, end, inverse);
  }
}

extern template void invertMass(const Topology&, const double*, const double*, double*);

}  // namespace rigor
