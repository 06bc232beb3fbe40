#include "verify/cone_beside.h"

#include <cmath>

namespace rigor::verify {
namespace {

bool isCone(const Element& e) { return e.kind == ElementKind::kConeSide; }
Real sineOf(const Element& e) { return isCone(e) ? e.slope / std::sqrt(1 + e.slope * e.slope) : 0; }
Vec acrossAxis(const Element& e, const Vec& v) { return v - dot(e.axis, v) * e.axis; }

/// The line of a side that touches along a normal out of it.
Vec lineOf(const Element& e, const Vec& outward) {
  if (!isCone(e)) return e.axis;
  const Vec radial = acrossAxis(e, outward), down = (e.slope / norm(radial)) * radial - e.axis;
  return (1 / norm(down)) * down;
}

/// Where the lines with a common normal are nearest to each other.
std::optional<ConeBeside> meetAlong(const Element& cone, const Element& other, const Vec& n) {
  const Vec a = lineOf(cone, n), b = lineOf(other, -n), product = cross(a, b), way = other.p - cone.p;
  const Real square = dot(product, product);
  if (!(square > 0)) return {};
  const Real along_a = dot(cross(way, b), product) / square, along_b = dot(cross(way, a), product) / square;
  if (along_a <= 0 || (isCone(other) && along_b <= 0)) return {};
  const Vec on_a = cone.p + along_a * a, on_b = other.p + along_b * b - other.radius * n;
  return ConeBeside{{n, dot(n, way) - other.radius, on_a, on_b}, 1 / std::sqrt(square)};
}

}  // namespace

std::optional<ConeBeside> findConeBeside(const Element& cone, const Element& other) {
  constexpr Real kPi = 3.14159265358979323846L;
  if (!isCone(cone) || !(isCone(other) || other.kind == ElementKind::kLine)) return {};
  const Vec towards = acrossAxis(cone, other.axis);
  if (!(dot(towards, towards) > 0)) return {};
  const Vec first = (1 / norm(towards)) * towards, second = cross(cone.axis, first);
  const Real sine = sineOf(cone), cosine = std::sqrt(1 - sine * sine);
  const auto normalAt = [&](Real angle) {
    return cosine * (std::cos(angle) * first + std::sin(angle) * second) + sine * cone.axis;
  };
  const auto miss = [&](Real angle) { return dot(normalAt(angle), other.axis) + sineOf(other); };
  if (miss(0) <= 0 || miss(kPi) >= 0) return {};
  Real before = 0, after = kPi;  // the miss falls all the way
  for (int i = 0; i < 80; ++i) {
    const Real middle = (before + after) / 2;
    (miss(middle) > 0 ? before : after) = middle;
  }
  const Vec n = normalAt(after), mirrored = normalAt(-after), way = other.p - cone.p;
  return meetAlong(cone, other, dot(n, way) >= dot(mirrored, way) ? n : mirrored);
}

}  // namespace rigor::verify
