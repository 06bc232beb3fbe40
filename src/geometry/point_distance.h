// Signed distances in closed form: of points to boxes, cylinders and cones, and of two segments.
#pragma once

#include "geometry/support.h"

namespace rigor {

struct NearestPoints {
  double distance = 0.0;    ///< [m] negative: the point is inside
  Vec3<double> normal;      ///< unit, from 1 to 2
  Vec3<double> on_1, on_2;  ///< on the surface of 1; the point, or a point of segment 2
};

constexpr bool hasPointDistance(ShapeKind kind) {
  return kind == ShapeKind::kBox || kind == ShapeKind::kCylinder || kind == ShapeKind::kCone;
}

/// From the surface of a solid to a point; both in the axes of the world, relative to the origin of the solid.
NearestPoints nearestToPoint(const ConvexShape& solid, const Vec3<double>& point);

/// From the core of a sphere or capsule to that of another, whose origin is at `between` from that of the first; points
/// relative to the origin of the first.
NearestPoints nearestOfSegments(const ConvexShape& a, const ConvexShape& b, const Vec3<double>& between);

}  // namespace rigor
