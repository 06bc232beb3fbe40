// The step of the variational integrator: momentum of bodies instead of mass times velocity (VG eq. 29a, 29b; docs/maximal.md).
//
//   P(q, v′) − π = k (τ + J_bᵀ f_b − ½ D (v + v′)) + s + d(v′) + Jᵀλ,    q′ = q ⊕ h·v′,    π′ = P′(q′, v′)
//
// P = Σ_b J_b(q)ᵀ (p_b, L_b) + a v′ is the momentum of the bodies' strides (dynamics/stride.h) at the start, π′ the same momentum at the
// end: discrete Legendre transforms. Bodies are free in VG, and joints hold them by multipliers with rows at z₁ that vanish at
// z₂. What bodies do that keep their joints closed is q′, and multipliers do no work on the columns of J_b(q): both leave the
// equations, nothing else does. Rows of contacts, limits and loops stay as they are in the other formulation.
//
// Newton's method: around `base`, A (v′ − base) = rhs + Jᵀλ with A of two poses (dynamics/two_pose_mass.h) and rhs = −residual(base).
// k, τ, D, springs s and drives d as in free_motion.h; armature a moves with its freedom.
#pragma once

#include "minimal/momentum_scratch.h"
#include "minimal/step_work.h"

namespace rigor {

/// All that stays while impulses are looked for, linearised at v + predicted; the end pose of the work is that of the guess.
void startDiscrete(const StepTask& task, const StepContext& context);

/// rhs and z at the present base, for the present saturation.
void computeDiscreteKick(const Part& part, const Parameters<double>& parameters, const StepInput& input,
                         const double* q, const double* v, FreeMotion& motion);

/// Momentum P of the links at v_end without armature, kept in motion.discrete.at_end.
void computeMomentaAt(const StepContext& context, const Kinematics<double>& start, const double* v_end,
                      FreeMotion& motion);

/// Linearises anew at v_end, whose momenta are known and whose pose is the end of the work; with the factors of A that there are, or
/// with new ones.
enum class Factors { kKept, kNew };
void linearise(const StepTask& task, const StepContext& context, const double* v_end, Factors factors);

/// Another step of Newton's method from v_end, unless the momentum balances already, or the last one made less than `contraction` of
/// what it missed. `missed` is what the judge of momentum found in the last one, rounding included, 0 before, and becomes what it finds now.
bool lineariseAnew(const StepTask& task, const StepContext& context, const double* v_end, double contraction,
                   double& missed);

/// Some link turns by more than `most` [rad] against the world. What joints turn adds up along a chain, and the momentum of a stride is
/// that of its whole turn θ: J sin(θ)/h of an isotropic body, which folds at a right angle.
bool linksTurnTooFar(const StepContext& context, const StepWork& work, double most);

/// M̂(q)⁻¹ of the momentum at the node.
void computeDiscreteNodeVelocity(const StepContext& context, const Kinematics<double>& start, const double* v_end,
                                 FreeMotion& motion, Eigen::VectorXd& node);

/// π′ for the next step; what the balance of a free tree missed goes to its root, so that no momentum is lost to rounding.
void carryMomentum(const StepContext& context, StepWork& work, const double* v_end, Memory& after);

}  // namespace rigor
