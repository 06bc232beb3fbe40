// Numbers, vectors and rotations of the second opinion: long double, plain, its own.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace rigor::verify {

using Real = long double;
using Reals = std::vector<Real>;

inline constexpr Real kEps = 2.220446049250313e-16L;  ///< of the doubles that a recording consists of

struct Vec {
  Real x = 0, y = 0, z = 0;
};
inline Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator-(const Vec& a) { return {-a.x, -a.y, -a.z}; }
inline Vec operator*(Real s, const Vec& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Real dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(const Vec& a, const Vec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real norm(const Vec& a) { return std::sqrt(dot(a, a)); }
inline Real sumOfSizes(const Vec& a) { return std::fabs(a.x) + std::fabs(a.y) + std::fabs(a.z); }

/// The entry of a flat array of triples.
inline Vec vectorAt(const std::vector<double>& values, std::int64_t entry) {
  return {values[3 * entry], values[3 * entry + 1], values[3 * entry + 2]};
}

/// By columns.
struct Mat {
  Vec x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
};
inline Vec operator*(const Mat& A, const Vec& b) { return b.x * A.x + b.y * A.y + b.z * A.z; }
inline Mat operator*(const Mat& A, const Mat& B) { return {A * B.x, A * B.y, A * B.z}; }
inline Mat transpose(const Mat& A) { return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}}; }

struct Pose {
  Mat R;
  Vec p;
};
inline Pose operator*(const Pose& X, const Pose& inner) { return {X.R * inner.R, X.p + X.R * inner.p}; }

struct Quaternion {
  Real w = 1, x = 0, y = 0, z = 0;
};
inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quaternion normalized(const Quaternion& a) {
  const Real length = std::sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
  return {a.w / length, a.x / length, a.y / length, a.z / length};
}

/// The matrix of a unit quaternion.
inline Mat rotationOf(const Quaternion& given) {
  const Quaternion q = normalized(given);
  return {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y)},
          {2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x)},
          {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}};
}

/// The turn by the angle |θ| about θ.
inline Quaternion turnBy(const Vec& theta) {
  const Real angle = norm(theta);
  const Real s = angle > 1e-9L ? std::sin(angle / 2) / angle : (1 - angle * angle / 24) / 2;
  return {std::cos(angle / 2), s * theta.x, s * theta.y, s * theta.z};
}

/// θ with exp(θ) the rotation of the quaternion, |θ| ≤ π.
inline Vec rotationVector(Quaternion q) {
  if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  const Vec part{q.x, q.y, q.z};
  const Real s = norm(part);
  return (s > 1e-12L ? 2 * std::atan2(s, q.w) / s : 2 / q.w) * part;
}

/// θ with exp(θ) = R_end Rᵀ, |θ| < π: 2 sin|θ|·axis = Σ r × r′ and 1 + 2 cos|θ| = Σ r·r′.
inline Vec turnBetween(const Mat& R, const Mat& R_end) {
  const Vec part = 0.5L * (cross(R.x, R_end.x) + cross(R.y, R_end.y) + cross(R.z, R_end.z));
  const Real s = norm(part), c = (dot(R.x, R_end.x) + dot(R.y, R_end.y) + dot(R.z, R_end.z) - 1) / 2;
  return (s > 1e-12L ? std::atan2(s, c) / s : Real(1)) * part;
}

}  // namespace rigor::verify
