#include "geometry/solid_gap.h"

#include <algorithm>
#include <cassert>

#include "geometry/point_distance.h"
#include "geometry/rim_side.h"
#include "geometry/solid_elements.h"
#include "geometry/surface_gap.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// Both sides on the line of the normal: centre, radius of curvature, and the surface between.
GapAtPose<double> between(const PlacedSolid& a, const Vec& centre_a, double radius_a, const PlacedSolid& b,
                          const Vec& centre_b, double radius_b, const Vec& normal, double gap) {
  GapAtPose<double> at;
  at.gap = gap;
  at.normal = normal;
  at.point = centre_b - (radius_b + 0.5 * gap) * normal;
  at.centre[0] = {centre_a - a.origin, centre_a};
  at.centre[1] = {centre_b - b.origin, centre_b};
  at.radius[0] = radius_a;
  at.radius[1] = radius_b;
  return at;
}

/// From one point to another; where they coincide, along the axis that makes least fuss.
Vec direction(const Vec& way, double length) { return length > 0.0 ? (1.0 / length) * way : Vec{0.0, 0.0, 1.0}; }

GapAtPose<double> swapped(GapAtPose<double> at) {
  at.normal = -at.normal;
  std::swap(at.centre[0], at.centre[1]);
  std::swap(at.radius[0], at.radius[1]);
  return at;
}

GapAtPose<double> faceVertex(const PlacedSolid& a, int face, const PlacedSolid& b, int vertex) {
  const Vec n = a.normal(face), point = b.vertex(vertex);
  const double radius = b.vertexRadius(vertex), gap = dot(n, point - a.facePoint(face)) - radius;
  return between(a, point - (radius + gap) * n, 0.0, b, point, radius, n, gap);
}

/// Lines that are nearly parallel meet far away: an impulse attacks the edges themselves.
Vec attackedPoint(const PlacedSolid& a, int edge_a, double share_a, const PlacedSolid& b, int edge_b, double share_b,
                  const Vec& shift) {
  const Vec point_a = a.edgeStart(edge_a) + std::clamp(share_a, 0.0, 1.0) * a.edge(edge_a);
  const Vec point_b = b.edgeStart(edge_b) + std::clamp(share_b, 0.0, 1.0) * b.edge(edge_b);
  return 0.5 * (point_a + point_b) + shift;
}

/// Rounded edges are segments: beyond their ends the distance goes on around the last point, as that of a capsule does.
GapAtPose<double> roundedEdges(const PlacedSolid& a, int edge_a, const PlacedSolid& b, int edge_b, double sign) {
  const Vec along_a = a.edge(edge_a), along_b = b.edge(edge_b), start_a = a.edgeStart(edge_a);
  const Vec start_b = b.edgeStart(edge_b), way = start_a - start_b;
  const double aa = dot(along_a, along_a), bb = dot(along_b, along_b), ab = dot(along_a, along_b);
  const double wa = dot(way, along_a), wb = dot(way, along_b), square = aa * bb - ab * ab;
  double share_a = square > 0.0 ? std::clamp((ab * wb - wa * bb) / square, 0.0, 1.0) : 0.0;
  double share_b = (ab * share_a + wb) / bb;
  if (share_b < 0.0 || share_b > 1.0) {
    share_b = std::clamp(share_b, 0.0, 1.0);
    share_a = std::clamp((ab * share_b - wa) / aa, 0.0, 1.0);
  }
  const Vec point_a = start_a + share_a * along_a, point_b = start_b + share_b * along_b,
            between_them = point_b - point_a;
  const double distance = norm(between_them);
  const Vec product = cross(along_a, along_b);
  const Vec n = distance > 0.0 ? (1.0 / distance) * between_them : direction(sign * product, norm(product));
  return between(a, point_a, a.edgeRadius(), b, point_b, b.edgeRadius(), n, distance - a.edgeRadius() - b.edgeRadius());
}

/// The sides of cylinders go on: what is beyond their ends are rims.
bool isEndless(const PlacedSolid& solid) { return solid.solid->kind == ShapeKind::kCylinder; }

double shareOfNearest(const Vec& point, const Vec& start, const Vec& along) {
  return dot(point - start, along) / dot(along, along);
}

