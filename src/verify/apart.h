// A quick proof that two convex solids are apart: Gilbert's search for the point of their difference that is nearest to zero.
//
// Every direction proves the separation along it (separationAlong), so it does not matter how one was found: what is returned is
// true, and only a lower bound. Who overlaps, or touches to the last digit, is left to findSeparation.
#pragma once

#include "verify/distance.h"

namespace rigor::verify {

/// A direction along which they are at least `enough` apart, if it is found quickly; else the best that was found. `hint` is a
/// direction to begin with, or 0. Solids that are not convex and half spaces answer −∞.
Separation findApart(const PlacedSolid& a, const PlacedSolid& b, const Vec& hint, Real enough);

}  // namespace rigor::verify
