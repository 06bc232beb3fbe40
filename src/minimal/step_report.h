// What an accepted part of a step adds to the report of the whole: verdicts, contacts, the record, and the values of the node
// at which the step began.
#pragma once

#include "minimal/step_work.h"

namespace rigor {

/// Adds the last attempt, which ended with v_end.
void addToReport(const StepContext& context, const double* v_end, StepWork& work, StepReport& report);

/// Values of a node that was not found: those of the velocity that led to it.
void readNode(const StepContext& context, StepWork& work, StepReport& report);

}  // namespace rigor
