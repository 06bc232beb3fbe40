// The loop of `run` and `demo`.
#pragma once

#include <cstdint>

#include "commands.h"
#include "interrupt.h"
#include "rigor/recording.h"
#include "rigor/run_summary.h"
#include "rigor/simulator.h"

namespace rigor::app {

SimulatorOptions simulatorOptions(OnFailure on_failure);

/// Steps that cover `time`; throws Error if that is not a number of steps one could wait for.
std::int64_t countSteps(double time, double dt);

/// Takes `steps` steps unless one is refused or the user interrupts. Accepted steps go to `recording` if there is one.
RunSummary simulate(Simulator& simulator, std::int64_t steps, OnFailure on_failure, const InterruptFlag& interrupt,
                    Recording* recording);

}  // namespace rigor::app
