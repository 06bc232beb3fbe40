// M̂ = Lᵀ D L by packed rows: the mass matrix is formed and factored. For trees whose chains are short.
#pragma once

#include "dynamics/crba.h"
#include "dynamics/tree_solves.h"

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

  void setMass(const Trees& trees, const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias,
               const T* passive) {
    std::copy(inertias.begin() + trees.first_link, inertias.begin() + trees.end_link,
              composite.begin() + trees.first_link);
    crba(trees, kin, composite, M.data());
    addDiagonal(trees, passive, M);
  }

  void factor(const Trees& trees, const T* held) {
    std::copy(M.begin() + trees.firstEntry(), M.begin() + trees.endEntry(), L.begin() + trees.firstEntry());
    addDiagonal(trees, held, L);
    factorLtl(trees, L.data(), inverse_D.data());
  }

  T pivot(const Topology& topology, int dof) const { return L[topology.row_start[dof] + topology.dof_depth[dof]]; }

  void solveLTranspose(const Trees& trees, T* x) const { rigor::solveLTranspose(trees, L.data(), x); }
  void solveL(const Trees& trees, T* x) const { rigor::solveL(trees, L.data(), x); }

  template <int kRows>
  void solveChainLTranspose(const Topology& topology, int link, T* X) const {
    rigor::solveChainLTranspose<kRows>(topology, L.data(), link, X);
  }

  T weighInverse(const Trees& trees, const std::vector<int>& freedoms, const std::vector<T>& weight, T* column) const {
    return weighInverseByChains(trees, freedoms, weight, inverse_D, column, [&](int link, T* x) {
      this->template solveChainLTranspose<1>(trees.topology, link, x);
    });
  }

  static void addDiagonal(const Trees& trees, const T* added, std::vector<T>& packed) {
    const Topology& topology = trees.topology;
    for (int j = trees.first_dof; j < trees.end_dof; ++j)
      packed[topology.row_start[j] + topology.dof_depth[j]] += added[j];
  }
};

}  // namespace rigor
