#include "geometry/straight_sides.h"

#include <cmath>

namespace rigor {
namespace {

using Vec = Vec3<double>;

bool isCone(const Element& e) { return e.kind == ElementKind::kConeSide; }

/// Half the angle of a side; of a line 0.
struct HalfAngle {
  double sine, cosine;
};
HalfAngle halfAngleOf(const Element& e) {
  if (!isCone(e)) return {0.0, 1.0};
  const double cosine = 1.0 / std::sqrt(1.0 + e.slope * e.slope);
  return {e.slope * cosine, cosine};
}

/// The line of a side that has a normal, away from the apex.
Vec lineAlong(const Element& e, const HalfAngle& half, const Vec& outward) {
  if (!isCone(e)) return e.axis;
  return (1.0 / half.cosine) * (half.sine * outward - e.axis);
}

}  // namespace

bool areConeAndStraight(const Element& a, const Element& b) {
  const auto isStraight = [](const Element& e) { return isCone(e) || e.kind == ElementKind::kLine; };
  return isStraight(a) && isStraight(b) && (isCone(a) || isCone(b));
}

bool faceStraightSides(const Element& a, const Element& b, Facing& facing) {
  constexpr double kParallel = 1e-14;  // sine: rounding
  const HalfAngle half_a = halfAngleOf(a), half_b = halfAngleOf(b);
  // c is near −1 where sides can lie along each other: all that vanishes there comes from a + b. Lines have no direction
  const Vec axis_b = isCone(b) || dot(a.axis, b.axis) < 0.0 ? b.axis : -b.axis;
  const Vec axis_a = isCone(a) || dot(a.axis, axis_b) < 0.0 ? a.axis : -a.axis;
  const Vec both = axis_a + axis_b, w = cross(axis_a, both), way = b.p - a.p;
  const double sines = half_a.sine - half_b.sine, cosines = half_a.cosine - half_b.cosine;
  const double one_plus_c = 0.5 * dot(both, both);
  const double square = (half_a.cosine * half_b.cosine - half_a.sine * half_b.sine + 1.0 - one_plus_c) *
                        (one_plus_c - 0.5 * (sines * sines + cosines * cosines));
  if (!(square > 0.0)) return false;
  const double z = dot(w, way) >= 0.0 ? std::sqrt(square) : -std::sqrt(square);
  Vec n = sines * both + one_plus_c * (half_b.sine * axis_a - half_a.sine * axis_b) + z * w;  // W n
  n = (1.0 / norm(n)) * n;
  const Vec line_a = lineAlong(a, half_a, n), line_b = lineAlong(b, half_b, -n);
  const double sine = dot(cross(line_a, line_b), n);
  if (!(std::fabs(sine) > kParallel)) return false;
  const double along_a = dot(cross(way, line_b), n) / sine, along_b = dot(cross(way, line_a), n) / sine;
  const double gap = dot(n, way) - a.radius - b.radius;
  const Vec point_a = a.p + along_a * line_a + a.radius * n;
  facing = {n, gap, point_a, point_a + gap * n};
  return (!isCone(a) || along_a > 0.0) && (!isCone(b) || along_b > 0.0);
}

}  // namespace rigor
