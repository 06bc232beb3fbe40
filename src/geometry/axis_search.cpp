#include "geometry/axis_search.h"

#include <cmath>
#include <limits>

#include "geometry/summit.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kFaceNearby = 0.97;   ///< cosine between a face's normal and the direction
constexpr double kRidgeNearby = 0.25;  ///< between a direction and the normals of a ruled side
constexpr double kEdgeNearby = 0.1;    ///< sine between a direction and the normals of an edge
constexpr double kFolded = 1e-20;      ///< square of the sum of the normals of a front and a back
constexpr double kTie = 2e-16;         ///< of the scale: what came first, a face before edges, is kept

bool isRound(const ConvexShape& shape) {
  return shape.kind == ShapeKind::kCylinder || shape.kind == ShapeKind::kCone || shape.kind == ShapeKind::kEllipsoid;
}

struct Search {
  const DifferenceShape& difference;
  Axis best;

  void consider(const Vec& n, AxisKind kind, int feature_1, int feature_2) {
    const double separation = -dot(n, difference.support(n).w);
    if (separation > best.separation + kTie * difference.scale ||
        (best.kind == AxisKind::kDirection && kind != AxisKind::kDirection &&
         separation >= best.separation - kTie * difference.scale))
      best = {n, separation, kind, feature_1, feature_2};
  }
};

/// Normals of the faces of one shape that are near `direction`, which points out of it.
template <class Visit>
void visitFaces(const ConvexShape& shape, const Simplex& simplex, int side, const Vec& direction, Visit visit) {
  if (shape.kind == ShapeKind::kCylinder || shape.kind == ShapeKind::kCone) {
    const Vec& axis = shape.X_WS.R.z;
    const double along = dot(axis, direction);
    if (along < -kFaceNearby) visit(-axis, -1);
    if (along > kFaceNearby && shape.kind == ShapeKind::kCylinder) visit(axis, -1);
  }
  if (!isPolytopeKind(shape.kind)) return;
  const Polytope& polytope = *shape.polytope;
  const Vec local = transposeTimes(shape.X_WS.R, direction);
  int seen[4], seen_count = 0;
  for (int i = 0; i < simplex.count; ++i) {
    const int vertex = side == 0 ? simplex.point[i].vertex_a : simplex.point[i].vertex_b;
    bool known = false;
    for (int k = 0; k < seen_count; ++k) known = known || seen[k] == vertex;
    if (known || vertex < 0) continue;
    seen[seen_count++] = vertex;
    for (int k = polytope.neighbour_start[vertex]; k < polytope.neighbour_start[vertex + 1]; ++k) {
      // every face at the vertex once: that on the left of the edge that leaves it
      const Polytope::Edge& edge = polytope.edges[polytope.neighbour_edge[k]];
      const int face = edge.face[edge.vertex[0] == vertex ? 0 : 1];
      if (dot(polytope.faces[face].normal, local) > kFaceNearby)
        visit(shape.X_WS.R * polytope.faces[face].normal, face);
    }
  }
}

Vec directionOf(const ConvexShape& shape, int edge) {
  const Polytope& polytope = *shape.polytope;
  const auto& ends = polytope.edges[edge].vertex;
  return shape.X_WS.R * (polytope.vertices[ends[1]] - polytope.vertices[ends[0]]);
}

void addRidge(RidgeList& list, const Ridge& ridge, const Vec& direction) {
  if (list.count < kMostRidges &&
      std::fabs(dot(ridge.axis, direction) - ridge.along) < (ridge.edge < 0 ? kRidgeNearby : kEdgeNearby))
    list.ridge[list.count++] = ridge;
}

/// Where the surface of one shape is bent along lines, near the corners of the simplex.
RidgeList ridgesOf(const ConvexShape& shape, const Simplex& simplex, int side, const Vec& direction) {
  RidgeList list;
  const Vec& axis = shape.X_WS.R.z;
  if (shape.kind == ShapeKind::kCapsule || shape.kind == ShapeKind::kCylinder) addRidge(list, {axis, 0.0}, direction);
  if (shape.kind == ShapeKind::kCone) {
    const double r = shape.size.x, height = 2.0 * shape.size.y;
    addRidge(list, {axis, r / std::sqrt(r * r + height * height)}, direction);
  }
  if (!isPolytopeKind(shape.kind)) return list;
  const Polytope& polytope = *shape.polytope;
  for (int i = 0; i < simplex.count; ++i) {
    const int vertex = side == 0 ? simplex.point[i].vertex_a : simplex.point[i].vertex_b;
    for (int k = polytope.neighbour_start[vertex]; k < polytope.neighbour_start[vertex + 1]; ++k) {
      const int number = polytope.neighbour_edge[k];
      bool known = false;
      for (int other = 0; other < list.count; ++other) known = known || list.ridge[other].edge == number;
      if (known) continue;
      const Vec way = directionOf(shape, number);
      addRidge(list, {(1.0 / norm(way)) * way, 0.0, number}, direction);
    }
  }
  return list;
}

