// Sums over subtrees that Coriolis matrix, momentum and derivatives are made of.
#pragma once

#include "dynamics/kinematics.h"

namespace rigor {

/// Linear map from the turning part of a motion to a force: x ↦ (x_ω × lever, N x_ω). Sums like an inertia.
template <class T>
struct TurningForce {
  Vec3<T> lever;
  Mat3<T> N;

  RIGOR_INLINE TurningForce& operator+=(const TurningForce& b) {
    lever += b.lever;
    N.x += b.N.x, N.y += b.N.y, N.z += b.N.z;
    return *this;
  }
  RIGOR_INLINE friend Force<T> operator*(const TurningForce& B, const Motion<T>& x) {
    return {cross(x.angular, B.lever), B.N * x.angular};
  }
};

/// The turning part of Bᵀ y; the linear part is zero. dot(y, B x) = x_ω · (Bᵀ y).
template <class T>
RIGOR_INLINE Vec3<T> transposeTimes(const TurningForce<T>& B, const Motion<T>& y) {
  return cross(B.lever, y.linear) + transposeTimes(B.N, y.angular);
}

/// How the force f = I A + V ×* I V on a body reacts to a change x of its velocity that also changes A by x × V:
///
///     B x = I (x × V) + x ×* (I V) + V ×* (I x)
///
/// With I = (m, h, J) about O, V = (v, ω), p = m v + ω × h, two of its four 3 × 3 blocks vanish by Jacobi's identity:
///
///     B x = 2 (x_ω × p,  h × (x_ω × v) + ω × (J − ½ tr J) x_ω)
template <class T>
RIGOR_INLINE TurningForce<T> coriolisForce(const Inertia<T>& I, const Motion<T>& V) {
  const Vec3<T>&h = I.moment, &v = V.linear, &w = V.angular;
  const Sym3<T>& J = I.rotational;
  const T half_trace = 0.5 * (J.xx + J.yy + J.zz);
  const T along = dot(h, v);  // h × (x × v) = (h·v) x − v (h·x)
  const Vec3<T> p = I.mass * v + cross(w, h);
  const Vec3<T> x = cross(w, Vec3<T>{J.xx - half_trace, J.xy, J.xz}) - h.x * v;
  const Vec3<T> y = cross(w, Vec3<T>{J.xy, J.yy - half_trace, J.yz}) - h.y * v;
  const Vec3<T> z = cross(w, Vec3<T>{J.xz, J.yz, J.zz - half_trace}) - h.z * v;
  const T two(2.0);
  return {two * p,
          {two * Vec3<T>{x.x + along, x.y, x.z}, two * Vec3<T>{y.x, y.y + along, y.z},
           two * Vec3<T>{z.x, z.y, z.z + along}}};
}

/// Sums of any additive quantity over subtrees, in place; parents come before children.
template <class Sum>
void sumSubtrees(const Topology& topology, std::vector<Sum>& sums) {
  for (int link = topology.links - 1; link >= 0; --link)
    if (topology.parent[link] >= 0) sums[topology.parent[link]] += sums[link];
}

/// Rate of a column when the model moves: it is carried by the parent (translations) or by the link itself.
template <class T>
void computeColumnRates(const Topology& topology, const Kinematics<T>& kin, const std::vector<Motion<T>>& V,
                        std::vector<Motion<T>>& rates) {
  for (int link = 0; link < topology.links; ++link) {
    const int parent = topology.parent[link];
    const int first = topology.v_index[link];
    const int split = first + topology.parent_columns[link];
    const Motion<T> V_P = parent < 0 ? Motion<T>{} : V[parent];
    for (int j = first; j < first + topology.dofs[link]; ++j) rates[j] = cross(j < split ? V_P : V[link], kin.S[j]);
  }
}

}  // namespace rigor
