// The stepper and the solvers that a scene and the options of its simulator ask for.
#pragma once

#include <memory>

#include "event/event_stepper.h"
#include "minimal/time_stepper.h"
#include "rigor/simulator.h"

namespace rigor {

/// One for each thread: the scene's, or the user's own.
Solvers chooseSolvers(const Scene& scene, const SimulatorOptions& options);

std::unique_ptr<TimeStepper> makeStepper(const Scene& scene, const SimulatorOptions& options);

/// Of a scene with stepper event, in the memory of its time stepper; null for others. Throws Error for what it does not follow.
std::unique_ptr<EventStepper> makeEventStepper(const Scene& scene, TimeStepper& ground);

/// Loops and dry friction act in every step, so no step is left to an integrator for motion without constraints.
std::vector<Warning> warnOfIdleIntegrator(const Scene& scene);

}  // namespace rigor
