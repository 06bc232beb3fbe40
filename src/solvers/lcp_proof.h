// Looks for the proof that a complementarity problem has no solution: not even one that forgets complementarity. By Farkas' lemma
// either some z within its bounds has w of the right signs, or some v has v·w < 0 for all of them.
#pragma once

#include "solvers/lcp_known.h"

namespace rigor {

/// Writes v [n] and returns true if one is found that provesEmpty accepts. The search is a linear program, solved
/// as an LCP with a skew matrix by Lemke's method, which never fails on those but for rounding.
bool findProof(const Lcp& lcp, const LcpKnown& known, const LcpOptions& options, std::vector<double>& v, int& pivots);

/// v from what may be one [n], unscaled, without what rounding put there. The ray of a path on the problem itself is one where M is copositive plus (positive semidefinite, say).
bool acceptProof(const Lcp& lcp, const LcpKnown& known, std::vector<double> ray, std::vector<double>& v);

/// Largest entry ½ to 1, by a power of two: nothing is rounded, so that what cancelled still does.
void normalize(std::vector<double>& v);

}  // namespace rigor
