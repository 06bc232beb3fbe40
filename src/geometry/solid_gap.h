// Gaps between features of two solids at any pose: vertex and face, edge and edge, a rounded vertex and a whole solid, a
// vertex and a rounded edge.
//
// The gap of a pair of features goes on beyond their borders: a face is its whole plane, a sharp edge its whole line; rounded
// edges end, and the distance goes on around their ends. Who takes
// part in a step is decided by where the features end (solid_features.h); what the step imposes is this smooth function.
#pragma once

#include "geometry/gap.h"
#include "geometry/solid.h"

namespace rigor {

/// Two features of solids by their kind and numbers.
struct SolidFeatures {
  FeatureKind kind = FeatureKind::kFaceVertex;
  int feature[2] = {0, 0};

  bool operator==(const SolidFeatures&) const = default;
};

/// Centres are points of the two sides on the line of the normal: of curvature where a side is round, else of its surface.
GapAtPose<double> gapOfSolids(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b);

/// Where the lines of two edges are nearest to each other, in lengths of the edges from their starts.
struct EdgeCrossing {
  double share[2];
  double sine;  ///< of the angle between them
};
EdgeCrossing crossEdges(const PlacedSolid& a, int edge_a, const PlacedSolid& b, int edge_b);

}  // namespace rigor
