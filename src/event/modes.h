// Which modes the motion after a node has: the complementarity problem of accelerations.
//
//   0 ≤ λn ⟂ d²φ/dt² ≥ 0       of what is closed and neither opens nor closes
//   |λt| ≤ μ λn, opposite to d(ut)/dt where that is not zero       of what sticks so far
//   λt = −μ λn ut/|ut|          of what slips: its force is one unknown, n − μ d
//   |σ| ≤ μ λn sin(π/n), opposite to d(ut·e)/dt where that is not zero       of slip along an edge of law pyramid (friction_modes.h)
//   −f ≤ λ ≤ f, opposite to dv/dt       of a joint at rest in its dry friction
#pragma once

#include <vector>

#include "event/mode_problem.h"
#include "event/watch.h"

namespace rigor {

/// What is held from the node of `context` on, with its forces as reference. `events` ended the piece before: a contact that stopped pushing
/// there is open, and one that came to the border of its cone slips, where rounding would decide.
StepStatus chooseModes(const StepTask& task, const StepContext& context, const std::vector<Watch>& events,
                       ModeProblem& scratch, HeldMotion& motion);

}  // namespace rigor
