// Judges the nodes of a recording: time, energy, momentum, node velocities.
#pragma once

#include "verify/findings.h"
#include "verify/motion.h"

namespace rigor::verify {

Reals rowOf(const std::vector<double>& values, std::int64_t row, int width);

/// κ of a tree in a sub-step; below 0: it takes no part.
Real kickOf(const Recording& recording, std::int64_t substep, int tree);

/// time = k·dt; energy and momentum are those of the recorded q and v; recorded residuals are within the limit.
void judgeNodes(const World& world, const Recording& recording, Findings& findings);

/// The node velocity of every tree lies where its first sub-step of the step says. From version 2 on.
void judgeNodeVelocity(const World& world, const Recording& recording, std::int64_t step, Findings& findings);

}  // namespace rigor::verify
