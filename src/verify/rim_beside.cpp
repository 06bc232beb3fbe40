#include "verify/rim_beside.h"

#include <cmath>

namespace rigor::verify {
namespace {

constexpr Real kPi = 3.14159265358979323846L;

/// A circle by its angle.
struct Circle {
  const Element& element;
  Vec first, second;

  Circle(const Element& circle, const Vec& towards) : element(circle) {
    const Vec way = towards - circle.p, across = way - dot(circle.axis, way) * circle.axis;
    first = (1 / norm(across)) * across;
    second = cross(circle.axis, first);
  }
  Vec point(Real angle) const {
    return element.p + element.radius * (std::cos(angle) * first + std::sin(angle) * second);
  }
  Vec along(Real angle) const { return std::cos(angle) * second - std::sin(angle) * first; }
};

}  // namespace

Beside lookBeside(const Element& side, const Vec& point) {
  const Vec from = point - side.p, across = from - dot(side.axis, from) * side.axis;
  const Real distance = norm(across);
  const Vec radial = (1 / distance) * across;
  if (side.kind == ElementKind::kLine) return {radial, distance - side.radius};
  // side of a cone: ρ = slope · depth under the apex
  const Real scale = 1 / std::sqrt(1 + side.slope * side.slope);
  return {scale * (radial + side.slope * side.axis), scale * (distance + side.slope * dot(side.axis, from))};
}

std::optional<Facing> findRimBeside(const Element& side, const Element& circle, const Vec& near) {
  const bool round = side.kind == ElementKind::kConeSide || (side.kind == ElementKind::kLine && side.radius > 0);
  if (!round) return {};
  const Circle rim(circle, near);
  const auto slope = [&](Real angle) { return dot(lookBeside(side, rim.point(angle)).normal, rim.along(angle)); };
  // downhill until the slope changes its sign, then between the two
  const Real begin = slope(0), direction = begin > 0 ? -1 : 1;
  Real before = 0, after = 0;
  for (Real step = 1e-9L; begin != 0 && direction * slope(after) < 0; step *= 1.5L) {
    before = after, after += direction * std::min<Real>(step, 0.02L);
    if (std::fabs(after) > 2 * kPi) return {};
  }
  for (int i = 0; i < 80; ++i) {
    const Real middle = (before + after) / 2;
    (direction * slope(middle) < 0 ? before : after) = middle;
  }
  const Vec point = rim.point(after);
  const Beside beside = lookBeside(side, point);
  return Facing{beside.normal, beside.gap, point - beside.gap * beside.normal, point};
}

}  // namespace rigor::verify
