#include "geometry/solid_features.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/rim_features.h"
#include "geometry/rim_side.h"
#include "geometry/side_points.h"
#include "geometry/solid_elements.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kInside = 1e-5;     // of the size: a vertex this far outside a face still counts
constexpr double kLeastSine = 1e-5;  // edges more parallel do not cross; their end vertices cover the sliver

/// Of a plane its face; of a cylinder or cone what is round: rims, discs, side and apex within the slab.
void collectCurved(const PlacedSolid& solid, int side, const Vec& outward, double least, FeatureLists& lists) {
  const Solid& shape = *solid.solid;
  if (shape.isPlane()) lists.faces[side].push_back(0);
  for (int d = 0; d < shape.disc_count; ++d) {
    const Disc& disc = shape.discs[d];
    const double up = dot(outward, solid.X_WS.R * disc.normal), across = std::sqrt(std::max(0.0, 1.0 - up * up));
    if (dot(outward, solid.X_WS * disc.centre) + disc.radius * across < least) continue;
    lists.rims[side].push_back(d);
    if (up >= kFacing) lists.faces[side].push_back(d);
  }
  if (shape.kind == ShapeKind::kCylinder && !lists.rims[side].empty()) {
    lists.edges[side].push_back(0);
    lists.vertices[side].push_back(0), lists.vertices[side].push_back(1);
  }
  if (shape.kind == ShapeKind::kCone && dot(outward, solid.vertex(0)) >= least) lists.vertices[side].push_back(0);
}

/// Vertices within the slab, then the edges and faces that they belong to.
void collect(const PlacedSolid& solid, int side, const Vec& outward, double least, FeatureLists& lists) {
  const Polytope& core = solid.core();
  lists.vertices[side].clear(), lists.edges[side].clear(), lists.faces[side].clear(), lists.rims[side].clear();
  if (solid.solid->isPlane() || solid.solid->isCurved()) return collectCurved(solid, side, outward, least, lists);
  const Vec local = transposeTimes(solid.X_WS.R, outward);
  const double base = dot(outward, solid.X_WS.p) + solid.radius();
  std::vector<char>& near = lists.near[side];
  near.assign(core.vertices.size(), 0);
  for (std::size_t v = 0; v < core.vertices.size(); ++v)
    if (base + dot(local, core.vertices[v]) >= least) {
      near[v] = 1;
      lists.vertices[side].push_back(static_cast<int>(v));
    }
  const auto isNear = [&](int vertex) { return near[vertex] != 0; };
  for (std::size_t e = 0; e < core.edges.size(); ++e)
    if (isNear(core.edges[e].vertex[0]) || isNear(core.edges[e].vertex[1]))
      lists.edges[side].push_back(static_cast<int>(e));
  for (std::size_t f = 0; f < core.faces.size(); ++f) {
    if (dot(local, core.faces[f].normal) < kFacing) continue;
    const auto corners = core.cornersOf(static_cast<int>(f));
    if (std::any_of(corners.begin(), corners.end(), isNear)) lists.faces[side].push_back(static_cast<int>(f));
  }
}

/// Vertices of one side (`of`) inside faces of the other.
void addInFaces(const PlacedSolid& faced, const PlacedSolid& of, int faced_side, const FeatureLists& lists,
                std::vector<SolidFeatures>& found) {
  if (of.radius() > 0.0 || of.solid->kind == ShapeKind::kCylinder) return;
  for (const int face : lists.faces[faced_side])
    for (const int vertex : lists.vertices[1 - faced_side]) addInFace(faced, face, of, vertex, faced_side, found);
}

bool within(double share, double length) {
  return share * length >= -kBeyondEnd && (share - 1.0) * length <= kBeyondEnd;
}

bool isCylinder(const PlacedSolid& solid) { return solid.solid->kind == ShapeKind::kCylinder; }

/// Beside the side of a cylinder, an edge that is nearly parallel touches where it crosses, which runs along it far faster than
/// anything moves. It is held by points: its ends, this one, and whatever the end of the step violates. False if it is not so.
bool addPointOfEdge(const PlacedSolid& a, int i, const PlacedSolid& b, int j, const EdgeCrossing& crossing,
                    std::vector<SolidFeatures>& found) {
  constexpr double kNearlyParallel = 0.02;  // sine
  if (crossing.sine > kNearlyParallel || !(isCylinder(a) || isCylinder(b))) return false;
  const SolidFeatures point = pointOfSides({FeatureKind::kEdges, {i, j}}, a, b);
  if (point.kind == FeatureKind::kEdges) return false;
  found.push_back(point);
  return true;
}

