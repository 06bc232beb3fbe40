// Names for the places where shapes touch.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/convert.h"
#include "geometry/polytope.h"
#include "geometry/triangle_surface.h"
#include "rigor/collide.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kSame = 1e-9;  ///< of the size: nearer than this to an edge is on it

const char* nameOf(int faces) { return faces >= 3 ? "vertex" : faces == 2 ? "edge" : "face"; }

/// On a convex polyhedron the faces through a point say it: three at a vertex, two on an edge.
const char* featureOf(const Polytope& polytope, const Vec& p) {
  const auto holds = [&](const Polytope::Face& face) {
    return std::fabs(dot(face.normal, p) - face.offset) <= kSame * polytope.radius;
  };
  return nameOf(static_cast<int>(std::count_if(polytope.faces.begin(), polytope.faces.end(), holds)));
}

double distanceToTriangle(const Surface& surface, int triangle, const Vec& p) {
  const Vec& n = surface.normal(triangle);
  bool over = true;
  double nearest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vec &from = surface.vertexOf(triangle, k), way = surface.vertexOf(triangle, (k + 1) % 3) - from;
    over = over && dot(cross(n, way), p - from) >= 0.0;
    const double share = std::clamp(dot(p - from, way) / dot(way, way), 0.0, 1.0);
    nearest = std::min(nearest, norm(p - from - share * way));
  }
  return over ? std::fabs(dot(n, p - surface.vertexOf(triangle, 0))) : nearest;
}

/// The different planes of the triangles at a point: lines that are only drawn on a flat side do not count.
const char* featureOf(const Surface& surface, const Vec& p) {
  std::vector<Vec> planes;
  for (int t = 0; t < surface.triangles; ++t) {
    const Vec& n = surface.normal(t);
    if (distanceToTriangle(surface, t, p) > kSame * surface.core.radius) continue;
    if (std::none_of(planes.begin(), planes.end(), [&](const Vec& known) { return dot(known, n) > 1.0 - 1e-12; }))
      planes.push_back(n);
  }
  return nameOf(static_cast<int>(planes.size()));
}

}  // namespace

const char* featureAt(const Shape& shape, const Pose& X_WS, const Eigen::Vector3d& point) {
  const Vec p = toVec3(X_WS.rotation.normalized().conjugate() * (point - X_WS.position));
  const double r = shape.size.x(), half = shape.size.y(), across = std::sqrt(p.x * p.x + p.y * p.y);
  const double same = kSame * (r + half);
  switch (shape.kind) {
    case ShapeKind::kCapsule:
      return std::fabs(p.z) <= half ? "side" : "cap";
    case ShapeKind::kCylinder:
      if (std::fabs(p.z) < half - same) return "side";
      return across < r - same ? "face" : "rim";
    case ShapeKind::kCone:
      if (p.z > half - same) return "apex";
      if (p.z > same - half) return "side";
      return across < r - same ? "face" : "rim";
    case ShapeKind::kPlane:
      return "face";
    case ShapeKind::kTriangles:
    case ShapeKind::kHeightField:
      return shape.surface ? featureOf(*shape.surface, p) : "surface";
    default:
      return shape.polytope ? featureOf(*shape.polytope, p) : "surface";
  }
}

}  // namespace rigor
