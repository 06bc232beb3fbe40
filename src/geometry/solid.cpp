#include "geometry/solid.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace rigor {
namespace {

using Vec = Vec3<double>;

Vec nearestOnSegment(const Vec& a, const Vec& b, const Vec& from) {
  const Vec along = b - a;
  const double length = dot(along, along);
  const double share = length > 0.0 ? std::clamp(dot(from - a, along) / length, 0.0, 1.0) : 0.0;
  return a + share * along;
}

/// The point of a face that is nearest to a point outside its plane.
Vec nearestOnFace(const Polytope& core, const Polytope::Face& face, const Vec& from, double height) {
  const Vec foot = from - height * face.normal;
  Vec best = foot;
  double least = std::numeric_limits<double>::infinity();
  bool outside = false;
  for (int i = 0; i < face.count; ++i) {
    const Vec& a = core.vertices[core.corner_vertex[face.first + i]];
    const Vec& b = core.vertices[core.corner_vertex[face.first + (i + 1) % face.count]];
    if (dot(cross(b - a, foot - a), face.normal) >= 0.0) continue;
    outside = true;
    const Vec point = nearestOnSegment(a, b, foot);
    const double distance = dot(point - foot, point - foot);
    if (distance < least) least = distance, best = point;
  }
  return outside ? best : foot;
}

}  // namespace

Solid makeSolid(const Shape& shape) {
  Solid solid{.kind = shape.kind, .size = {shape.size[0], shape.size[1], shape.size[2]}};
  if (shape.surface) {
    solid.surface = shape.surface;
    solid.core = std::shared_ptr<const Polytope>(shape.surface, &shape.surface->core);
    return solid;
  }
  if (shape.polytope || shape.kind == ShapeKind::kBox) {
    solid.core = shape.polytope ? shape.polytope : std::make_shared<const Polytope>(makeBoxPolytope(solid.size));
    return solid;
  }
  const double radius = solid.size.x, half = solid.size.y;
  auto core = std::make_shared<Polytope>();
  const auto makeAxis = [&] {
    core->vertices = {{0.0, 0.0, -half}, {0.0, 0.0, half}};
    core->edges = {{{0, 1}, {-1, -1}}};
    core->radius = half;
    solid.edge_radius = radius;
  };
  switch (shape.kind) {
    case ShapeKind::kCapsule:
      makeAxis();
      solid.radius = radius;
      break;
    case ShapeKind::kCylinder:
      makeAxis();
      solid.discs[0] = {{0.0, 0.0, -half}, {0.0, 0.0, -1.0}, radius};
      solid.discs[1] = {{0.0, 0.0, half}, {0.0, 0.0, 1.0}, radius};
      solid.disc_count = 2;
      break;
    case ShapeKind::kCone:
      core->vertices = {{0.0, 0.0, half}};
      core->neighbour_start = {0, 0};
      solid.discs[0] = {{0.0, 0.0, -half}, {0.0, 0.0, -1.0}, radius};
      solid.disc_count = 1;
      break;
    case ShapeKind::kPlane:
      core->vertices = {{0.0, 0.0, 0.0}};
      core->faces = {{{0.0, 0.0, 1.0}, 0.0, 0, 1}};
      core->corner_vertex = {0};
      break;
    default:  // a sphere is its centre; so is an ellipsoid, but nobody asks
      core->vertices = {{0.0, 0.0, 0.0}};
      if (shape.kind == ShapeKind::kSphere) solid.radius = radius;
  }
  solid.core = core;
  return solid;
}

double thicknessOf(const Solid& solid) {
  const Vec& size = solid.size;
  switch (solid.kind) {
    case ShapeKind::kPlane:
      return std::numeric_limits<double>::infinity();
    case ShapeKind::kTriangles:
    case ShapeKind::kHeightField:
      return 0.0;
    case ShapeKind::kCylinder:
      return 2.0 * std::min(size.x, size.y);
    case ShapeKind::kCone:
      return std::min(size.x, size.y);
    case ShapeKind::kEllipsoid:
      return 2.0 * std::min({size.x, size.y, size.z});
    default:
      break;
  }
  if (solid.core->faces.empty()) return 2.0 * solid.radius;
  // of a convex polyhedron one of the planes has a face, up to what edges could gain
  double least = 2.0 * solid.core->radius;
  for (const Polytope::Face& face : solid.core->faces) {
    double lowest = face.offset;
    for (const Vec& vertex : solid.core->vertices) lowest = std::min(lowest, dot(face.normal, vertex));
    least = std::min(least, face.offset - lowest);
  }
  return least;
}

NearestPoint nearestOnCore(const Polytope& core, const Vec& from) {
  if (core.faces.empty()) {
    if (core.edges.empty()) return {core.vertices[0]};
    return {nearestOnSegment(core.vertices[0], core.vertices[1], from)};
  }
  NearestPoint nearest;
  double least = std::numeric_limits<double>::infinity(), highest = -least;
  int highest_face = 0;
  for (std::size_t f = 0; f < core.faces.size(); ++f) {
    const Polytope::Face& face = core.faces[f];
    const double height = dot(face.normal, from) - face.offset;
    if (height > highest) highest = height, highest_face = static_cast<int>(f);
    if (height <= 0.0) continue;
    const Vec point = nearestOnFace(core, face, from, height);
    const double distance = dot(point - from, point - from);
    if (distance < least) least = distance, nearest.point = point;
  }
  if (highest > 0.0) return nearest;
  const Polytope::Face& face = core.faces[highest_face];
  return {from - highest * face.normal, highest_face};
}

}  // namespace rigor
