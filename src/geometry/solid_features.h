// Which features of two solids face each other across a plane: the full manifold, and more when asked for.
#pragma once

#include <vector>

#include "geometry/solid_gap.h"

namespace rigor {

/// Scratch of listFeatures, kept so that a step does not allocate.
struct FeatureLists {
  std::vector<int> vertices[2], edges[2], faces[2], rims[2];
  std::vector<char> near[2];  ///< [vertices]
};

/// What listFeatures looks for.
struct Facings {
  Vec3<double> normal;  ///< unit, from a to b
  double slack = 0.0;   ///< [m] from the planes across the normal that hold the solids apart
  /// How b moves against a to the other end of the step: what runs around a rim or along a side is held by points of it.
  Transform<double> motion = Transform<double>::identity();
};

/// Lists the pairs of features of two solids that lie within the slack: vertices inside faces, edges that cross, vertices beside
/// rounded edges. They are all there is: the overlap of two nearly parallel faces has corners of these kinds only, and
/// between planes the gap is linear. Of a rim that lies flat, or that will, its lowest point and eight fixed ones; what
/// bulges between them waits until it is violated. Rounded vertices are left out: listBalls.
void listFeatures(const PlacedSolid& a, const PlacedSolid& b, const Facings& facings, FeatureLists& lists,
                  std::vector<SolidFeatures>& found);

/// Every rounded vertex of either side against the whole of the other, and ellipsoids as wholes: their gaps have no
/// border and no branch.
void listBalls(const Solid& a, const Solid& b, std::vector<SolidFeatures>& found);

/// How far outside the features' borders the point of contact is [m]: 0 within faces and edges.
double distanceOutside(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b);

}  // namespace rigor
