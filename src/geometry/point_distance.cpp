#include "geometry/point_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kConcentric = 1e-15;  ///< of the size: no direction in the way between two points

/// Nearest point of the surface, outward normal there towards the point, signed distance; in the frame of the solid.
struct LocalNearest {
  Vec surface, normal;
  double distance = 0.0;
};

LocalNearest nearestOfBox(const Vec& half, const Vec& p) {
  const Vec inside{std::clamp(p.x, -half.x, half.x), std::clamp(p.y, -half.y, half.y),
                   std::clamp(p.z, -half.z, half.z)};
  const Vec beyond = p - inside;
  const double distance = norm(beyond);
  if (distance > 0.0) return {inside, (1.0 / distance) * beyond, distance};
  const double depth[3] = {half.x - std::fabs(p.x), half.y - std::fabs(p.y), half.z - std::fabs(p.z)};
  const int axis = static_cast<int>(std::min_element(depth, depth + 3) - depth);
  double Vec::* const member[3] = {&Vec::x, &Vec::y, &Vec::z};
  LocalNearest nearest{p, {}, -depth[axis]};
  nearest.normal.*member[axis] = p.*member[axis] >= 0.0 ? 1.0 : -1.0;
  nearest.surface.*member[axis] = p.*member[axis] >= 0.0 ? half.*member[axis] : -half.*member[axis];
  return nearest;
}

struct Flat {
  double r, z;
};

/// Signed distance to a line of the profile with the outward unit normal n, of which only the part from a to b belongs to
/// the solid; the nearest point of that part.
struct ProfileSide {
  Flat a, b, n;
};

/// The half profile of a solid of revolution, a convex polygon in (r ≥ 0, z): inside the nearest side, outside the nearest
/// point of a side.
template <int count>
LocalNearest nearestOfProfile(const ProfileSide (&sides)[count], const Vec& p) {
  const double r = std::sqrt(p.x * p.x + p.y * p.y);
  const Flat radial = r > 0.0 ? Flat{p.x / r, p.y / r} : Flat{1.0, 0.0};
  double highest = -std::numeric_limits<double>::infinity();
  Flat surface{}, normal{};
  for (const ProfileSide& side : sides) {
    const double height = side.n.r * (r - side.a.r) + side.n.z * (p.z - side.a.z);
    if (height <= highest) continue;
    highest = height, normal = side.n;
    surface = {r - height * side.n.r, p.z - height * side.n.z};
  }
  double distance = highest;
  if (highest > 0.0) {
    distance = std::numeric_limits<double>::infinity();
    for (const ProfileSide& side : sides) {
      const Flat way{side.b.r - side.a.r, side.b.z - side.a.z};
      const double t =
          std::clamp(((r - side.a.r) * way.r + (p.z - side.a.z) * way.z) / (way.r * way.r + way.z * way.z), 0.0, 1.0);
      const Flat foot{side.a.r + t * way.r, side.a.z + t * way.z}, gap{r - foot.r, p.z - foot.z};
      const double length = std::sqrt(gap.r * gap.r + gap.z * gap.z);
      if (length >= distance) continue;
      distance = length, surface = foot;
      const double height = side.n.r * gap.r + side.n.z * gap.z;
      // above the side its normal is exact; the way to an end has few digits only where it is short
      normal = t > 0.0 && t < 1.0 && height > 0.0 ? side.n : Flat{gap.r / length, gap.z / length};
    }
  }
  return {{surface.r * radial.r, surface.r * radial.z, surface.z},
          {normal.r * radial.r, normal.r * radial.z, normal.z},
          distance};
}

LocalNearest nearestOfCylinder(double radius, double half, const Vec& p) {
  const ProfileSide sides[] = {{{0.0, half}, {radius, half}, {0.0, 1.0}},
                               {{0.0, -half}, {radius, -half}, {0.0, -1.0}},
                               {{radius, -half}, {radius, half}, {1.0, 0.0}}};
  return nearestOfProfile(sides, p);
}

