// Bounces: Newton's law of restitution as a bias of the normal row.
#pragma once

#include "minimal/constraints.h"

namespace rigor {

/// For constraints from `first` on that close in this step faster than their threshold: the node velocity after the
/// bounce is −e times the one before it. With the kick k of the smooth forces along the normal, a share f of it before
/// the node, the secant velocity must be at least −e·(un + f k) + (1 − f) k, which keeps energy exactly for e = 1.
/// `change` is scratch [nv].
void applyRestitution(const StepContext& context, const FreeMotion& motion, int first, ConstraintSet& set,
                      double* change);

}  // namespace rigor
