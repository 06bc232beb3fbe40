#include "geometry/side_points.h"

#include <algorithm>
#include <cmath>

#include "geometry/solid_elements.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

bool isStraight(int number) { return whatOf(number) == ElementOf::kEdge || whatOf(number) == ElementOf::kConeSide; }

/// Where a point of a straight side is, from its start: 0, to its end: 1.
double shareOn(const PlacedSolid& solid, int number, const Vec& point) {
  if (whatOf(number) == ElementOf::kConeSide)
    return dot(solid.axis(), solid.vertex(0) - point) / (2.0 * solid.solid->size.y);
  const Vec along = solid.edge(indexOf(number));
  return dot(point - solid.edgeStart(indexOf(number)), along) / dot(along, along);
}

/// Where they touch on each of the two, within their ends.
bool findShares(const SolidFeatures& sides, const PlacedSolid& a, const PlacedSolid& b, double (&share)[2]) {
  const auto [i, j] = sides.feature;
  if (sides.kind != FeatureKind::kWhole) {
    const EdgeCrossing crossing = crossEdges(a, i, b, j);
    for (int side = 0; side < 2; ++side) share[side] = std::clamp(crossing.share[side], 0.0, 1.0);
    return crossing.sine > 0.0;
  }
  Facing facing;
  if (!faceElements(elementOf(a, i), elementOf(b, j), sides.normal, facing)) return false;
  share[0] = std::clamp(shareOn(a, i, facing.point_a), 0.0, 1.0);
  share[1] = std::clamp(shareOn(b, j, facing.point_b), 0.0, 1.0);
  return true;
}

}  // namespace

bool areStraightSides(const SolidFeatures& features) {
  return features.kind == FeatureKind::kWhole && isStraight(features.feature[0]) && isStraight(features.feature[1]);
}

bool runsAlong(const SolidFeatures& sides, const PlacedSolid& a, const PlacedSolid& b,
               const Transform<double>& motion) {
  constexpr double kFar = 0.05;  // of a side
  PlacedSolid b_there = b;
  b_there.X_WS = motion * b.X_WS;
  double here[2], there[2];
  if (!findShares(sides, a, b, here) || !findShares(sides, a, b_there, there)) return true;
  return std::max(std::fabs(there[0] - here[0]), std::fabs(there[1] - here[1])) > kFar;
}

SolidFeatures pointOfSides(const SolidFeatures& sides, const PlacedSolid& a, const PlacedSolid& b) {
  const auto [i, j] = sides.feature;
  // numbers of edges are those of their elements without what they are, and a cone has one side
  const bool second = isRoundSide(a, sides.kind == FeatureKind::kWhole ? i : numberOf(ElementOf::kEdge, i));
  const int edge = indexOf(second ? j : i), beside = indexOf(second ? i : j);
  double share[2];
  if (edge >= kMostEdgesWithPoints || !findShares(sides, a, b, share)) return sides;
  const bool cone = (second ? b : a).solid->kind == ShapeKind::kCone;
  const double place = cone ? std::sqrt(share[second]) : share[second];
  const int point = edgePoint(edge, static_cast<int>(std::lround(place * sharesOf(edge))));
  if (second) return {FeatureKind::kEdgeVertex, {beside, point}};
  return {FeatureKind::kVertexEdge, {point, beside}};
}

}  // namespace rigor
