// The sets K that impulses must stay in, and the nearest point P_K of each.
#pragma once

#include <cmath>

namespace rigor {

/// √(a² + b²), also where the squares leave the range of doubles.
inline double lengthOf(double a, double b) {
  const double length = std::sqrt(a * a + b * b);
  return length > 1e-140 && length < 1e150 ? length : std::hypot(a, b);
}

/// Friction cone {|t| ≤ μ n}, x = (n, t, t). Moves x to the nearest point of the cone. Without friction the cone is the
/// half line n ≥ 0: a pull (n < 0) is outside whatever μ is, also where μ n is −0.
inline void projectOnFrictionCone(double mu, double x[3]) {
  const double length = lengthOf(x[1], x[2]);
  if (x[0] >= 0.0 && length <= mu * x[0]) return;
  // Nearest point of the mantle: x along the ray (1, μ)/√(1 + μ²), divided by the larger entry so that nothing overflows.
  const bool flat = mu > 1.0;
  const double slope = flat ? 1.0 / mu : mu;
  const double along = (flat ? slope * x[0] + length : x[0] + slope * length) / (1.0 + slope * slope);
  if (along <= 0.0) {  // x lies in the polar cone: the apex is nearest
    x[0] = x[1] = x[2] = 0.0;
    return;
  }
  const double radius = flat ? along : slope * along;
  x[0] = flat ? slope * along : along;
  const double shrink = length > 0.0 ? radius / length : 0.0;
  x[1] *= shrink;
  x[2] *= shrink;
}

/// Half line [0, ∞). Not a number stays what it is, so that the judge sees it.
inline double projectOnHalfLine(double x) { return x < 0.0 ? 0.0 : x; }

/// Interval [lo, hi]; the bounds may be infinite.
inline double projectOnInterval(double lo, double hi, double x) { return x < lo ? lo : (x > hi ? hi : x); }

}  // namespace rigor
