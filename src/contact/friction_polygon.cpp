#include "contact/friction_polygon.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "contact/friction_cone.h"
#include "math/scalar.h"

namespace rigor {
namespace {

constexpr double kPi = 3.14159265358979323846;

FrictionPolygon makePolygon(int corners) {
  FrictionPolygon polygon{};
  polygon.corners = corners;
  for (int j = 0; j < corners; ++j) {
    const auto at = sincos(2.0 * kPi * j / corners), between = sincos(2.0 * kPi * (j + 0.5) / corners);
    polygon.corner[j][0] = at.cos, polygon.corner[j][1] = at.sin;
    polygon.middle[j][0] = between.cos, polygon.middle[j][1] = between.sin;
  }
  const auto half = sincos(kPi / corners);
  polygon.apothem = half.cos, polygon.half_side = half.sin;
  return polygon;
}

}  // namespace

const FrictionPolygon& polygonOf(int corners) {
  static const auto polygons = [] {
    std::array<FrictionPolygon, (kMostDirections - kLeastDirections) / 2 + 1> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = makePolygon(kLeastDirections + 2 * static_cast<int>(i));
    return all;
  }();
  assert(isSoundDirections(corners) && "problems are checked before they are solved or judged");
  return polygons[(corners - kLeastDirections) / 2];
}

int FrictionPolygon::sideOf(double t1, double t2) const {
  const double turns = arctan2(t2, t1) / (2.0 * kPi);
  if (!std::isfinite(turns)) return 0;
  const int side = static_cast<int>(std::floor((turns < 0.0 ? turns + 1.0 : turns) * corners));
  return side < corners ? side : 0;
}

int FrictionPolygon::farthest(double t1, double t2) const {
  const int side = sideOf(t1, t2), other = next(side);
  const bool first = corner[side][0] * t1 + corner[side][1] * t2 >= corner[other][0] * t1 + corner[other][1] * t2;
  return first ? side : other;
}

void projectOnPolygon(const FrictionPolygon& polygon, double radius, double t[2]) {
  const double* m = polygon.middle[polygon.sideOf(t[0], t[1])];
  const double out = m[0] * t[0] + m[1] * t[1], across = m[0] * t[1] - m[1] * t[0];
  if (out <= radius * polygon.apothem) return;
  const double along = std::clamp(across, -radius * polygon.half_side, radius * polygon.half_side);
  t[0] = radius * polygon.apothem * m[0] - along * m[1];
  t[1] = radius * polygon.apothem * m[1] + along * m[0];
}

PyramidFace projectOnPyramid(const FrictionPolygon& polygon, double mu, double x[3], int& index) {
  const int side = polygon.sideOf(x[1], x[2]);
  const double *m = polygon.middle[side], length = lengthOf(1.0, mu * polygon.apothem);
  const double out = m[0] * x[1] + m[1] * x[2], across = m[0] * x[2] - m[1] * x[1];
  index = side;
  if (x[0] >= 0.0 && out <= mu * polygon.apothem * x[0] && (mu > 0.0 || (x[1] == 0.0 && x[2] == 0.0)))
    return PyramidFace::kInside;
  // The side is spanned by f = (1, μ cos(π/n) m)/length and the tangent of P; x without its part across that plane.
  const double flat = 1.0 / length, steep = mu * polygon.apothem / length;
  const double along = flat * x[0] + steep * out;
  if (mu > 0.0 && along > 0.0 && std::abs(across) <= along * (mu / length) * polygon.half_side) {
    x[0] = flat * along;
    x[1] = steep * along * m[0] - across * m[1];
    x[2] = steep * along * m[1] + across * m[0];
    return PyramidFace::kSide;
  }
  index = across < 0.0 ? side : polygon.next(side);
  const double *d = polygon.corner[index], edge = lengthOf(1.0, mu);
  const double reach = (x[0] + mu * (d[0] * x[1] + d[1] * x[2])) / edge;
  const bool apex = !(reach > 0.0);
  x[0] = apex ? 0.0 : reach / edge;
  for (int r = 0; r < 2; ++r) x[1 + r] = apex ? 0.0 : reach * (mu / edge) * d[r];
  return apex ? PyramidFace::kApex : PyramidFace::kEdge;
}

}  // namespace rigor
