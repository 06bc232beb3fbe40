// Block successive over-relaxation (PC Alg. 2): one block at a time solves its own law exactly while the others are
// held. Sweeps alternate in direction; forward sweeps alone cycle for ever on half of all sliding boxes.
#pragma once

#include <cstdint>
#include <vector>

#include "rigor/contact_problem.h"
#include "rigor/single_contact.h"
#include "rigor/solver.h"
#include "solvers/iterate.h"

namespace rigor {

/// How a contact is moved while all others are held; rows without friction are always solved exactly.
struct ContactRule {
  enum class Kind : std::uint8_t {
    kExact,    ///< to rounding by the law of the problem
    kSingle,   ///< by one of listSingleSolves, whose law the problem must have
    kGradient  ///< PC eq. 17–18: a step against the velocity, put back into the set
  } kind = Kind::kExact;
  ContactAnswer (*single)(const ContactBlock& block, double interval) = nullptr;
  double step = 0.6;        ///< kGradient: α of PC eq. 18
  double accuracy = 1e-11;  ///< kSingle: searches end when λ is enclosed to this share of the block's velocity over w
};

/// α of a sweep: falls from `first` to `least`, the distance by `decay` in every sweep (PC Alg. 2 line 12).
struct Relaxation {
  double first = 1.0, least = 1.0, decay = 1.0;
};

/// Solves one block exactly with all others held; sets its impulse and mode.
void solveBlockAlone(const ContactProblem& problem, const Block& block, Iterate& iterate);

/// One sweep over all blocks, forward or backward: λ_i ← λ_i + relaxation·(solved λ_i − λ_i), PC Alg. 2 lines 2–11.
/// Sets modes on the way. Returns the largest move, each in units of its block's velocity, w_i |Δλ_i| [m/s].
double sweepBlocks(const ContactProblem& problem, bool forward, double relaxation, Iterate& iterate,
                   const ContactRule& rule = {});

/// Sweeps in alternating direction until the judge accepts `max_sweeps` is reached or `stop` is raised; judged last. The judge is asked
/// when the moves have become small, and at the end. Returns the number of sweeps.
int relaxBlocks(const ContactProblem& problem, double tolerance, int max_sweeps, Relaxation relaxation,
                Iterate& iterate, const ContactRule& rule = {}, const StopFlag* stop = nullptr);

}  // namespace rigor
