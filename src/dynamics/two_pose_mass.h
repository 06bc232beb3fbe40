// A = LᵀDU, the Newton matrix of a step whose forces act at its start and whose motion ends at another pose.
//
//   A = ∂/∂v Σ_b J_b(q)ᵀ (p_b, L_b),   q′ = q ⊕ h·v            (stride.h; VG eq. 33 on the tree: rows at z₁, columns at z₂)
//
// J_b(q) has the columns S about O at q, a change of v moves the bodies by columns S̃ about O′ at q′. Between them stands a
// body's p = m·1, turning part Q = tr(N) 1 − N: forces and torques about O per motion about O′, a 6 × 6 matrix that is not
// symmetric unless nothing moves. Nothing has to be transformed on the way to the root: articulated bodies add up, and a
// freedom leaves a matrix of rank one. Linear in the number of freedoms. About one point for all, rounding grows with the
// square of a chain's length: links of deep trees have points of their own, and what they pass on is moved from one to the next.
//
// L_ka = S_a·U_k/d_k and U_ka = S̃_a·V_k/d_k for every ancestor a of k; U = I S̃, V = IᵀS, d = S·U.
#pragma once

#include "dynamics/stride.h"
#include "dynamics/tree_solves.h"

namespace rigor {

/// Force and torque about O per motion about O′.
template <class T>
struct TwoPoseInertia {
  Mat3<T> push, twist;  ///< force per velocity, per turning
  Mat3<T> heave, turn;  ///< torque per velocity, per turning

  RIGOR_INLINE TwoPoseInertia& operator+=(const TwoPoseInertia& b) {
    push = push + b.push, twist = twist + b.twist, heave = heave + b.heave, turn = turn + b.turn;
    return *this;
  }
  RIGOR_INLINE friend Force<T> operator*(const TwoPoseInertia& I, const Motion<T>& a) {
    return {I.push * a.linear + I.twist * a.angular, I.heave * a.linear + I.turn * a.angular};
  }
};

/// Iᵀ a: what a force along the column a of the start feels of motions at the end.
template <class T>
RIGOR_INLINE Force<T> transposeTimes(const TwoPoseInertia<T>& I, const Motion<T>& a) {
  return {transposeTimes(I.push, a.linear) + transposeTimes(I.heave, a.angular),
          transposeTimes(I.twist, a.linear) + transposeTimes(I.turn, a.angular)};
}

template <class T>
RIGOR_INLINE void subtractOuter(Mat3<T>& A, const Vec3<T>& a, const Vec3<T>& b) {
  A.x -= b.x * a, A.y -= b.y * a, A.z -= b.z * a;
}

/// I − U Vᵀ/d.
template <class T>
RIGOR_INLINE void subtractRankOne(TwoPoseInertia<T>& I, const Force<T>& U, const Force<T>& V, const T& inverse_d) {
  const Force<T> scaled = inverse_d * U;
  subtractOuter(I.push, scaled.linear, V.linear);
  subtractOuter(I.twist, scaled.linear, V.angular);
  subtractOuter(I.heave, scaled.angular, V.linear);
  subtractOuter(I.turn, scaled.angular, V.angular);
}

/// What is about a link's point, about its parent's: X I Xᵀ, X (f, τ) = (f, τ + d × f).
template <class T>
RIGOR_INLINE void moveBy(const Vec3<T>& d, TwoPoseInertia<T>& I) {
  const auto crossed = [&](const Mat3<T>& A) { return Mat3<T>{cross(d, A.x), cross(d, A.y), cross(d, A.z)}; };
  const auto subtractCrossed = [&](const Mat3<T>& A, Mat3<T>& from) {  // from − A (d×)
    from.x -= d.z * A.y - d.y * A.z;
    from.y -= d.x * A.z - d.z * A.x;
    from.z -= d.y * A.x - d.x * A.y;
  };
  I.turn = I.turn + crossed(I.twist);
  I.heave = I.heave + crossed(I.push);
  subtractCrossed(I.push, I.twist);
  subtractCrossed(I.heave, I.turn);
}

/// b ↦ a × b.
template <class T>
RIGOR_INLINE Mat3<T> crossMatrix(const Vec3<T>& a) {
  const T zero(0.0);
  return {{zero, a.z, T(-a.y)}, {T(-a.z), zero, a.x}, {a.y, T(-a.x), zero}};
}

/// tr(N) 1 − N, N = E (½ tr(J) 1 − J): ∂L/∂φ′ of a body, per unit of turning at the end.
template <class T>
RIGOR_INLINE Mat3<T> turningOf(const Stride<T>& stride) {
  const Sym3<T>& J = stride.inertia;
  const T half = 0.5 * (J.xx + J.yy + J.zz);
  const Mat3<T> Jd{
      {half - J.xx, T(-J.xy), T(-J.xz)}, {T(-J.xy), half - J.yy, T(-J.yz)}, {T(-J.xz), T(-J.yz), half - J.zz}};
  const Mat3<T> N = toMatrix(stride.turn) * Jd;
  const T trace = N.x.x + N.y.y + N.z.z;
  return {{trace - N.x.x, T(-N.x.y), T(-N.x.z)},
          {T(-N.y.x), trace - N.y.y, T(-N.y.z)},
          {T(-N.z.x), T(-N.z.y), trace - N.z.z}};
}

/// Of one body: c its centre relative to O at the start, c_end relative to O′ at the end, `turning` about it.
/// p = m (l + w × c′), torque c × p + Q w.
template <class T>
RIGOR_INLINE TwoPoseInertia<T> bodyInertia(const T& mass, const Vec3<T>& c, const Vec3<T>& c_end,
                                           const Mat3<T>& turning) {
  const T zero(0.0);
  const Vec3<T> moment = mass * c, moment_end = mass * c_end;
  TwoPoseInertia<T> I;
  I.push = {{mass, zero, zero}, {zero, mass, zero}, {zero, zero, mass}};
  I.twist = crossMatrix(-moment_end);
  I.heave = crossMatrix(moment);
  I.turn = turning;  // + c × (w × m c′) = (c·m c′) w − (c·w) m c′
  subtractOuter(I.turn, moment_end, c);
  const T shift = dot(moment, c_end);
  I.turn.x.x += shift, I.turn.y.y += shift, I.turn.z.z += shift;
  return I;
}

/// Verbs as in mass_factors.h; those with U belong to motions at the end.
template <class T>
struct TwoPoseMass {
  std::vector<TwoPoseInertia<T>> bodies, articulated;  ///< [links] articulated: scratch of the factorisation
  std::vector<char> carries;                           ///< [links] the same: children have added to it
  std::vector<Motion<T>> S, S_end;                     ///< [nv] S and S̃
  std::vector<T> passive;                              ///< [nv] on the diagonal
  std::vector<Force<T>> U, V;                          ///< [nv]
  std::vector<T> inverse_d;                            ///< [nv]
  bool has_points = false;                             ///< these are not all zero:
  std::vector<Vec3<T>> point;            ///< [links] from O to where bodies, S and S̃ of a link are; empty: all at O
  std::vector<Vec3<T>> shift;            ///< [links] from the point of the parent
  mutable std::vector<Force<T>> passed;  ///< [links] scratch of solves
  mutable std::vector<Motion<T>> moved;  ///< [links] the same

