#include "geometry/separation.h"

#include <algorithm>
#include <cassert>

namespace rigor {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

constexpr int kRefinements = 30;

/// A box (a point, a segment) grown by a radius: what the shape is, or a box around it.
struct GrownBox {
  Vector3d centre, half;
  Matrix3d axes;  ///< columns
  double radius = 0.0;

  GrownBox(const Shape& shape, const Pose& pose)
      : centre(pose.position), half(Vector3d::Zero()), axes(pose.rotation.normalized().toRotationMatrix()) {
    assert(shape.kind != ShapeKind::kPlane && "a plane is no box, however grown");
    switch (shape.kind) {
      case ShapeKind::kSphere:
      case ShapeKind::kCapsule:
        radius = shape.size[0];
        if (shape.kind == ShapeKind::kCapsule) half.z() = shape.size[1];
        break;
      case ShapeKind::kCylinder:
      case ShapeKind::kCone:
        half = {shape.size[0], shape.size[0], shape.size[1]};
        break;
      default:
        half = shape.size;
    }
  }
  /// The point of the box that lies farthest along d.
  Vector3d support(const Vector3d& d) const {
    Vector3d point = centre;
    for (int k = 0; k < 3; ++k) point += (axes.col(k).dot(d) >= 0.0 ? half[k] : -half[k]) * axes.col(k);
    return point;
  }
};

/// Distance between the planes across the unit vector d that hold A and B apart.
double gapAlong(const Vector3d& d, const GrownBox& a, const GrownBox& b) {
  return d.dot(b.support(-d) - a.support(d)) - a.radius - b.radius;
}

/// Of the lowest point of a box above a plane.
double heightAbove(const Pose& X_WP, const GrownBox& box) {
  const Vector3d normal = X_WP.rotation.normalized() * Vector3d::UnitZ();
  return normal.dot(box.support(-normal) - X_WP.position) - box.radius;
}

}  // namespace

double boundingRadius(const Shape& shape) {
  if (shape.kind == ShapeKind::kPlane) return 0.0;
  const GrownBox box(shape, {});
  return box.half.norm() + box.radius;
}

double provenDistance(const Shape& shape_a, const Pose& X_WA, const Shape& shape_b, const Pose& X_WB) {
  if (shape_a.kind == ShapeKind::kPlane) return heightAbove(X_WA, GrownBox(shape_b, X_WB));
  if (shape_b.kind == ShapeKind::kPlane) return heightAbove(X_WB, GrownBox(shape_a, X_WA));
  const GrownBox a(shape_a, X_WA), b(shape_b, X_WB);
  double best = -(a.radius + b.radius + (a.centre - b.centre).norm() + a.half.norm() + b.half.norm());
  const auto consider = [&](const Vector3d& direction) {
    const double length = direction.norm();
    if (!(length > 1e-12)) return;  // parallel edges, concentric shapes: another direction decides
    for (const double sign : {1.0, -1.0}) best = std::max(best, gapAlong(sign / length * direction, a, b));
  };

  // Normals of faces and of pairs of edges decide boxes exactly.
  consider(b.centre - a.centre);
  for (int i = 0; i < 3; ++i) {
    consider(a.axes.col(i));
    consider(b.axes.col(i));
    for (int j = 0; j < 3; ++j) consider(a.axes.col(i).cross(b.axes.col(j)));
  }
  // Corners and ends: Gilbert's iteration towards the point of B − A that is nearest to the origin.
  Vector3d nearest = b.centre - a.centre;
  for (int iteration = 0; iteration < kRefinements && nearest.squaredNorm() > 0.0; ++iteration) {
    consider(nearest);
    const Vector3d to = b.support(-nearest) - a.support(nearest), way = to - nearest;
    const double length = way.squaredNorm();
    if (!(length > 0.0)) break;
    nearest += std::clamp(-nearest.dot(way) / length, 0.0, 1.0) * way;
  }
  return best;
}

}  // namespace rigor
