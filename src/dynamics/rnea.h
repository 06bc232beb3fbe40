// Inverse dynamics by the recursive Newton–Euler algorithm, in world axes about O.
#pragma once

#include <algorithm>
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
  const int first = topology.v_index[link], dofs = topology.dofs[link];
  const Force<T> f = total[link];
  tau[first] = dot(kin.S[first], f);
  for (int j = first + 1; j < first + dofs; ++j) tau[j] = dot(kin.S[j], f);
  if (topology.parent[link] >= 0) total[topology.parent[link]] += f;
}

/// The same from the leaves on.
template <class T>
void sumTorques(const Trees& trees, const Kinematics<T>& kin, std::vector<Force<T>>& total, T* tau) {
  for (int link = trees.end_link - 1; link >= trees.first_link; --link)
    sumTorque(trees.topology, kin, link, total, tau);
}

/// Before sumTorques: what moves a link is what its joint passes on, as long as its children have added nothing.
template <class T>
void startTotals(const Trees& trees, RneaScratch<T>& scratch) {
  std::copy(scratch.f.begin() + trees.first_link, scratch.f.begin() + trees.end_link,
            scratch.total.begin() + trees.first_link);
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

/// V and A of a link from those of its parent; a hinge, the most frequent joint, in straight line code. `a` may be null.
template <class T, class Place>
RIGOR_INLINE void moveLink(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                           const T* v, const T* a, Place at, RneaScratch<T>& scratch, Motion<typename Place::Scalar>& V,
                           Motion<typename Place::Scalar>& A) {
  using Scalar = typename Place::Scalar;
  const auto column = [&](Place j) __attribute__((always_inline)) { return Motion<Scalar>(j.load(kin.S.data())); };
  const int dofs = topology.dofs[at.first], split = topology.parent_columns[at.first];
  const Place freedom = at.in(topology.v_index);
  if (topology.parent[at.first] < 0) {
    const Vec3<T>& g = parameters.gravity;
    V = {};
    A = {{Scalar(-g.x), Scalar(-g.y), Scalar(-g.z)}, {}};
  } else {
    V = at.in(topology.parent).load(scratch.V.data());
    A = at.in(topology.parent).load(scratch.A.data());
  }
  if (dofs == 1 && split == 0) {
    const Motion<Scalar> turn = Scalar(freedom.load(v)) * column(freedom);
    V += turn;
    A += cross(V, turn);
  } else {
    if (split > 0) {
      Motion<Scalar> slide = Scalar(freedom.load(v)) * column(freedom);
      for (int k = 1; k < split; ++k) slide += Scalar(freedom.next(k).load(v)) * column(freedom.next(k));
      A += cross(V, slide);
      V += slide;
    }
    if (dofs > split) {
      Motion<Scalar> turn = Scalar(freedom.next(split).load(v)) * column(freedom.next(split));
      for (int k = split + 1; k < dofs; ++k) turn += Scalar(freedom.next(k).load(v)) * column(freedom.next(k));
      V += turn;
      A += cross(V, turn);
    }
  }
  if (a)
    for (int k = 0; k < dofs; ++k) A += Scalar(freedom.next(k).load(a)) * column(freedom.next(k));
}

/// Velocities, accelerations and the force that each link needs, root → leaves. `a` and `external` may be null.
///
/// V = V_P + S v,  A = A_P + Ṡ v + S a,  f = I A + V ×* I V;   Ṡ = V_P × S of the parent columns, V × S of the rest.
template <class T>
void rneaOutward(const Trees& trees, const Parameters<T>& parameters, const Kinematics<T>& kin,
                 const std::vector<Inertia<T>>& inertias, const T* v, const std::type_identity_t<T>* a,
                 const std::type_identity_t<Force<T>>* external, RneaScratch<T>& scratch) {
  const Topology& topology = trees.topology;
  walkOutward<T>(trees, [&](auto at) __attribute__((always_inline)) {
    using Scalar = typename decltype(at)::Scalar;
    Motion<Scalar> V, A;
    moveLink(topology, parameters, kin, v, a, at, scratch, V, A);
    at.store(scratch.V.data(), V);
    at.store(scratch.A.data(), A);
    Force<Scalar> f = movingForce(Inertia<Scalar>(at.load(inertias.data())), V, A);
    if (external) f -= at.load(external);
    at.store(scratch.f.data(), f);
  });
}

/// The same where the inertias are still to be found: one walk for both.
template <class T>
void placeAndMoveOutward(const Trees& trees, const Parameters<T>& parameters, const Kinematics<T>& kin, const T* v,
                         const std::type_identity_t<Force<T>>* external, std::vector<Inertia<T>>& inertias,
                         RneaScratch<T>& scratch) {
  const Topology& topology = trees.topology;
  walkOutward<T>(trees, [&](auto at) __attribute__((always_inline)) {
    using Scalar = typename decltype(at)::Scalar;
    const Inertia<Scalar> I = placeInertia(parameters, kin, at);
    at.store(inertias.data(), I);
    Motion<Scalar> V, A;
    moveLink<T>(topology, parameters, kin, v, nullptr, at, scratch, V, A);
    at.store(scratch.V.data(), V);
    at.store(scratch.A.data(), A);
    Force<Scalar> f = movingForce(I, V, A);
    if (external) f -= at.load(external);
    at.store(scratch.f.data(), f);
  });
}

/// tau = M a + c(q, v) − Jᵀ f_external, without armature. `a` may be null (zero acceleration: tau is the bias),
/// `external` may be null, else [links] forces about O in world axes.
template <class T>
void rnea(const Trees& trees, const Parameters<T>& parameters, const Kinematics<T>& kin,
          const std::vector<Inertia<T>>& inertias, const T* v, const std::type_identity_t<T>* a,
          const std::type_identity_t<Force<T>>* external, RneaScratch<T>& scratch, T* tau) {
  rneaOutward(trees, parameters, kin, inertias, v, a, external, scratch);
  startTotals(trees, scratch);
  sumTorques(trees, kin, scratch.total, tau);
}

/// Joint impulses of a kick of length k that changes the velocity by `change` while `impulse` acts on the links, from the link
/// forces `f` of an earlier call without acceleration: k f + I·(S change) − impulse. Velocity terms are not computed
/// again; mass matrix and factors play no part; k may be zero.
template <class T>
void rneaOfKick(const Trees& trees, const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias,
                const std::vector<Force<T>>& f, const std::type_identity_t<T>& k, const T* change,
                const std::type_identity_t<Force<T>>* impulse, RneaScratch<T>& scratch, T* sum) {
  const Topology& topology = trees.topology;
  walkOutward<T>(trees, [&](auto at) __attribute__((always_inline)) {
    using Scalar = typename decltype(at)::Scalar;
    const Motion<Scalar> A = addMotion(topology, kin, change, at, scratch.A);
    at.store(scratch.A.data(), A);
    const Force<Scalar> needed =
        Scalar(k) * Force<Scalar>(at.load(f.data())) + Inertia<Scalar>(at.load(inertias.data())) * A;
    at.store(scratch.total.data(), needed - Force<Scalar>(at.load(impulse)));
  });
  sumTorques(trees, kin, scratch.total, sum);
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
extern template void sumTorques(const Trees&, const Kinematics<double>&, std::vector<Force<double>>&, double*);
extern template void placeAndMoveOutward(const Trees&, const Parameters<double>&, const Kinematics<double>&,
                                         const double*, const Force<double>*, std::vector<Inertia<double>>&,
                                         RneaScratch<double>&);
extern template void rneaOfKick(const Trees&, const Kinematics<double>&, const std::vector<Inertia<double>>&,
                                const std::vector<Force<double>>&, const double&, const double*, const Force<double>*,
                                RneaScratch<double>&, double*);
extern template void rnea(const Trees&, const Parameters<double>&, const Kinematics<double>&,
                          const std::vector<Inertia<double>>&, const double*, const double*, const Force<double>*,
                          RneaScratch<double>&, double*);

}  // namespace rigor
