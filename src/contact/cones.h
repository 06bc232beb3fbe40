// The sets K that impulses must stay in, and the nearest point P_K of each.
#pragma once

#include <cmath>

namespace rigor {

/// Friction cone {|t| ≤ μ n}, x = (n, t, t). Moves x to the nearest point of the cone.
inline void projectOnFrictionCone(double mu, double x[3]) {
  const double length = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (length <= mu * x[0]) return;
  const double along = x[0] + mu * length;  // (1 + μ²) times the normal part of the nearest point of the mantle
  if (along <= 0.0) {                       // x lies in the polar cone: the apex is nearest
    x[0] = x[1] = x[2] = 0.0;
    return;
  }
  x[0] = along / (1.0 + mu * mu);
  const double shrink = length > 0.0 ? mu * x[0] / length : 0.0;
  x[1] *= shrink;
  x[2] *= shrink;
}

/// Half line [0, ∞).
inline double projectOnHalfLine(double x) { return x > 0.0 ? x : 0.0; }

/// Interval [lo, hi]; the bounds may be infinite.
inline double projectOnInterval(double lo, double hi, double x) { return x < lo ? lo : (x > hi ? hi : x); }

}  // namespace rigor
