// M⁻¹ of trees that are serial chains, four columns at a time in O(n²).
//
// A unit torque on freedom j pulls at the link before it with F = −U/d (articulated.h). Every freedom i before j passes
// F − U (S·F)/d on and would move by (S·F)/d if the link before it were fixed; that link answers with Ω (F − U (S·F)/d),
// Ω its mobility (mobility.h). Together one product per entry:
//
//     M⁻¹_ij = E_i · F,   E = ((1 + U·G/d) S − G)/d,   G = Ω U,        M⁻¹_jj = (1 + U·G/d)/d.
#pragma once

#include "algorithms/force_columns.h"
#include "dynamics/articulated.h"
#include "dynamics/mobility.h"

namespace rigor {

template <class T>
struct ChainInverseScratch {
  std::vector<Motion<T>> E;  ///< [nv]
  std::vector<T> diagonal;   ///< [nv] of M⁻¹

  void resize(const Topology& topology) {
    E.resize(topology.nv);
    diagonal.resize(topology.nv);
  }
};

/// True if no link has two children.
inline bool isSerial(const Topology& topology) {
  for (int link = 0; link < topology.links; ++link)
    if (topology.parent[link] != link - 1 && topology.parent[link] != -1) return false;
  return true;
}

/// E and the diagonal, root → leaf.
template <class T>
void prepareChainInverse(const Topology& topology, const Kinematics<T>& kin, const ArticulatedFactors<T>& factors,
                         ChainInverseScratch<T>& scratch) {
  Mobility<T> mobility{};
  for (int link = 0; link < topology.links; ++link) {
    if (topology.parent[link] < 0) mobility = Mobility<T>{};
    for (int j = topology.v_index[link]; j < topology.v_index[link] + topology.dofs[link]; ++j) {
      const T inverse = factors.inverse_d[j];
      const Motion<T> G = mobility * factors.U[j];
      const T gain = 1.0 + inverse * dot(G, factors.U[j]);
      scratch.diagonal[j] = inverse * gain;
      scratch.E[j] = inverse * (gain * kin.S[j] + T(-1.0) * G);
      passFreedom(mobility, kin.S[j], factors.U[j], inverse);
    }
  }
}

/// Columns `first` … `first` + count − 1 of one chain, rows from there to `root`, and their mirror images.
template <class T>
void fillColumns(const Motion<T>* S, const ArticulatedFactors<T>& factors, const ChainInverseScratch<T>& scratch,
                 int root, int first, int count, std::ptrdiff_t n, T* inverse) {
  ForceColumns<T> F;
  F.clear();
  for (int i = first + count - 1; i >= root; --i) {
    const Four<T> entry = dot(scratch.E[i], F);
    F.subtract(factors.U[i], Four<T>(factors.inverse_d[i]) * dot(S[i], F));
    // columns up to i have no force yet
    for (int c = i < first ? 0 : i - first + 1; c < count; ++c)
      inverse[i + n * (first + c)] = inverse[first + c + n * i] = entry.lane(c);
    if (i < first) continue;
    F.set(i - first, T(-factors.inverse_d[i]) * factors.U[i]);
    inverse[i + n * i] = scratch.diagonal[i];
  }
}

/// `inverse` is [nv × nv]; pairs of different trees are not written and must be zero before.
template <class T>
void invertMassOfChains(const Topology& topology, const Kinematics<T>& kin, const ArticulatedFactors<T>& factors,
                        ChainInverseScratch<T>& scratch, T* inverse) {
  prepareChainInverse(topology, kin, factors, scratch);
  for (int tree = 0; tree < topology.trees; ++tree) {
    const int root = topology.v_index[topology.tree_root[tree]];
    const int end = tree + 1 < topology.trees ? topology.v_index[topology.tree_root[tree + 1]] : topology.nv;
    for (int first = root; first < end; first += 4)
      fillColumns(kin.S.data(), factors, scratch, root, first, end - first < 4 ? end - first : 4, topology.nv, inverse);
  }
}

extern template void invertMassOfChains(const Topology&, const Kinematics<double>&, const ArticulatedFactors<double>&,
                                        ChainInverseScratch<double>&, double*);

}  // namespace rigor
