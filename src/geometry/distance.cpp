#include "geometry/distance.h"

#include <algorithm>
#include <cmath>

#include "geometry/apart.h"
#include "geometry/axis_search.h"
#include "geometry/box_axes.h"
#include "geometry/overlap_depth.h"
#include "geometry/point_distance.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kExact = 1e-13;    ///< of the scale: bounds this near to each other prove the answer
constexpr double kOnPlane = 1e-11;  ///< of the scale: witnesses this far from where they belong are good
constexpr double kFarAway = 1e-6;   ///< of the scale: the way between the cores gives its direction with ten digits

bool isRoundCore(const ConvexShape& shape) {
  return shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kCapsule;
}

/// The separation along the axis, with witnesses between which the middle is that of two near points of the cores, given
/// relative to the origin of the first.
Separation finish(const ConvexShape& a, const ConvexShape& b, const Axis& axis, const Vec& near_a, const Vec& near_b,
                  const Vec* origin = nullptr) {
  const double radius_a = coreRadius(a), radius_b = coreRadius(b);
  const double distance = axis.separation - radius_a - radius_b;
  const Vec& n = axis.normal;
  const Vec middle = 0.5 * (near_a + near_b + (radius_a - radius_b) * n), at = origin ? *origin : a.X_WS.p;
  return {distance,
          n,
          at + (middle - 0.5 * distance * n),
          at + (middle + 0.5 * distance * n),
          axis.kind,
          axis.feature_1,
          axis.feature_2};
}

/// Whether the nearest point of the simplex lies where the planes across the axis touch the cores.
bool fits(const DifferenceShape& difference, const Axis& axis, const Simplex& simplex) {
  if (simplex.count == 0) return false;
  const Vec& n = axis.normal;
  const Vec near_a = simplex.nearestOnA(), near_b = simplex.nearestOnB();
  const DifferencePoint farthest = difference.support(n);
  const double missing = std::max(dot(n, farthest.a - near_a), dot(n, near_b - farthest.b));
  const Vec way = near_b - near_a, sideways = way - dot(way, n) * n;
  return missing <= kOnPlane * difference.scale && norm(sideways) <= kOnPlane * difference.scale;
}

/// Points of A − B as far out along the axis as any, the foot of the origin between them: those that are nearest when the
/// cores are moved apart along the axis.
Simplex footAlong(const DifferenceShape& difference, const Axis& axis) {
  DifferenceShape moved = difference;
  const Vec move = (0.1 * difference.scale - axis.separation) * axis.normal;
  moved.b.X_WS.p += move;
  Simplex foot = approach(moved, axis.normal).simplex;
  for (int i = 0; i < foot.count; ++i) foot.point[i].b -= move, foot.point[i].w += move;
  return foot;
}

Separation finishFrom(const DifferenceShape& difference, const Vec& origin, const Axis& axis, const Simplex& simplex) {
  const Simplex foot = fits(difference, axis, simplex) ? simplex : footAlong(difference, axis);
  return finish(difference.a, difference.b, axis, foot.nearestOnA(), foot.nearestOnB(), &origin);
}

Vec startOf(const DifferenceShape& difference, const Vec* hint) {
  if (hint) return *hint;
  const Vec between = difference.b.X_WS.p;
  const double length = norm(between);
  return length > 0.0 ? (1.0 / length) * between : Vec{0.0, 0.0, 1.0};
}

/// Overlapping boxes are decided by their axes. Boxes that are apart have them as a start that is hard to beat.
Separation findBoxDistance(const DifferenceShape& difference, const Vec& origin) {
  const Axis axis = findBoxAxis(difference);
  if (axis.separation <= 0.0) return finishFrom(difference, origin, axis, {});
  const Approach apart = approach(difference, axis.normal);
  const double nearest = norm(apart.simplex.nearest());
  if (nearest - axis.separation <= kExact * difference.scale)
    return finishFrom(difference, origin, axis, apart.simplex);
  const Axis refined = refineAxis(difference, apart.simplex, {apart.normal, apart.separation});
  return finishFrom(difference, origin, refined.separation > axis.separation ? refined : axis, apart.simplex);
}

/// The cores overlap, or seem to; `start` is any direction, best one that was good before.
Separation findDepth(const DifferenceShape& difference, const Vec& origin, const Vec& start) {
  Simplex corner;
  corner.point[0] = difference.support(start);
  corner.count = 1;
  Axis known{start, -dot(start, corner.point[0].w)};
  // what polytopes touch with when they are moved apart is nearly always what they overlap with
  Simplex foot = footAlong(difference, known);
  if (const Axis exact = axisOfSimplex(difference, foot); exact.separation >= known.separation) {
    known = exact;
    reduceToNearest(foot);
  } else {
    known = refineAxis(difference, corner, known);
    foot = footAlong(difference, known);
  }
  const Depth depth = expand(difference, known, foot);
  Axis axis = depth.axis;
  if (!depth.certain && isPolytopeKind(difference.a.kind) && isPolytopeKind(difference.b.kind)) {
    const Axis all = searchAllAxes(difference);
    if (all.separation > axis.separation) axis = all;
  }
  return finishFrom(difference, origin, axis, depth.simplex.count > 0 ? depth.simplex : foot);
}

Separation findAnyDistance(const DifferenceShape& difference, const Vec& origin, const Vec& start, bool is_hint) {
  const double radii = coreRadius(difference.a) + coreRadius(difference.b);
  if (is_hint && dot(start, difference.support(start).w) >= 0.0) {
    // not apart along the hint: likely an overlap, and if it is none the depth says so
    const Separation depth = findDepth(difference, origin, start);
    if (depth.distance + radii <= 0.0) return depth;
  }
  const Approach apart = approach(difference, start);
  if (!apart.apart) return findDepth(difference, origin, apart.normal);
  Axis axis{apart.normal, apart.separation};
  const double distance = norm(apart.simplex.nearest());
  const bool proven = distance - axis.separation <= kExact * difference.scale;
  if (const Axis exact = axisOfSimplex(difference, apart.simplex);
      distance - exact.separation <= kExact * difference.scale)
    axis = exact;
  else if (!proven || apart.simplex.count == 3 || distance < kFarAway * difference.scale)
    axis = refineAxis(difference, apart.simplex, axis);
  return finishFrom(difference, origin, axis, apart.simplex);
}

}  // namespace

Separation findSeparation(const ConvexShape& a, const ConvexShape& b, const Vec* hint) {
  const Vec between = b.X_WS.p - a.X_WS.p;
  if (isRoundCore(a) && isRoundCore(b)) {
    const NearestPoints near = nearestOfSegments(a, b, between);
    return finish(a, b, {near.normal, near.distance}, near.on_1, near.on_2);
  }
  if (a.kind == ShapeKind::kSphere && hasPointDistance(b.kind)) {
    const NearestPoints near = nearestToPoint(b, -between);
    return finish(a, b, {-near.normal, near.distance}, {}, between + near.on_1);
  }
  if (b.kind == ShapeKind::kSphere && hasPointDistance(a.kind)) {
    const NearestPoints near = nearestToPoint(a, between);
    return finish(a, b, {near.normal, near.distance}, near.on_1, between);
  }
  const DifferenceShape difference(a, b);
  const Vec& origin = a.X_WS.p;
  if (a.kind == ShapeKind::kBox && b.kind == ShapeKind::kBox) return findBoxDistance(difference, origin);
  return findAnyDistance(difference, origin, startOf(difference, hint), hint != nullptr);
}

}  // namespace rigor