/// The side of a cylinder and an edge, which ends where its vertices are, or another side. Where the nearest points lie is
/// taken from cross products: of lines that are nearly parallel scalar products know nothing.
GapAtPose<double> endlessEdges(const PlacedSolid& a, int edge_a, const PlacedSolid& b, int edge_b, double sign) {
  const Vec along_a = a.edge(edge_a), along_b = b.edge(edge_b), product = cross(along_a, along_b);
  const Vec start_a = a.edgeStart(edge_a), start_b = b.edgeStart(edge_b), way = start_b - start_a;
  const double square = dot(product, product);
  double share_a = square > 0.0 ? dot(cross(way, along_b), product) / square : 0.0;
  double share_b =
      square > 0.0 ? dot(cross(way, along_a), product) / square : shareOfNearest(start_a, start_b, along_b);
  if (!isEndless(b)) {
    share_b = std::clamp(share_b, 0.0, 1.0);
    share_a = shareOfNearest(start_b + share_b * along_b, start_a, along_a);
  } else if (!isEndless(a)) {
    share_a = std::clamp(share_a, 0.0, 1.0);
    share_b = shareOfNearest(start_a + share_a * along_a, start_b, along_b);
  }
  const Vec point_a = start_a + share_a * along_a, point_b = start_b + share_b * along_b;
  const double distance = norm(point_b - point_a), radius_a = a.edgeRadius(), radius_b = b.edgeRadius();
  const Vec n = distance > 0.0 ? (1.0 / distance) * (point_b - point_a) : direction(sign * product, norm(product));
  GapAtPose<double> at = between(a, point_a, radius_a, b, point_b, radius_b, n, distance - radius_a - radius_b);
  at.point = attackedPoint(a, edge_a, share_a, b, edge_b, share_b, (0.5 * (radius_a - radius_b)) * n);
  return at;
}

GapAtPose<double> edgeEdge(const PlacedSolid& a, int edge_a, const PlacedSolid& b, int edge_b, double sign) {
  if (isEndless(a) || isEndless(b)) return endlessEdges(a, edge_a, b, edge_b, sign);
  if (a.edgeRadius() > 0.0 || b.edgeRadius() > 0.0) return roundedEdges(a, edge_a, b, edge_b, sign);
  const Vec along_a = a.edge(edge_a), along_b = b.edge(edge_b), product = cross(along_a, along_b);
  const Vec start_a = a.edgeStart(edge_a), start_b = b.edgeStart(edge_b), way = start_b - start_a;
  const double square = dot(product, product);
  if (!(square > 0.0)) {  // exactly parallel: nearest where either begins
    const Vec across = way - (dot(way, along_a) / dot(along_a, along_a)) * along_a;
    const double distance = norm(across);
    return between(a, start_b - across, 0.0, b, start_b, 0.0, direction(across, distance), distance);
  }
  const Vec n = (sign / std::sqrt(square)) * product;
  const double gap = dot(n, way);
  const double share_a = dot(cross(way, along_b), product) / square,
               share_b = dot(cross(way, along_a), product) / square;
  const Vec point_a = start_a + share_a * along_a;
  GapAtPose<double> at = between(a, point_a, 0.0, b, point_a + gap * n, 0.0, n, gap);
  at.point = attackedPoint(a, edge_a, share_a, b, edge_b, share_b, {});
  return at;
}

GapAtPose<double> vertexConeSide(const PlacedSolid& a, int vertex, const PlacedSolid& cone) {
  const Vec point = a.vertex(vertex);
  const BesideSide beside = lookBeside(elementOf(cone, numberOf(ElementOf::kConeSide, 0)), point);
  const double radius = a.vertexRadius(vertex);
  return between(a, point, radius, cone, point - beside.gap * beside.normal, 0.0, -beside.normal, beside.gap - radius);
}

GapAtPose<double> vertexEdge(const PlacedSolid& a, int vertex, const PlacedSolid& b, int edge) {
  if (b.solid->kind == ShapeKind::kCone) return vertexConeSide(a, vertex, b);
  const Vec point = a.vertex(vertex), start = b.edgeStart(edge), along = b.edge(edge);
  double share = dot(point - start, along) / dot(along, along);
  if (!isEndless(b)) share = std::clamp(share, 0.0, 1.0);
  const Vec foot = start + share * along, way = foot - point;
  const double distance = norm(way), radius_a = a.vertexRadius(vertex), radius_b = b.edgeRadius();
  return between(a, point, radius_a, b, foot, radius_b, direction(way, distance), distance - radius_a - radius_b);
}