/// The ridge's normal that is nearest to n; on a round surface the summit along the ridge.
void considerRidges(Search& search, const RidgeList& list, const Vec& n, double sign, bool round) {
  for (int i = 0; i < list.count; ++i) {
    const Ridge ridge{sign * list.ridge[i].axis, list.ridge[i].along};
    Vec onto;
    if (!projectToRidge(ridge, n, onto)) continue;
    search.consider(onto, AxisKind::kDirection, -1, -1);
    if (round) search.consider(climbAlongRidge(search.difference, ridge, onto), AxisKind::kDirection, -1, -1);
  }
}

void considerPairs(Search& search, const RidgeList& ridges_a, const RidgeList& ridges_b, const Vec& n) {
  for (int i = 0; i < ridges_a.count; ++i)
    for (int j = 0; j < ridges_b.count; ++j) {
      const Ridge &a = ridges_a.ridge[i], &b = ridges_b.ridge[j];
      Vec both;
      if (!crossRidges(a, {-b.axis, b.along}, n, both)) continue;
      const bool edges = a.edge >= 0 && b.edge >= 0;
      search.consider(both, edges ? AxisKind::kEdges : AxisKind::kDirection, edges ? a.edge : -1, edges ? b.edge : -1);
    }
}

/// Vertices of one shape at the corners of a simplex, each once.
struct CornerSet {
  int vertex[3] = {-1, -1, -1}, count = 0;

  CornerSet(const Simplex& simplex, int DifferencePoint::* side) {
    for (int i = 0; i < simplex.count; ++i) {
      const int next = simplex.point[i].*side;
      bool known = false;
      for (int k = 0; k < count; ++k) known = known || vertex[k] == next;
      if (!known) vertex[count++] = next;
    }
  }
};

/// The face with three given vertices; −1: none.
int faceOf(const Polytope& polytope, const CornerSet& corners) {
  const int vertex = corners.vertex[0];
  for (int k = polytope.neighbour_start[vertex]; k < polytope.neighbour_start[vertex + 1]; ++k) {
    const Polytope::Edge& edge = polytope.edges[polytope.neighbour_edge[k]];
    const int face = edge.face[edge.vertex[0] == vertex ? 0 : 1];
    int found = 0;
    for (const int corner : polytope.cornersOf(face))
      found += corner == corners.vertex[1] || corner == corners.vertex[2];
    if (found == 2) return face;
  }
  return -1;
}

/// The edge between two given vertices; −1: none.
int edgeOf(const Polytope& polytope, const CornerSet& corners) {
  const int vertex = corners.vertex[0];
  for (int k = polytope.neighbour_start[vertex]; k < polytope.neighbour_start[vertex + 1]; ++k)
    if (polytope.neighbour[k] == corners.vertex[1]) return polytope.neighbour_edge[k];
  return -1;
}

}  // namespace

