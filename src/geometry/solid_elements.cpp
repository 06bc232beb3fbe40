#include "geometry/solid_elements.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr int kMostElements = 10;      // of one side near a direction
constexpr double kNearEdge = 0.1;      // cosine: an edge this nearly across the direction may be what touches
constexpr double kNearFace = 0.99;     // cosine: and a face this nearly along it
constexpr double kFlat = 1.0 - 1e-12;  // cosine: the answer has the direction of a face

constexpr double kRounding = 1e-14;  // of the size
constexpr double kOther =
    1e-7;  // of the size: elements whose gap is so much wider are not what touches along their normal

/// Numbers of elements that may touch in a direction.
struct ElementList {
  int list[kMostElements];
  int count = 0;

  void add(ElementOf what, int index = 0) {
    if (count < kMostElements && index < 1 << kElementBits) list[count++] = numberOf(what, index);
  }
};

void addOfPolytope(const PlacedSolid& solid, const Vec& outward, ElementList& list) {
  const Polytope& core = solid.core();
  const int top = coreSupport(solid.view(), outward).vertex;
  list.add(ElementOf::kVertex, top);
  for (int k = core.neighbour_start[top]; k < core.neighbour_start[top + 1]; ++k) {
    const int edge = core.neighbour_edge[k];
    const Vec along = solid.edge(edge);
    if (std::fabs(dot(along, outward)) < kNearEdge * norm(along)) list.add(ElementOf::kEdge, edge);
  }
}

void addOfCone(const PlacedSolid& solid, const Vec& outward, ElementList& list) {
  const double radius = solid.solid->size.x, height = 2.0 * solid.solid->size.y;
  const double sine = radius / std::sqrt(radius * radius + height * height), up = dot(outward, solid.axis());
  if (up > sine - kNearEdge) list.add(ElementOf::kVertex);
  if (up < sine + kNearEdge) list.add(ElementOf::kRim);
  if (std::fabs(up - sine) < kNearEdge) list.add(ElementOf::kConeSide);
}

ElementList elementsAlong(const PlacedSolid& solid, const Vec& outward) {
  ElementList list;
  const double up = dot(outward, solid.axis());
  switch (solid.solid->kind) {
    case ShapeKind::kSphere:
      list.add(ElementOf::kVertex);
      break;
    case ShapeKind::kCapsule:
      list.add(ElementOf::kVertex, up > 0.0 ? 1 : 0);
      if (std::fabs(up) < kNearEdge) list.add(ElementOf::kEdge);
      break;
    case ShapeKind::kCylinder:
      if (up > -kNearEdge) list.add(ElementOf::kRim, 1);
      if (up < kNearEdge) list.add(ElementOf::kRim, 0);
      if (std::fabs(up) < kNearEdge) list.add(ElementOf::kEdge);
      break;
    case ShapeKind::kCone:
      addOfCone(solid, outward, list);
      break;
    case ShapeKind::kEllipsoid:
      list.add(ElementOf::kWhole);
      break;
    default:
      addOfPolytope(solid, outward, list);
  }
  return list;
}

/// The best answer so far; whatever is offered proves itself by the separation along it.
struct Best {
  const PlacedSolid &a, &b;
  SolidSeparation separation;
  double size;  ///< [m] of both
  double
      least;  ///< [m] what an offer must pass: less than a rough start by its rounding, as its witnesses are rough too

  void offer(const Vec& n, const Vec& middle, AxisKind axis, int feature_1, int feature_2, int element_1 = -1,
             int element_2 = -1) {
    const double distance = separationAlong(n, a.view(), b.view());
    if (!(distance > least)) return;
    least = distance;
    separation = {{distance, n, middle - 0.5 * distance * n, middle + 0.5 * distance * n, axis, feature_1, feature_2},
                  element_1,
                  element_2};
  }
};

/// The directions of faces; what touches a face is the farthest point of the other side.
void offerFaces(Best& best) {
  const Vec n = best.separation.normal;
  const auto offer = [&](const PlacedSolid& solid, const PlacedSolid& other, double sign, AxisKind axis) {
    for (int face = 0; face < solid.solid->faceCount(); ++face) {
      const Vec outward = solid.normal(face), normal = sign * outward;
      if (dot(normal, n) < kNearFace) continue;
      const Vec farthest = supportPoint(other.view(), -outward);
      const double distance = separationAlong(normal, best.a.view(), best.b.view());
      const int feature[2] = {sign > 0.0 ? face : -1, sign > 0.0 ? -1 : face};
      best.offer(normal, farthest - 0.5 * distance * outward, axis, feature[0], feature[1]);
    }
  };
  offer(best.a, best.b, 1.0, AxisKind::kFace1);
  offer(best.b, best.a, -1.0, AxisKind::kFace2);
}

