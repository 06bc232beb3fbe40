// The run of `run` and `demo`: who watches it, and what is said of a refused step.
#pragma once

#include <cstdint>

#include "interrupt.h"
#include "rigor/recording.h"
#include "rigor/run_summary.h"

namespace rigor::app {

/// Steps that cover `time`; throws Error if that is not a number of steps one could wait for.
std::int64_t countSteps(double time, double dt);

/// Takes `steps` steps unless one is refused or the user interrupts, with a bar on the terminal; tells of the first
/// refusal. `watchers` are told besides.
RunSummary simulate(Simulator& simulator, std::int64_t steps, OnFailure on_failure, const InterruptFlag& interrupt,
                    const std::vector<RunObserver*>& watchers);

}  // namespace rigor::app