Axis axisOfSimplex(const DifferenceShape& difference, const Simplex& simplex) {
  const ConvexShape &a = difference.a, &b = difference.b;
  Search search{difference, {{}, -std::numeric_limits<double>::infinity()}};
  if (simplex.count < 3 || !isPolytopeKind(a.kind) || !isPolytopeKind(b.kind)) return search.best;
  const CornerSet of_a(simplex, &DifferencePoint::vertex_a), of_b(simplex, &DifferencePoint::vertex_b);
  if (of_a.count == 3)
    if (const int face = faceOf(*a.polytope, of_a); face >= 0)
      search.consider(a.X_WS.R * a.polytope->faces[face].normal, AxisKind::kFace1, face, -1);
  if (of_b.count == 3)
    if (const int face = faceOf(*b.polytope, of_b); face >= 0)
      search.consider(-(b.X_WS.R * b.polytope->faces[face].normal), AxisKind::kFace2, -1, face);
  if (of_a.count != 2 || of_b.count != 2) return search.best;
  const int edge_a = edgeOf(*a.polytope, of_a), edge_b = edgeOf(*b.polytope, of_b);
  if (edge_a < 0 || edge_b < 0) return search.best;
  const Vec u = directionOf(a, edge_a), v = directionOf(b, edge_b), n = cross(u, v);
  const double length = norm(n);
  if (!(length > 1e-6 * norm(u) * norm(v))) return search.best;
  const Polytope::Edge& edge = a.polytope->edges[edge_a];
  const Vec out = a.X_WS.R * (a.polytope->faces[edge.face[0]].normal + a.polytope->faces[edge.face[1]].normal);
  search.consider((dot(n, out) >= 0.0 ? 1.0 : -1.0) / length * n, AxisKind::kEdges, edge_a, edge_b);
  if (dot(out, out) < kFolded)  // of a triangle: both ways are out
    search.consider((dot(n, out) >= 0.0 ? -1.0 : 1.0) / length * n, AxisKind::kEdges, edge_a, edge_b);
  return search.best;
}

Axis refineAxis(const DifferenceShape& difference, const Simplex& simplex, const Axis& start) {
  Search search{difference, start};
  const ConvexShape &a = difference.a, &b = difference.b;
  const Vec n = start.normal;
  visitFaces(a, simplex, 0, n, [&](const Vec& normal, int face) {
    search.consider(normal, face >= 0 ? AxisKind::kFace1 : AxisKind::kDirection, face, -1);
  });
  visitFaces(b, simplex, 1, -n, [&](const Vec& normal, int face) {
    search.consider(-normal, face >= 0 ? AxisKind::kFace2 : AxisKind::kDirection, -1, face);
  });
  const bool round = isRound(a) || isRound(b);
  const RidgeList ridges_a = ridgesOf(a, simplex, 0, n), ridges_b = ridgesOf(b, simplex, 1, -n);
  considerPairs(search, ridges_a, ridges_b, n);
  considerRidges(search, ridges_a, n, 1.0, round);
  considerRidges(search, ridges_b, n, -1.0, round);
  if (!round) return search.best;
  // on a ridge nothing is smooth: from where it began as well
  search.consider(climbToSummit(difference, n), AxisKind::kDirection, -1, -1);
  search.consider(climbToSummit(difference, search.best.normal), AxisKind::kDirection, -1, -1);
  return search.best;
}

Axis searchAllAxes(const DifferenceShape& difference) {
  Search search{difference, {{}, -std::numeric_limits<double>::infinity()}};
  const ConvexShape &a = difference.a, &b = difference.b;
  const Polytope &hull_a = *a.polytope, &hull_b = *b.polytope;
  for (std::size_t f = 0; f < hull_a.faces.size(); ++f)
    search.consider(a.X_WS.R * hull_a.faces[f].normal, AxisKind::kFace1, static_cast<int>(f), -1);
  for (std::size_t f = 0; f < hull_b.faces.size(); ++f)
    search.consider(-(b.X_WS.R * hull_b.faces[f].normal), AxisKind::kFace2, -1, static_cast<int>(f));
  for (std::size_t i = 0; i < hull_a.edges.size(); ++i) {
    const Polytope::Edge& edge = hull_a.edges[i];
    const Vec u = a.X_WS.R * (hull_a.vertices[edge.vertex[1]] - hull_a.vertices[edge.vertex[0]]);
    const Vec n_0 = a.X_WS.R * hull_a.faces[edge.face[0]].normal, n_1 = a.X_WS.R * hull_a.faces[edge.face[1]].normal;
    for (std::size_t j = 0; j < hull_b.edges.size(); ++j) {
      const Polytope::Edge& other = hull_b.edges[j];
      const Vec v = b.X_WS.R * (hull_b.vertices[other.vertex[1]] - hull_b.vertices[other.vertex[0]]);
      Vec n = cross(u, v);
      const double length = norm(n);
      if (!(length > 1e-9 * norm(u) * norm(v))) continue;
      n *= (dot(n, n_0 + n_1) >= 0.0 ? 1.0 : -1.0) / length;
      search.consider(n, AxisKind::kEdges, static_cast<int>(i), static_cast<int>(j));
      if (dot(n_0 + n_1, n_0 + n_1) < kFolded)
        search.consider(-n, AxisKind::kEdges, static_cast<int>(i), static_cast<int>(j));
    }
  }
  return search.best;
}

}  // namespace rigor
