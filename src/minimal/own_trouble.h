// Functions of a user that are not finite where a step asks them: who it was, for the report.
#pragma once

#include "minimal/constraints.h"
#include "rigor/report.h"

namespace rigor {

/// At the start of the step.
bool potentialsAreFinite(const StepTables& tables, const FreeMotion& motion, StepReport& report);
/// Where the active ones were looked at last.
bool constraintsAreFinite(const StepTables& tables, const ConstraintSet& set, StepReport& report);

}  // namespace rigor
