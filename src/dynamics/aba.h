// Forward dynamics by the articulated-body algorithm, O(n), in world axes about O.
//
// A joint with several freedoms is eliminated one freedom at a time, as if massless links stood between them: same
// algebra, no 6 × 6 inverse.
#pragma once

#include <type_traits>

#include "dynamics/kinematics.h"

namespace rigor {

/// Symmetric 6 × 6 articulated inertia: [linear, coupling; couplingᵀ, angular].
template <class T>
struct ArticulatedInertia {
  Sym3<T> linear;
  Mat3<T> coupling;  ///< force from angular acceleration
  Sym3<T> angular;

  friend Force<T> operator*(const ArticulatedInertia& I, const Motion<T>& a) {
    return {I.linear * a.linear + I.coupling * a.angular, transposeTimes(I.coupling, a.linear) + I.angular * a.angular};
  }
  ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
    linear += b.linear;
    coupling = coupling + b.coupling;
    angular += b.angular;
    return *this;
  }
};

template <class T>
ArticulatedInertia<T> makeArticulated(const Inertia<T>& I) {
  const T o(0.0);
  const Vec3<T>& h = I.moment;  // m v + ω × h: the coupling is −h×
  return {{I.mass, I.mass, I.mass, o, o, o}, {{o, -h.z, h.y}, {h.z, o, -h.x}, {-h.y, h.x, o}}, I.rotational};
}

/// I −= s·U Uᵀ
template <class T>
void removeRankOne(ArticulatedInertia<T>& I, const Force<T>& U, T s) {
  const auto removeSym = [&](Sym3<T>& A, const Vec3<T>& u) {
    const Vec3<T> w = s * u;
    A.xx -= w.x * u.x, A.yy -= w.y * u.y, A.zz -= w.z * u.z;
    A.xy -= w.x * u.y, A.xz -= w.x * u.z, A.yz -= w.y * u.z;
  };
  removeSym(I.linear, U.linear);
  removeSym(I.angular, U.angular);
  const Vec3<T> w = s * U.angular;
  I.coupling.x -= w.x * U.linear;
  I.coupling.y -= w.y * U.linear;
  I.coupling.z -= w.z * U.linear;
}

template <class T>
struct AbaScratch {
  std::vector<Motion<T>> V, A;           ///< [links]
  std::vector<ArticulatedInertia<T>> I;  ///< [links]
  std::vector<Force<T>> p;               ///< [links] bias force
  std::vector<Motion<T>> zeta;           ///< [nv] Ṡ v of each freedom
  std::vector<Force<T>> U;               ///< [nv] I S
  std::vector<T> inverse_d, u;           ///< [nv]

  void resize(const Topology& topology) {
    V.resize(topology.links);
    A.resize(topology.links);
    I.resize(topology.links);
    p.resize(topology.links);
    zeta.resize(topology.nv);
    U.resize(topology.nv);
    inverse_d.resize(topology.nv);
    u.resize(topology.nv);
  }
};

/// Velocities, rates of the columns and the bias force of each link on its own.
template <class T>
void abaOutward(const Topology& topology, const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias, const T* v,
                const std::type_identity_t<Force<T>>* external, AbaScratch<T>& scratch) {
  computeVelocities(topology, kin, v, scratch.V);
  for (int link = 0; link < topology.links; ++link) {
    const int parent = topology.parent[link];
    const int first = topology.v_index[link];
    const int split = first + topology.parent_columns[link];
    const Motion<T> V_P = parent < 0 ? Motion<T>{} : scratch.V[parent];
    const Motion<T>& V = scratch.V[link];
    for (int j = first; j < first + topology.dofs[link]; ++j)
      scratch.zeta[j] = v[j] * cross(j < split ? V_P : V, kin.S[j]);
    scratch.I[link] = makeArticulated(inertias[link]);
    scratch.p[link] = cross(V, inertias[link] * V);
    if (external) scratch.p[link] -= external[link];
  }
}

/// acceleration = M⁻¹ (tau − c + Jᵀ f_external), M with armature.
template <class T>
void aba(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
         const std::vector<Inertia<T>>& inertias, const T* v, const T* tau,
         const std::type_identity_t<Force<T>>* external, AbaScratch<T>& scratch, T* acceleration) {
  abaOutward(topology, kin, inertias, v, external, scratch);

  for (int link = topology.links - 1; link >= 0; --link) {
    const int first = topology.v_index[link];
    ArticulatedInertia<T>& I = scratch.I[link];
    Force<T>& p = scratch.p[link];
    for (int j = first + topology.dofs[link] - 1; j >= first; --j) {
      const Force<T> U = I * kin.S[j];
      const T inverse = 1.0 / (dot(kin.S[j], U) + parameters.armature[j]);
      const T u = tau[j] - dot(kin.S[j], p);
      removeRankOne(I, U, inverse);
      p += I * scratch.zeta[j] + (u * inverse) * U;
      scratch.U[j] = U;
      scratch.inverse_d[j] = inverse;
      scratch.u[j] = u;
    }
    const int parent = topology.parent[link];
    if (parent >= 0) {
      scratch.I[parent] += I;
      scratch.p[parent] += p;
    }
  }

  for (int link = 0; link < topology.links; ++link) {
    const int first = topology.v_index[link];
    const int parent = topology.parent[link];
    Motion<T> A = parent < 0 ? Motion<T>{-parameters.gravity, {}} : scratch.A[parent];
    for (int j = first; j < first + topology.dofs[link]; ++j) {
      // U was taken before this freedom's column moved, so its rate enters first
      A += scratch.zeta[j];
      acceleration[j] = scratch.inverse_d[j] * (scratch.u[j] - dot(A, scratch.U[j]));
      A += acceleration[j] * kin.S[j];
    }
    scratch.A[link] = A;
  }
}

extern template void aba(const Topology&, const Parameters<double>&, const Kinematics<double>&,
                         const std::vector<Inertia<double>>&, const double*, const double*, const Force<double>*,
                         AbaScratch<double>&, double*);

}  // namespace rigor
