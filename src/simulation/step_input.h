// What the scene's controllers, its wrenches and the user ask of one step, as the stepper wants it.
#pragma once

#include "rigor/scene.h"
#include "stepping/stepper.h"

namespace rigor {

/// Gains, targets and limits of the holds; only targets change during a run.
StepInput makeStepInput(const Scene& scene);

Eigen::VectorXd targetsOf(const StepInput& input);  ///< of its drives, in their order

/// Torques, targets and wrenches of the kick that a step begins with: the table's row at the node; wrenches by the share
/// of their tree's kick in which they act, so that their impulse is exact whenever they begin and end; plus the user's
/// input, whose targets stand in for those of the scene. Throws Error for wrong sizes and targets that are not finite;
/// nothing is changed then.
void updateStepInput(const Scene& scene, const Eigen::VectorXd& targets, const Input& user, const Snapshot& from,
                     StepInput& input);

}  // namespace rigor