void offerElements(Best& best) {
  const Vec n = best.separation.normal;
  const ElementList of_a = elementsAlong(best.a, n), of_b = elementsAlong(best.b, -n);
  for (int i = 0; i < of_a.count; ++i)
    for (int j = 0; j < of_b.count; ++j) {
      const int on_a = of_a.list[i], on_b = of_b.list[j];
      Facing facing;
      if (!faceElements(elementOf(best.a, on_a), elementOf(best.b, on_b), n, facing)) continue;
      if (facing.gap - separationAlong(facing.normal, best.a.view(), best.b.view()) > kOther * best.size) continue;
      const Vec middle = 0.5 * (facing.point_a + facing.point_b);
      if (whatOf(on_a) == ElementOf::kEdge && whatOf(on_b) == ElementOf::kEdge)
        best.offer(facing.normal, middle, AxisKind::kEdges, indexOf(on_a), indexOf(on_b));
      else
        best.offer(facing.normal, middle, AxisKind::kDirection, -1, -1, on_a, on_b);
    }
}

SolidSeparation separateFromPlane(const PlacedSolid& plane, const PlacedSolid& solid) {
  const Vec n = plane.normal(0), lowest = supportPoint(solid.view(), -n);
  const double distance = dot(n, lowest - plane.X_WS.p);
  return {{distance, n, lowest - distance * n, lowest, AxisKind::kFace1, 0, -1}};
}

}  // namespace

Element edgeElement(const PlacedSolid& solid, int edge) {
  const Vec along = solid.edge(edge);
  return {.kind = ElementKind::kLine,
          .p = solid.edgeStart(edge),
          .axis = (1.0 / norm(along)) * along,
          .radius = solid.edgeRadius()};
}

Element rimElement(const PlacedSolid& solid, int disc) {
  const Disc& d = solid.solid->discs[disc];
  return {
      .kind = ElementKind::kCircle, .p = solid.X_WS * d.centre, .axis = solid.X_WS.R * d.normal, .radius = d.radius};
}

Element elementOf(const PlacedSolid& solid, int number) {
  const int index = indexOf(number);
  const Vec size = solid.solid->size;
  switch (whatOf(number)) {
    case ElementOf::kVertex:
      return {.kind = ElementKind::kPoint, .p = solid.vertex(index), .radius = solid.radius()};
    case ElementOf::kEdge:
      return edgeElement(solid, index);
    case ElementOf::kRim: {
      Element rim = rimElement(solid, index);
      rim.kind = ElementKind::kRim;
      return rim;
    }
    case ElementOf::kConeSide:
      return {
          .kind = ElementKind::kConeSide, .p = solid.vertex(0), .axis = solid.axis(), .slope = size.x / (2.0 * size.y)};
    case ElementOf::kWhole:
      break;
  }
  return {.kind = ElementKind::kEllipsoid, .p = solid.X_WS.p, .size = size, .R = solid.X_WS.R};
}

bool isRoundSide(const PlacedSolid& solid, int number) {
  return whatOf(number) == ElementOf::kConeSide || (whatOf(number) == ElementOf::kEdge && solid.edgeRadius() > 0.0);
}

bool haveNormal(int number_a, const PlacedSolid& a, int number_b, const PlacedSolid& b) {
  const auto freedoms = [](int number, const PlacedSolid& solid) {  // of the normals around an element
    const bool round = whatOf(number) == ElementOf::kEdge ? solid.edgeRadius() > 0.0 : solid.radius() > 0.0;
    if (round || whatOf(number) == ElementOf::kConeSide || whatOf(number) == ElementOf::kWhole) return 0;
    return whatOf(number) == ElementOf::kVertex ? 2 : 1;
  };
  return freedoms(number_a, a) + freedoms(number_b, b) <= 2;
}

SolidSeparation separateSolids(const PlacedSolid& a, const PlacedSolid& b, const Vec* hint) {
  if (a.solid->isPlane()) return separateFromPlane(a, b);
  const Separation rough = findSeparation(a.view(), b.view(), hint);
  if (!a.solid->isCurved() && !b.solid->isCurved()) return {rough};
  const double size = radiusAbout(a.view()) + radiusAbout(b.view());
  Best best{a, b, {rough}, size, rough.distance - kRounding * size};
  offerFaces(best);
  if (best.separation.axis == AxisKind::kDirection || dot(best.separation.normal, rough.normal) < kFlat)
    offerElements(best);
  return best.separation;
}

}  // namespace rigor
