// M̂ = Lᵀ D L without M̂: the factors U, d of the articulated bodies (articulated.h) hold L and D. For deep trees.
//
// Eliminating the freedoms of a tree one by one, leaves first, leaves M_ka = S_a·U_k and M_kk = d_k of the row k that is
// next, so L_ka = S_a·U_k/d_k for every ancestor a (tree_solves.h).
#pragma once

#include "dynamics/articulated.h"
#include "dynamics/mobility.h"
#include "dynamics/tree_solves.h"

namespace rigor {

/// Verbs as in mass_factors.h.
template <class T>
struct ArticulatedMass {
  std::vector<Inertia<T>> inertias;  ///< [links]
  std::vector<Motion<T>> S;          ///< [nv]
  std::vector<T> passive, added;     ///< [nv] on the diagonal: all the time, and with what is held
  ArticulatedFactors<T> factors;
  mutable std::vector<Force<T>> passed;       ///< [links] scratch of solves: of a subtree to its root
  mutable std::vector<Motion<T>> moved;       ///< [links] scratch of solves: by the freedoms that are known
  mutable std::vector<Mobility<T>> mobility;  ///< [links] scratch

  void resize(const Topology& topology) {
    inertias.resize(topology.links);
    S.resize(topology.nv);
    for (std::vector<T>* array : {&passive, &added}) array->assign(topology.nv, T(0.0));
    factors.resize(topology);
    passed.resize(topology.links);
    moved.resize(topology.links);
    mobility.resize(topology.links);
  }

  void setMass(const Trees& trees, const Kinematics<T>& kin, const std::vector<Inertia<T>>& of_links,
               const T* diagonal) {
    for (int link = trees.first_link; link < trees.end_link; ++link) inertias[link] = of_links[link];
    for (int j = trees.first_dof; j < trees.end_dof; ++j) S[j] = kin.S[j], passive[j] = diagonal[j];
  }

  void factor(const Trees& trees, const T* held) {
    for (int j = trees.first_dof; j < trees.end_dof; ++j) added[j] = passive[j] + held[j];
    factorArticulated(trees, added.data(), S.data(), inertias, factors);
  }

  T pivot(const Topology&, int dof) const { return 1.0 / factors.inverse_d[dof]; }

  void solveLTranspose(const Trees& trees, T* x) const { solveInward(trees, L(), passed, x); }
  void solveL(const Trees& trees, T* x) const { solveOutward(trees, L(), moved, x); }
  template <int kRows>
  void solveChainLTranspose(const Topology& topology, int link, T* X) const {
    solveChainInward<kRows>(topology, link, L(), X);
  }
  T weighInverse(const Trees& trees, const std::vector<int>& freedoms, const std::vector<T>& weight, T*) const;

 private:
  TreeFactors<T> L() const { return {S, factors.U, factors.inverse_d}; }
};

/// With Λ how the link before it moves per force on it (mobility.h), a freedom answers to its own torque by
/// 1/d + U·ΛU/d².
template <class T>
T ArticulatedMass<T>::weighInverse(const Trees& trees, const std::vector<int>&, const std::vector<T>& weight,
                                   T*) const {
  const Topology& topology = trees.topology;
  T sum(0.0);
  for (int link = trees.first_link; link < trees.end_link; ++link) {
    Mobility<T> before = topology.parent[link] < 0 ? Mobility<T>{} : mobility[topology.parent[link]];
    for (int j = topology.v_index[link]; j < topology.v_index[link] + topology.dofs[link]; ++j) {
      const T inverse = factors.inverse_d[j];
      sum += weight[j] * (inverse * (1.0 + inverse * dot(before * factors.U[j], factors.U[j])));
      passFreedom(before, S[j], factors.U[j], inverse);
    }
    mobility[link] = before;
  }
  return sum;
}

}  // namespace rigor