  void resize(const Topology& topology) {
    for (auto* array : {&bodies, &articulated}) array->resize(topology.links);
    carries.assign(topology.links, 0);
    for (auto* array : {&S, &S_end}) array->resize(topology.nv);
    for (auto* array : {&U, &V}) array->resize(topology.nv);
    for (auto* array : {&passive, &inverse_d}) array->assign(topology.nv, T(0.0));
    passed.resize(topology.links);
    moved.resize(topology.links);
  }

  /// Factors with `held` [nv] on the diagonal besides `passive`; bodies, S and S̃ are set.
  void factor(const Trees& trees, const T* held) {
    const Topology& topology = trees.topology;
    std::fill(carries.begin() + trees.first_link, carries.begin() + trees.end_link, 0);
    for (int link = trees.end_link - 1; link >= trees.first_link; --link) {
      TwoPoseInertia<T> I = carries[link] ? articulated[link] : bodies[link];
      const int first = topology.v_index[link];
      for (int j = first + topology.dofs[link] - 1; j >= first; --j) {
        U[j] = I * S_end[j];
        V[j] = transposeTimes(I, S[j]);
        inverse_d[j] = 1.0 / (dot(S[j], U[j]) + passive[j] + held[j]);
        if (j > first || topology.parent[link] >= 0) subtractRankOne(I, U[j], V[j], inverse_d[j]);
      }
      const int parent = topology.parent[link];
      if (parent < 0) continue;
      if (has_points) moveBy(shift[link], I);
      if (!carries[parent]) articulated[parent] = bodies[parent];
      carries[parent] = 1;
      articulated[parent] += I;
    }
  }

  T pivot(const Topology&, int dof) const { return 1.0 / inverse_d[dof]; }

  void solveLTranspose(const Trees& trees, T* x) const { solveInward(trees, forces(), passed, x); }
  void solveU(const Trees& trees, T* x) const { solveOutward(trees, motions(), moved, x); }
  /// x ← L⁻ᵀ (x + Sᵀ F), −F in `passed` [links], each about the link's point.
  void passLinkForces(const Trees& trees, T* x) const { passInward(trees, forces(), passed, x); }
  template <int kRows>
  void solveChainLTranspose(const Topology& topology, int link, T* X) const {
    solveChainInward<kRows>(topology, link, forces(), X);
  }
  template <int kRows>
  void solveChainUTranspose(const Topology& topology, int link, T* X) const {
    solveChainInward<kRows>(topology, link, motions(), X);
  }

  /// With L in the place of U: near enough for deciding how stiff springs are.
  T weighInverse(const Trees& trees, const std::vector<int>& freedoms, const std::vector<T>& weight, T* column) const {
    return weighInverseByChains(trees, freedoms, weight, inverse_d, column, [&](int link, T* x) {
      this->template solveChainLTranspose<1>(trees.topology, link, x);
    });
  }

 private:
  const Vec3<T>* shifts() const { return has_points ? shift.data() : nullptr; }
  TreeFactors<T> forces() const { return {S, U, inverse_d, shifts()}; }       ///< L
  TreeFactors<T> motions() const { return {S_end, V, inverse_d, shifts()}; }  ///< U
};

}  // namespace rigor
