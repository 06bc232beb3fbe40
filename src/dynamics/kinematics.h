// Positions of all links and the motion that each degree of freedom produces.
//
// World axes, origin O of each tree at its root link: a link's pose is relative to O, so precision does not suffer
// far from the world's origin and the base columns are unit vectors.
#pragma once

#include <vector>

#include "math/rotation.h"
#include "math/spatial.h"
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

/// Frame F turned about its z axis: only two columns change.
template <class T>
Mat3<T> turnAboutZ(const Mat3<T>& F, T angle) {
  const SinCos<T> sc = sincos(angle);
  return {sc.cos * F.x + sc.sin * F.y, sc.cos * F.y - sc.sin * F.x, F.z};
}

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

/// Poses and motion columns at q. A joint first translates along its parent's axes, then turns (joint.h); columns of
/// a translation are fixed in the parent, those of a rotation in the child.
template <class T>
void computeKinematics(const Topology& topology, const Parameters<T>& parameters, const T* q, Kinematics<T>& kin) {
  const T zero(0.0);
  const Vec3<T> none{zero, zero, zero};
  for (int link = topology.given; link < topology.links; ++link) {
    const JointType type = topology.joint[link];
    const int parent = topology.parent[link];
    const T* qj = q + topology.q_index[link];
    Motion<T>* S = kin.S.data() + topology.v_index[link];

    // joint frame in the world, relative to O below the root
    Transform<T> F = parameters.X_PJ[link];
    if (parent >= 0) F = attach(kin.X_OL[parent], F, parameters.turn[link]);

    switch (type.translation) {
      case Translation::kNone:
        break;
      case Translation::kAxis:
        F.p += qj[0] * F.R.z;
        S[0] = {F.R.z, none};
        break;
      case Translation::kPlane:
        F.p += qj[0] * F.R.x + qj[1] * F.R.y;
        S[0] = {F.R.x, none};
        S[1] = {F.R.y, none};
        break;
      case Translation::kAll:
        F.p += qj[0] * F.R.x + qj[1] * F.R.y + qj[2] * F.R.z;
        S[0] = {F.R.x, none};
        S[1] = {F.R.y, none};
        S[2] = {F.R.z, none};
        break;
    }
    if (parent < 0) {
      kin.origin[topology.tree[link]] = F.p;
      F.p = none;
    }
    qj += translationCount(type);
    S += translationCount(type);

    switch (type.rotation) {
      case Rotation::kNone:
        break;
      case Rotation::kAxis:
        F.R = turnAboutZ(F.R, qj[0]);
        S[0] = {cross(F.p, F.R.z), F.R.z};
        break;
      case Rotation::kAll:
        F.R = F.R * toMatrix(Quat<T>{qj[0], qj[1], qj[2], qj[3]});
        S[0] = {cross(F.p, F.R.x), F.R.x};
        S[1] = {cross(F.p, F.R.y), F.R.y};
        S[2] = {cross(F.p, F.R.z), F.R.z};
        break;
    }
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
