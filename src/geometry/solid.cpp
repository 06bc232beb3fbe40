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

bool isSolid(ShapeKind kind) {
  return kind == ShapeKind::kSphere || kind == ShapeKind::kCapsule || kind == ShapeKind::kBox ||
         kind == ShapeKind::kHull;
}

Solid makeSolid(const Shape& shape) {
  assert(isSolid(shape.kind) && "asked for before");
  const Vec size{shape.size[0], shape.size[1], shape.size[2]};
  if (shape.polytope) return {shape.kind, size, shape.polytope, 0.0};
  if (shape.kind == ShapeKind::kBox)
    return {shape.kind, size, std::make_shared<const Polytope>(makeBoxPolytope(size)), 0.0};
  auto core = std::make_shared<Polytope>();
  if (shape.kind == ShapeKind::kSphere) {
    core->vertices = {{0.0, 0.0, 0.0}};
  } else {
    core->vertices = {{0.0, 0.0, -shape.size[1]}, {0.0, 0.0, shape.size[1]}};
    core->edges = {{{0, 1}, {-1, -1}}};
    core->radius = shape.size[1];
  }
  return {shape.kind, size, core, shape.size[0]};
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
