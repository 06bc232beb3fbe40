// What the scene's controllers, its wrenches and the user ask of one step, as the stepper wants it.
#pragma once

#include "rigor/scene.h"
#include "stepping/stepper.h"

namespace rigor {

/// Gains, targets and limits of the holds; they do not change during a run.
StepInput makeStepInput(const Scene& scene);

/// The time that one kick of the leapfrog stands for: from the middle of the last step to the middle of this one.
struct Kick {
  double begin, node, end;
};

/// Torques and wrenches of a kick: the table's row at the node; wrenches by the share of the kick in which they act, so
/// that their impulse is exact whenever they begin and end; plus the user's input. Throws Error for wrong sizes.
void updateStepInput(const Scene& scene, const Input& user, const Kick& kick, StepInput& input);

}  // namespace rigor
