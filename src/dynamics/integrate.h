// Motion on the configuration manifold: q ⊕ h·v. Translations and angles add, quaternions are turned by exp(h ω).
#pragma once

#include "model/joint_motion.h"
#include "model/topology.h"

namespace rigor {

/// next = q ⊕ h·v; may be in place.
template <class T>
void integrate(const Trees& trees, const T* q, const T* v, T h, T* next) {
  const Topology& topology = trees.topology;
  for (int link = trees.first_link; link < trees.end_link; ++link) {
    const int qi = topology.q_index[link], vi = topology.v_index[link];
    integrateJoint(topology.joint[link], q + qi, v + vi, h, next + qi);
  }
}

/// v with q ⊕ v = next.
template <class T>
void difference(const Trees& trees, const T* q, const T* next, T* v) {
  const Topology& topology = trees.topology;
  for (int link = trees.first_link; link < trees.end_link; ++link) {
    const int qi = topology.q_index[link], vi = topology.v_index[link];
    differenceJoint(topology.joint[link], q + qi, next + qi, v + vi);
  }
}

/// Columns of ∂(link motions at q′)/∂(h v), q′ = q ⊕ h·v, from the motion columns S at q′. They are S itself but for
/// quaternions, where R·exp(h(ω + δ)) = R′·exp(Jr(hω) h δ): the three columns are mixed by Jr.
template <class T>
void pullBackColumns(const Trees& trees, const Motion<T>* S, const T* v, T h, Motion<T>* out) {
  const Topology& topology = trees.topology;
  for (int j = trees.first_dof; j < trees.end_dof; ++j) out[j] = S[j];
  for (int link = trees.first_link; link < trees.end_link; ++link) {
    if (topology.joint[link].rotation != Rotation::kAll) continue;
    const int j = topology.v_index[link] + topology.dofs[link] - 3;
    const Vec3<T> theta{h * v[j], h * v[j + 1], h * v[j + 2]};
    const Mat3<T> Jr = transpose(leftJacobian(theta, expCoefficients(dot(theta, theta))));
    out[j] = Jr.x.x * S[j] + Jr.x.y * S[j + 1] + Jr.x.z * S[j + 2];
    out[j + 1] = Jr.y.x * S[j] + Jr.y.y * S[j + 1] + Jr.y.z * S[j + 2];
    out[j + 2] = Jr.z.x * S[j] + Jr.z.y * S[j + 1] + Jr.z.z * S[j + 2];
  }
}

extern template void integrate(const Trees&, const double*, const double*, double, double*);
extern template void difference(const Trees&, const double*, const double*, double*);
extern template void pullBackColumns(const Trees&, const Motion<double>*, const double*, double, Motion<double>*);

}  // namespace rigor
