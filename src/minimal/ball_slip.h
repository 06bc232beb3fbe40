// Slip of two balls, read in the frame of their line of centres. With n and n′ that line at both ends of a step, Q the least
// rotation from n to n′ and exp(θ) what a ball turns by,
//
//   exp(ρ) = Qᵀ exp(θ),   Δ = n × (r₁ρ₁ + r₂ρ₂)
//
// is the arc that the surfaces slid by. It vanishes where both balls move as one body, whatever the turn, as the gap does. In a
// jammed heap more contacts stick than can be independent: read with arms of the start, Δ of a cluster that turns by θ contradicts
// itself by θ²r, and some contact would have to slip by that little; which one, only trial and error tells.
#pragma once

#include "minimal/constraints.h"

namespace rigor {

/// True if the end lies near enough: either ball turns by less than 2.5 rad, so below half a turn against the frame, whose logarithm
/// is unique; n·n′ > 0.9; and their centres stay apart. Others are followed at their centres, with the arms of the start.
bool turnTogether(const ContactDetail& contact);

/// Δ; writes down ρ. Of contact.turn, contact.start and contact.end.
Vec3<double> slipOfBalls(ContactDetail& contact);

/// What ∂Δ·t/∂(pose at the end) is for one tangent t: a force on the centre of ball 2 (on ball 1 the opposite), and torques.
struct BallSlipRow {
  Vec3<double> force, torque[2];
};

/// With δφ the turn of a ball at the end and δn′ what (δc₂ − δc₁)/|c₂ − c₁| does across n′, the frame turns by
/// δq = n′ × δn′ − n′ (n × n′)·δn′/(1 + n·n′), and δρ = Jl(ρ)⁻¹ Qᵀ (δφ − δq). So torques are g = r·Q·Jl(ρ)⁻ᵀ (t × n), and the force is
/// (n′ × Σg + (n × n′) n′·Σg/(1 + n·n′))/|c₂ − c₁|.
BallSlipRow differentiateSlip(const ContactDetail& contact, const Vec3<double>& tangent);

}  // namespace rigor
