// What the scene's controllers, its wrenches and the user ask of one step, as the stepper wants it.
#pragma once

#include "rigor/scene.h"
#include "stepping/stepper.h"

namespace rigor {

/// Gains, targets and limits of the holds; they do not change during a run.
StepInput makeStepInput(const Scene& scene);

/// Torques and wrenches of the kick that a step begins with: the table's row at the node; wrenches by the share of their
/// tree's kick in which they act, so that their impulse is exact whenever they begin and end; plus the user's input.
/// Throws Error for wrong sizes.
void updateStepInput(const Scene& scene, const Input& user, const Snapshot& from, StepInput& input);

}  // namespace rigor
