// Coriolis matrix C(q, v) with C v = c and Ṁ = C + Cᵀ.
#pragma once

#include "algorithms/composite.h"

namespace rigor {

template <class T>
struct CoriolisScratch {
  std::vector<Motion<T>> V;             ///< [links]
  std::vector<Motion<T>> rates;         ///< [nv] Ṡ
  std::vector<Inertia<T>> composite;    ///< [links] inertia of the subtree
  std::vector<TurningForce<T>> forces;  ///< [links] B of the subtree

  void resize(const Topology& topology) {
    V.resize(topology.links);
    rates.resize(topology.nv);
    composite.resize(topology.links);
    forces.resize(topology.links);
  }
};

/// C = Σ_i J_iᵀ (I_i J̇_i + ½ B_i J_i) with B of composite.h; B_i V_i = 2 V ×* I V, and B + Bᵀ is twice the rate of I.
///
/// For a freedom k below or in the link of j   C_kj = (I_C S_k)·Ṡ_j + ½ (Bᵀ S_k)·S_j    with sums over the subtree of k,
/// for k above                                 C_kj = S_k·(I_C Ṡ_j + ½ B S_j)            with sums over the subtree of j.
/// C is [nv × nv] by columns; pairs on different branches are not written and must be zero before.
template <class T>
void computeCoriolis(const Topology& topology, const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias,
                     const T* v, CoriolisScratch<T>& scratch, T* C) {
  const int n = topology.nv;
  computeVelocities(topology, kin, v, scratch.V);
  computeColumnRates(topology, kin, scratch.V, scratch.rates);
  for (int link = 0; link < topology.links; ++link)
    scratch.forces[link] = coriolisForce(inertias[link], scratch.V[link]);
  scratch.composite = inertias;
  sumSubtrees(topology, scratch.composite);
  sumSubtrees(topology, scratch.forces);

  for (int i = 0; i < n; ++i) {
    const int link = topology.dof_link[i];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    const int strict = topology.chain_length[link] - topology.dofs[link];  // freedoms of the ancestors
    const Inertia<T>& I = scratch.composite[link];
    const TurningForce<T>& B = scratch.forces[link];
    const Force<T> F = I * kin.S[i];
    const Vec3<T> G = T(0.5) * transposeTimes(B, kin.S[i]);
    const Force<T> P = I * scratch.rates[i] + T(0.5) * (B * kin.S[i]);
    for (int k = 0; k < topology.chain_length[link]; ++k) {
      const int a = chain[k];
      C[i + n * a] = dot(scratch.rates[a], F) + dot(kin.S[a].angular, G);
      if (k < strict) C[a + n * i] = dot(kin.S[a], P);
    }
  }
}

extern template void computeCoriolis(const Topology&, const Kinematics<double>&, const std::vector<Inertia<double>>&,
                                     const double*, CoriolisScratch<double>&, double*);

}  // namespace rigor
