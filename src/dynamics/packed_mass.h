// M̂ = Lᵀ D L by packed rows: the mass matrix is formed and factored. For trees whose chains are short.
#pragma once

#include "dynamics/crba.h"

namespace rigor {

/// Verbs as in mass_factors.h.
template <class T>
struct PackedMass {
  std::vector<Inertia<T>> composite;  ///< [links] of subtrees
  std::vector<T> M, L;                ///< packed (topology.h)
  std::vector<T> inverse_D;           ///< [nv]

  void resize(const Topology& topology) {
    composite.resize(topology.links);
    M.resize(topology.packed_size);
    L.resize(topology.packed_size);
    inverse_D.assign(topology.nv, T(0.0));
  }

  void setMass(const Topology& topology, const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias,
               const T* passive) {
    composite = inertias;
    crba(topology, kin, composite, M.data());
    for (int j = 0; j < topology.nv; ++j) M[topology.row_start[j] + topology.dof_depth[j]] += passive[j];
  }

  void factor(const Topology& topology, const T* held) {
    L = M;
    for (int j = 0; j < topology.nv; ++j) L[topology.row_start[j] + topology.dof_depth[j]] += held[j];
    factorLtl(topology, L.data(), inverse_D.data());
  }

  T pivot(const Topology& topology, int dof) const { return L[topology.row_start[dof] + topology.dof_depth[dof]]; }

  void solveLTranspose(const Topology& topology, T* x) const { rigor::solveLTranspose(topology, L.data(), x); }
  void solveL(const Topology& topology, T* x) const { rigor::solveL(topology, L.data(), x); }

  template <int kRows>
  void solveChainLTranspose(const Topology& topology, int link, T* X) const {
    rigor::solveChainLTranspose<kRows>(topology, L.data(), link, X);
  }

  /// One diagonal entry at a time: column j of L⁻ᵀ lives on the chain of its link.
  T weighInverse(const Topology& topology, const std::vector<int>& freedoms, const std::vector<T>& weight,
                 T* column) const {
    T sum(0.0);
    for (const int j : freedoms) {
      const int link = topology.dof_link[j], length = topology.chain_length[link];
      const int* chain = topology.chain.data() + topology.chain_start[link];
      for (int k = 0; k < length; ++k) column[k] = T(0.0);
      column[topology.dof_depth[j]] = T(1.0);
      solveChainLTranspose<1>(topology, link, column);
      for (int k = 0; k < length; ++k) sum += weight[j] * column[k] * column[k] * inverse_D[chain[k]];
    }
    return sum;
  }
};

}  // namespace rigor
