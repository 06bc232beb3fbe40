// Velocities of the constraint rows from positions, and their derivatives at the predicted pose.
//
// The law is imposed on the secant of the step q′ = q ⊕ h v′, because a gap is curved and its tangent sinks:
//   normal    un = (φ(q′) − φ(q))/h; with ν = φ(q)/h the law is 0 ≤ φ(q′) ⟂ λn ≥ 0, VG eq. 29c
//   tangents  ut = Tᵀ [(Δc2 − Δc1)/h + Ω2 × (p2 − c2) − Ω1 × (p1 − c1)],   Ω = log(R′Rᵀ)/h
//             of two balls Tᵀ n × (r1 ρ1 + r2 ρ2)/h, unless they turn far (minimal/ball_slip.h)
//   loops     u = g(q′)/h, VG eq. 29b (minimal/loop_rows.h)
// with T and p at q, c the centre of the ball. Rows J̃ = ∂u/∂v at q′ (Newton), with dexp of quaternions and of Ω.
#pragma once

#include "minimal/constraints.h"

namespace rigor {

/// u of every row at the end pose, its rounding floor 4·eps·(|O|₁ + |c|₁)/h (two balls: + r₁ + r₂; normal rows (1 + μ) times that, as û has), and
/// the gaps there.
void computeSecants(const StepContext& context, const PlacedModel& start, const StepEnd& end, ConstraintSet& set);

/// J̃ and Ỹ = L⁻ᵀ J̃ᵀ of every row at the end pose; after computeSecants at the same pose.
void computeConstraintRows(const StepContext& context, const PlacedModel& start, const StepEnd& end,
                           const FreeMotion& motion, ConstraintSet& set);

/// Rows and velocities of a pose that does not move: J̃ = J, Ỹ = D Z, u = J v_end (loops: + g(q)/h). Good enough for a
/// first solve at rest, where the positions that it leads to are judged all the same; the whole truth in a step of length 0.
void useStartRows(const StepContext& context, const double* v_end, const FreeMotion& motion, ConstraintSet& set);

/// u = J v_end of a step of length 0, its rounding floor 4·eps·n·Σ|J|·max|v| over the n freedoms of a chain, and the gaps, which stay.
void computeNodeRates(const StepContext& context, const double* v_end, ConstraintSet& set);

}  // namespace rigor
