// Whether the tension of loops swings what they hold faster than a step can follow.
//
// A loop that is pulled holds its links as a string holds a pendulum. Over a step its rows turn from J to J̃, and with them the direction
// of its impulse λ: what that changes is δ = (J̃ − J)ᵀλ, and for a swing of frequency ω it is (hω)² M v. So
//   δ·M̂⁻¹δ ≤ θ² v·M v
// where the step follows such swings. Where it does not, a hanging chain that is nearly straight makes energy from nothing.
#pragma once

#include "minimal/contact_work.h"

namespace rigor {

/// True if the loops of an island turn their impulses farther than a step may. Rows on links are not looked at.
bool loopsSwingTooFast(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                       const ConstraintSet& set, const Island& island, const double* v_end,
                       ContactWorkScratch& scratch);

}  // namespace rigor