/// `face` is of a surface; other solids are taken as a whole.
GapAtPose<double> ballSolid(const PlacedSolid& a, int vertex, const PlacedSolid& b, int face) {
  const Vec centre = a.vertex(vertex);
  if (b.solid->isSurface()) {
    const Facing facing = faceTriangle(centre, b, face);
    return between(a, centre, a.radius(), b, facing.point_b, 0.0, facing.normal, facing.gap - a.radius());
  }
  if (b.solid->isCurved()) {
    const NearestPoints near = nearestToPoint(b.view(), centre - b.X_WS.p);
    return between(a, centre, a.radius(), b, b.X_WS.p + near.on_1, 0.0, -near.normal, near.distance - a.radius());
  }
  const NearestPoint nearest = nearestOnCore(b.core(), b.toLocal(centre));
  const Vec point = b.X_WS * nearest.point, way = point - centre;
  const double distance = norm(way);
  if (nearest.inside_face < 0)
    return between(a, centre, a.radius(), b, point, b.radius(), direction(way, distance),
                   distance - a.radius() - b.radius());
  return between(a, centre, a.radius(), b, point, b.radius(), -b.normal(nearest.inside_face),
                 -distance - a.radius() - b.radius());
}

GapAtPose<double> whole(const PlacedSolid& a, const PlacedSolid& b) {
  const Separation found = separateSolids(a, b);
  return between(a, found.point_1, 0.0, b, found.point_2, 0.0, found.normal, found.distance);
}

GapAtPose<double> facingGap(const PlacedSolid& a, const PlacedSolid& b, const Facing& facing) {
  return between(a, facing.point_a, 0.0, b, facing.point_b, 0.0, facing.normal, facing.gap);
}

/// An ellipsoid and a face of a surface.
GapAtPose<double> wholeOfSurface(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  if (a.solid->isSurface()) return facingGap(a, b, faceTriangle(a, features.feature[0], b));
  return swapped(facingGap(b, a, faceTriangle(b, features.feature[1], a)));
}

/// What has an edge or a vertex of a surface, if it is one.
PlacedSolid convexPart(const SolidFeatures& features, int side, const PlacedSolid& solid) {
  if (!solid.solid->isSurface()) return solid;
  const Surface& surface = *solid.solid->surface;
  const int number = features.feature[side];
  if (features.kind == FeatureKind::kWhole && whatOf(number) == ElementOf::kVertex)
    return pieceOf(solid, triangleOfVertex(surface, indexOf(number)));
  return pieceOf(solid, triangleOfEdge(surface, features.kind == FeatureKind::kWhole ? indexOf(number) : number));
}

GapAtPose<double> faceRim(const PlacedSolid& a, int face, const PlacedSolid& b, int disc) {
  const Vec n = a.normal(face), point = b.X_WS * findLowest(a, face, b, disc).point;
  const double gap = dot(n, point - a.facePoint(face));
  return between(a, point - gap * n, 0.0, b, point, 0.0, n, gap);
}

/// Two elements; where the search for them leads astray, as they are if they are what is nearest of their solids. If it fails
/// all the same, `facing` has what is nearest of two convex solids.
bool faceAsElements(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b, Facing& facing) {
  constexpr double kSameSide = 0.99;  // cosine
  const auto [i, j] = features.feature;
  if (faceElements(elementOf(a, i), elementOf(b, j), features.normal, facing)) return true;
  if (whatOf(i) == ElementOf::kRim && whatOf(j) == ElementOf::kRim &&
      faceRims(rimElement(a, indexOf(i)), rimElement(b, indexOf(j)), features.normal, facing))
    return true;
  if (a.solid->isSurface() || b.solid->isSurface()) return false;
  const SolidSeparation found = separateSolids(a, b);
  facing = {found.normal, found.distance, found.point_1, found.point_2};
  return found.element_1 == i && found.element_2 == j && dot(found.normal, features.normal) > kSameSide;
}

/// Ellipsoids as they are; else two elements, whatever else of their solids is nearer.
GapAtPose<double> whole(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  Facing facing;
  const bool ellipsoid = a.solid->isWhole() || b.solid->isWhole();
  const bool surface = a.solid->isSurface() || b.solid->isSurface();
  if (ellipsoid) return surface ? wholeOfSurface(features, a, b) : whole(a, b);
  // where the elements of two solids do not face each other, `facing` has what is nearest of these
  if (faceAsElements(features, a, b, facing) || !surface) return facingGap(a, b, facing);
  return whole(convexPart(features, 0, a), convexPart(features, 1, b));
}

