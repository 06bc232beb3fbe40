// Inverse dynamics by the recursive Newton–Euler algorithm, in world axes about O.
#pragma once

#include <type_traits>

#include "dynamics/kinematics.h"

namespace rigor {

template <class T>
struct RneaScratch {
  std::vector<Motion<T>> V, A;  ///< [links] velocity, acceleration; gravity as upward acceleration of the world
  std::vector<Force<T>> f;      ///< [links] what moves the link: I A + V ×* I V − external
  std::vector<Force<T>> total;  ///< [links] force through the joint into the link: f of its whole subtree

  void resize(const Topology& topology) {
    V.resize(topology.links);
    A.resize(topology.links);
    f.resize(topology.links);
    total.resize(topology.links);
  }
};

/// tau = Sᵀ total of one link, total_P += total.
template <class T>
RIGOR_INLINE void sumTorque(const Topology& topology, const Kinematics<T>& kin, int link, std::vector<Force<T>>& total,
                            T* tau) {
  const int first = topology.v_index[link];
  const Force<T> f = total[link];
  for (int j = first; j < first + topology.dofs[link]; ++j) tau[j] = dot(kin.S[j], f);
  if (topology.parent[link] >= 0) total[topology.parent[link]] += f;
}

/// The same from the leaves on.
template <class T>
void sumTorques(const Topology& topology, const Kinematics<T>& kin, std::vector<Force<T>>& total, T* tau) {
  for (int link = topology.links - 1; link >= topology.given; --link) sumTorque(topology, kin, link, total, tau);
}

/// Force that moves a link: d/dt of its momentum about O. With a' = A.linear + ω × V.linear, the acceleration of the
/// body point at O:  m a' + α × h + ω × (ω × h),  h × a' + I α + ω × I ω.
template <class T>
RIGOR_INLINE Force<T> movingForce(const Inertia<T>& I, const Motion<T>& V, const Motion<T>& A) {
  const Vec3<T>& omega = V.angular;
  const Vec3<T> a = A.linear + cross(omega, V.linear);
  return {I.mass * a + (cross(A.angular, I.moment) + cross(omega, cross(omega, I.moment))),
          cross(I.moment, a) + (I.rotational * A.angular + cross(omega, I.rotational * omega))};
}

/// Velocities, accelerations and the force that each link needs, root → leaves. `a` and `external` may be null.
///
/// V = V_P + S v,  A = A_P + Ṡ v + S a,  f = I A + V ×* I V;   Ṡ = V_P × S of the parent columns, V × S of the rest.
template <class T>
void rneaOutward(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                 const std::vector<Inertia<T>>& inertias, const T* v, const std::type_identity_t<T>* a,
                 const std::type_identity_t<Force<T>>* external, RneaScratch<T>& scratch) {
  const T zero(0.0);
  const Motion<T> at_rest{{zero, zero, zero}, {zero, zero, zero}};
  const Motion<T> lifted{-parameters.gravity, {zero, zero, zero}};

  for (int link = topology.given; link < topology.links; ++link) {
    const int parent = topology.parent[link];
    const int first = topology.v_index[link];
    const int split = first + topology.parent_columns[link];
    const int end = first + topology.dofs[link];
    const Motion<T>& V_P = parent < 0 ? at_rest : scratch.V[parent];
    Motion<T> V = V_P, A = parent < 0 ? lifted : scratch.A[parent];

    if (split > first) {
      Motion<T> slide = v[first] * kin.S[first];
      for (int j = first + 1; j < split; ++j) slide += v[j] * kin.S[j];
      V += slide;
      A += cross(V_P, slide);
    }
    if (end > split) {
      Motion<T> turn = v[split] * kin.S[split];
      for (int j = split + 1; j < end; ++j) turn += v[j] * kin.S[j];
      V += turn;
      A += cross(V, turn);
    }
    if (a)
      for (int j = first; j < end; ++j) A += a[j] * kin.S[j];

    scratch.V[link] = V;
    scratch.A[link] = A;
    scratch.f[link] = movingForce(inertias[link], V, A);
    if (external) scratch.f[link] -= external[link];
  }
}

/// tau = M a + c(q, v) − Jᵀ f_external, without armature. `a` may be null (zero acceleration: tau is the bias),
/// `external` may be null, else [links] forces about O in world axes.
template <class T>
void rnea(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
          const std::vector<Inertia<T>>& inertias, const T* v, const std::type_identity_t<T>* a,
          const std::type_identity_t<Force<T>>* external, RneaScratch<T>& scratch, T* tau) {
  rneaOutward(topology, parameters, kin, inertias, v, a, external, scratch);
  scratch.total = scratch.f;
  sumTorques(topology, kin, scratch.total, tau);
}

/// Joint impulses of a kick of length k that changes the velocity by `change` while `impulse` acts on the links, from the link
/// forces `f` of an earlier call without acceleration: k f + I·(S change) − impulse. Velocity terms are not computed
/// again; mass matrix and factors play no part; k may be zero.
template <class T>
void rneaOfKick(const Topology& topology, const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias,
                const std::vector<Force<T>>& f, const std::type_identity_t<T>& k, const T* change,
                const std::type_identity_t<Force<T>>* impulse, RneaScratch<T>& scratch, T* sum) {
  computeVelocities(topology, kin, change, scratch.A);
  for (int link = 0; link < topology.links; ++link)
    scratch.total[link] = (k * f[link] + inertias[link] * scratch.A[link]) - impulse[link];
  sumTorques(topology, kin, scratch.total, sum);
}

/// What an earlier call without acceleration left behind becomes what one with `a` leaves, without its torques.
/// `gained` [links] is scratch.
template <class T>
void addAcceleration(const Topology& topology, const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias,
                     const T* a, std::vector<Motion<T>>& gained, RneaScratch<T>& scratch) {
  computeVelocities(topology, kin, a, gained);
  for (int link = 0; link < topology.links; ++link) {
    scratch.A[link] += gained[link];
    scratch.total[link] = scratch.f[link] += inertias[link] * gained[link];
  }
  for (int link = topology.links - 1; link >= 0; --link)
    if (topology.parent[link] >= 0) scratch.total[topology.parent[link]] += scratch.total[link];
}

extern template void addAcceleration(const Topology&, const Kinematics<double>&, const std::vector<Inertia<double>>&,
                                     const double*, std::vector<Motion<double>>&, RneaScratch<double>&);
extern template void rneaOfKick(const Topology&, const Kinematics<double>&, const std::vector<Inertia<double>>&,
                                const std::vector<Force<double>>&, const double&, const double*, const Force<double>*,
                                RneaScratch<double>&, double*);
extern template void rnea(const Topology&, const Parameters<double>&, const Kinematics<double>&,
                          const std::vector<Inertia<double>>&, const double*, const double*, const Force<double>*,
                          RneaScratch<double>&, double*);

}  // namespace rigor
