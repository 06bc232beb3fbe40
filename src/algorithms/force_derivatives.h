// Derivative of Jᵀλ by q for a force on a body.
#pragma once

#include "dynamics/jacobian.h"

namespace rigor {

/// Adds ∂(Jᵀλ)/∂q for a force f and a torque, both in world axes, at a point fixed in `link` that is at p relative to O.
///
/// With F = (f, p × f + torque) and τ_k = S_k·F over the chain of the link:
///
///     ∂τ_k/∂q_j = S_k,ω·(u_j × f) + (S_j × S_k)·F,    u_j = s_j + ω_j × p the velocity of the point,
///
/// the second term for every k that comes after j (rnea_derivatives.h). `by_q` is [nv × nv] by columns.
template <class T>
void addForceDerivative(const Topology& topology, const Motion<T>* S, int link, const Vec3<T>& p, const Vec3<T>& f,
                        const Vec3<T>& torque, T* by_q) {
  const int* chain = topology.chain.data() + topology.chain_start[link];
  const Force<T> F = forceAt(p, f, torque);
  for (int at_j = 0; at_j < topology.chain_length[link]; ++at_j) {
    const int j = chain[at_j];
    const int owner = topology.dof_link[j];
    const int split = topology.v_index[owner] + topology.parent_columns[owner];
    const Vec3<T> moved = cross(S[j].linear + cross(S[j].angular, p), f);
    for (int at_k = 0; at_k < topology.chain_length[link]; ++at_k) {
      const int k = chain[at_k];
      const bool after = topology.dof_link[k] == owner ? k >= split : at_k > at_j;
      T value = dot(S[k].angular, moved);
      if (after) value += dot(cross(S[j], S[k]), F);
      by_q[k + topology.nv * j] += value;
    }
  }
}

extern template void addForceDerivative(const Topology&, const Motion<double>*, int, const Vec3<double>&,
                                        const Vec3<double>&, const Vec3<double>&, double*);

}  // namespace rigor
