// What ends a piece of smooth motion: functions of the time that are positive while its modes hold.
//
//   gap        φ of what is not held                          closes: an impact, or a contact that settles
//   push       λn of a contact or stop that is held           separates
//   cone       μ λn − |λt| of a contact that sticks           begins to slip; of dry friction f − |λ|
//   slip       ut · d of a contact that slips, d its direction at the start of the piece    comes to rest, or turns back
//   sector     of slip by law pyramid whose friction is at a corner: how far from the border to the next      turns to another corner
//   edge       of slip along such a border: how far friction is from both corners                             turns to one of them
//   settling   dφ/dt of what hovers within kHover             is at rest at the top of a bounce that small
//   rub        v of a joint against whose motion dry friction acts   comes to rest, or turns back
//   outside    how far a contact is within its features       slides off an edge
#pragma once

#include <cstdint>

#include "stepping/row_id.h"

namespace rigor {

enum class Watched : std::uint8_t { kGap, kPush, kCone, kSlip, kSector, kEdge, kSettling, kRub, kOutside };

/// A speed that comes to zero, as others come to rest.
constexpr bool isSpeed(Watched what) {
  return what == Watched::kSlip || what == Watched::kSector || what == Watched::kSettling || what == Watched::kRub;
}

struct Watch {
  Watched what = Watched::kGap;
  int index = 0;  ///< slot of a gap, place among what is held, or freedom that rubs
  RowId id;
  double at_start = 0.0, at_end = 0.0;  ///< of the bracket
};

/// [s] Times of events are found to this.
inline constexpr double kEventTime = 1e-12;
/// [m or rad] A bounce lower than this is the last one: at its top the contact is closed and rests, and from there on it is held. The
/// impulse of all bounces that would follow is that of the weight from the top to their limit, so nothing is lost.
inline constexpr double kHover = 1e-12;

}  // namespace rigor
