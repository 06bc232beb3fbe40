// Factors M̂ = Lᵀ D L of the mass matrix and what drives and dampers add to its diagonal, behind one door.
//
// L is unit lower triangular with non-zeros only where one freedom is an ancestor of the other, so a vector on the chain
// of a link stays there. Two ways hold the same L and D: packed rows (packed_mass.h), cheap for short chains, and the
// articulated bodies (articulated_mass.h), linear in the number of freedoms. A third one holds LᵀDU of a matrix that is not
// symmetric, since its forces and its motions belong to two poses (two_pose_mass.h); of a mass matrix U is L.
#pragma once

#include <cassert>

#include "dynamics/articulated_mass.h"
#include "dynamics/packed_mass.h"
#include "dynamics/two_pose_mass.h"

namespace rigor {

enum class MassMethod : unsigned char { kPacked, kArticulated, kTwoPoses };

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
    assert(method_ != MassMethod::kTwoPoses && "its bodies and columns are set one by one");
    if (method_ == MassMethod::kPacked)
      packed_.setMass(trees, kin, inertias, passive);
    else
      articulated_.setMass(trees, kin, inertias, passive);
  }
  bool hasTwoPoses() const { return method_ == MassMethod::kTwoPoses; }
  TwoPoseMass<T>& editTwoPoses() { return two_poses_; }
  const TwoPoseMass<T>& twoPoses() const { return two_poses_; }
  /// Factors the matrix of the last setMass with `held` [nv] more on its diagonal.
  void factor(const Trees& trees, const T* held) {
    visit([&](auto& mass) { mass.factor(trees, held); });
  }

  /// 1/D [nv]
  const std::vector<T>& inverseD() const {
    if (method_ == MassMethod::kPacked) return packed_.inverse_D;
    return method_ == MassMethod::kArticulated ? articulated_.factors.inverse_d : two_poses_.inverse_d;
  }
  /// D of one freedom.
  T pivot(const Topology& topology, int dof) const {
    return visit([&](const auto& mass) { return mass.pivot(topology, dof); });
  }

  /// x ← L⁻ᵀ x and x ← U⁻¹ x over all degrees of freedom of the trees.
  void solveLTranspose(const Trees& trees, T* x) const {
    visit([&](const auto& mass) { mass.solveLTranspose(trees, x); });
  }
  void solveU(const Trees& trees, T* x) const {
    if (method_ == MassMethod::kPacked) return packed_.solveL(trees, x);
    return method_ == MassMethod::kArticulated ? articulated_.solveL(trees, x) : two_poses_.solveU(trees, x);
  }
  /// X ← L⁻ᵀ X for `rows` vectors, one to six, on the chain of a link; entry k·rows + r as in jacobian.h.
  void solveChainLTranspose(const Topology& topology, int link, int rows, T* X) const;
  /// X ← U⁻ᵀ X, the same for rows of motions.
  void solveChainUTranspose(const Topology& topology, int link, int rows, T* X) const;

  /// Σ weight_j (M̂⁻¹)_jj over those of the `freedoms`, all that have a weight [nv], that belong to the trees. `column` [nv] is scratch.
  T weighInverse(const Trees& trees, const std::vector<int>& freedoms, const std::vector<T>& weight, T* column) const {
    return visit([&](const auto& mass) { return mass.weighInverse(trees, freedoms, weight, column); });
  }

 private:
  template <class Visitor>
  decltype(auto) visit(const Visitor& visitor) {
    if (method_ == MassMethod::kPacked) return visitor(packed_);
    return method_ == MassMethod::kArticulated ? visitor(articulated_) : visitor(two_poses_);
  }
  template <class Visitor>
  decltype(auto) visit(const Visitor& visitor) const {
    if (method_ == MassMethod::kPacked) return visitor(packed_);
    return method_ == MassMethod::kArticulated ? visitor(articulated_) : visitor(two_poses_);
  }

  MassMethod method_ = MassMethod::kPacked;
  PackedMass<T> packed_;  ///< one of the three is in use
  ArticulatedMass<T> articulated_;
  TwoPoseMass<T> two_poses_;
};

/// visitor(std::integral_constant<int, rows>) for one to six rows.
template <class Visitor>
void visitRowCount(int rows, const Visitor& visitor) {
  switch (rows) {
    case 1:
      return visitor(std::integral_constant<int, 1>());
    case 2:
      return visitor(std::integral_constant<int, 2>());
    case 3:
      return visitor(std::integral_constant<int, 3>());
    case 4:
      return visitor(std::integral_constant<int, 4>());
    case 5:
      return visitor(std::integral_constant<int, 5>());
    case 6:
      return visitor(std::integral_constant<int, 6>());
  }
  assert(false && "a constraint has one to six rows");
}

template <class T>
void MassFactors<T>::solveChainLTranspose(const Topology& topology, int link, int rows, T* X) const {
  visit([&](const auto& mass) {
    visitRowCount(rows, [&](auto count) { mass.template solveChainLTranspose<count>(topology, link, X); });
  });
}

template <class T>
void MassFactors<T>::solveChainUTranspose(const Topology& topology, int link, int rows, T* X) const {
  if (method_ != MassMethod::kTwoPoses) return solveChainLTranspose(topology, link, rows, X);
  visitRowCount(rows, [&](auto count) { two_poses_.template solveChainUTranspose<count>(topology, link, X); });
}

extern template class MassFactors<double>;

}  // namespace rigor
