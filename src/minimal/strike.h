// The impact itself: impulses alone, in a time that does not pass.
//
// Compression is the impact without restitution, with all that touches. Then, island by island, what bounces:
//   Newton            0 ≤ λn ⟂ un⁺ + e un⁻ ≥ 0, |λt| ≤ μ λn, in place of the compression
//   Poisson, Stronge  a second sub-step of length 0 (decompression.h); contacts of Newton's law in the same island bounce there
// Every law can make energy where there is friction or more than one contact (Newton's, of a rod: 1.6 times as much). Compression
// cannot: with λc its impulses and λe those with the bounce, the impact takes λc + θ (λe − λc) with the largest θ in [0, 1] that does not
// raise the energy above that before the impact.
//
// Sequential impacts: of what touches only the contact that approaches fastest strikes, beside loops and what forces press already; then
// the next one, until none approaches faster than its threshold. If that does not end, what is left strikes at once.
#pragma once

#include "minimal/step_work.h"

namespace rigor {

/// From before an impact to after it, in one or more sub-steps of length 0.
StepStatus strike(const StepTask& task, const Snapshot& from, HalvingLevel& level, Snapshot& to);

/// Constraint::rested of all slots: pressed in the half kick that was solved last, or not known.
void noteRested(ConstraintSet& set, bool known);

}  // namespace rigor
