#include "geometry/solid_features.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kInside = 1e-5;     // of the size: a vertex this far outside a face still counts
constexpr double kLeastSine = 1e-5;  // edges more parallel do not cross; their end vertices cover the sliver
constexpr double kBeyondEnd = 1e-9;  // [m] that a crossing may lie beyond the end of an edge
constexpr double kFacing = 0.5;      // cosine: faces and crossings that look another way belong to another branch

/// How far a point (in the frame of the shape) lies outside a face, seen along its normal; ≤ 0: inside.
double outsideFace(const Polytope& core, int index, const Vec& point) {
  const Polytope::Face& face = core.faces[index];
  double most = -core.radius;
  for (int i = 0; i < face.count; ++i) {
    const Vec& a = core.vertices[core.corner_vertex[face.first + i]];
    const Vec along = core.vertices[core.corner_vertex[face.first + (i + 1) % face.count]] - a;
    const Vec outward = cross(along, face.normal);
    most = std::max(most, dot(outward, point - a) / norm(outward));
  }
  return most;
}

/// Vertices within the slab, then the edges and faces that they belong to.
void collect(const PlacedSolid& solid, int side, const Vec& outward, double least, FeatureLists& lists) {
  const Polytope& core = solid.core();
  const Vec local = transposeTimes(solid.X_WS.R, outward);
  const double base = dot(outward, solid.X_WS.p) + solid.radius();
  std::vector<char>& near = lists.near[side];
  near.assign(core.vertices.size(), 0);
  lists.vertices[side].clear(), lists.edges[side].clear(), lists.faces[side].clear();
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
  if (of.radius() > 0.0) return;
  for (const int face : lists.faces[faced_side])
    for (const int vertex : lists.vertices[1 - faced_side]) {
      const Vec point = faced.toLocal(of.vertex(vertex));
      if (outsideFace(faced.core(), face, point) > kInside * faced.core().radius) continue;
      if (faced_side == 0)
        found.push_back({FeatureKind::kFaceVertex, {face, vertex}});
      else
        found.push_back({FeatureKind::kVertexFace, {vertex, face}});
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

/// True if a direction (from the solid outward) is one that its vertex is extreme in.
bool isExtreme(const PlacedSolid& solid, int vertex, const Vec& outward) {
  const Polytope& core = solid.core();
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
  if (round.radius() == 0.0 || sharp.radius() > 0.0) return;
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
  return std::max(0.0, outsideFace(faced.core(), face, faced.toLocal(of.vertex(vertex))));
}

double besideOutside(const PlacedSolid& sharp, int vertex, const PlacedSolid& round, int edge) {
  const Vec along = round.edge(edge), way = sharp.vertex(vertex) - round.edgeStart(edge);
  const double length = norm(along);
  return beyond(dot(way, along) / (length * length), length);
}

}  // namespace

void listFeatures(const PlacedSolid& a, const PlacedSolid& b, const Vec& n, double slack, FeatureLists& lists,
                  std::vector<SolidFeatures>& found) {
  found.clear();
  const double top = dot(n, supportPoint(a.view(), n)), bottom = dot(n, supportPoint(b.view(), -n));
  collect(a, 0, n, std::min(top, bottom) - slack, lists);
  collect(b, 1, -n, -(std::max(top, bottom) + slack), lists);
  addInFaces(a, b, 0, lists, found);
  addInFaces(b, a, 1, lists, found);
  addBesideEdges(a, b, 0, lists, found);
  addBesideEdges(b, a, 1, lists, found);
  addCrossings(a, b, n, lists, found);
}

void listBalls(const Solid& a, const Solid& b, std::vector<SolidFeatures>& found) {
  found.clear();
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
    default:
      return 0.0;
  }
}

}  // namespace rigor
