#include "geometry/solid_features.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/solid_elements.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kInside = 1e-5;     // of the size: a vertex this far outside a face still counts
constexpr double kLeastSine = 1e-5;  // edges more parallel do not cross; their end vertices cover the sliver
constexpr double kBeyondEnd = 1e-9;  // [m] that a crossing may lie beyond the end of an edge
constexpr double kSame = 1e-9;       // [m] crossings that are one
constexpr double kFacing = 0.5;      // cosine: faces and crossings that look another way belong to another branch

/// How far a point (in the frame of the shape) lies outside a face, seen along its normal; ≤ 0: inside.
double outsideFace(const Solid& solid, int index, const Vec& point) {
  if (const Disc* disc = solid.discOfFace(index)) {
    const Vec way = point - disc->centre, across = way - dot(disc->normal, way) * disc->normal;
    return norm(across) - disc->radius;
  }
  const Polytope& core = *solid.core;
  const Polytope::Face& face = core.faces[index];
  if (solid.isPlane()) return -std::numeric_limits<double>::infinity();
  double most = -core.radius;
  for (int i = 0; i < face.count; ++i) {
    const Vec& a = core.vertices[core.corner_vertex[face.first + i]];
    const Vec along = core.vertices[core.corner_vertex[face.first + (i + 1) % face.count]] - a;
    const Vec outward = cross(along, face.normal);
    most = std::max(most, dot(outward, point - a) / norm(outward));
  }
  return most;
}

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

/// How much outside of a face still counts as inside.
double insideTolerance(const PlacedSolid& faced) { return kInside * radiusAbout(faced.view()); }

void addInFace(const PlacedSolid& faced, int face, const PlacedSolid& of, int vertex, int faced_side,
               std::vector<SolidFeatures>& found) {
  const Vec point = faced.toLocal(of.vertex(vertex));
  if (outsideFace(*faced.solid, face, point) > insideTolerance(faced)) return;
  if (faced_side == 0)
    found.push_back({FeatureKind::kFaceVertex, {face, vertex}});
  else
    found.push_back({FeatureKind::kVertexFace, {vertex, face}});
}

/// Vertices of one side (`of`) inside faces of the other.
void addInFaces(const PlacedSolid& faced, const PlacedSolid& of, int faced_side, const FeatureLists& lists,
                std::vector<SolidFeatures>& found) {
  if (of.radius() > 0.0 || of.solid->kind == ShapeKind::kCylinder) return;
  for (const int face : lists.faces[faced_side])
    for (const int vertex : lists.vertices[1 - faced_side]) addInFace(faced, face, of, vertex, faced_side, found);
}

/// True if a rim has one lowest point above a face that stays about where it is while the rim turns.
bool staysTilted(const PlacedSolid& faced, int face, const PlacedSolid& of, const Mat3<double>& turn) {
  constexpr double kFlat = 2e-3, kNear = 0.9;  // sine; cosine of 25°
  const Vec n = faced.normal(face), axis = of.axis(), turned = turn * axis;
  const Vec before = n - dot(n, axis) * axis, after = n - dot(n, turned) * turned;
  const double tilt = norm(before), tilt_after = norm(after);
  return tilt > kFlat && tilt_after > kFlat && dot(before, after) > kNear * tilt * tilt_after;
}

/// Rims of one side (`of`) above faces of the other.
void addRims(const PlacedSolid& faced, const PlacedSolid& of, int faced_side, const Mat3<double>& turn,
             const FeatureLists& lists, std::vector<SolidFeatures>& found) {
  for (const int face : lists.faces[faced_side])
    for (const int disc : lists.rims[1 - faced_side]) {
      const LowestOnRim lowest = findLowest(faced, face, of, disc);
      if (staysTilted(faced, face, of, turn)) {
        if (outsideFace(*faced.solid, face, faced.toLocal(of.X_WS * lowest.point)) > insideTolerance(faced)) continue;
        if (faced_side == 0)
          found.push_back({FeatureKind::kFaceRim, {face, disc}});
        else
          found.push_back({FeatureKind::kRimFace, {disc, face}});
        continue;
      }
      if (lowest.bulge > kFlatBulge)
        addInFace(faced, face, of, lowestRimPoint(faced, face, of, disc), faced_side, found);
      for (int k = 0; k < kFixedRimPoints; ++k)
        addInFace(faced, face, of, rimPoint(disc, k * (kAzimuths / kFixedRimPoints)), faced_side, found);
    }
}

