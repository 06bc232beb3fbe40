// Factors M̂ = Lᵀ D L of the mass matrix and what drives and dampers add to its diagonal, behind one door.
//
// L is unit lower triangular with non-zeros only where one freedom is an ancestor of the other, so a vector on the chain
// of a link stays there. Two ways hold the same L and D: packed rows (packed_mass.h), cheap for short chains, and the
// articulated bodies (articulated_mass.h), linear in the number of freedoms.
#pragma once

#include <cassert>

#include "dynamics/articulated_mass.h"
#include "dynamics/packed_mass.h"

namespace rigor {

enum class MassMethod : unsigned char { kPacked, kArticulated };

/// Articulated bodies where freedoms have more than this many above them, themselves included, in the mean.
inline MassMethod chooseMassMethod(const Topology& topology) {
  constexpr int kMeanDepth = 13;
  return topology.packed_size > kMeanDepth * topology.nv ? MassMethod::kArticulated : MassMethod::kPacked;
}

template <class T>
class MassFactors {
 public:
  void resize(const Topology& topology) { resize(topology, chooseMassMethod(topology)); }
  void resize(const Topology& topology, MassMethod method) {
    method_ = method;
    visit([&](auto& mass) { mass.resize(topology); });
  }

  /// The mass matrix at a pose with `passive` [nv] on its diagonal, which no drive changes: armature, damping.
  void setMass(const Trees& trees, const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias,
               const T* passive) {
    visit([&](auto& mass) { mass.setMass(trees, kin, inertias, passive); });
  }
  /// Factors the matrix of the last setMass with `held` [nv] more on its diagonal.
  void factor(const Trees& trees, const T* held) {
    visit([&](auto& mass) { mass.factor(trees, held); });
  }

  /// 1/D [nv]
  const std::vector<T>& inverseD() const {
    return method_ == MassMethod::kPacked ? packed_.inverse_D : articulated_.factors.inverse_d;
  }
  /// D of one freedom.
  T pivot(const Topology& topology, int dof) const {
    return visit([&](const auto& mass) { return mass.pivot(topology, dof); });
  }

  /// x ← L⁻ᵀ x and x ← L⁻¹ x over all degrees of freedom of the trees.
  void solveLTranspose(const Trees& trees, T* x) const {
    visit([&](const auto& mass) { mass.solveLTranspose(trees, x); });
  }
  void solveL(const Trees& trees, T* x) const {
    visit([&](const auto& mass) { mass.solveL(trees, x); });
  }
  /// X ← L⁻ᵀ X for `rows` vectors, one to six, on the chain of a link; entry k·rows + r as in jacobian.h.
  void solveChainLTranspose(const Topology& topology, int link, int rows, T* X) const;

  /// Σ weight_j (M̂⁻¹)_jj over those of the `freedoms`, all that have a weight [nv], that belong to the trees. `column` [nv] is scratch.
  T weighInverse(const Trees& trees, const std::vector<int>& freedoms, const std::vector<T>& weight, T* column) const {
    return visit([&](const auto& mass) { return mass.weighInverse(trees, freedoms, weight, column); });
  }

 private:
  template <class Visitor>
  decltype(auto) visit(const Visitor& visitor) {
    return method_ == MassMethod::kPacked ? visitor(packed_) : visitor(articulated_);
  }
  template <class Visitor>
  decltype(auto) visit(const Visitor& visitor) const {
    return method_ == MassMethod::kPacked ? visitor(packed_) : visitor(articulated_);
  }

  MassMethod method_ = MassMethod::kPacked;
  PackedMass<T> packed_;  ///< one of the two is empty
  ArticulatedMass<T> articulated_;
};

template <class T>
void MassFactors<T>::solveChainLTranspose(const Topology& topology, int link, int rows, T* X) const {
  visit([&](const auto& mass) {
    switch (rows) {
      case 1:
        return mass.template solveChainLTranspose<1>(topology, link, X);
      case 2:
        return mass.template solveChainLTranspose<2>(topology, link, X);
      case 3:
        return mass.template solveChainLTranspose<3>(topology, link, X);
      case 4:
        return mass.template solveChainLTranspose<4>(topology, link, X);
      case 5:
        return mass.template solveChainLTranspose<5>(topology, link, X);
      case 6:
        return mass.template solveChainLTranspose<6>(topology, link, X);
    }
    assert(false && "a constraint has one to six rows");
  });
}

extern template class MassFactors<double>;

}  // namespace rigor
