// All cases of a complementarity problem, as a tree: what no path decides. In a branch some rows are decided (z at a bound, or w = 0);
// of the others only the signs count. Either that linear program has no solution, which Farkas' lemma proves, and the branch is done; or it
// has one, which may be complementary; if not, the worst row is decided in all ways. If all branches end in proofs there is no z.
#pragma once

#include <functional>

#include "rigor/lcp.h"

namespace rigor {

enum class BranchEnd : std::uint8_t {
  kSolution,    ///< `accept` said true
  kNoSolution,  ///< `branches` passes provesByCases
  kOpen,        ///< neither: too many branches, or rounding hides what one of them is
};

BranchEnd decideByBranches(const Lcp& lcp, const LcpOptions& options, std::vector<LcpBranch>& branches, int& pivots,
                           const std::function<bool(const std::vector<double>& z)>& accept);

}  // namespace rigor
