// The true distance of two solids, slowly: every face, every pair of edges, every pair of corners.
//
// The signed distance of convex shapes is the largest separation over all directions, so one direction proves that two
// of them are apart, and nothing but a search of all directions proves that they are not.
#pragma once

#include "verify/solid.h"

namespace rigor::verify {

/// The point of a core that is nearest to a point.
struct Nearest {
  Vec point;
  int inside_face = -1;  ///< ≥ 0: the given point is inside, and this is the face that it is nearest to
};
Nearest nearestOnCore(const PlacedSolid& solid, const Vec& from);

/// Width of the slab across the unit direction n, from a to b, that holds neither; negative: they overlap along n.
Real separationAlong(const PlacedSolid& a, const PlacedSolid& b, const Vec& n);

struct Separation {
  Real distance;  ///< [m] negative: overlap, and the way out is as long
  Vec direction;  ///< unit, from a to b
};

/// The true distance. Cores and half spaces: exactly. Others (cylinder, cone, ellipsoid): by a search of
/// all directions (direction_search.h). `hint` is a direction to begin with, or 0.
Separation findSeparation(const PlacedSolid& a, const PlacedSolid& b, const Vec& hint);

}  // namespace rigor::verify
