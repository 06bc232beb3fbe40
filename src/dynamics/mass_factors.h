// Factors M̂ = Lᵀ D L of the mass matrix and what drives and dampers add to its diagonal, behind one door.
//
// L is unit lower triangular with non-zeros only where one freedom is an ancestor of the other, so a vector on the chain
// of a link stays there.
#pragma once

#include <cassert>

#include "dynamics/crba.h"

namespace rigor {

template <class T>
class MassFactors {
 public:
  void resize(const Topology& topology);

  /// The mass matrix at a pose with `passive` [nv] on its diagonal, which no drive changes: armature, damping.
  void setMass(const Topology& topology, const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias,
               const T* passive);
  /// Factors the matrix of the last setMass with `held` [nv] more on its diagonal.
  void factor(const Topology& topology, const T* held);

  /// 1/D [nv]
  const std::vector<T>& inverseD() const { return inverse_D_; }
  /// D of one freedom.
  T pivot(const Topology& topology, int dof) const { return L_[topology.row_start[dof] + topology.dof_depth[dof]]; }

  /// x ← L⁻ᵀ x and x ← L⁻¹ x over all degrees of freedom.
  void solveLTranspose(const Topology& topology, T* x) const { rigor::solveLTranspose(topology, L_.data(), x); }
  void solveL(const Topology& topology, T* x) const { rigor::solveL(topology, L_.data(), x); }
  /// X ← L⁻ᵀ X for `rows` vectors, one to six, on the chain of a link; entry k·rows + r as in jacobian.h.
  void solveChainLTranspose(const Topology& topology, int link, int rows, T* X) const;

  /// Σ weight_j (M̂⁻¹)_jj over the freedoms with a weight. `column` [nv] is scratch.
  T weighInverse(const Topology& topology, const std::vector<T>& weight, T* column) const;

 private:
  std::vector<Inertia<T>> composite_;  // [links] of subtrees
  std::vector<T> M_, L_;               // packed (topology.h)
  std::vector<T> inverse_D_;           // [nv]
};

template <class T>
void MassFactors<T>::resize(const Topology& topology) {
  composite_.resize(topology.links);
  M_.resize(topology.packed_size);
  L_.resize(topology.packed_size);
  inverse_D_.assign(topology.nv, T(0.0));
}

template <class T>
void MassFactors<T>::setMass(const Topology& topology, const Kinematics<T>& kin,
                             const std::vector<Inertia<T>>& inertias, const T* passive) {
  composite_ = inertias;
  crba(topology, kin, composite_, M_.data());
  for (int j = 0; j < topology.nv; ++j) M_[topology.row_start[j] + topology.dof_depth[j]] += passive[j];
}

template <class T>
void MassFactors<T>::factor(const Topology& topology, const T* held) {
  L_ = M_;
  for (int j = 0; j < topology.nv; ++j) L_[topology.row_start[j] + topology.dof_depth[j]] += held[j];
  factorLtl(topology, L_.data(), inverse_D_.data());
}

template <class T>
void MassFactors<T>::solveChainLTranspose(const Topology& topology, int link, int rows, T* X) const {
  switch (rows) {
    case 1:
      return rigor::solveChainLTranspose<1>(topology, L_.data(), link, X);
    case 2:
      return rigor::solveChainLTranspose<2>(topology, L_.data(), link, X);
    case 3:
      return rigor::solveChainLTranspose<3>(topology, L_.data(), link, X);
    case 4:
      return rigor::solveChainLTranspose<4>(topology, L_.data(), link, X);
    case 5:
      return rigor::solveChainLTranspose<5>(topology, L_.data(), link, X);
    case 6:
      return rigor::solveChainLTranspose<6>(topology, L_.data(), link, X);
  }
  assert(false && "a constraint has one to six rows");
}

/// One diagonal entry at a time: column j of L⁻ᵀ lives on the chain of its link.
template <class T>
T MassFactors<T>::weighInverse(const Topology& topology, const std::vector<T>& weight, T* column) const {
  T sum(0.0);
  for (int j = 0; j < topology.nv; ++j) {
    if (weight[j] == T(0.0)) continue;
    const int link = topology.dof_link[j], length = topology.chain_length[link];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    for (int k = 0; k < length; ++k) column[k] = T(0.0);
    column[topology.dof_depth[j]] = T(1.0);
    solveChainLTranspose(topology, link, 1, column);
    for (int k = 0; k < length; ++k) sum += weight[j] * column[k] * column[k] * inverse_D_[chain[k]];
  }
  return sum;
}

extern template class MassFactors<double>;

}  // namespace rigor
