// One sub-step out of a recording.
#pragma once

#include "verify/substep.h"

namespace rigor::verify {

/// Trees that take no part are where they are at the node of the step; the recording must have no numbers for them.
SubstepData readSubstep(const World& world, const Recording& r, std::int64_t step, std::int64_t s, Findings& findings);

}  // namespace rigor::verify