void addCrossings(const PlacedSolid& a, const PlacedSolid& b, const Vec& n, const FeatureLists& lists,
                  std::vector<SolidFeatures>& found) {
  for (const int i : lists.edges[0]) {
    const Vec along_a = a.edge(i);
    for (const int j : lists.edges[1]) {
      const Vec product = cross(along_a, b.edge(j));
      const double cosine = dot(product, n), length = norm(product);
      if (std::fabs(cosine) < kFacing * length) continue;
      const EdgeCrossing crossing = crossEdges(a, i, b, j);
      if (crossing.sine < kLeastSine || !within(crossing.share[0], norm(along_a)) ||
          !within(crossing.share[1], norm(b.edge(j))))
        continue;
      if (addPointOfEdge(a, i, b, j, crossing, found)) continue;
      found.push_back({cosine > 0.0 ? FeatureKind::kEdges : FeatureKind::kEdgesBack, {i, j}});
    }
  }
}

/// True if a direction (from the solid outward) is one that its vertex is extreme in.
bool isExtreme(const PlacedSolid& solid, int vertex, const Vec& outward) {
  const Polytope& core = solid.core();
  if (solid.solid->kind == ShapeKind::kCylinder)  // the end of its side
    return std::fabs(dot(solid.axis(), outward)) <= kInside * norm(outward);
  if (solid.solid->kind == ShapeKind::kCone) {
    const Vec d = transposeTimes(solid.X_WS.R, outward);
    return 2.0 * solid.solid->size.y * d.z >= solid.solid->size.x * std::sqrt(d.x * d.x + d.y * d.y);
  }
  const Vec local = transposeTimes(solid.X_WS.R, outward);
  for (int k = core.neighbour_start[vertex]; k < core.neighbour_start[vertex + 1]; ++k) {
    const Vec along = core.vertices[core.neighbour[k]] - core.vertices[vertex];
    if (dot(local, along) > kInside * norm(along)) return false;
  }
  return true;
}

/// Sharp vertices of one side beside the rounded edges of the other.
void addBesideEdges(const PlacedSolid& sharp, const PlacedSolid& round, int sharp_side, const FeatureLists& lists,
                    std::vector<SolidFeatures>& found) {
  if (round.edgeRadius() == 0.0 || sharp.radius() > 0.0) return;
  for (const int vertex : lists.vertices[sharp_side])
    for (const int edge : lists.edges[1 - sharp_side]) {
      const Vec along = round.edge(edge), way = sharp.vertex(vertex) - round.edgeStart(edge);
      const double length = norm(along), share = dot(way, along) / (length * length);
      if (!within(share, length) || !isExtreme(sharp, vertex, share * along - way)) continue;
      if (sharp_side == 0)
        found.push_back({FeatureKind::kVertexEdge, {vertex, edge}});
      else
        found.push_back({FeatureKind::kEdgeVertex, {edge, vertex}});
    }
}

double beyond(double share, double length) { return std::max({-share * length, (share - 1.0) * length, 0.0}); }

double vertexOutside(const PlacedSolid& faced, int face, const PlacedSolid& of, int vertex) {
  return std::max(0.0, outsideFace(*faced.solid, face, faced.toLocal(of.vertex(vertex))));
}

double rimOutside(const PlacedSolid& faced, int face, const PlacedSolid& of, int disc) {
  const Vec lowest = of.X_WS * findLowest(faced, face, of, disc).point;
  return std::max(0.0, outsideFace(*faced.solid, face, faced.toLocal(lowest)));
}

/// How far a point of the side of a cone is beyond the apex or the rim, along the side.
double outsideConeSide(const PlacedSolid& cone, const Vec& point) {
  const double down = dot(cone.axis(), cone.vertex(0) - point), height = 2.0 * cone.solid->size.y;
  const double radius = cone.solid->size.x;
  return beyond(down / height, std::sqrt(radius * radius + height * height));
}

/// Rims have no ends; edges do.
double crossingOutside(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  Facing facing;
  if (!faceCrossing(features, a, b, facing)) return 0.0;
  const auto outside = [](const PlacedSolid& solid, int number, const Vec& point) {
    if ((number & kRim) != 0) return 0.0;
    if (solid.solid->kind == ShapeKind::kCone) return outsideConeSide(solid, point);
    const Vec along = solid.edge(number);
    const double length = norm(along);
    return beyond(dot(point - solid.edgeStart(number), along) / (length * length), length);
  };
  return std::max(outside(a, features.feature[0], facing.point_a), outside(b, features.feature[1], facing.point_b));
}

