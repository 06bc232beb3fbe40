// Impacts: the step ends where something touches, the leapfrog is closed there, and the velocity of the node jumps.
//
// Both changes are steps of length 0: rows at q act and are judged at q, on velocities u = J v′.
//   half kick  M̂ (v⁻ − v) = ½h (τ − c) + Jᵀλ     with all that rests, without what strikes
//   impact     M (v⁺ − v⁻) = Jᵀλ,  0 ≤ λn ⟂ un⁺ + e un⁻ ≥ 0, |λt| ≤ μ λn …     with all that touches (Newton's law)
// Without restitution that is the compression of OS eq. 36 and 37 with a round cone. A bounce is Newton's, not the
// decompression of OS eq. 38–40.
// Newton's law with friction can make energy (a rod's impact multiplies it by 1.6). With λc the answer for e = 0, which
// cannot, the impact takes λ = λc + θ (λe − λc) with the largest θ in [0, 1] that does not raise the energy.
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

/// Free motion and constraints of a step of length 0 that begins at `from`.
void startNode(const StepTask& task, const Snapshot& from, Snapshot& to, PhaseClock& clock);

}  // namespace rigor
