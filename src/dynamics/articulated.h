// The tree as a set of articulated bodies: how it answers to forces, without its mass matrix. O(n).
//
// Factors of one freedom j, eliminated one at a time as in aba.h: U = I S with I the articulated inertia before j is
// eliminated, d = S·U + armature. A force F on the near side of the freedom passes on as F − U (S·F)/d to the far side; an
// acceleration A of the far side gives a = (S·F − U·A)/d.
#pragma once

#include "dynamics/aba.h"

namespace rigor {

template <class T>
struct ArticulatedFactors {
  std::vector<ArticulatedInertia<T>> I;  ///< [links] scratch, of links with children
  std::vector<Force<T>> U;               ///< [nv]
  std::vector<T> inverse_d;              ///< [nv]
  std::vector<char> leaf, last_child;    ///< [links] as in AbaScratch

  void resize(const Topology& topology) {
    I.resize(topology.links);
    U.resize(topology.nv);
    inverse_d.resize(topology.nv);
    findLeaves(topology, *this);
  }
};

/// Factors of M with `added` [nv] on its diagonal: armature, and what else a freedom feels on its own.
template <class T>
void factorArticulated(const Trees& trees, const T* added, const Motion<T>* S, const std::vector<Inertia<T>>& inertias,
                       ArticulatedFactors<T>& factors) {
  const Topology& topology = trees.topology;
  const auto eliminate = [&](const auto& I, int j) __attribute__((always_inline)) {
    const Force<T> U = I * S[j];
    const T inverse = 1.0 / (dot(S[j], U) + added[j]);
    factors.U[j] = U;
    factors.inverse_d[j] = inverse;
    return withoutRankOne(I, U, inverse);
  };
  for (int link = trees.end_link - 1; link >= trees.first_link; --link) {
    const int first = topology.v_index[link], parent = topology.parent[link];
    int j = first + topology.dofs[link] - 1;
    ArticulatedInertia<T> I = factors.leaf[link] ? eliminate(inertias[link], j) : eliminate(factors.I[link], j);
    while (--j >= first) I = eliminate(I, j);
    if (parent >= 0) addToParent(inertias, link, parent, I, factors);
  }
}

/// All freedoms of a link, last first, without forces; adds what is left to the parent.
template <class T, class AnyInertia>
RIGOR_INLINE void factorJoint(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                              const std::vector<Inertia<T>>& inertias, int link, const AnyInertia& own,
                              AbaScratch<T>& scratch) {
  const auto eliminate = [&](const auto& I, int j) __attribute__((always_inline)) {
    const Force<T> U = I * kin.S[j];
    const T inverse = 1.0 / (dot(kin.S[j], U) + parameters.armature[j]);
    scratch.U[j] = U;
    scratch.inverse_d[j] = inverse;
    return withoutRankOne(I, U, inverse);
  };
  const int first = topology.v_index[link], parent = topology.parent[link];
  int j = first + topology.dofs[link] - 1;
  ArticulatedInertia<T> I = eliminate(own, j);
  while (--j >= first) I = eliminate(I, j);
  if (parent >= 0) addToParent(inertias, link, parent, I, scratch);
}

/// One link of the way from the leaves to the roots: its children come before it. A free root is factored as a whole.
template <class T>
RIGOR_INLINE void factorInward(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                               const std::vector<Inertia<T>>& inertias, int link, AbaScratch<T>& scratch,
                               RootFactors<T>* roots) {
  if (topology.parent[link] < 0 && topology.joint[link] == kFree) {
    const int first = topology.v_index[link];
    if (scratch.leaf[link]) scratch.I[link] = makeArticulated(inertias[link]);
    roots[topology.tree[link]] =
        RootFactors<T>(withRootArmature(parameters, kin.S.data() + first, first, scratch.I[link]));
  } else if (scratch.leaf[link]) {
    factorJoint(topology, parameters, kin, inertias, link, inertias[link], scratch);
  } else {
    factorJoint(topology, parameters, kin, inertias, link, scratch.I[link], scratch);
  }
}

/// U and 1/d in `scratch` of all freedoms but those of free roots, whose factors go to `roots` [trees].
template <class T>
void factorChains(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                  const std::vector<Inertia<T>>& inertias, AbaScratch<T>& scratch, RootFactors<T>* roots) {
  for (int link = topology.links - 1; link >= topology.given; --link)
    factorInward(topology, parameters, kin, inertias, link, scratch, roots);
}

/// M⁻¹ Jᵀ F for forces F on the links, [links] about O. `F` is used up, `u` [nv] is scratch; A [links] gets the
/// accelerations of the links and a [nv] those of the freedoms.
template <class T>
void respond(const Topology& topology, const Kinematics<T>& kin, const ArticulatedFactors<T>& factors, Force<T>* F,
             T* u, Motion<T>* A, T* a) {
  for (int link = topology.links - 1; link >= 0; --link) {
    const int first = topology.v_index[link];
    for (int j = first + topology.dofs[link] - 1; j >= first; --j) {
      u[j] = dot(kin.S[j], F[link]);
      F[link] -= (factors.inverse_d[j] * u[j]) * factors.U[j];
    }
    if (topology.parent[link] >= 0) F[topology.parent[link]] += F[link];
  }
  for (int link = 0; link < topology.links; ++link) {
    const int first = topology.v_index[link];
    Motion<T> moved = topology.parent[link] < 0 ? Motion<T>{} : A[topology.parent[link]];
    for (int j = first; j < first + topology.dofs[link]; ++j) {
      a[j] = factors.inverse_d[j] * (u[j] - dot(moved, factors.U[j]));
      moved += a[j] * kin.S[j];
    }
    A[link] = moved;
  }
}

/// M⁻¹, dense, column by column in O(n²): a unit torque runs up the chain, its accelerations come down. Only freedoms up
/// to the diagonal are visited, the rest is symmetric. `A` [links] and `u` [nv] are scratch. Pairs of different trees are
/// not written and must be zero before.
template <class T>
void invertMassByResponse(const Topology& topology, const Kinematics<T>& kin, const ArticulatedFactors<T>& factors,
                          Motion<T>* A, T* u, T* inverse) {
  const int n = topology.nv;
  for (int column = 0; column < n; ++column) {
    const int owner = topology.dof_link[column], root = topology.tree_root[topology.tree[owner]];
    const int* chain = topology.chain.data() + topology.chain_start[owner];
    for (int k = topology.v_index[root]; k < column; ++k) u[k] = T(0.0);
    u[column] = T(1.0);
    Force<T> F = T(-factors.inverse_d[column]) * factors.U[column];
    for (int k = topology.dof_depth[column] - 1; k >= 0; --k) {
      const int j = chain[k];
      u[j] = dot(kin.S[j], F);
      F -= (factors.inverse_d[j] * u[j]) * factors.U[j];
    }
    for (int link = root; link <= owner; ++link) {
      const int first = topology.v_index[link], own_end = first + topology.dofs[link];
      const int end = own_end < column + 1 ? own_end : column + 1;
      Motion<T> moved = topology.parent[link] < 0 ? Motion<T>{} : A[topology.parent[link]];
      for (int j = first; j < end; ++j) {
        const T a = factors.inverse_d[j] * (u[j] - dot(moved, factors.U[j]));
        moved += a * kin.S[j];
        inverse[j + static_cast<std::ptrdiff_t>(n) * column] = inverse[column + static_cast<std::ptrdiff_t>(n) * j] = a;
      }
      A[link] = moved;
    }
  }
}

extern template void factorArticulated(const Trees&, const double*, const Motion<double>*,
                                       const std::vector<Inertia<double>>&, ArticulatedFactors<double>&);
extern template void factorChains(const Topology&, const Parameters<double>&, const Kinematics<double>&,
                                  const std::vector<Inertia<double>>&, AbaScratch<double>&, RootFactors<double>*);
extern template void respond(const Topology&, const Kinematics<double>&, const ArticulatedFactors<double>&,
                             Force<double>*, double*, Motion<double>*, double*);
extern template void invertMassByResponse(const Topology&, const Kinematics<double>&, const ArticulatedFactors<double>&,
                                          Motion<double>*, double*, double*);

}  // namespace rigor
