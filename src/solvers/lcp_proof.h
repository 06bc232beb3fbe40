// Looks for the proof that a complementarity problem has no solution: not even one that forgets complementarity. By Farkas' lemma
// either some z within its bounds has w of the right signs, or some v has v·w < 0 for all of them.
#pragma once

#include "rigor/lcp.h"

namespace rigor {

/// Writes v [n], largest entry 1, and returns true if one is found that provesNoSolution accepts. The search is a linear program, solved
/// as an LCP with a skew matrix by Lemke's method, which never fails on those but for rounding.
bool findProof(const Lcp& lcp, const LcpOptions& options, std::vector<double>& v, int& pivots);

/// v from the ray of a path [n], unscaled: proves it where M is copositive plus (positive semidefinite, say).
bool provesByRay(const Lcp& lcp, std::vector<double> ray, std::vector<double>& v);

}  // namespace rigor
