// A step in which bodies that cannot meet go their own ways: one that strikes something, or turns too fast for the step,
// is refused, halved and stopped at its impacts without the others.
//
// The world is tried as a whole; if that is accepted, nothing is different from a world of one part. Otherwise trees form
// groups: whom a constraint of the attempt connects, because they may touch in this step, stay together, and so does whom
// a group with trouble may reach. A group of many without restitution is a crowd, whose impacts are no trouble (findCrowds).
// Groups without trouble step as one part; each of the others is a part of its own. If trees of two parts may have met all the same,
// because their gap was not wider than the ways that both went, the step is taken anew with both in one group.
#pragma once

#include "minimal/step_work.h"

namespace rigor {

/// The whole step from `from`, of length task.length.
StepStatus takeStep(const StepTask& task, const Snapshot& from, Snapshot& to);

/// What every step begins with: beginWhole, and nothing of the step before but slots and lists of neighbours.
void beginStep(const StepTask& task);

/// All trees step, and nothing of this step has been reported yet.
void beginWhole(const StepTask& task);

}  // namespace rigor
