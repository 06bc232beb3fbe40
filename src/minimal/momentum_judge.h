// The judge of momentum: M (v′ − v) − k (τ − c) − Jᵀλ = 0 for every degree of freedom, by a recursion over the links with the
// impulses as they act on the bodies; of a variational step the same with discrete momenta (discrete_motion.h). Mass matrix,
// factors, rows and W play no part.
#pragma once

#include "minimal/momentum_scratch.h"

namespace rigor {

/// What is left of the momentum of any degree of freedom, turned into a velocity, above the rounding floor and in units
/// of the scale. With D from M̂ = LᵀDL, a_j the sum of the sizes of all that is added up for j, n the links of its tree,
/// and s the largest |v|, |v′|, |D⁻¹L⁻ᵀ k (τ − c)| or motion.velocity_scale of its tree
/// (of a variational step D⁻¹L⁻ᵀ rhs, the last correction of Newton's method, instead of the kick):
///
///   (|left_j|/D_j − min((8 + n)·eps·a_j/D_j, 1e-6·s)) / max(min(s, a_j/D_j), motion.velocity_scale)
///
/// or, where it is below 1e-12, |left_j|/(D_j motion.velocity_scale), which is never less.
/// So neither a fast body, nor a fast spin of the same body, covers what is wrong elsewhere. k = 0 is a mere impact.
double judgeMomentum(const StepContext& context, const Kinematics<double>& start, FreeMotion& motion,
                     const ConstraintSet& set, const double* v_end, MomentumScratch& scratch);

}  // namespace rigor
