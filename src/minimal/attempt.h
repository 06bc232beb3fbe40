// One attempt at a (part of a) step, which changes nothing but the work, and making it count.
#pragma once

#include "minimal/step_work.h"

namespace rigor {

/// A step of length h as if nothing struck anything, and in work.closing the first impact that it runs into: at time 0 it
/// is one at the node, and nothing else was computed. `softly` looks for none.
StepStatus attempt(const StepTask& task, const Snapshot& from, double h, bool softly, Snapshot& to);

/// Makes the last attempt count: time, memory, report.
void accept(const StepTask& task, const Snapshot& from, double h, Snapshot& to);

/// Adds to `way` how far the features of the part may go from the start pose in a time h with the velocities v.
void addWays(const StepTask& task, const double* v, double h, Ways& way);

/// Start pose and free motion of a step of length h.
void startMotion(const StepTask& task, const Snapshot& from, double h, PhaseClock& clock);

}  // namespace rigor
