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

/// Where the slope of a gap changes its sign, downhill from 0 in strides of at most `longest`; nothing within the reach.
template <class Slope>
std::optional<Real> findLeast(const Slope& slope, Real longest, Real reach) {
  const Real begin = slope(0), direction = begin > 0 ? -1 : 1;
  Real before = 0, after = 0;
  for (Real step = 1e-9L * longest; begin != 0 && direction * slope(after) < 0; step *= 1.5L) {
    before = after, after += direction * std::min(step, longest);
    if (std::fabs(after) > reach) return {};
  }
  for (int i = 0; i < 80; ++i) {
    const Real middle = (before + after) / 2;
    (direction * slope(middle) < 0 ? before : after) = middle;
  }
  return after;
}

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
  const std::optional<Real> angle = findLeast(slope, 0.02L, 2 * kPi);
  if (!angle) return {};
  const Vec point = rim.point(*angle);
  const Beside beside = lookBeside(side, point);
  return Facing{beside.normal, beside.gap, point - beside.gap * beside.normal, point};
}

std::optional<Facing> findLineBeside(const Element& cone, const Element& line, const Vec& near) {
  if (cone.kind != ElementKind::kConeSide || line.kind != ElementKind::kLine) return {};
  const Vec start = line.p + dot(line.axis, near - line.p) * line.axis;
  const auto slope = [&](Real way) { return dot(lookBeside(cone, start + way * line.axis).normal, line.axis); };
  const std::optional<Real> way = findLeast(slope, 0.1L, 1e3L);
  if (!way) return {};
  const Vec centre = start + *way * line.axis;
  const Beside beside = lookBeside(cone, centre);
  return Facing{beside.normal, beside.gap - line.radius, centre - beside.gap * beside.normal,
                centre - line.radius * beside.normal};
}

}  // namespace rigor::verify
