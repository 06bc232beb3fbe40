// The numbers of a model, templated: double now, dual numbers for derivatives and lanes for batches of variants.
#pragma once

#include <vector>

#include "math/vec3.h"
#include "model/topology.h"

namespace rigor {

/// Mass of a link with its centre and the rotational inertia about it, in link axes.
template <class T>
struct LinkInertia {
  T mass{};
  Vec3<T> com;
  Sym3<T> rotational;
};

/// Rotations that only rename axes need no multiplication; most joints of real robots have one of these.
enum class FrameTurn : unsigned char {
  kGeneral,
  kNone,      ///< R is the identity
  kForward,   ///< columns y, z, x
  kBackward,  ///< columns z, x, y
};

template <class T>
struct Parameters {
  std::vector<Transform<T>> X_PJ;       ///< [links] joint frame in the parent link (or world); axis z, plane x, y
  std::vector<FrameTurn> turn;          ///< [links] what X_PJ.R is, exactly
  std::vector<LinkInertia<T>> inertia;  ///< [links] bodies fixed to the link included
  std::vector<T> pitch;                 ///< [links] of helical joints, else 0
  std::vector<T> damping;               ///< [nv]
  std::vector<T> armature;              ///< [nv] added to the diagonal of M, reflected rotors included
  std::vector<T> stiffness;             ///< [nv]
  std::vector<T> spring_reference;      ///< [nq]
  std::vector<T> dry_friction;          ///< [nv]
  Vec3<T> gravity;
};

/// Where a body sits: its link (−1: fixed to the world) and its frame there.
struct BodyPlacement {
  int link = -1;
  Transform<double> X_LB;
};

}  // namespace rigor
