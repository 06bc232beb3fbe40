// What Newton's methods on sets share, whatever they factor: the directions in which pieces slip, and which answer is better.
#pragma once

#include <vector>

#include "contact/visit_block.h"
#include "solvers/iterate.h"

namespace rigor {

inline bool isBetter(const Residuals& a, const Residuals& b) {
  return !b.finite || a.law < b.law || (a.law == b.law && a.plain_law < b.plain_law);
}

/// Calls f with the unit type of a piece that slips.
template <class F>
void visitSlip(const Piece& piece, F&& f) {
  visitKind(piece.kind, piece.size, [&]<class Unit>(UnitType<Unit> type) {
    if constexpr (Unit::kSlips) f(type);
  });
}

/// Slip directions along the impulses; false if one has none.
inline bool aimSlips(const Iterate& iterate, std::vector<Piece>& pieces) {
  bool all = true;
  for (Piece& piece : pieces)
    if (piece.slip)
      visitSlip(piece, [&]<class Unit>(UnitType<Unit>) {
        all = all && Unit::aimSlip(&iterate.impulse[piece.row], piece.frame);
      });
  return all;
}

}  // namespace rigor