LocalNearest nearestOfCone(double radius, double half, const Vec& p) {
  const double slant = std::sqrt(radius * radius + 4.0 * half * half);
  const ProfileSide sides[] = {{{0.0, -half}, {radius, -half}, {0.0, -1.0}},
                               {{radius, -half}, {0.0, half}, {2.0 * half / slant, radius / slant}}};
  return nearestOfProfile(sides, p);
}

Vec anyAcross(const Vec& d) {
  const Vec axis = std::fabs(d.z) < 0.6 ? Vec{0.0, 0.0, 1.0} : Vec{1.0, 0.0, 0.0};
  const Vec across = axis - dot(axis, d) * d;
  return (1.0 / norm(across)) * across;
}

/// Across both segments; across the one that is no point; up.
Vec normalOfCrossing(const Vec& axis_a, double half_a, const Vec& axis_b, double half_b) {
  const Vec across = cross(axis_a, axis_b);
  const double sine = norm(across);
  if (half_a > 0.0 && half_b > 0.0 && sine > 1e-9) return (1.0 / sine) * across;
  if (half_a > 0.0) return anyAcross(axis_a);
  if (half_b > 0.0) return anyAcross(axis_b);
  return {0.0, 0.0, 1.0};
}

/// Parameters of the nearest points of p_a + s u and p_b + t v, |s| ≤ half_a, |t| ≤ half_b; between = p_b − p_a.
void nearestParameters(const Vec& between, const Vec& u, double half_a, const Vec& v, double half_b, double& s,
                       double& t) {
  const double cosine = dot(u, v), along_u = dot(between, u), along_v = dot(between, v);
  const Vec across = cross(u, v);
  const double sine2 = dot(across, across);
  const auto clampTo = [](double value, double half) { return std::clamp(value, -half, half); };
  if (sine2 > 1e-24) {
    // 1 − cos² from the cross product: it keeps its digits for nearly parallel segments
    s = clampTo(dot(cross(between, v), across) / sine2, half_a);
  } else {
    // parallel: the middle of what lies side by side
    const double low = std::max(-half_a, along_u - half_b), high = std::min(half_a, along_u + half_b);
    s = clampTo(0.5 * (low + high), half_a);
  }
  t = clampTo(s * cosine - along_v, half_b);
  s = clampTo(t * cosine + along_u, half_a);
  t = clampTo(s * cosine - along_v, half_b);
}

}  // namespace

NearestPoints nearestToPoint(const ConvexShape& solid, const Vec& point) {
  const Vec local = transposeTimes(solid.X_WS.R, point);
  const LocalNearest nearest = solid.kind == ShapeKind::kBox    ? nearestOfBox(solid.size, local)
                               : solid.kind == ShapeKind::kCone ? nearestOfCone(solid.size.x, solid.size.y, local)
                                                                : nearestOfCylinder(solid.size.x, solid.size.y, local);
  return {nearest.distance, solid.X_WS.R * nearest.normal, solid.X_WS.R * nearest.surface, point};
}

NearestPoints nearestOfSegments(const ConvexShape& a, const ConvexShape& b, const Vec& between) {
  const double half_a = a.kind == ShapeKind::kCapsule ? a.size.y : 0.0;
  const double half_b = b.kind == ShapeKind::kCapsule ? b.size.y : 0.0;
  const Vec &u = a.X_WS.R.z, &v = b.X_WS.R.z;
  double s = 0.0, t = 0.0;
  if (half_a > 0.0 || half_b > 0.0) nearestParameters(between, u, half_a, v, half_b, s, t);
  const Vec on_a = s * u, on_b = between + t * v, way = on_b - on_a;
  // inside both segments the cross product keeps its digits however short the way is
  if (std::fabs(s) < half_a && std::fabs(t) < half_b) {
    const Vec across = cross(u, v);
    if (const double sine = norm(across); sine > 1e-6) {
      const Vec n = (dot(across, way) >= 0.0 ? 1.0 / sine : -1.0 / sine) * across;
      return {dot(n, way), n, on_a, on_b};
    }
  }
  const double distance = norm(way);
  if (distance > kConcentric * (a.size.x + b.size.x + half_a + half_b))
    return {distance, (1.0 / distance) * way, on_a, on_b};
  return {0.0, normalOfCrossing(u, half_a, v, half_b), on_a, on_b};
}

}  // namespace rigor
