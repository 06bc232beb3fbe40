// What is known of z and w of a complementarity problem without its complementarity, in all of it or in a branch of it: a linear program.
#pragma once

#include <vector>

#include "rigor/lcp.h"

namespace rigor {

/// lo ≤ z ≤ hi; w ≥ 0 where `rises`, w ≤ 0 where `falls`, w = 0 where both.
struct LcpKnown {
  std::vector<double> lo, hi;      // [n]
  std::vector<char> rises, falls;  // [n]
};

/// A row with one bound knows the sign of its w, with none w = 0, with two nothing; a row that is decided knows its bound and the sign
/// that belongs to it, or that w = 0 within the bounds.
LcpKnown knowOf(const Lcp& lcp, const std::vector<LcpDecision>& decided = {});

/// v proves that nothing obeys this: v·w < 0 for all z within the bounds, with the tolerances of rigor/lcp.h.
bool provesEmpty(const Lcp& lcp, const LcpKnown& known, const std::vector<double>& v);

/// Places that a row may be in; none if there is nothing to decide.
std::vector<LcpPlace> placesOf(const Lcp& lcp, int row);

/// Find x ≥ 0 with A x ≥ b.
struct LinearProgram {
  int variables = 0;
  std::vector<double> A, b;  // [constraints × variables]
};

/// It as an LCP with a skew matrix, 0 ≤ x ⟂ −Aᵀy ≥ 0, 0 ≤ y ⟂ A x − b ≥ 0, which Lemke's method decides but for rounding.
Lcp makeSkew(const LinearProgram& program);

}  // namespace rigor
