// Where a step must end so that its first impact is at its end.
//
// Who strikes is awaited: in the tries at other lengths it pushes nothing. Its gap at the end of a try, negative if the try
// was too long, is then a smooth function of the length, and the parabola of closing.h through it, or a chord, finds the root in
// two to five tries. What pushes answers to the length by jumps, since others change their mode with it; so it is with features of
// solids, which cannot be awaited: which of them meet is decided by who pushes. Their interval is halved.
#pragma once

#include "minimal/step_work.h"

namespace rigor {

/// A step from `from` that ends where the impact of work.closing begins, a gap of half kTouching that no impulse made; `time` is
/// its length [s]. Accepted ones count already.
StepStatus land(const StepTask& task, const Snapshot& from, Snapshot& to, double& time);

}  // namespace rigor
