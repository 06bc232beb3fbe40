// What the scene's controllers, its wrenches and the user ask of one step, as the stepper wants it.
#pragma once

#include "minimal/stepper.h"
#include "rigor/scene.h"

namespace rigor {

/// Gains, targets and limits of the holds; they do not change during a run.
StepInput makeStepInput(const Scene& scene);

/// Torques and wrenches at `time`: the scene's table and wrenches, plus the user's input.
void updateStepInput(const Scene& scene, const Input& user, double time, StepInput& input);

}  // namespace rigor
