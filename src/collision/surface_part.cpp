#include "collision/surface_part.h"

#include <algorithm>

#include "geometry/solid_elements.h"
#include "geometry/solid_features.h"
#include "geometry/surface_gap.h"
#include "geometry/surface_normals.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// What the number of a feature on the side of a surface counts.
enum class Counts { kVertices, kEdges, kFaces, kElements };

Counts countsOf(const SurfacePart& part, FeatureKind kind) {
  const bool first = part.side == 0;
  switch (kind) {
    case FeatureKind::kFaceVertex:
      return first ? Counts::kFaces : Counts::kVertices;
    case FeatureKind::kVertexFace:
      return first ? Counts::kVertices : Counts::kFaces;
    case FeatureKind::kVertexEdge:
      return first ? Counts::kVertices : Counts::kEdges;
    case FeatureKind::kEdgeVertex:
      return first ? Counts::kEdges : Counts::kVertices;
    case FeatureKind::kEdges:
    case FeatureKind::kEdgesBack:
    case FeatureKind::kCrossing:
      return Counts::kEdges;
    case FeatureKind::kWhole:
      return part.other->isWhole() ? Counts::kFaces : Counts::kElements;
    default:
      return Counts::kFaces;
  }
}

/// What an element counts, and the number of what it is.
Counts countsOfElement(int& number) {
  const Counts counts = whatOf(number) == ElementOf::kVertex ? Counts::kVertices : Counts::kEdges;
  number = indexOf(number);
  return counts;
}

template <class OfVertex, class OfEdge, class OfFace>
bool renumber(const SurfacePart& part, SolidFeatures& features, const OfVertex& ofVertex, const OfEdge& ofEdge,
              const OfFace& ofFace) {
  int& number = features.feature[part.side];
  Counts counts = countsOf(part, features.kind);
  const bool element = counts == Counts::kElements;
  if (element) counts = countsOfElement(number);
  number = counts == Counts::kVertices ? ofVertex(number) : counts == Counts::kEdges ? ofEdge(number) : ofFace(number);
  if (number < 0) return false;
  if (element) number = numberOf(counts == Counts::kVertices ? ElementOf::kVertex : ElementOf::kEdge, number);
  return true;
}

const PlacedSolid& surfaceOf(const SurfacePart& part, const PlacedSolid& a, const PlacedSolid& b) {
  return part.side == 0 ? a : b;
}

/// Around a solid, in the frame of a surface.
AxisBox boxAround(const PlacedSolid& solid, const PlacedSolid& surface) {
  const ConvexShape view = solid.view();
  const auto reach = [&](const Vec& axis) {
    const Vec d = surface.X_WS.R * axis;
    return dot(d, supportPoint(view, d) - surface.X_WS.p);
  };
  return {{-reach({-1, 0, 0}), -reach({0, -1, 0}), -reach({0, 0, -1})},
          {reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})}};
}

void findBelow(const PlacedSolid& plane, const PlacedSolid& surface, double margin, std::vector<int>& found) {
  const Vec n = plane.normal(0);
  const double height = dot(n, plane.facePoint(0) - surface.X_WS.p) + margin;
  findTrianglesBelow(*surface.solid->surface, transposeTimes(surface.X_WS.R, n), height, found);
}

}  // namespace

bool numberInSurface(const SurfacePart& part, SolidFeatures& features) {
  const ThinTriangle& thin = *part.thin;
  return renumber(
      part, features, [&](int v) { return thin.vertexInSurface(v); }, [&](int e) { return thin.edgeInSurface(e); },
      [&](int f) { return thin.faceInSurface(f); });
}

bool numberInTriangle(const SurfacePart& part, SolidFeatures& features) {
  const ThinTriangle& thin = *part.thin;
  return renumber(
      part, features, [&](int v) { return thin.vertexHere(v); }, [&](int e) { return thin.edgeHere(e); },
      [&](int f) { return thin.faceHere(f); });
}

