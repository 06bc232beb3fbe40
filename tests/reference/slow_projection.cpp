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

Vector searchNearest(const Block& block, const Vector& x) {
  if (block.kind == BlockKind::kContact) return searchNearestInCone(block.mu, x);
  Vector out = x;
  for (Real& value : out) {
    if (block.kind == BlockKind::kAtLeast && !(value > 0)) value = 0;
    if (block.kind == BlockKind::kBox) value = std::min<Real>(std::max<Real>(value, block.lo), block.hi);
  }
  return out;
}

}  // namespace rigor::reference
