// Convex shapes by their support points: the point of a shape that lies farthest along a direction.
//
// A sphere is a point grown by a radius and a capsule a segment grown by one. What works on such cores meets only sharp
// things and adds the radii at the end, where they cost no digits.
#pragma once

#include "geometry/polytope.h"
#include "math/vec3.h"
#include "rigor/shape.h"

namespace rigor {

/// A convex shape at a pose; a view that must not outlive the shape.
struct ConvexShape {
  ShapeKind kind = ShapeKind::kSphere;
  Vec3<double> size;                   ///< as in Shape
  const Polytope* polytope = nullptr;  ///< of a hull, and of a box
  Transform<double> X_WS;
};

/// All kinds but planes, triangles and height fields.
constexpr bool isConvexKind(ShapeKind kind) {
  return kind != ShapeKind::kPlane && kind != ShapeKind::kTriangles && kind != ShapeKind::kHeightField;
}
constexpr bool isPolytopeKind(ShapeKind kind) { return kind == ShapeKind::kBox || kind == ShapeKind::kHull; }

inline ConvexShape viewOf(const Shape& shape, const Transform<double>& X_WS) {
  return {shape.kind, {shape.size.x(), shape.size.y(), shape.size.z()}, shape.polytope.get(), X_WS};
}

/// What the core is grown by.
RIGOR_INLINE double coreRadius(const ConvexShape& shape) {
  return shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kCapsule ? shape.size.x : 0.0;
}

struct SupportPoint {
  Vec3<double> point;
  int vertex = -1;  ///< of a box or hull
};

namespace detail {

inline constexpr int kFewVertices = 20;  ///< looked at one by one; more are climbed

/// From vertex to vertex uphill: a convex polyhedron has no other summit.
RIGOR_INLINE int climb(const Polytope& hull, const Vec3<double>& d, int start) {
  const Vec3<double>* const vertices = hull.vertices.data();
  const int *const first = hull.neighbour_start.data(), *const neighbour = hull.neighbour.data();
  double height = dot(vertices[start], d);
  for (int best = start;;) {
    const int from = best;
    for (int i = first[from], end = first[from + 1]; i < end; ++i)
      if (const double other = dot(vertices[neighbour[i]], d); other > height) height = other, best = neighbour[i];
    if (best == from) return best;
  }
}

RIGOR_INLINE int highestVertex(const Polytope& hull, const Vec3<double>& d, int hint) {
  const int count = static_cast<int>(hull.vertices.size());
  if (count > kFewVertices) {
    const int octant = (d.x >= 0.0 ? 1 : 0) | (d.y >= 0.0 ? 2 : 0) | (d.z >= 0.0 ? 4 : 0);
    return climb(hull, d, hint >= 0 && hint < count ? hint : hull.octant_vertex[octant]);
  }
  int best = 0;
  double height = dot(hull.vertices[0], d);
  for (int v = 1; v < count; ++v) {
    const double other = dot(hull.vertices[v], d);
    if (other > height) height = other, best = v;
  }
  return best;
}

}  // namespace detail

/// Support point of the core along d, any length, in the frame of the shape.
RIGOR_INLINE SupportPoint localCoreSupport(const ConvexShape& shape, const Vec3<double>& d, int hint = -1) {
  const Vec3<double>& size = shape.size;
  switch (shape.kind) {
    case ShapeKind::kCapsule:
      return {{0.0, 0.0, d.z >= 0.0 ? size.y : -size.y}};
    case ShapeKind::kBox:
      return {{d.x >= 0.0 ? size.x : -size.x, d.y >= 0.0 ? size.y : -size.y, d.z >= 0.0 ? size.z : -size.z},
              (d.x >= 0.0 ? 1 : 0) | (d.y >= 0.0 ? 2 : 0) | (d.z >= 0.0 ? 4 : 0)};
    case ShapeKind::kHull: {
      const int vertex = detail::highestVertex(*shape.polytope, d, hint);
      return {shape.polytope->vertices[vertex], vertex};
    }
    case ShapeKind::kCylinder: {
      const double across = std::sqrt(d.x * d.x + d.y * d.y), z = d.z >= 0.0 ? size.y : -size.y;
      if (!(across > 0.0)) return {{0.0, 0.0, z}};
      return {{size.x / across * d.x, size.x / across * d.y, z}};
    }
    case ShapeKind::kCone: {
      const double across = std::sqrt(d.x * d.x + d.y * d.y);
      if (2.0 * size.y * d.z >= size.x * across) return {{0.0, 0.0, size.y}};
      if (!(across > 0.0)) return {{0.0, 0.0, -size.y}};
      return {{size.x / across * d.x, size.x / across * d.y, -size.y}};
    }
    case ShapeKind::kEllipsoid: {
      const Vec3<double> scaled{size.x * d.x, size.y * d.y, size.z * d.z};
      const double length = norm(scaled);
      if (!(length > 0.0)) return {{0.0, 0.0, size.z}};
      return {{size.x * scaled.x / length, size.y * scaled.y / length, size.z * scaled.z / length}};
    }
    default:
      return {};  // the centre of a sphere
  }
}

/// Support point of the core along d in the world.
RIGOR_INLINE SupportPoint coreSupport(const ConvexShape& shape, const Vec3<double>& d, int hint = -1) {
  SupportPoint support = localCoreSupport(shape, transposeTimes(shape.X_WS.R, d), hint);
  support.point = shape.X_WS * support.point;
  return support;
}

/// The point of the shape that lies farthest along the unit vector d, in the world.
RIGOR_INLINE Vec3<double> supportPoint(const ConvexShape& shape, const Vec3<double>& d, int hint = -1) {
  return coreSupport(shape, d, hint).point + coreRadius(shape) * d;
}

/// Distance of the two planes across the unit vector n that hold the shapes: n·support₂(−n) − n·support₁(n). Never above
/// the signed distance of the shapes, which is its largest value over all n.
inline double separationAlong(const Vec3<double>& n, const ConvexShape& a, const ConvexShape& b) {
  return dot(n, coreSupport(b, -n).point - coreSupport(a, n).point) - coreRadius(a) - coreRadius(b);
}

/// Radius of a ball around the origin of its frame that holds the shape.
inline double radiusAbout(const ConvexShape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return shape.size.x;
    case ShapeKind::kCapsule:
      return shape.size.x + shape.size.y;
    case ShapeKind::kCylinder:
    case ShapeKind::kCone:
      return std::sqrt(shape.size.x * shape.size.x + shape.size.y * shape.size.y);
    case ShapeKind::kEllipsoid:
      return maximum(shape.size.x, maximum(shape.size.y, shape.size.z));
    case ShapeKind::kHull:
      return shape.polytope->radius;
    default:
      return norm(shape.size);
  }
}

}  // namespace rigor
