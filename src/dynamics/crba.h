// Mass matrix by composite rigid bodies, chain-packed (topology.h), and its factorisation M = Lᵀ D L.
#pragma once

#include "dynamics/kinematics.h"

namespace rigor {

/// Packed M: row i holds M_i,j for the ancestors j of i from the root on, M_ii last. `composite` enters as the inertias
/// of the links and leaves as those of the subtrees. No armature.
template <class T>
void crba(const Topology& topology, const Kinematics<T>& kin, std::vector<Inertia<T>>& composite, T* M) {
  for (int link = topology.links - 1; link >= 0; --link) {
    const int first = topology.v_index[link];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    for (int j = first; j < first + topology.dofs[link]; ++j) {
      const Force<T> F = composite[link] * kin.S[j];  // momentum of the subtree per unit of v_j
      T* row = M + topology.row_start[j];
      for (int k = 0; k <= topology.dof_depth[j]; ++k) row[k] = dot(kin.S[chain[k]], F);
    }
    if (topology.parent[link] >= 0) composite[topology.parent[link]] += composite[link];
  }
}

/// Overwrites packed M by L (unit diagonal not stored) with D on the diagonal; `inverse_D` [nv] gets 1/D.
/// Featherstone's LTDL: leaves first, so no entry outside the chains fills in.
template <class T>
void factorLtl(const Topology& topology, T* M, T* inverse_D) {
  for (int k = topology.nv - 1; k >= 0; --k) {
    T* row = M + topology.row_start[k];
    const int depth = topology.dof_depth[k];
    const int* chain = topology.chain.data() + topology.chain_start[topology.dof_link[k]];
    const T inverse = 1.0 / row[depth];
    inverse_D[k] = inverse;
    for (int a = depth - 1; a >= 0; --a) {
      const T factor = row[a] * inverse;
      T* ancestor = M + topology.row_start[chain[a]];
      for (int b = 0; b <= a; ++b) ancestor[b] -= factor * row[b];
      row[a] = factor;
    }
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

/// x ← L⁻ᵀ x for a vector that lives on the chain of one link: [chain_length] entries, root first. Stays on the chain.
template <class T>
void solveChainLTranspose(const Topology& topology, const T* L, int link, T* x) {
  const int* chain = topology.chain.data() + topology.chain_start[link];
  for (int a = topology.chain_length[link] - 1; a > 0; --a) {
    const T* row = L + topology.row_start[chain[a]];
    const T value = x[a];
    for (int b = 0; b < a; ++b) x[b] -= row[b] * value;
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
extern template void solveChainLTranspose(const Topology&, const double*, int, double*);
extern template void solveMass(const Topology&, const double*, const double*, double*);

}  // namespace rigor
