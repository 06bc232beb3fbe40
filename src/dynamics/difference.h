// The way from one configuration to another: the inverse of integrate.
#pragma once

#include "math/rotation.h"
#include "model/topology.h"

namespace rigor {

/// Rotation vector of a unit quaternion, |θ| ≤ π; q and −q are the same rotation.
template <class T>
Vec3<T> logQuat(const Quat<T>& q) {
  const auto other_half = q.w < T(0.0);
  const T sign = select(other_half, T(-1.0), T(1.0));
  const Vec3<T> u{sign * q.x, sign * q.y, sign * q.z};
  const T w = sign * q.w, sine2 = dot(u, u);
  const auto turned = sine2 > T(0.0);
  const T sine = squareRoot(select(turned, sine2, T(1.0)));
  // θ = 2·atan(s/w)·u/s; the ratio is taken with w where the angle is small and from the other side near π
  const auto wide = sine > w;
  const T narrow_ratio =
      2.0 * arctanRatio(select(wide, T(0.0), sine / select(wide, T(1.0), w))) / select(wide, T(1.0), w);
  const T back = w / sine;
  const T wide_ratio = (3.14159265358979323846 - 2.0 * back * arctanRatio(back)) / sine;
  const T ratio = select(wide, wide_ratio, narrow_ratio);
  return select(turned, ratio, T(2.0)) * u;
}

/// v with to = from ⊕ v.
template <class T>
void difference(const Topology& topology, const T* from, const T* to, T* v) {
  for (int link = 0; link < topology.links; ++link) {
    const JointType type = topology.joint[link];
    int qi = topology.q_index[link], vi = topology.v_index[link];
    const int straight = type.rotation == Rotation::kAll ? translationCount(type) : topology.dofs[link];
    for (int k = 0; k < straight; ++k, ++qi, ++vi) v[vi] = to[qi] - from[qi];
    if (type.rotation != Rotation::kAll) continue;
    const Quat<T> back{from[qi], -from[qi + 1], -from[qi + 2], -from[qi + 3]};
    const Vec3<T> turn = logQuat(back * Quat<T>{to[qi], to[qi + 1], to[qi + 2], to[qi + 3]});
    v[vi] = turn.x, v[vi + 1] = turn.y, v[vi + 2] = turn.z;
  }
}

extern template void difference(const Topology&, const double*, const double*, double*);

}  // namespace rigor
