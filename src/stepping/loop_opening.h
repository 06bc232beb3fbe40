// How far a part of a loop is open at a pose, and the exact derivative of that.
//
//   point     g = p2 − p1                        world axes
//   turn      g = θ, exp(θ) = R2 R1ᵀ             δθ = Jl(θ)⁻¹ ω2 − Jr(θ)⁻¹ ω1
//   axis      g = a2 · e1                        δg = (a2 × e1)·(ω2 − ω1)
//   coupling  g = q1 − p(q2)
//   along     g = e1 · (p2 − p1)                 δg = e1·(δp2 − δp at the point p2 of body 1)
//   screw     g = e1 · (p2 − p1) − pitch·angle   of the angle's turns those that the advance is nearest to
//   own       g of a user's function             by dual numbers (own_terms.h)
#pragma once

#include "dynamics/kinematics.h"
#include "model/loop_parts.h"

namespace rigor {

struct LoopOpening {
  double g[3] = {};       ///< [m] or [rad]
  double size = 0.0;      ///< of the numbers that g is the difference of: its rounding is 4·eps·size
  Force<double> F[2][3];  ///< row r as a force on link 2 and on link 1, about O of their trees
  double slope_2 = 0.0;   ///< coupling: ∂g/∂q2
  bool finite = true;     ///< own: false if g or its derivative is not, or it has another number of values
};

/// Frame F at a pose: relative to O of its tree, and O itself. The world's O is its origin.
struct LoopEnd {
  Transform<double> X_OF;
  Vec3<double> origin;
};
LoopEnd findEnd(int link, const Transform<double>& X, const Topology& topology, const Kinematics<double>& kin);

/// A direction of a link, in the world.
Vec3<double> directionOf(int link, const Vec3<double>& in_link, const Kinematics<double>& kin);

/// One number of two frames that changes, and its derivative as a force on link 2 and on link 1, about O of their trees.
struct PairCoordinate {
  double value = 0.0;
  Force<double> F[2];
};
/// direction · (p2 − p1), the direction fixed in link 1: equal and opposite forces at p2.
PairCoordinate distanceAlong(const Vec3<double>& direction, const LoopEnd& end_1, const LoopEnd& end_2);
/// Within half a turn of zero.
PairCoordinate angleOf(const TurnedPointer& turned, int link_1, int link_2, const Kinematics<double>& kin);
double turnsTo(double angle);  ///< the multiple of 2π nearest to an angle
/// The rotation vector θ from frame 1 to frame 2, |θ| ≤ π, and its derivatives.
void openTurn(const LoopEnd& end_1, const LoopEnd& end_2, LoopOpening& out);

LoopOpening computeOpening(const LoopPart& part, const Topology& topology, const Kinematics<double>& kin,
                           const double* q);

}  // namespace rigor
