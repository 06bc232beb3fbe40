// What the terms that a user wrote did to bodies, for recordings: nobody else can know their functions.
#pragma once

#include "minimal/constraints.h"
#include "rigor/step_record.h"

namespace rigor {

/// Appends the impulses of own potentials over the kick, and of own constraints, on every body that they moved.
void recordOwnTerms(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                    const ConstraintSet& set, StepRecord& record);

}  // namespace rigor
