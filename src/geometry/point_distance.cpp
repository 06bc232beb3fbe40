#include "geometry/point_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigor {
namespace {

using Vec = Vec3<double>;

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

}  // namespace

LocalNearest detail::nearestInsideBox(const Vec& half, const Vec& p) {
  const double depth[3] = {half.x - std::fabs(p.x), half.y - std::fabs(p.y), half.z - std::fabs(p.z)};
  const int axis = static_cast<int>(std::min_element(depth, depth + 3) - depth);
  double Vec::* const member[3] = {&Vec::x, &Vec::y, &Vec::z};
  LocalNearest nearest{p, {}, -depth[axis]};
  nearest.normal.*member[axis] = p.*member[axis] >= 0.0 ? 1.0 : -1.0;
  nearest.surface.*member[axis] = p.*member[axis] >= 0.0 ? half.*member[axis] : -half.*member[axis];
  return nearest;
}

LocalNearest nearestOfRevolution(const ConvexShape& solid, const Vec& p) {
  return solid.kind == ShapeKind::kCone ? nearestOfCone(solid.size.x, solid.size.y, p)
                                        : nearestOfCylinder(solid.size.x, solid.size.y, p);
}

NearestPoints nearestToPoint(const ConvexShape& solid, const Vec& point) {
  const Vec local = transposeTimes(solid.X_WS.R, point);
  const LocalNearest nearest =
      solid.kind == ShapeKind::kBox ? nearestOfBox(solid.size, local) : nearestOfRevolution(solid, local);
  return {nearest.distance, solid.X_WS.R * nearest.normal, solid.X_WS.R * nearest.surface, point};
}

}  // namespace rigor
