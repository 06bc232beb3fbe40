// Where everything is, how fast it moves, and what it weighs: by the definitions, one body after the other.
#pragma once

#include "verify/tree_rows.h"

namespace rigor::verify {

/// Motion per unit of one freedom: a point x of a body moves with along + axis × (x − at), the body turns with axis.
struct Column {
  Vec along, axis, at;
  Vec speedOf(const Vec& x) const { return along + cross(axis, x - at); }
};

struct Moving {
  Pose X;                   ///< of the body frame in the world
  Vec omega, speed;         ///< of the body and of its frame's origin
  Vec turning, quickening;  ///< their rates of change at constant v
};

struct Motion {
  std::vector<Moving> bodies;
  std::vector<Column> columns;  ///< [nv]
};

/// v may be empty: then everything stands still.
Motion computeMotion(const World& world, const Reals& q, const Reals& v);

/// q ⊕ h v.
Reals move(const World& world, const Reals& q, const Reals& v, Real h);

/// The way of the springs from rest to q, [nv].
Reals stretch(const World& world, const Reals& q);

Pose frameOf(const Motion& motion, int body);  ///< the world's is the identity
Vec pointOf(const Motion& motion, int body, const Vec& in_body);

/// With armature.
TreeMatrix massMatrix(const World& world, const Motion& motion);

/// Force that inertia and gravity ask for at constant v: Coriolis, centrifugal, gravity, [nv].
Reals biasForce(const World& world, const Motion& motion);

/// Adds what a force at a point of a body and a torque do to the freedoms.
void addWrench(const World& world, const Motion& motion, int body, const Vec& point, const Vec& force,
               const Vec& torque, Real factor, Reals& generalised);

struct Sums {
  Real kinetic = 0, potential = 0;  ///< [J]; of bodies that can move, springs included
  Vec linear, angular;              ///< momentum, angular about the world origin
};
/// [trees] kinetic energy [J] of a motion with velocities v; of those that move as they are told 0.
Reals kineticOfTrees(const World& world, const Motion& motion, const Reals& v);
Sums computeSums(const World& world, const Reals& q, const Reals& v);

}  // namespace rigor::verify
