// The direction that separates two convex shapes of which nothing is known but how far they reach.
//
// Along d, of any length, the separation is f(d) = −reach_b(−d) − reach_a(d), which is concave, and f(d)/|d| has one top
// where f is above zero: on a plane of directions nested golden sections cannot miss it, kinks or not. Six planes, the
// sides of a cube, hold all directions. Whether two shapes overlap is decided exactly; a deep overlap comes out as deep as
// it is or deeper.
#pragma once

#include "verify/distance.h"

namespace rigor::verify {

Separation searchDirections(const PlacedSolid& a, const PlacedSolid& b, const Vec& hint);

}  // namespace rigor::verify
