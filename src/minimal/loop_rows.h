// Rows of loops: how far a part of a loop is open at a pose, and the exact derivative of that.
//
//   point     g = p2 − p1                        world axes
//   turn      g = θ, exp(θ) = R2 R1ᵀ             δθ = Jl(θ)⁻¹ ω2 − Jr(θ)⁻¹ ω1
//   axis      g = a2 · e1                        δg = (a2 × e1)·(ω2 − ω1)
//   coupling  g = q1 − p(q2)
//
// A step imposes g(q′)/h = 0 (no drift: what an earlier step left is closed by the next); impulses act through the rows
// at q, where the loop is closed, so that they push both bodies at one point.
#pragma once

#include "dynamics/kinematics.h"
#include "minimal/constraints.h"
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

/// Adds the rows of all loops to the step; a loop is always closed, so they are always there.
void addLoops(const StepContext& context, const StepPose& start, ConstraintSet& set);

/// u = g(q′)/h, its rounding floor, and the largest |g(q′)| as gap_end.
void computeLoopSecant(const StepContext& context, const StepPose& end, const double* q_end, double h, Constraint& c,
                       ConstraintSet& set);

/// J̃ at the end pose.
void computeLoopRows(const StepContext& context, const StepPose& end, const double* q_end, const Constraint& c,
                     ConstraintSet& set);

/// The impulses of a loop's rows on its links, or taken from the balance of its joints.
void addLoopImpulse(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                    const double* impulse, Force<double>* links, double* joints);

}  // namespace rigor
