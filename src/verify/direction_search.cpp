#include "verify/direction_search.h"

#include <algorithm>

namespace rigor::verify {
namespace {

constexpr int kSections = 76;     // the golden section to this power is 1e-16
constexpr Real kProved = 1e-13L;  // [m] overlap that no better direction is looked for
constexpr Real kNarrow = 0.5L;    // tangent of the angle around a hint

/// Largest value of a function that rises to its top and falls behind it, on [−width, width]; `at` is where.
template <class Function>
Real findTop(Real width, const Function& value, Real& at) {
  const Real golden = (std::sqrt(Real(5)) - 1) / 2;
  Real low = -width, high = width;
  Real x = high - golden * (high - low), y = low + golden * (high - low), at_x = value(x), at_y = value(y);
  for (int i = 0; i < kSections; ++i) {
    if (at_x > at_y) {
      high = y, y = x, at_y = at_x;
      x = high - golden * (high - low), at_x = value(x);
    } else {
      low = x, x = y, at_x = at_y;
      y = low + golden * (high - low), at_y = value(y);
    }
  }
  at = at_x > at_y ? x : y;
  return std::max(at_x, at_y);
}

/// The best of the directions n + x t + y s with |x|, |y| ≤ width.
Separation searchAround(const PlacedSolid& a, const PlacedSolid& b, const Vec& n, Real width) {
  const Vec other = std::fabs(n.x) < 0.7L ? Vec{1, 0, 0} : Vec{0, 1, 0};
  const Vec side = cross(n, other), t = (1 / norm(side)) * side, s = cross(n, t);
  Real x = 0, y = 0;
  const auto along = [&](Real u, Real v) {
    const Vec d = n + u * t + v * s;
    const Real length = norm(d), separation = separationAlong(a, b, (1 / length) * d);
    return separation > 0 ? separation : length * separation;  // f/|d| where that has one top, else f
  };
  const auto ridge = [&](Real u) { return findTop(width, [&](Real v) { return along(u, v); }, y); };
  findTop(width, ridge, x);
  ridge(x);
  const Vec d = n + x * t + y * s, unit = (1 / norm(d)) * d;
  return {separationAlong(a, b, unit), unit};
}

}  // namespace

Separation searchDirections(const PlacedSolid& a, const PlacedSolid& b, const Vec& hint) {
  const Vec between = b.X.p - a.X.p;
  const Vec first = dot(hint, hint) > 0 ? hint : norm(between) > 0 ? (1 / norm(between)) * between : Vec{0, 0, 1};
  Separation best{separationAlong(a, b, first), first};
  const auto offer = [&](const Separation& found) {
    if (found.distance > best.distance) best = found;
  };
  for (const PlacedSolid* side : {&a, &b}) {  // flat sides have a kink there that is worth to be met exactly
    for (const Vec& n : side->normals) offer({separationAlong(a, b, n), n}), offer({separationAlong(a, b, -n), -n});
    for (const Vec& n : {side->X.R.z, -side->X.R.z}) offer({separationAlong(a, b, n), n});
  }
  for (Real before = -std::numeric_limits<Real>::infinity(); best.distance > before + kProved;) {
    before = best.distance;  // the top may lie beyond the border: go on from there
    offer(searchAround(a, b, best.direction, kNarrow));
  }
  if (best.distance >= -kProved) return best;
  for (const Vec& axis : {Vec{1, 0, 0}, Vec{0, 1, 0}, Vec{0, 0, 1}})
    for (const Vec& n : {axis, -axis}) offer(searchAround(a, b, n, 1));
  return best;
}

}  // namespace rigor::verify
