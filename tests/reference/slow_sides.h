// The distance of two straight sides, slowly: the nearest of any line of one and any line of the other.
#pragma once

#include "geometry/element.h"

namespace rigor {

struct SlowSides {
  double gap = 0.0;        ///< [m]
  bool at_an_end = false;  ///< it is at an apex, or where a line was cut off: no side faces the other there
};

namespace reference {

/// Sides of cones and lines, all of them cut off at `length` from the apex, or to either side of the point of a line.
SlowSides slowSides(const Element& a, const Element& b, double length);

}  // namespace reference
}  // namespace rigor
