#include "rigor/collide.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "geometry/convert.h"
#include "geometry/manifold.h"
#include "geometry/plane_distance.h"
#include "geometry/shape_check.h"
#include "geometry/surface_distance.h"
#include "rigor/error.h"

namespace rigor {
namespace {

constexpr double kFarthest = 1e100;  ///< [m] its square is still a number

/// Planes and surfaces first: they are side 1 of what meets them.
int rankOf(ShapeKind kind) {
  if (kind == ShapeKind::kPlane) return 0;
  if (kind == ShapeKind::kHeightField) return 1;
  if (kind == ShapeKind::kTriangles) return 2;
  return 3 + static_cast<int>(kind);
}

/// Anything that tells two posed shapes apart, so that they can be taken in an order of their own.
std::array<double, 10> fingerprint(const Shape& shape, const Pose& pose) {
  const Eigen::Quaterniond& q = pose.rotation;
  return {shape.size[0], shape.size[1], shape.size[2], pose.position[0], pose.position[1], pose.position[2], q.w(),
          q.x(),         q.y(),         q.z()};
}

Transform<double> checkedPose(const Pose& pose, const char* which) {
  const double square = pose.rotation.squaredNorm();
  const bool near = pose.position.cwiseAbs().maxCoeff() <= kFarthest;  // false for what is no number
  if (!near || !pose.position.allFinite() || !std::isfinite(square) || !(square > 0.0))
    throw Error(fmt::format("the pose of shape {} is position ({}, {}, {}), rotation ({}, {}, {}, {})", which,
                            pose.position.x(), pose.position.y(), pose.position.z(), pose.rotation.w(),
                            pose.rotation.x(), pose.rotation.y(), pose.rotation.z()),
                "Give numbers below 1e100, and a quaternion that is not zero.");
  if (std::fabs(square - 1.0) <= 2e-14) return toTransform(pose);
  return toTransform({pose.position, pose.rotation.normalized()});
}

/// The shape has what its kind needs.
void checkContents(const Shape& shape) {
  checkShape(shape);
  for (const double size : shape.size)
    if (size > kFarthest || (size > 0.0 && size < 1.0 / kFarthest))
      throw Error(fmt::format("a {} with a size of {} m", shapeKindName(shape.kind), size),
                  "Squares of such lengths are no numbers any more: give sizes that a thing could have.");
  const bool polytope = isPolytopeKind(shape.kind), triangles = shape.kind == ShapeKind::kTriangles;
  if ((polytope && !shape.polytope) || (triangles && !shape.mesh) ||
      (shape.kind == ShapeKind::kHeightField && !shape.field))
    throw Error(fmt::format("a {} without {}", shapeKindName(shape.kind), polytope ? "vertices" : "a mesh or a field"),
                "Make shapes with makeBox, makeHull, makeTriangles and makeHeightField.");
}

std::shared_ptr<const Surface> surfaceOf(const Shape& shape) {
  if (shape.surface) return shape.surface;
  auto surface = std::make_shared<const Surface>(
      makeSurface(shape.kind == ShapeKind::kHeightField ? meshOf(*shape.field) : *shape.mesh));
  if (surface->triangles == 0) throw Error("no triangle of the mesh has an area", "Export the mesh again.");
  return surface;
}

Separation meet(const Shape& shape_1, const Transform<double>& X_W1, const Shape& shape_2,
                const Transform<double>& X_W2, double margin, std::vector<ManifoldPoint>& points) {
  if (shape_1.kind == ShapeKind::kPlane && shape_2.kind == ShapeKind::kTriangles)
    return meetPlane(X_W1, *surfaceOf(shape_2), X_W2, margin, points);
  const ConvexShape second = viewOf(shape_2, X_W2);
  if (shape_1.kind == ShapeKind::kPlane) return meetPlane(X_W1, second, margin, points);
  if (!isConvexKind(shape_1.kind)) return meetSurface(*surfaceOf(shape_1), X_W1, second, margin, points);
  const ConvexShape first = viewOf(shape_1, X_W1);
  const Separation separation = findSeparation(first, second);
  addManifold(first, second, separation, margin, points);
  return separation;
}

}  // namespace

bool canCollide(ShapeKind kind_1, ShapeKind kind_2) {
  if (isConvexKind(kind_1) || isConvexKind(kind_2)) return true;
  return (kind_1 == ShapeKind::kPlane && kind_2 == ShapeKind::kTriangles) ||
         (kind_1 == ShapeKind::kTriangles && kind_2 == ShapeKind::kPlane);
}

void collide(const Shape& shape_1, const Pose& X_W1, const Shape& shape_2, const Pose& X_W2, double margin,
             Collision& out) {
  checkContents(shape_1);
  checkContents(shape_2);
  if (!canCollide(shape_1.kind, shape_2.kind))
    throw Error(fmt::format("{} and {}: no distance is known for this pair of kinds", shapeKindName(shape_1.kind),
                            shapeKindName(shape_2.kind)),
                "Make one of them of convex parts: its hull, or primitives.");
  if (std::isnan(margin)) throw Error("the margin is not a number", "Give a length in metres.");
  const Transform<double> X_1 = checkedPose(X_W1, "1"), X_2 = checkedPose(X_W2, "2");
  // always in the same order, so that exchanged arguments give the exchanged answer to the last bit
  const int rank_1 = rankOf(shape_1.kind), rank_2 = rankOf(shape_2.kind);
  const bool exchanged = rank_1 != rank_2 ? rank_2 < rank_1 : fingerprint(shape_2, X_W2) < fingerprint(shape_1, X_W1);
  thread_local std::vector<ManifoldPoint> points;
  points.clear();
  const Separation separation =
      exchanged ? meet(shape_2, X_2, shape_1, X_1, margin, points) : meet(shape_1, X_1, shape_2, X_2, margin, points);
  const double sign = exchanged ? -1.0 : 1.0;
  out.distance = separation.distance;
  out.normal = sign * toEigen(separation.normal);
  out.point_1 = toEigen(exchanged ? separation.point_2 : separation.point_1);
  out.point_2 = toEigen(exchanged ? separation.point_1 : separation.point_2);
  out.manifold.clear();
  for (const ManifoldPoint& point : points)
    out.manifold.push_back({toEigen(exchanged ? point.point_2 : point.point_1),
                            toEigen(exchanged ? point.point_1 : point.point_2), sign * toEigen(point.normal),
                            point.gap});
}

Collision collide(const Shape& shape_1, const Pose& X_W1, const Shape& shape_2, const Pose& X_W2, double margin) {
  Collision collision;
  collide(shape_1, X_W1, shape_2, X_W2, margin, collision);
  return collision;
}

}  // namespace rigor
