// Motion on the configuration manifold: q ⊕ h·v. Translations and angles add, quaternions are turned by exp(h ω).
#pragma once

#include "math/rotation.h"
#include "model/topology.h"

namespace rigor {

/// next = q ⊕ h·v; may be in place. R′ = R·exp(h ω) because ω is in the child's frame.
template <class T>
void integrate(const Topology& topology, const T* q, const T* v, T h, T* next) {
  for (int link = 0; link < topology.links; ++link) {
    const JointType type = topology.joint[link];
    int qi = topology.q_index[link], vi = topology.v_index[link];
    const int straight = type.rotation == Rotation::kAll ? translationCount(type) : topology.dofs[link];
    for (int k = 0; k < straight; ++k, ++qi, ++vi) next[qi] = q[qi] + h * v[vi];
    if (type.rotation != Rotation::kAll) continue;
    const Quat<T> turn = expQuat(Vec3<T>{h * v[vi], h * v[vi + 1], h * v[vi + 2]});
    const Quat<T> r = normalized(Quat<T>{q[qi], q[qi + 1], q[qi + 2], q[qi + 3]} * turn);
    next[qi] = r.w, next[qi + 1] = r.x, next[qi + 2] = r.y, next[qi + 3] = r.z;
  }
}

/// Multiplies a row of ∂(…)/∂(tangent at q′) on the chain of `link` with ∂q′/∂(h v): the identity but for quaternions,
/// where R·exp(h(ω + δ)) = R′·exp(Jr(hω) h δ), so the row's angular part becomes Jr(hω)ᵀ · part.
template <class T>
void pullBackRow(const Topology& topology, int link, const T* v, T h, T* row) {
  for (; link >= 0; link = topology.parent[link]) {
    if (topology.joint[link].rotation != Rotation::kAll) continue;
    const int position = topology.chain_length[link] - 3;
    const T* omega = v + topology.v_index[link] + topology.dofs[link] - 3;
    const Vec3<T> theta{h * omega[0], h * omega[1], h * omega[2]};
    const Vec3<T> part{row[position], row[position + 1], row[position + 2]};
    const Vec3<T> pulled = leftJacobianTimes(theta, expCoefficients(dot(theta, theta)), part);
    row[position] = pulled.x, row[position + 1] = pulled.y, row[position + 2] = pulled.z;
  }
}

extern template void integrate(const Topology&, const double*, const double*, double, double*);
extern template void pullBackRow(const Topology&, int, const double*, double, double*);

}  // namespace rigor
