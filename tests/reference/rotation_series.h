// Matrix exponential and its Jacobian as plain power series in long double: slow and beyond doubt.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/vec3.h"

namespace rigor {

inline constexpr double kHalfTurn = 3.14159265358979323846;

inline double distance(const Mat3<double>& A, const Mat3<double>& B) {
  double worst = 0.0;
  for (const Vec3<double>& d : {A.x - B.x, A.y - B.y, A.z - B.z})
    worst = std::max({worst, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  return worst;
}

namespace slow {

/// Σ θ×ᵏ / (k + shift)! with shift 0 (exponential) or 1 (its left Jacobian).
inline Mat3<double> crossSeries(const Vec3<double>& theta, int shift) {
  const long double t[3] = {theta.x, theta.y, theta.z};
  const long double X[3][3] = {{0, -t[2], t[1]}, {t[2], 0, -t[0]}, {-t[1], t[0], 0}};
  long double term[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, sum[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 1; k < 150; ++k) {
    long double next[3][3] = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        for (int l = 0; l < 3; ++l) next[i][j] += term[i][l] * X[l][j];
        next[i][j] /= k + shift;
      }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum[i][j] += term[i][j] = next[i][j];
  }
  const auto column = [&](int j) {
    return Vec3<double>{static_cast<double>(sum[0][j]), static_cast<double>(sum[1][j]), static_cast<double>(sum[2][j])};
  };
  return {column(0), column(1), column(2)};
}

/// The series loses digits to cancellation above a few radians, so the angle is halved and the result squared.
inline Mat3<double> exponential(const Vec3<double>& theta) {
  if (norm(theta) < 8.0) return crossSeries(theta, 0);
  const Mat3<double> half = exponential(0.5 * theta);
  return half * half;
}

/// Jl(2θ) = ½ (I + exp θ) Jl(θ)
inline Mat3<double> leftJacobian(const Vec3<double>& theta) {
  if (norm(theta) < 8.0) return crossSeries(theta, 1);
  const Mat3<double> half = leftJacobian(0.5 * theta);
  return 0.5 * ((Mat3<double>::identity() + exponential(0.5 * theta)) * half);
}

}  // namespace slow
}  // namespace rigor
