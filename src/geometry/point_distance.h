// Signed distances in closed form: of points to boxes, cylinders and cones.
#pragma once

#include "geometry/support.h"

namespace rigor {

struct NearestPoints {
  double distance = 0.0;    ///< [m] negative: the point is inside
  Vec3<double> normal;      ///< unit, from 1 to 2
  Vec3<double> on_1, on_2;  ///< on the surface of 1; the point
};

constexpr bool hasPointDistance(ShapeKind kind) {
  return kind == ShapeKind::kBox || kind == ShapeKind::kCylinder || kind == ShapeKind::kCone;
}

/// Nearest point of the surface, outward normal there towards the point, signed distance; in the frame of the solid.
struct LocalNearest {
  Vec3<double> surface, normal;
  double distance = 0.0;
};

namespace detail {
LocalNearest nearestInsideBox(const Vec3<double>& half, const Vec3<double>& p);
}

RIGOR_INLINE LocalNearest nearestOfBox(const Vec3<double>& half, const Vec3<double>& p) {
  const auto clampTo = [](double x, double h) { return maximum(-h, minimum(h, x)); };
  const Vec3<double> inside{clampTo(p.x, half.x), clampTo(p.y, half.y), clampTo(p.z, half.z)}, beyond = p - inside;
  const double distance = norm(beyond);
  if (!(distance > 0.0)) return detail::nearestInsideBox(half, p);
  return {inside, (1.0 / distance) * beyond, distance};
}

/// Of a cylinder or cone.
LocalNearest nearestOfRevolution(const ConvexShape& solid, const Vec3<double>& p);

/// From the surface of a solid to a point; both in the axes of the world, relative to the origin of the solid.
NearestPoints nearestToPoint(const ConvexShape& solid, const Vec3<double>& point);

}  // namespace rigor
