#include "verify/freedoms.h"

namespace rigor::verify {
namespace {

constexpr Real kRound = 6.283185307179586476925286766559L;

FreedomPart makePart(const Loop& loop, int index) {
  FreedomPart part;
  part.loop = index;
  part.wraps = loop.turn != Turn::kNone && loop.pitch == 0;
  if (part.wraps) part.middle = loop.limited ? (loop.lower + loop.upper) / 2 : loop.motor.target;
  SpringPart& along = part.along;
  along.kind = loop.turn == Turn::kNone ? SpringPart::kDirection : SpringPart::kAngle;
  along.name = loop.name;
  along.body_1 = loop.body_1, along.body_2 = loop.body_2;
  along.frame_1 = {loop.frame_1.R * loop.axes, loop.frame_1.p};
  along.frame_2 = {loop.frame_2.R * loop.axes, loop.frame_2.p};
  along.entry = 2;
  along.pitch = loop.pitch, along.rest = part.middle;
  return part;
}

}  // namespace

std::vector<FreedomPart> listFreedoms(const World& world) {
  std::vector<FreedomPart> parts;
  for (std::size_t i = 0; i < world.loops.size(); ++i) {
    const Loop& loop = world.loops[i];
    if (loop.limited || loop.dry_friction > 0 || loop.motor.acts) parts.push_back(makePart(loop, static_cast<int>(i)));
  }
  return parts;
}

FreedomAt computeFreedom(const FreedomPart& part, const Motion& motion) {
  const Stretch stretch = computeStretch(part.along, motion);
  return {part.middle + stretch.x, stretch.size};
}

Real wayBetween(const FreedomPart& part, Real from, Real to) {
  const Real way = to - from;
  return part.wraps ? way - kRound * std::round(way / kRound) : way;
}

Real gapOfStop(const Loop& loop, bool upper, Real x) { return upper ? loop.upper - x : x - loop.lower; }

}  // namespace rigor::verify
