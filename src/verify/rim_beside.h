// A rim or a line beside the round side of another shape, in long double.
#pragma once

#include <optional>

#include "verify/facing.h"

namespace rigor::verify {

/// Of a point beside a line that is grown by a radius, or beside the side of a cone.
struct Beside {
  Vec normal;  ///< out of the side
  Real gap = 0;
};
Beside lookBeside(const Element& side, const Vec& point);

/// The points of a circle have distances from a line that is grown by a radius, or from the side of a cone: the least one that lies
/// downhill from a guess. From the side to the circle. Nothing if the side is sharp, or has another kind.
std::optional<Facing> findRimBeside(const Element& side, const Element& circle, const Vec& near);

/// The same for a line, grown by its radius, beside a cone: the distance from what is convex has one least place along it.
std::optional<Facing> findLineBeside(const Element& cone, const Element& line, const Vec& near);

}  // namespace rigor::verify
