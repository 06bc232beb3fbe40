// Impacts: the step ends where something touches, the leapfrog is closed there, and the velocity of the node jumps.
//
// Both changes are steps of length 0: rows at q act and are judged at q, on velocities u = J v′.
//   half kick  M̂ (v⁻ − v) = ½h (τ − c) + Jᵀλ     with all that rests, without what strikes
//   impact     M (v⁺ − v⁻) = Jᵀλ,  0 ≤ λn ⟂ un⁺ ≥ 0, |λt| ≤ μ λn …     with all that touches, and its bounce (strike.h)
#pragma once

#include "minimal/step_work.h"

namespace rigor {

/// How far the way through an impact went.
struct ImpactWay {
  const Snapshot* reached;
  double time;  ///< [s] since the start
  bool struck;  ///< and through it
};

/// From `from` to where the impact of work.closing happens, and through it into `struck`.
ImpactWay goThroughImpact(const StepTask& task, const Snapshot& from, HalvingLevel& level, Snapshot& struck);

/// Half a kick from the middle of the last step to the node at its end: a step of length 0 in which nothing strikes.
StepStatus closeKick(const StepTask& task, const Snapshot& from, Snapshot& to);

/// Impulses and velocity of a step of length 0, judged. The rates of the velocity that the impulses lead to differ from
/// W λ + b by the rounding of M⁻¹, which long chains magnify: what is left is solved for again.
StepStatus solveAtNode(const StepTask& task, const StepContext& context, Snapshot& to, PhaseClock& clock);

/// Momentum of a step of length 0.
StepStatus judgeNode(const StepTask& task, const StepContext& context, const double* v_end);

/// Free motion and constraints of a step of length 0 that begins at `from`.
void startNode(const StepTask& task, const Snapshot& from, Snapshot& to, PhaseClock& clock);

}  // namespace rigor
