// The name of a block of rows: the same contact, limit or loop has the same id in every step and every run.
#pragma once

#include <compare>
#include <cstdint>

namespace rigor {

/// 128 bits, in the order of (kind of row, shape 1, shape 2, kind of feature pair, feature 1, feature 2). Bits from above:
///   high   4 kind of row: 0 contact, 1 limit, 2 motor, 3 dry friction, 4 loop, 5 spring or damper,
///            6 own constraint, 7 stop, dry friction or motor of a loop
///          26 shape 1, 26 shape 2, 8 kind of feature pair: of contacts, else 0
///   low    32 feature 1, 32 feature 2; of other rows the index of their freedom, loop, spring or constraint (docs/formats.md)
struct RowId {
  std::uint64_t high = 0, low = 0;

  friend constexpr auto operator<=>(const RowId&, const RowId&) = default;
};

}  // namespace rigor
