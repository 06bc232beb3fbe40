// Complementarity problems from a seed, with what is known of each: the exam of solveLcp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rigor/lcp.h"

namespace rigor::reference {

enum class LcpTruth : std::uint8_t {
  kSolvable,    ///< a solution was planted, or theory says that there is one
  kInfeasible,  ///< a proof was planted
  kEither,      ///< one of both: to be solved or to be proved
};

struct LcpSample {
  Lcp lcp;
  LcpTruth truth = LcpTruth::kSolvable;
};

struct LcpFamily {
  std::string name;
  LcpSample (*make)(std::uint64_t seed);
  int rarer =
      1;  ///< an exam takes this many times fewer problems of it: where all bases are tried in vain each takes a second
};

/// Friction pyramids with 4 and 8 corners: boxes at rest, sliding, falling; stacks with masses up to 1e6 apart; jams; inverse
/// dynamics (RP eq. 7) with and without grips; with loops, limits and motors.
const std::vector<LcpFamily>& frictionLcps();
/// P, positive semidefinite, copositive, degenerate, with bounds and equations, bimatrix games, planted proofs.
const std::vector<LcpFamily>& algebraicLcps();

}  // namespace rigor::reference
