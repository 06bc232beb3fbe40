// Gaps between features of two solids at any pose: vertex and face, edge and edge, a rounded vertex and a whole solid, a
// vertex and a rounded edge; a rim and a face, a rim that crosses an edge or another rim, two wholes.
//
// The gap of a pair of features goes on beyond their borders: a face is its whole plane, a sharp edge its whole line; rounded
// edges end, and the distance goes on around their ends. Who takes
// part in a step is decided by where the features end (solid_features.h); what the step imposes is this smooth function.
#pragma once

#include "geometry/element.h"
#include "geometry/gap.h"
#include "geometry/solid.h"

namespace rigor {

/// Two features of solids by their kind and numbers.
struct SolidFeatures {
  FeatureKind kind = FeatureKind::kFaceVertex;
  int feature[2] = {0, 0};   ///< of kWhole: numbers of elements (solid_elements.h)
  Vec3<double> normal = {};  ///< of kWhole, about: elements that are round may face each other more than once
};

/// Which rim, and which of its two crossings, of a kCrossing; numbers without this are edges, or the side of a cone.
inline constexpr int kRim = 1 << 30, kSecondCrossing = 1 << 29, kSideOfCone = 1 << 28;

/// Centres are points of the two sides on the line of the normal: of curvature where a side is round, else of its surface.
GapAtPose<double> gapOfSolids(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b);

/// False for crossings and elements that face each other nowhere at this pose: their gap is then the distance of the solids, which
/// other features hold as well.
bool faceEachOther(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b);

/// Where the lines of two edges are nearest to each other, in lengths of the edges from their starts.
struct EdgeCrossing {
  double share[2];
  double sine;  ///< of the angle between them
};
EdgeCrossing crossEdges(const PlacedSolid& a, int edge_a, const PlacedSolid& b, int edge_b);

/// The lowest point of a rim above a face, in the frame of the rim's solid, and the sine of its tilt against it.
struct LowestOnRim {
  Vec3<double> point;
  double tilt;
  double bulge;  ///< [m] how deep the rim can be between its fixed points when those touch: r·tilt·(1 − cos(π/n))
};
inline constexpr int kFixedRimPoints = 8;    ///< n: points of a rim that lies flat, whatever the others
inline constexpr double kFlatBulge = 1e-13;  ///< [m] below, they are enough
LowestOnRim findLowest(const PlacedSolid& faced, int face, const PlacedSolid& round, int disc);

/// The material point of the rim that is there, as the number of a vertex.
int lowestRimPoint(const PlacedSolid& faced, int face, const PlacedSolid& round, int disc);

/// How far from the apex the side of a cone comes out from under a disc that lies across it [m]; not above 0: beyond it, or nowhere.
double chordEndOnCone(const PlacedSolid& round, int disc, const PlacedSolid& cone, bool second);

/// Where a rim crosses an edge or another rim (feature numbers as in a kCrossing). False if it does not, or hardly.
bool faceCrossing(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b, Facing& facing);

}  // namespace rigor
