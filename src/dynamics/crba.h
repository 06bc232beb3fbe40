// Mass matrix by composite rigid bodies, chain-packed (topology.h), and its factorisation M = Lᵀ D L.
#pragma once

#include "dynamics/kinematics.h"

namespace rigor {

/// Packed M: row i holds M_i,j for the ancestors j of i from the root on, M_ii last. `composite` enters as the inertias
/// of the links and leaves as those of the subtrees. No armature.
template <class T>
void crba(const Topology& topology, const Kinematics<T>& kin, std::vector<Inertia<T>>& composite, T* M) {
  for (int link = topology.links - 1; link >= topology.given; --link) {
    const int first = topology.v_index[link];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    for (int j = first; j < first + topology.dofs[link]; ++j) {
      const Force<T> F = composite[link] * kin.S[j];  // momentum of the subtree per unit of v_j
      T* row = M + topology.row_start[j];
      int k = 0;
      if (topology.free_base[link] && topology.dof_depth[j] >= 6) {  // unit columns: F itself couples to the base
        const Motion<T>* axes = kin.S.data() + chain[3];
        row[0] = F.linear.x, row[1] = F.linear.y, row[2] = F.linear.z;
        for (int a = 0; a < 3; ++a) row[3 + a] = dot(axes[a].angular, F.angular);
        k = 6;
      }
      for (; k <= topology.dof_depth[j]; ++k) row[k] = dot(kin.S[chain[k]], F);
    }
    if (topology.parent[link] >= 0) composite[topology.parent[link]] += composite[link];
  }
}

/// The part of one elimination that falls on a free base: six rows, lower triangle, straight line code.
template <class T>
RIGOR_INLINE void eliminateBase(T* row, T inverse, T* base) {
  T factor[6];
  for (int a = 0; a < 6; ++a) factor[a] = row[a] * inverse;
#pragma GCC unroll 6
  for (int a = 0; a < 6; ++a)
#pragma GCC unroll 6
    for (int b = 0; b <= a; ++b) base[a * (a + 1) / 2 + b] -= factor[a] * row[b];  // a root's rows follow each other
  for (int a = 0; a < 6; ++a) row[a] = factor[a];
}

/// Overwrites packed M by L (unit diagonal not stored) with D on the diagonal; `inverse_D` [nv] gets 1/D.
/// Featherstone's LTDL: leaves first, so no entry outside the chains fills in.
template <class T>
void factorLtl(const Topology& topology, T* M, T* inverse_D) {
  for (int k = topology.nv - 1; k >= 0; --k) {
    T* row = M + topology.row_start[k];
    const int depth = topology.dof_depth[k];
    const int link = topology.dof_link[k];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    const int stop = topology.free_base[link] && depth >= 6 ? 6 : 0;
    const T inverse = 1.0 / row[depth];
    inverse_D[k] = inverse;
    for (int a = depth - 1; a >= stop; --a) {
      const T factor = row[a] * inverse;
      T* ancestor = M + topology.row_start[chain[a]];
      for (int b = 0; b <= a; ++b) ancestor[b] -= factor * row[b];
      row[a] = factor;
    }
    if (stop == 6) eliminateBase(row, inverse, M + topology.row_start[chain[0]]);
  }
}

/// x ← L⁻ᵀ x over all degrees of freedom.
template <class T>
void solveLTranspose(const Topology& topology, const T* L, T* x) {
  for (int k = topology.nv - 1; k >= 0; --k) {
    const T* row = L + topology.row_start[k];
    const int* chain = topology.chain.data() + topology.chain_start[topology.dof_link[k]];
    const T value = x[k];
    for (int a = topology.dof_depth[k] - 1; a >= 0; --a) x[chain[a]] -= row[a] * value;
  }
}

/// x ← L⁻¹ x over all degrees of freedom.
template <class T>
void solveL(const Topology& topology, const T* L, T* x) {
  for (int k = 0; k < topology.nv; ++k) {
    const T* row = L + topology.row_start[k];
    const int* chain = topology.chain.data() + topology.chain_start[topology.dof_link[k]];
    T sum = x[k];
    for (int a = topology.dof_depth[k] - 1; a >= 0; --a) sum -= row[a] * x[chain[a]];
    x[k] = sum;
  }
}

/// X ← L⁻ᵀ X for kRows vectors that live on the chain of one link, freedom by freedom (jacobian.h). They stay there.
template <int kRows, class T>
void solveChainLTranspose(const Topology& topology, const T* __restrict L, int link, T* __restrict X) {
  const int* chain = topology.chain.data() + topology.chain_start[link];
  for (int a = topology.chain_length[link] - 1; a > 0; --a) {
    const T* row = L + topology.row_start[chain[a]];
    T value[kRows];
    for (int r = 0; r < kRows; ++r) value[r] = X[a * kRows + r];
    int b = 0;
    if (a >= 6) {  // most chains have a base of six: straight line code for it
#pragma GCC unroll 6
      for (int k = 0; k < 6; ++k)
#pragma GCC unroll 3
        for (int r = 0; r < kRows; ++r) X[k * kRows + r] -= row[k] * value[r];
      b = 6;
    }
    for (; b < a; ++b)
#pragma GCC unroll 3
      for (int r = 0; r < kRows; ++r) X[b * kRows + r] -= row[b] * value[r];
  }
}

/// x ← M⁻¹ x from the factors.
template <class T>
void solveMass(const Topology& topology, const T* L, const T* inverse_D, T* x) {
  solveLTranspose(topology, L, x);
  for (int k = 0; k < topology.nv; ++k) x[k] *= inverse_D[k];
  solveL(topology, L, x);
}

extern template void crba(const Topology&, const Kinematics<double>&, std::vector<Inertia<double>>&, double*);
extern template void factorLtl(const Topology&, double*, double*);
extern template void solveLTranspose(const Topology&, const double*, double*);
extern template void solveL(const Topology&, const double*, double*);
extern template void solveChainLTranspose<1>(const Topology&, const double*, int, double*);
extern template void solveChainLTranspose<3>(const Topology&, const double*, int, double*);
extern template void solveMass(const Topology&, const double*, const double*, double*);

}  // namespace rigor
