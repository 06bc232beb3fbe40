// Block successive over-relaxation (PC Alg. 2): one block at a time solves its own law exactly while the others are
// held. Sweeps alternate in direction; forward sweeps alone cycle for ever on half of all sliding boxes.
#pragma once

#include <vector>

#include "rigor/contact_problem.h"
#include "solvers/iterate.h"

namespace rigor {

/// Solves one block exactly with all others held; sets its impulse and mode.
void solveBlockAlone(const ContactProblem& problem, const Block& block, Iterate& iterate);

/// One sweep over all blocks, forward or backward: λ_i ← λ_i + relaxation·(solved λ_i − λ_i), PC Alg. 2 lines 2–11.
/// Sets modes on the way. Returns the largest move, each in units of its block's velocity, w_i |Δλ_i| [m/s].
double sweepBlocks(const ContactProblem& problem, bool forward, double relaxation, Iterate& iterate);

/// Sweeps in alternating direction until the judge accepts or `max_sweeps` is reached; judged last. The judge is asked
/// when the moves have become small, and at the end. Returns the number of sweeps.
int relaxBlocks(const ContactProblem& problem, double tolerance, int max_sweeps, double relaxation, Iterate& iterate);

}  // namespace rigor
