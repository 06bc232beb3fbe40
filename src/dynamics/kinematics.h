// Positions of all links and the motion that each degree of freedom produces.
//
// World axes, origin O of each tree at its root link: a link's pose is relative to O, so precision does not suffer
// far from the world's origin and the base columns are unit vectors.
#pragma once

#include <vector>

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

/// Poses and motion columns at q (joint_motion.h).
template <class T>
void computeKinematics(const Topology& topology, const Parameters<T>& parameters, const T* q, Kinematics<T>& kin) {
  const T zero(0.0);
  for (int link = topology.given; link < topology.links; ++link) {
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
}

/// Inertia of every link about O in world axes.
template <class T>
void computeInertias(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                     std::vector<Inertia<T>>& inertias) {
  for (int link = topology.given; link < topology.links; ++link) {
    const Transform<T>& X = kin.X_OL[link];
    const LinkInertia<T>& own = parameters.inertia[link];
    inertias[link] = inertiaAbout(own.mass, X * own.com, rotate(X.R, own.rotational));
  }
}

/// Spatial velocity of every link about O.
template <class T>
void computeVelocities(const Topology& topology, const Kinematics<T>& kin, const T* v, std::vector<Motion<T>>& V) {
  for (int link = 0; link < topology.links; ++link) {
    const int first = topology.v_index[link];
    Motion<T> sum = topology.parent[link] < 0 ? Motion<T>{} : V[topology.parent[link]];
    for (int j = first; j < first + topology.dofs[link]; ++j) sum += v[j] * kin.S[j];
    V[link] = sum;
  }
}

extern template void computeKinematics(const Topology&, const Parameters<double>&, const double*, Kinematics<double>&);
extern template void computeInertias(const Topology&, const Parameters<double>&, const Kinematics<double>&,
                                     std::vector<Inertia<double>>&);
extern template void computeVelocities(const Topology&, const Kinematics<double>&, const double*,
                                       std::vector<Motion<double>>&);

}  // namespace rigor
