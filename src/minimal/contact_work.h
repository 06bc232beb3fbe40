// The work of contact forces. Contact takes energy and never gives any: with the velocities of its sides relative to each other
//   A = Σ λ·½ (J v + J v′) ≤ 0.
// A step is allowed what the leapfrog breathes. More means that the contact ran over a curved surface, or along an edge,
// farther than one step can follow.
#pragma once

#include "minimal/assemble.h"

namespace rigor {

/// True if the contacts of solids in some island give more than 1 % of the kinetic energy that its trees end with.
/// `trees` and `V` [links] are scratch.
bool givesEnergy(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                 const ConstraintSet& set, const Islands& islands, const double* v_end, std::vector<int>& trees,
                 std::vector<Motion<double>>& V);

/// Lets go of contacts that give energy and ran far along a line or a flat side within the step: others that are already
/// there, or join once they are violated, hold where it ran to. Returns whether there were any.
bool leaveRunaways(const StepContext& context, const FreeMotion& motion, const double* v_end, ConstraintSet& set);

}  // namespace rigor
