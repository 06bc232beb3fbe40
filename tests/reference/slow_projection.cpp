#include "reference/slow_projection.h"

#include <algorithm>
#include <cmath>

namespace rigor::reference {

using Real = long double;
using Vector = std::vector<Real>;

Vector searchNearestInCone(Real mu, const Vector& x) {
  Real size = 0, reach = 0;
  for (const Real entry : x) size = std::max(size, std::abs(entry));
  if (size == 0) return Vector(x.size(), 0);
  for (std::size_t i = 1; i < x.size(); ++i) reach = std::hypot(reach, x[i] / size);
  const Real n = x[0] / size;
  // Half the slope of (height − n)² + (reach − μ height)⁺².
  const auto slope = [&](Real height) { return height - n - mu * std::max<Real>(0, reach - mu * height); };
  Real lo = 0, hi = 3;  // the nearest point is not longer than x itself, √6 at most
  if (slope(lo) >= 0) return Vector(x.size(), 0);
  for (int i = 0; i < 20000; ++i) {
    // Halves the exponent first: with a large μ the height may be tiny.
    const Real middle = lo == 0 ? hi / 2 : hi / lo > 4 ? std::sqrt(lo) * std::sqrt(hi) : lo + (hi - lo) / 2;
    if (middle == lo || middle == hi) break;
    (slope(middle) < 0 ? lo : hi) = middle;
  }
  const Real radius = std::min(reach, mu * hi);
  const Real shrink = reach > 0 ? radius / reach : 0;
  Vector nearest{size * hi};
  for (std::size_t i = 1; i < x.size(); ++i) nearest.push_back(shrink * x[i]);
  return nearest;
}

Vector searchNearestInPyramid(Real mu, int corners, const Vector& x) {
  const Real turn = 6.283185307179586476925286766559L / corners, apothem = std::cos(turn / 2);
  const Real size = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
  std::vector<Vector> offers{x, {0, 0, 0}};
  for (int j = 0; j < corners; ++j) {
    const Vector side{-mu * apothem, std::cos((j + 0.5L) * turn), std::sin((j + 0.5L) * turn)};
    const Vector edge{1, mu * std::cos(j * turn), mu * std::sin(j * turn)};
    Real out = 0, along = 0;
    for (int r = 0; r < 3; ++r) out += side[r] * x[r], along += edge[r] * x[r];
    out /= 1 + mu * mu * apothem * apothem, along /= 1 + mu * mu;
    offers.push_back({x[0] - out * side[0], x[1] - out * side[1], x[2] - out * side[2]});
    offers.push_back({along, along * edge[1], along * edge[2]});
  }
  Vector nearest;
  Real least = INFINITY;
  for (const Vector& offer : offers) {
    Real beyond = -offer[0];
    for (int j = 0; j < corners; ++j)
      beyond = std::max(beyond, std::cos((j + 0.5L) * turn) * offer[1] + std::sin((j + 0.5L) * turn) * offer[2] -
                                    mu * apothem * offer[0]);
    const Real distance = std::hypot(offer[0] - x[0], offer[1] - x[1], offer[2] - x[2]);
    if (beyond <= 1e-17L * size * (1 + mu) && distance < least) least = distance, nearest = offer;
  }
  return nearest;
}

Vector searchNearest(const ContactProblem& problem, const Block& block, const Vector& x) {
  if (block.kind == BlockKind::kContact)
    return problem.law == Law::kPyramid ? searchNearestInPyramid(block.mu, problem.directions, x)
                                        : searchNearestInCone(block.mu, x);
  Vector out = x;
  for (Real& value : out) {
    if (block.kind == BlockKind::kAtLeast && !(value > 0)) value = 0;
    if (block.kind == BlockKind::kBox) value = std::min<Real>(std::max<Real>(value, block.lo), block.hi);
  }
  return out;
}

}  // namespace rigor::reference