/// What the number of a crossing is as an element.
int elementOfCrossing(int number) {
  if ((number & kRim) != 0) return numberOf(ElementOf::kRim, number & 1);
  return numberOf((number & kSideOfCone) != 0 ? ElementOf::kConeSide : ElementOf::kEdge, number & ~kSideOfCone);
}

/// A rim that comes off a round side: its two crossings become one, where its outermost point touches, and that goes on. While it has
/// two nearest points, the other crossing does not stand for one that is gone.
bool faceAsOne(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b, Facing& facing) {
  const int on_a = elementOfCrossing(features.feature[0]), on_b = elementOfCrossing(features.feature[1]);
  const bool side_a = isRoundSide(a, on_a), side_b = isRoundSide(b, on_b);
  if (side_a == side_b) return false;
  const Element side = side_a ? elementOf(a, on_a) : elementOf(b, on_b);
  const Element rim = side_a ? rimElement(b, indexOf(on_b)) : rimElement(a, indexOf(on_a));
  const RimSpots spots = findRimSpots(rim, side);
  if (spots.count != 1) return false;
  const bool known =
      dot(features.normal, features.normal) > 0.0;  // from where it was, as it may be nearest on two sides
  if (known && faceElements(elementOf(a, on_a), elementOf(b, on_b), features.normal, facing)) return true;
  return faceSpot(rim, side, spots.radial[0], side_b, features.normal, facing);
}

GapAtPose<double> crossing(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  Facing facing;
  if (faceCrossing(features, a, b, facing) || faceAsOne(features, a, b, facing)) return facingGap(a, b, facing);
  return whole(convexPart(features, 0, a), convexPart(features, 1, b));
}

}  // namespace

GapAtPose<double> gapOfSolids(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  const auto [i, j] = features.feature;
  switch (features.kind) {
    case FeatureKind::kFaceVertex:
      return faceVertex(a, i, b, j);
    case FeatureKind::kVertexFace:
      return swapped(faceVertex(b, j, a, i));
    case FeatureKind::kEdges:
      return edgeEdge(a, i, b, j, 1.0);
    case FeatureKind::kEdgesBack:
      return edgeEdge(a, i, b, j, -1.0);
    case FeatureKind::kVertexEdge:
      return vertexEdge(a, i, b, j);
    case FeatureKind::kEdgeVertex:
      return swapped(vertexEdge(b, j, a, i));
    case FeatureKind::kBallSolid:
      return ballSolid(a, i, b, j);
    case FeatureKind::kSolidBall:
      return swapped(ballSolid(b, j, a, i));
    case FeatureKind::kFaceRim:
      return faceRim(a, i, b, j);
    case FeatureKind::kRimFace:
      return swapped(faceRim(b, j, a, i));
    case FeatureKind::kCrossing:
      return crossing(features, a, b);
    case FeatureKind::kWhole:
      return whole(features, a, b);
    case FeatureKind::kPlaneBall:
    case FeatureKind::kBallBall:
      break;
  }
  assert(false && "features of balls and planes are not solids");
  return {};
}

bool faceEachOther(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  Facing facing;
  if (features.kind == FeatureKind::kCrossing)
    return faceCrossing(features, a, b, facing) || faceAsOne(features, a, b, facing);
  if (features.kind != FeatureKind::kWhole || a.solid->isWhole() || b.solid->isWhole()) return true;
  return faceAsElements(features, a, b, facing);
}

EdgeCrossing crossEdges(const PlacedSolid& a, int edge_a, const PlacedSolid& b, int edge_b) {
  const Vec along_a = a.edge(edge_a), along_b = b.edge(edge_b), product = cross(along_a, along_b);
  const Vec way = b.edgeStart(edge_b) - a.edgeStart(edge_a);
  const double square = dot(product, product), lengths = dot(along_a, along_a) * dot(along_b, along_b);
  if (!(square > 0.0)) return {{0.0, 0.0}, 0.0};
  return {{dot(cross(way, along_b), product) / square, dot(cross(way, along_a), product) / square},
          std::sqrt(square / lengths)};
}

}  // namespace rigor