/// Of two elements: edges and the sides of cones end.
double elementsOutside(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  Facing facing;
  if (a.solid->isWhole() || b.solid->isWhole()) return 0.0;
  if (!faceElements(elementOf(a, features.feature[0]), elementOf(b, features.feature[1]), features.normal, facing))
    return 0.0;  // then the distance of the solids stands for them
  const auto outside = [](const PlacedSolid& solid, int number, const Vec& point) {
    if (whatOf(number) == ElementOf::kConeSide) return outsideConeSide(solid, point);
    if (whatOf(number) != ElementOf::kEdge) return 0.0;
    const Vec along = solid.edge(indexOf(number));
    const double length = norm(along);
    return beyond(dot(point - solid.edgeStart(indexOf(number)), along) / (length * length), length);
  };
  return std::max(outside(a, features.feature[0], facing.point_a), outside(b, features.feature[1], facing.point_b));
}

double besideOutside(const PlacedSolid& sharp, int vertex, const PlacedSolid& round, int edge) {
  if (round.solid->kind == ShapeKind::kCone) {
    const Vec point = sharp.vertex(vertex);
    const BesideSide beside = lookBeside(elementOf(round, numberOf(ElementOf::kConeSide, 0)), point);
    return outsideConeSide(round, point - beside.gap * beside.normal);
  }
  const Vec along = round.edge(edge), way = sharp.vertex(vertex) - round.edgeStart(edge);
  const double length = norm(along);
  return beyond(dot(way, along) / (length * length), length);
}

}  // namespace

void listFeatures(const PlacedSolid& a, const PlacedSolid& b, const Facings& facings, FeatureLists& lists,
                  std::vector<SolidFeatures>& found) {
  found.clear();
  const Vec& n = facings.normal;
  const double top = dot(n, supportPoint(a.view(), n)), bottom = dot(n, supportPoint(b.view(), -n));
  collect(a, 0, n, std::min(top, bottom) - facings.slack, lists);
  collect(b, 1, -n, -(std::max(top, bottom) + facings.slack), lists);
  addInFaces(a, b, 0, lists, found);
  addInFaces(b, a, 1, lists, found);
  addRims(a, b, 0, facings.motion.R, lists, found);
  addRims(b, a, 1, transpose(facings.motion.R), lists, found);
  addRimCrossings(a, b, facings, lists, found);
  addBesideEdges(a, b, 0, lists, found);
  addBesideEdges(b, a, 1, lists, found);
  addCrossings(a, b, n, lists, found);
}

void listBalls(const Solid& a, const Solid& b, std::vector<SolidFeatures>& found) {
  found.clear();
  if (a.isWhole() || b.isWhole()) {
    found.push_back({FeatureKind::kWhole, {0, 0}, {}});
    return;
  }
  if (a.radius > 0.0 && !b.isBall())  // a ball against the whole of the other is all there is
    for (int v = 0; v < static_cast<int>(a.core->vertices.size()); ++v)
      found.push_back({FeatureKind::kBallSolid, {v, 0}});
  if (b.radius > 0.0 && !a.isBall())
    for (int v = 0; v < static_cast<int>(b.core->vertices.size()); ++v)
      found.push_back({FeatureKind::kSolidBall, {0, v}});
}

double distanceOutside(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  const auto [i, j] = features.feature;
  switch (features.kind) {
    case FeatureKind::kFaceVertex:
      return vertexOutside(a, i, b, j);
    case FeatureKind::kVertexFace:
      return vertexOutside(b, j, a, i);
    case FeatureKind::kEdges:
    case FeatureKind::kEdgesBack: {
      const EdgeCrossing crossing = crossEdges(a, i, b, j);
      return std::max(beyond(crossing.share[0], norm(a.edge(i))), beyond(crossing.share[1], norm(b.edge(j))));
    }
    case FeatureKind::kVertexEdge:
      return besideOutside(a, i, b, j);
    case FeatureKind::kEdgeVertex:
      return besideOutside(b, j, a, i);
    case FeatureKind::kFaceRim:
      return rimOutside(a, i, b, j);
    case FeatureKind::kRimFace:
      return rimOutside(b, j, a, i);
    case FeatureKind::kCrossing:
      return crossingOutside(features, a, b);
    case FeatureKind::kWhole:
      return elementsOutside(features, a, b);
    default:
      return 0.0;
  }
}

}  // namespace rigor
