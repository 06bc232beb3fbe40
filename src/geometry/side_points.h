// Points of the material where straight sides that are nearly parallel touch: edges and the sides of cylinders and cones.
//
// Two such sides touch where they cross, and that runs along them far faster than they move, from end to end while they come to lie
// on each other. Fixed points hold them instead. A side is the hull of the balls inside it: of a cylinder their centres lie on its
// axis, with its radius; of a cone too, with radii that grow with the way from the apex. So a point of a side is the ball that
// touches it there (PlacedSolid::vertexRadius), and its gap to another side is a distance less radii, smooth wherever it is.
#pragma once

#include "geometry/solid_gap.h"

namespace rigor {

/// True for elements (kWhole) that are both straight: edges and sides of cones.
bool areStraightSides(const SolidFeatures& features);

/// True if where they touch runs along them by more than a step can follow while b moves against a, or is nowhere then.
bool runsAlong(const SolidFeatures& sides, const PlacedSolid& a, const PlacedSolid& b, const Transform<double>& motion);

/// The point where they (or two edges) touch: of the edge if one is sharp, else of b. They stay as they are if they touch nowhere.
SolidFeatures pointOfSides(const SolidFeatures& sides, const PlacedSolid& a, const PlacedSolid& b);

}  // namespace rigor