bool within(double share, double length) {
  return share * length >= -kBeyondEnd && (share - 1.0) * length <= kBeyondEnd;
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
      found.push_back({cosine > 0.0 ? FeatureKind::kEdges : FeatureKind::kEdgesBack, {i, j}});
    }
  }
}

/// Where a rim crosses a sharp edge or another rim; both once more on the other side of the rim.
void addRimCrossings(const PlacedSolid& a, const PlacedSolid& b, const Vec& n, const FeatureLists& lists,
                     std::vector<SolidFeatures>& found) {
  const auto consider = [&](int i, int j) {
    const SolidFeatures features{FeatureKind::kCrossing, {i, j}};
    Facing facing;
    if (!faceCrossing(features, a, b, facing) || dot(facing.normal, n) < kFacing) return;
    if (distanceOutside(features, a, b) > kBeyondEnd) return;
    const SolidFeatures first{FeatureKind::kCrossing, {i & ~kSecondCrossing, j & ~kSecondCrossing}};
    Facing other;  // a rim that bends around a round side touches it once, from wherever that is looked for
    const bool second = first.feature[0] != i || first.feature[1] != j;
    if (second && faceCrossing(first, a, b, other) && norm(other.point_a - facing.point_a) < kSame) return;
    found.push_back(features);
  };
  const auto isCone = [](const PlacedSolid& solid) { return solid.solid->kind == ShapeKind::kCone; };
  for (const int first : {0, kSecondCrossing}) {
    for (const int rim : lists.rims[0]) {
      for (const int other : lists.rims[1]) consider(kRim | first | rim, kRim | other);
      for (const int edge : lists.edges[1]) consider(kRim | first | rim, edge);
      if (isCone(b)) consider(kRim | first | rim, kSideOfCone);
    }
    for (const int rim : lists.rims[1]) {
      for (const int edge : lists.edges[0]) consider(edge, kRim | first | rim);
      if (isCone(a)) consider(kSideOfCone, kRim | first | rim);
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

/// Rims have no ends; edges do.
double crossingOutside(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  Facing facing;
  if (!faceCrossing(features, a, b, facing)) return 0.0;
  const auto outside = [](const PlacedSolid& solid, int number, const Vec& point) {
    if ((number & kRim) != 0) return 0.0;
    if (solid.solid->kind == ShapeKind::kCone) {  // from the apex down to the rim
      const double down = dot(solid.axis(), solid.vertex(0) - point), height = 2.0 * solid.solid->size.y;
      return beyond(down / height, height);
    }
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
    if (whatOf(number) == ElementOf::kConeSide) {
      const double down = dot(solid.axis(), solid.vertex(0) - point), height = 2.0 * solid.solid->size.y;
      return beyond(down / height, height);
    }
    if (whatOf(number) != ElementOf::kEdge) return 0.0;
    const Vec along = solid.edge(indexOf(number));
    const double length = norm(along);
    return beyond(dot(point - solid.edgeStart(indexOf(number)), along) / (length * length), length);
  };
  return std::max(outside(a, features.feature[0], facing.point_a), outside(b, features.feature[1], facing.point_b));
}

double besideOutside(const PlacedSolid& sharp, int vertex, const PlacedSolid& round, int edge) {
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
  addRims(a, b, 0, facings.turn, lists, found);
  addRims(b, a, 1, transpose(facings.turn), lists, found);
  addRimCrossings(a, b, n, lists, found);
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
