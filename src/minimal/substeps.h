// The step of a part in as many sub-steps as it takes.
#pragma once

#include <optional>

#include "minimal/step_work.h"

namespace rigor {

/// The step as a whole, or impact by impact; what is refused is tried again in halves. Impacts that cannot be told apart
/// any more, or have no solution, end softly: without a bounce, within a short step of their own or else within the rest.
/// `tried`: what an attempt at the whole of it came to, if its outcome is still in the work and in `to`.
StepStatus advance(const StepTask& task, const Snapshot& from, double h, int halvings, Snapshot& to,
                   std::optional<StepStatus> tried = std::nullopt);

}  // namespace rigor
