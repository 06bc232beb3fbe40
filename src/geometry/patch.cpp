#include "geometry/patch.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kFacing = 0.5;  ///< cosine: faces tilted by more than 60° are not what touches

void addFace(Patch& patch, const ConvexShape& shape, const Vec& at, int face) {
  const Polytope& polytope = *shape.polytope;
  const auto corners = polytope.cornersOf(face);
  const int total = static_cast<int>(corners.size()), taken = std::min(total, kMostCorners);
  patch.kind = PatchKind::kPolygon;
  patch.normal = shape.X_WS.R * polytope.faces[face].normal;
  for (int i = 0; i < taken; ++i)
    patch.add(at + shape.X_WS.R * polytope.vertices[corners[static_cast<long>(i) * total / taken]]);
}

void addSegment(Patch& patch, const Vec& from, const Vec& to) {
  patch.kind = PatchKind::kSegment;
  patch.add(from);
  patch.add(to);
}

void addEdge(Patch& patch, const ConvexShape& shape, const Vec& at, int edge) {
  const Polytope& polytope = *shape.polytope;
  addSegment(patch, at + shape.X_WS.R * polytope.vertices[polytope.edges[edge].vertex[0]],
             at + shape.X_WS.R * polytope.vertices[polytope.edges[edge].vertex[1]]);
}

/// Of the faces at the vertex that lies farthest out, the one that faces out most; else its edge that is most across.
void addPolytope(Patch& patch, const ConvexShape& shape, const Vec& local, const Vec& at) {
  const Polytope& polytope = *shape.polytope;
  const int vertex = localCoreSupport(shape, local).vertex;
  int face = -1, flattest = -1;
  double most = kFacing, least = kFacing;
  for (int i = polytope.neighbour_start[vertex]; i < polytope.neighbour_start[vertex + 1]; ++i) {
    const int number = polytope.neighbour_edge[i];
    const Polytope::Edge& edge = polytope.edges[number];
    const int beside = edge.face[edge.vertex[0] == vertex ? 0 : 1];
    if (const double facing = dot(polytope.faces[beside].normal, local); facing > most) most = facing, face = beside;
    const Vec way = polytope.vertices[edge.vertex[1]] - polytope.vertices[edge.vertex[0]];
    if (const double slope = std::fabs(dot(way, local)) / norm(way); slope < least) least = slope, flattest = number;
  }
  if (face >= 0) return addFace(patch, shape, at, face);
  if (flattest >= 0) addEdge(patch, shape, at, flattest);
}

void addDisc(Patch& patch, const ConvexShape& shape, const Vec& at, double z) {
  patch.kind = PatchKind::kDisc;
  patch.normal = z > 0.0 ? shape.X_WS.R.z : -shape.X_WS.R.z;
  patch.centre = at + z * shape.X_WS.R.z;
  patch.zero = shape.X_WS.R.x;
  patch.radius = shape.size.x;
}

void addCylinder(Patch& patch, const ConvexShape& shape, const Vec& local, const Vec& at) {
  const double across = std::sqrt(local.x * local.x + local.y * local.y), half = shape.size.y;
  if (std::fabs(local.z) > across) return addDisc(patch, shape, at, local.z > 0.0 ? half : -half);
  const double x = shape.size.x * local.x / across, y = shape.size.x * local.y / across;
  addSegment(patch, at + shape.X_WS.R * Vec{x, y, -half}, at + shape.X_WS.R * Vec{x, y, half});
}

void addCone(Patch& patch, const ConvexShape& shape, const Vec& local, const Vec& at) {
  const double across = std::sqrt(local.x * local.x + local.y * local.y), r = shape.size.x, half = shape.size.y;
  const double slant = std::sqrt(r * r + 4.0 * half * half);
  const double side = (2.0 * half * across + r * local.z) / slant;  // cosine to the normal of the side
  if (-local.z > side) return addDisc(patch, shape, at, -half);
  if (side < kFacing || !(across > 0.0)) return;  // the apex
  const Vec rim{r * local.x / across, r * local.y / across, -half};
  addSegment(patch, at + shape.X_WS.R * Vec{0.0, 0.0, half}, at + shape.X_WS.R * rim);
}

}  // namespace

void Patch::fill(const ConvexShape& shape, const Vec& out, const Vec& origin, int face, int edge) {
  const Vec at = shape.X_WS.p - origin, local = transposeTimes(shape.X_WS.R, out);
  switch (shape.kind) {
    case ShapeKind::kBox:
    case ShapeKind::kHull:
      if (edge >= 0) {  // of its two faces the one that faces out more
        const auto& sides = shape.polytope->edges[edge].face;
        const double facing[2] = {dot(shape.polytope->faces[sides[0]].normal, local),
                                  dot(shape.polytope->faces[sides[1]].normal, local)};
        const int side = facing[0] >= facing[1] ? 0 : 1;
        return facing[side] > kFacing ? addFace(*this, shape, at, sides[side]) : addEdge(*this, shape, at, edge);
      }
      return face >= 0 ? addFace(*this, shape, at, face) : addPolytope(*this, shape, local, at);
    case ShapeKind::kCapsule: {
      const Vec surface = at + shape.size.x * out, half = shape.size.y * shape.X_WS.R.z;
      return addSegment(*this, surface - half, surface + half);
    }
    case ShapeKind::kCylinder:
      return addCylinder(*this, shape, local, at);
    case ShapeKind::kCone:
      return addCone(*this, shape, local, at);
    default:
      return;
  }
}

}  // namespace rigor
