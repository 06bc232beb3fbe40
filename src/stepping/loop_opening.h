// How far a part of a loop is open at a pose, and the exact derivative of that.
//
//   point     g = p2 − p1                        world axes
//   turn      g = θ, exp(θ) = R2 R1ᵀ             δθ = Jl(θ)⁻¹ ω2 − Jr(θ)⁻¹ ω1
//   axis      g = a2 · e1                        δg = (a2 × e1)·(ω2 − ω1)
//   coupling  g = q1 − p(q2)
#pragma once

#include "dynamics/kinematics.h"
#include "model/loop_parts.h"

namespace rigor {

struct LoopOpening {
  double g[3] = {};       ///< [m] or [rad]
  double size = 0.0;      ///< of the numbers that g is the difference of: its rounding is 4·eps·size
  Force<double> F[2][3];  ///< row r as a force on link 2 and on link 1, about O of their trees
  double slope_2 = 0.0;   ///< coupling: ∂g/∂q2
};

LoopOpening computeOpening(const LoopPart& part, const Topology& topology, const Kinematics<double>& kin,
                           const double* q);

}  // namespace rigor
