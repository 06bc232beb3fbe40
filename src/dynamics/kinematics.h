// Positions of all links and the motion that each degree of freedom produces.
//
// World axes, origin O of each tree at its root link: a link's pose is relative to O, so precision does not suffer
// far from the world's origin and the base columns are unit vectors.
#pragma once

#include <vector>

#include "dynamics/side_by_side.h"
#include "math/spatial.h"
#include "model/joint_motion.h"
#include "model/parameters.h"

namespace rigor {

template <class T>
struct Kinematics {
  std::vector<Vec3<T>> origin;     ///< [trees] O in the world
  std::vector<Transform<T>> X_OL;  ///< [links] world axes, relative to O
  std::vector<Motion<T>> S;        ///< [nv] motion about O per unit of v

  void resize(const Topology& topology) {
    origin.resize(topology.trees);
    X_OL.resize(topology.links);
    S.resize(topology.nv);
  }
};

/// X · F, where the rotation of F may only rename axes.
template <class T>
RIGOR_INLINE Transform<T> attach(const Transform<T>& X, const Transform<T>& F, FrameTurn turn) {
  const Vec3<T> p = X * F.p;
  switch (turn) {
    case FrameTurn::kNone:
      return {X.R, p};
    case FrameTurn::kForward:
      return {{X.R.y, X.R.z, X.R.x}, p};
    case FrameTurn::kBackward:
      return {{X.R.z, X.R.x, X.R.y}, p};
    case FrameTurn::kGeneral:
      break;
  }
  return {X.R * F.R, p};
}

/// Pose and column of a hinge from the pose of its parent: as placeLink, straight line code for the most frequent joint.
template <class T, class Place>
RIGOR_INLINE void placeHinge(const Topology& topology, const Parameters<T>& parameters, const T* q, Place at,
                             Kinematics<T>& kin) {
  using Scalar = typename Place::Scalar;
  const SinCos<Scalar> sc = sincos(Scalar(at.in(topology.q_index).load(q)));
  const Transform<Scalar> X = at.in(topology.parent).load(kin.X_OL.data());
  const Transform<Scalar> J = at.load(parameters.X_PJ.data());
  const Vec3<Scalar> p = X * J.p;
  const auto turn = [&](const Vec3<Scalar>& x, const Vec3<Scalar>& y,
                        const Vec3<Scalar>& z) __attribute__((always_inline)) {
    at.store(kin.X_OL.data(), Transform<Scalar>{{sc.cos * x + sc.sin * y, sc.cos * y - sc.sin * x, z}, p});
    at.in(topology.v_index).store(kin.S.data(), Motion<Scalar>{cross(p, z), z});
  };
  switch (at.shared(parameters.turn, FrameTurn::kGeneral)) {  // here, so that renamed axes are not moved
    case FrameTurn::kNone:
      return turn(X.R.x, X.R.y, X.R.z);
    case FrameTurn::kForward:
      return turn(X.R.y, X.R.z, X.R.x);
    case FrameTurn::kBackward:
      return turn(X.R.z, X.R.x, X.R.y);
    case FrameTurn::kGeneral:
      return turn(X.R * J.R.x, X.R * J.R.y, X.R * J.R.z);
  }
}

/// Pose and motion columns of a link with any joint from the pose of its parent.
template <class T>
[[gnu::noinline]] void placeLink(const Topology& topology, const Parameters<T>& parameters, const T* q, int link,
                                 Kinematics<T>& kin) {
  const T zero(0.0);
  const JointType type = topology.joint[link];
  const int parent = topology.parent[link], moves = translationCount(type);
  const T* qj = q + topology.q_index[link];
  Motion<T>* S = kin.S.data() + topology.v_index[link];

  // joint frame in the world, relative to O below the root
  Transform<T> F = parameters.X_PJ[link];
  if (parent >= 0) F = attach(kin.X_OL[parent], F, parameters.turn[link]);

  translateJoint(type, qj, F, S);
  if (parent < 0) {
    kin.origin[topology.tree[link]] = F.p;
    F.p = {zero, zero, zero};
  }
  turnJoint(type, qj + moves, parameters.pitch[link], F, S + moves);
  kin.X_OL[link] = F;
}

/// Poses and motion columns at q (joint_motion.h).
template <class T>
void computeKinematics(const Trees& trees, const Parameters<T>& parameters, const T* q, Kinematics<T>& kin) {
  const Topology& topology = trees.topology;
  walkOutward<T>(trees, [&](auto at) __attribute__((always_inline)) {
    if (topology.joint[at.first] == kHinge && topology.parent[at.first] >= 0)
      placeHinge(topology, parameters, q, at, kin);
    else
      at.forEach([&](int link) { placeLink(topology, parameters, q, link, kin); });
  });
}

/// Inertia of a link about O in world axes.
template <class T, class Place>
RIGOR_INLINE auto placeInertia(const Parameters<T>& parameters, const Kinematics<T>& kin, Place at) {
  using Scalar = typename Place::Scalar;
  const Transform<Scalar> X = at.load(kin.X_OL.data());
  const LinkInertia<Scalar> own = at.load(parameters.inertia.data());
  return inertiaAbout(own.mass, X * own.com, rotate(X.R, own.rotational));
}

/// Inertia of every link about O in world axes.
template <class T>
void computeInertias(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                     std::vector<Inertia<T>>& inertias) {
  walkOutward<T>(topology, [&](auto at) __attribute__((always_inline)) {
    at.store(inertias.data(), placeInertia(parameters, kin, at));
  });
}

/// Motion of a link about O from that of its parent. Every link has a freedom.
template <class T, class Place>
RIGOR_INLINE auto addMotion(const Topology& topology, const Kinematics<T>& kin, const T* v, Place at,
                            const std::vector<Motion<T>>& V) {
  using Scalar = typename Place::Scalar;
  const auto part = [&](Place j) __attribute__((always_inline)) {
    return Scalar(j.load(v)) * Motion<Scalar>(j.load(kin.S.data()));
  };
  Motion<Scalar> sum{};
  if (topology.parent[at.first] >= 0) sum = at.in(topology.parent).load(V.data());
  const Place freedom = at.in(topology.v_index);
  sum += part(freedom);
  for (int k = 1; k < topology.dofs[at.first]; ++k) sum += part(freedom.next(k));
  return sum;
}

/// Spatial velocity of every link about O.
template <class T>
void computeVelocities(const Trees& trees, const Kinematics<T>& kin, const T* v, std::vector<Motion<T>>& V) {
  for (int link = trees.first_link; link < trees.end_link; ++link)
    V[link] = addMotion(trees.topology, kin, v, OneLink<T>{link}, V);
}

extern template void computeKinematics(const Trees&, const Parameters<double>&, const double*, Kinematics<double>&);
extern template void computeInertias(const Topology&, const Parameters<double>&, const Kinematics<double>&,
                                     std::vector<Inertia<double>>&);
extern template void computeVelocities(const Trees&, const Kinematics<double>&, const double*,
                                       std::vector<Motion<double>>&);

}  // namespace rigor
