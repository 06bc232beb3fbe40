#include "geometry/distance.h"

#include <algorithm>
#include <cmath>

#include "geometry/apart.h"
#include "geometry/axis_search.h"
#include "geometry/box_axes.h"
#include "geometry/overlap_depth.h"
#include "geometry/point_distance.h"
#include "geometry/round_pair.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kExact = 1e-13;    ///< of the scale: bounds this near to each other prove the answer
constexpr double kOnPlane = 1e-11;  ///< of the scale: witnesses this far from where they belong are good
constexpr double kTie = 1e-15;      ///< of the scale: a face or a pair of edges this little worse is the better answer
constexpr double kFarAway = 1e-6;   ///< of the scale: the way between the cores gives its direction with ten digits

/// The separation along the axis, with witnesses between which the middle is that of two near points of the cores, given
/// relative to `origin`.
Separation finish(const ConvexShape& a, const ConvexShape& b, const Axis& axis, const Vec& near_a, const Vec& near_b,
                  const Vec& origin) {
  const double radius_a = coreRadius(a), radius_b = coreRadius(b);
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
  Simplex foot = approach(moved, axis.normal, moved.support(axis.normal)).simplex;
  for (int i = 0; i < foot.count; ++i) foot.point[i].b -= move, foot.point[i].w += move;
  return foot;
}

/// Two corners across a side that two edges make of A − B name the side only with a third.
void completeDiagonal(Simplex& simplex) {
  const DifferencePoint &p = simplex.point[0], &q = simplex.point[1];
  if (simplex.count != 2 || p.vertex_a == q.vertex_a || p.vertex_b == q.vertex_b) return;
  simplex.point[2] = {p.a - q.b, p.a, q.b, p.vertex_a, q.vertex_b};
  simplex.weight[2] = 0.0;
  simplex.count = 3;
}

Separation finishFrom(const DifferenceShape& difference, const Vec& origin, const Axis& axis, const Simplex& simplex) {
  if (fits(difference, axis, simplex))
    return finish(difference.a, difference.b, axis, simplex.nearestOnA(), simplex.nearestOnB(), origin);
  const Simplex foot = footAlong(difference, axis);
  const DifferencePoint farthest = difference.support(axis.normal);
  // chords of round surfaces end short of the planes that touch them: the points are lifted onto the planes
  const auto lifted = [&](const Vec& near, const Vec& on_plane) {
    return near + dot(axis.normal, on_plane - near) * axis.normal;
  };
  return finish(difference.a, difference.b, axis, lifted(foot.nearestOnA(), farthest.a),
                lifted(foot.nearestOnB(), farthest.b), origin);
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
  const Approach apart = approach(difference, axis.normal, difference.support(axis.normal));
  const double nearest = norm(apart.simplex.nearest());
  if (nearest - axis.separation <= kExact * difference.scale)
    return finishFrom(difference, origin, axis, apart.simplex);
  const Axis refined = refineAxis(difference, apart.simplex, {apart.normal, apart.separation});
  return finishFrom(difference, origin, refined.separation > axis.separation ? refined : axis, apart.simplex);
}

/// The cores overlap, or seem to; `start` is any direction, best one that was good before, with its support point.
Separation findDepth(const DifferenceShape& difference, const Vec& origin, const Vec& start,
                     const DifferencePoint& first) {
  Axis known{start, -dot(start, first.w)};
  // what polytopes touch with when they are moved apart is nearly always what they overlap with
  Simplex foot = footAlong(difference, known);
  completeDiagonal(foot);
  const Axis named = axisOfSimplex(difference, foot);
  const bool is_named = named.separation >= known.separation - kTie * difference.scale;
  if (is_named) {
    known = named;
  } else {
    Simplex corner;
    corner.point[0] = first;
    corner.count = 1;
    known = refineAxis(difference, corner, known);
    foot = footAlong(difference, known);
  }
  const Depth depth = expand(difference, known, foot);
  Axis axis = depth.axis;
  if (!depth.certain && isPolytopeKind(difference.a.kind) && isPolytopeKind(difference.b.kind)) {
    const Axis all = searchAllAxes(difference);
    if (all.separation > axis.separation) axis = all;
  }
  if (depth.simplex.count > 0) return finishFrom(difference, origin, axis, depth.simplex);
  if (is_named) reduceToNearest(foot);
  return finishFrom(difference, origin, axis, foot);
}

Separation findAnyDistance(const DifferenceShape& difference, const Vec& origin, const Vec& start, bool is_hint) {
  const double radii = coreRadius(difference.a) + coreRadius(difference.b);
  const DifferencePoint first = difference.support(start);
  if (is_hint && dot(start, first.w) >= 0.0) {
    // not apart along the hint: likely an overlap, and if it is none the depth says so
    const Separation depth = findDepth(difference, origin, start, first);
    if (depth.distance + radii <= 0.0) return depth;
  }
  const Approach apart = approach(difference, start, first);
  if (!apart.apart) return findDepth(difference, origin, apart.normal, difference.support(apart.normal));
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

/// A sphere and a solid from whose surface the distance to a point is known; `sign` +1: the sphere is shape 2.
Separation separateSphere(const ConvexShape& sphere, const ConvexShape& solid, double sign) {
  const Vec centre = transposeTimes(solid.X_WS.R, sphere.X_WS.p - solid.X_WS.p);
  const LocalNearest near =
      solid.kind == ShapeKind::kBox ? nearestOfBox(solid.size, centre) : nearestOfRevolution(solid, centre);
  const Vec normal = solid.X_WS.R * near.normal;
  const double distance = near.distance - sphere.size.x;
  const Vec on_sphere = sphere.X_WS.p - sphere.size.x * normal, on_solid = on_sphere - distance * normal;
  const bool sphere_last = sign > 0.0;
  return {distance, sign * normal, sphere_last ? on_solid : on_sphere, sphere_last ? on_sphere : on_solid};
}

}  // namespace

Separation findSeparation(const ConvexShape& a, const ConvexShape& b, const Vec* hint) {
  if (isRoundCore(a.kind) && isRoundCore(b.kind)) return separateRound(a, b);
  if (a.kind == ShapeKind::kSphere && hasPointDistance(b.kind)) return separateSphere(a, b, -1.0);
  if (b.kind == ShapeKind::kSphere && hasPointDistance(a.kind)) return separateSphere(b, a, 1.0);
  const DifferenceShape difference(a, b);
  const Vec& origin = a.X_WS.p;
  if (a.kind == ShapeKind::kBox && b.kind == ShapeKind::kBox) return findBoxDistance(difference, origin);
  return findAnyDistance(difference, origin, startOf(difference, hint), hint != nullptr);
}

}  // namespace rigor
