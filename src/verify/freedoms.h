// Stops, dry friction and motors on the one freedom of a loop: from poses alone.
#pragma once

#include "verify/ties.h"

namespace rigor::verify {

/// Numbers of its rows are 4 · loop + these.
enum class FreedomRow { kLower, kUpper, kFriction, kMotor };
inline constexpr int kFreedomRows = 4;

struct FreedomPart {
  int loop = 0;        ///< of World::loops
  SpringPart along;    ///< its coordinate, less the middle
  Real middle = 0;     ///< of a hinge: of its range, else the target of its motor; 0 of others
  bool wraps = false;  ///< poses tell no turns: the coordinate is within half a turn of the middle
};
std::vector<FreedomPart> listFreedoms(const World& world);

struct FreedomAt {
  Real x = 0;     ///< [m] or [rad]
  Real size = 0;  ///< of the numbers that it is a difference of
};
FreedomAt computeFreedom(const FreedomPart& part, const Motion& motion);

/// The way from one pose to another, the shorter way round where poses tell no turns.
Real wayBetween(const FreedomPart& part, Real from, Real to);

/// How far a coordinate is from a stop.
Real gapOfStop(const Loop& loop, bool upper, Real x);

}  // namespace rigor::verify
