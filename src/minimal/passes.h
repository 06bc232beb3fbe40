// The passes of one step: solve, move, judge at the end pose, until the law holds there. Rows are taken at the predicted pose
// and kept when a pass does not contract.
#pragma once

#include "minimal/step_work.h"

namespace rigor {

/// True if a joint, of all that step or of some trees, turns by more than the linearised rows of a step bear.
bool turnsTooFar(const StepContext& context, const double* v, double h);
bool turnsTooFar(const StepContext& context, const Trees& trees, const double* v, double h);

/// True if the contacts of an island give energy in the last attempt (contact_work.h).
bool givesEnergy(const StepTask& task, const StepContext& context, const Island& island, const double* v_end);
/// The loops of an island turn their impulses faster than the step may (loop_swing.h).
bool loopsSwingTooFast(const StepTask& task, const StepContext& context, const Island& island, const double* v_end);

/// Impulses, end velocity and end pose of a step whose constraints are found; the verdict is in the work. Refused if
/// the passes do not converge, if a joint turns too far, if contact gives energy, or if momentum or gaps do not hold.
/// Unless `softly`, an impact is looked for (work.closing). The step of a single tree that has one is not taken: its passes end
/// there.
StepStatus findImpulses(const StepTask& task, const StepContext& context, bool softly, Snapshot& to, PhaseClock& clock);

// Parts of a pass, which impacts use as well.

/// q′ = q ⊕ h v′ and everything there.
void moveTo(const StepTask& task, const StepContext& context, Snapshot& to);
/// W, b and the start of the solver for every island. `afresh` if v_end does not answer to the present impulses.
void assembleProblems(const StepTask& task, const StepContext& context, bool afresh, const double* v_end);
/// True if the judge accepts every island's answer, or it is within `enough` (SolverOptions); the impulses are in the set either way.
bool solveProblems(const StepTask& task, double enough = 0.0);
/// v′ = v + L⁻¹ (z + Z λ).
void applyToVelocity(const StepTask& task, const StepContext& context, ImpulseChoice choice, double* v_end);
/// The law on (λ, u from positions), worst over the islands.
Residuals judgeIslands(StepWork& work);
/// A PD torque beyond its limit leaves M̂ and becomes a box row; within a step it does not come back. True if there was one.
bool saturateMotors(const StepTask& task, const StepContext& context, const double* v_end);

}  // namespace rigor
