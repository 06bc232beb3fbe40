// Which features of two solids face each other across a plane: the full manifold, and more when asked for.
#pragma once

#include <vector>

#include "geometry/solid_gap.h"

namespace rigor {

/// Scratch of listFeatures, kept so that a step does not allocate.
struct FeatureLists {
  std::vector<int> vertices[2], edges[2], faces[2];
  std::vector<char> near[2];  ///< [vertices]
};

/// Lists the pairs of features of two solids that lie within `slack` [m] of the planes across the unit normal n (from a to
/// b) which hold them apart: vertices inside faces, edges that cross, vertices beside rounded edges. They are all
/// there is: the overlap of two nearly parallel faces has corners of these kinds only, and between planes the gap is
/// linear. Rounded vertices are left out: listBalls.
void listFeatures(const PlacedSolid& a, const PlacedSolid& b, const Vec3<double>& n, double slack, FeatureLists& lists,
                  std::vector<SolidFeatures>& found);

/// Every rounded vertex of either side against the whole of the other: their gaps have no border and no branch.
void listBalls(const Solid& a, const Solid& b, std::vector<SolidFeatures>& found);

/// How far outside the features' borders the point of contact is [m]: 0 within faces and edges.
double distanceOutside(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b);

}  // namespace rigor
