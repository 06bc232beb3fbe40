// Writes down what an accepted sub-step did (rigor/step_record.h). Memory is kept from step to step.
#pragma once

#include "minimal/assemble.h"
#include "minimal/constraints.h"
#include "rigor/report.h"

namespace rigor {

/// Room for the sub-steps of a step that is halved several times, so that the first such step allocates nothing.
void reserveRecord(const Topology& topology, StepRecord& record);

/// Before the first sub-step: forgets the last step, keeps what acts from outside in this one.
void startRecord(const StepInput& input, StepRecord& record);

/// Once for every accepted sub-step of the leapfrog, zero-length ones included.
void recordSubstep(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                   const ConstraintSet& set, const Islands& islands, const double* v_end, double theta,
                   StepRecord& record);

/// Once for every accepted step of another integrator, from node to node; what constraints are in it are those that stepper event held, with
/// their forces at the start times h.
void recordSmoothStep(const StepContext& context, const ConstraintSet& set, const Islands& islands,
                      const double* node_velocity, double h, const double* v_end, StepRecord& record);

}  // namespace rigor
