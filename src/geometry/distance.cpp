#include "geometry/distance.h"

#include <algorithm>
#include <cmath>

#include "geometry/apart.h"
#include "geometry/axis_search.h"
#include "geometry/overlap_depth.h"
#include "geometry/point_distance.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kExact = 1e-13;   ///< of the scale: bounds this near to each other prove the answer
constexpr double kFarAway = 1e-3;  ///< of the scale: the way between the cores gives its direction with all digits

bool isRoundCore(const ConvexShape& shape) {
  return shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kCapsule;
}

/// The separation along the axis, with witnesses between which the middle is that of two near points of the cores.
Separation finish(const DifferenceShape& difference, const Vec& origin, const Axis& axis, const Vec& near_a,
                  const Vec& near_b) {
  const double radius_a = coreRadius(difference.a), radius_b = coreRadius(difference.b);
  const double distance = axis.separation - radius_a - radius_b;
  const Vec& n = axis.normal;
  const Vec middle = 0.5 * (near_a + near_b + (radius_a - radius_b) * n);
  return {distance,
          n,
          origin + (middle - 0.5 * distance * n),
          origin + (middle + 0.5 * distance * n),
          axis.kind,
          axis.feature_1,
          axis.feature_2};
}

Vec startOf(const DifferenceShape& difference, const Vec* hint) {
  if (hint) return *hint;
  const Vec between = difference.b.X_WS.p;
  const double length = norm(between);
  return length > 0.0 ? (1.0 / length) * between : Vec{0.0, 0.0, 1.0};
}

Separation findAnyDistance(const DifferenceShape& difference, const Vec& origin, const Vec& start) {
  const Approach apart = approach(difference, start);
  Axis axis{apart.normal, apart.separation};
  if (apart.apart) {
    const double distance = norm(apart.simplex.nearest());
    const bool proven = distance - axis.separation <= kExact * difference.scale;
    if (!proven || apart.simplex.count == 3 || distance < kFarAway * difference.scale)
      axis = refineAxis(difference, apart.simplex, axis);
    return finish(difference, origin, axis, apart.simplex.nearestOnA(), apart.simplex.nearestOnB());
  }
  const Depth depth = expand(difference, apart.normal);
  if (depth.separation > axis.separation) axis = {depth.normal, depth.separation};
  axis = refineAxis(difference, depth.simplex, axis);
  const auto isProven = [&] { return depth.bound - axis.separation <= kExact * difference.scale; };
  if (!isProven()) {
    const Vec& n = depth.face_normal;
    const Axis other = refineAxis(difference, depth.simplex, {n, -dot(n, difference.support(n).w)});
    if (other.separation > axis.separation) axis = other;
  }
  const bool polytopes = isPolytopeKind(difference.a.kind) && isPolytopeKind(difference.b.kind);
  if (polytopes && !isProven()) {
    const Axis all = searchAllAxes(difference);
    if (all.separation > axis.separation) axis = all;
  }
  return finish(difference, origin, axis, depth.simplex.nearestOnA(), depth.simplex.nearestOnB());
}

}  // namespace

Separation findSeparation(const ConvexShape& a, const ConvexShape& b, const Vec* hint) {
  const DifferenceShape difference(a, b);
  const Vec& origin = a.X_WS.p;
  if (isRoundCore(a) && isRoundCore(b)) {
    const NearestPoints near = nearestOfSegments(difference.a, difference.b);
    return finish(difference, origin, {near.normal, near.distance}, near.on_1, near.on_2);
  }
  if (a.kind == ShapeKind::kSphere && hasPointDistance(b.kind)) {
    const NearestPoints near = nearestToPoint(difference.b, difference.a.X_WS.p);
    return finish(difference, origin, {-near.normal, near.distance}, near.on_2, near.on_1);
  }
  if (b.kind == ShapeKind::kSphere && hasPointDistance(a.kind)) {
    const NearestPoints near = nearestToPoint(difference.a, difference.b.X_WS.p);
    return finish(difference, origin, {near.normal, near.distance}, near.on_1, near.on_2);
  }
  return findAnyDistance(difference, origin, startOf(difference, hint));
}

}  // namespace rigor