bool hasNormal(const SurfacePart& part, const PlacedSolid& surface, const Vec& normal) {
  return triangleHasNormal(*part.surface, part.thin->triangle(), transposeTimes(surface.X_WS.R, part.outward(normal)));
}

bool mayPush(const SurfacePart& part, const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  const PlacedSolid &placed = surfaceOf(part, a, b), &other = part.side == 0 ? b : a;
  int number = features.feature[part.side];
  Counts counts = countsOf(part, features.kind);
  if (counts == Counts::kElements) counts = countsOfElement(number);
  if (features.kind == FeatureKind::kBallSolid || features.kind == FeatureKind::kSolidBall) {
    const Vec centre = placed.toLocal(other.vertex(features.feature[1 - part.side]));
    return spotHasNormal(*part.surface, nearestOnTriangle(*part.surface, part.thin->triangle(), centre), centre);
  }
  if (counts == Counts::kFaces && features.kind != FeatureKind::kWhole) return true;
  const Vec normal = gapOfSolids(features, a, b).normal;
  if (counts == Counts::kFaces) return hasNormal(part, placed, normal);
  const Vec n = transposeTimes(placed.X_WS.R, part.outward(normal));
  if (counts == Counts::kEdges) return edgeHasNormal(*part.surface, number, n);
  if (isEdgePoint(number)) return edgeHasNormal(*part.surface, edgeOfPoint(number), n);
  return vertexHasNormal(*part.surface, number, n);
}

void keepPushing(const SurfacePart& part, const PlacedSolid& a, const PlacedSolid& b,
                 std::vector<SolidFeatures>& features) {
  std::erase_if(features, [&](SolidFeatures& one) { return !numberInSurface(part, one) || !mayPush(part, one, a, b); });
}

void listBallsOver(const SurfacePart& part, const PlacedSolid& a, const PlacedSolid& b,
                   std::vector<SolidFeatures>& found) {
  const Solid& thin = part.thin->solid();
  listBalls(part.side == 0 ? thin : *a.solid, part.side == 0 ? *b.solid : thin, found);
  const PlacedSolid &placed = surfaceOf(part, a, b), &other = part.side == 0 ? b : a;
  const Vec up = placed.normal(part.thin->triangle()), from = placed.facePoint(part.thin->triangle());
  for (SolidFeatures& features : found) {
    const int vertex = features.feature[1 - part.side];
    const Vec centre = features.kind == FeatureKind::kWhole ? other.X_WS.p : other.vertex(vertex);
    const bool back = part.surface->two_sided && dot(up, centre - from) < 0.0;
    features.feature[part.side] = part.thin->faceInSurface(back ? 1 : 0);
  }
}

void findNearTriangles(const NearSurface& near, std::vector<int>& found) {
  if (near.other.solid->isPlane()) return findBelow(near.other, near.surface, near.margin, found);
  findTriangles(*near.surface.solid->surface, grown(boxAround(near.other, near.surface), near.margin), found);
}

bool mayBeNear(const NearSurface& near) {
  if (near.other.solid->isPlane()) return true;
  const AxisBox box = boxAround(near.other, near.surface);
  return boxDistance(box, near.surface.solid->surface->nodes[0].box) <= near.margin;
}

void findPassedTriangles(const NearSurface& from, const PlacedSolid& surface_end, const PlacedSolid& other_end,
                         std::vector<int>& found) {
  constexpr double kBend = 0.1;  // of the way: what turning adds to the straight one
  if (other_end.solid->isPlane()) return findBelow(other_end, surface_end, from.margin, found);
  AxisBox box = boxAround(from.other, from.surface);
  const AxisBox end = boxAround(other_end, surface_end);
  const double way = std::max(norm(end.low - box.low), norm(end.high - box.high));
  grow(box, end.low), grow(box, end.high);
  findTriangles(*from.surface.solid->surface, grown(box, from.margin + kBend * way), found);
}

}  // namespace rigor
