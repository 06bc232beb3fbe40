// Rotations: quaternions (w, x, y, z), exponential, logarithm and their derivatives.
//
// exp maps a rotation vector θ to a rotation. Left and right Jacobians tell how a change of θ turns the result:
// exp(θ + δ) = exp(Jl δ)·exp(θ) = exp(θ)·exp(Jr δ), Jr(θ) = Jl(θ)ᵀ = Jl(−θ).
#pragma once

#include "math/vec3.h"

namespace rigor {

template <class T>
struct Quat {
  T w{1}, x{}, y{}, z{};

  friend Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
};

template <class T>
Quat<T> normalized(const Quat<T>& q) {
  const T s = 1.0 / squareRoot(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

/// Rotation matrix of a unit quaternion.
template <class T>
Mat3<T> toMatrix(const Quat<T>& q) {
  const T x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const T xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
  const T wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  return {
      {1.0 - (yy + zz), xy + wz, xz - wy}, {xy - wz, 1.0 - (xx + zz), yz + wx}, {xz + wy, yz - wx, 1.0 - (xx + yy)}};
}

// Turns below 0.3 rad, all that a step takes, come from series whose first omitted term is below 1e-17 of the result.

/// Unit quaternion of a rotation vector.
template <class T>
Quat<T> expQuat(const Vec3<T>& theta) {
  const T a2 = 0.25 * dot(theta, theta);
  const auto small = a2 < T(0.0225);
  const T sinc = 1.0 - a2 * (1.0 / 6 - a2 * (1.0 / 120 - a2 * (1.0 / 5040 - a2 * (1.0 / 362880 - a2 / 39916800.0))));
  const T cosine = 1.0 - a2 * (1.0 / 2 - a2 * (1.0 / 24 - a2 * (1.0 / 720 - a2 * (1.0 / 40320 - a2 / 3628800.0))));
  const T s = 0.5 * sinc;
  if (decides(small)) return {cosine, s * theta.x, s * theta.y, s * theta.z};

  const T a = squareRoot(select(small, T(1.0), a2));
  const SinCos<T> sc = sincos(a);
  const T half_sinc = select(small, s, 0.5 * (sc.sin / a));
  return {select(small, cosine, sc.cos), half_sinc * theta.x, half_sinc * theta.y, half_sinc * theta.z};
}

/// Rotation vector of a unit quaternion, |θ| ≤ π. |v|/(1 + |w|) is the tangent of a quarter of the angle: at most 1.
template <class T>
Vec3<T> logQuat(const Quat<T>& q) {
  const T sign = select(q.w < T(0.0), T(-1.0), T(1.0));  // q and −q are the same rotation
  const Vec3<T> tangent = (sign / (1.0 + absolute(q.w))) * Vec3<T>{q.x, q.y, q.z};
  return (4.0 * arctanRatioOfSquare(dot(tangent, tangent))) * tangent;
}

/// Rotation vector θ of the turn from R to R_end, exp(θ) = R_end Rᵀ, |θ| < π. Quaternion parts straight from the columns:
/// 4w² = 1 + Σ r_k·r′_k and 4w·(x, y, z) = Σ r_k × r′_k; θ = 2·atan(|xyz|/w).
template <class T>
Vec3<T> rotationBetween(const Mat3<T>& R, const Mat3<T>& R_end) {
  const T square = maximum(1.0 + dot(R.x, R_end.x) + dot(R.y, R_end.y) + dot(R.z, R_end.z), T(1e-12));
  const Vec3<T> sum = cross(R.x, R_end.x) + cross(R.y, R_end.y) + cross(R.z, R_end.z);
  const Vec3<T> tangent = (1.0 / square) * sum;
  return (2.0 * arctanRatioOfSquare(dot(tangent, tangent))) * tangent;
}

/// Coefficients of the Jacobians of exp at angle a: Jl = I + c1·θ× + c2·θ×θ×, Jl⁻¹ = I − ½·θ× + c3·θ×θ×.
template <class T>
struct ExpCoefficients {
  T c1, c2, c3;
};

template <class T>
RIGOR_INLINE ExpCoefficients<T> expCoefficients(const T& a2) {
  const auto small = a2 < T(0.09);
  T s1 = 1.0 / 87178291200;
  s1 = 1.0 / 479001600 - a2 * s1;
  s1 = 1.0 / 3628800 - a2 * s1;
  s1 = 1.0 / 40320 - a2 * s1;
  s1 = 1.0 / 720 - a2 * s1;
  s1 = 1.0 / 24 - a2 * s1;
  s1 = 1.0 / 2 - a2 * s1;
  T s2 = 1.0 / 6227020800;
  s2 = 1.0 / 39916800 - a2 * s2;
  s2 = 1.0 / 362880 - a2 * s2;
  s2 = 1.0 / 5040 - a2 * s2;
  s2 = 1.0 / 120 - a2 * s2;
  s2 = 1.0 / 6 - a2 * s2;
  T s3 = 1.0 / 74724249600;  // Bernoulli numbers: |B_2k|/(2k)!
  s3 = 691.0 / 1307674368000 + a2 * s3;
  s3 = 1.0 / 47900160 + a2 * s3;
  s3 = 1.0 / 1209600 + a2 * s3;
  s3 = 1.0 / 30240 + a2 * s3;
  s3 = 1.0 / 720 + a2 * s3;
  s3 = 1.0 / 12 + a2 * s3;
  if (decides(small)) return {s1, s2, s3};

  const T safe2 = select(small, T(1.0), a2);
  const T a = squareRoot(safe2);
  const SinCos<T> sc = sincos(a);
  const T one_minus_cos = 1.0 - sc.cos;
  const T c1 = one_minus_cos / safe2;
  const T c2 = (a - sc.sin) / (safe2 * a);
  const T c3 = (1.0 - 0.5 * a * sc.sin / select(one_minus_cos > T(0.0), one_minus_cos, T(1.0))) / safe2;
  return {select(small, s1, c1), select(small, s2, c2), select(small, s3, c3)};
}

/// Jl(θ); Jr(θ) is its transpose.
template <class T>
Mat3<T> leftJacobian(const Vec3<T>& theta, const ExpCoefficients<T>& c) {
  const T d = 1.0 - c.c2 * dot(theta, theta);  // θ×θ× = θθᵀ − θ·θ I
  const Vec3<T> a = c.c1 * theta, b = c.c2 * theta;
  return {{d + b.x * theta.x, b.x * theta.y + a.z, b.x * theta.z - a.y},
          {b.y * theta.x - a.z, d + b.y * theta.y, b.y * theta.z + a.x},
          {b.z * theta.x + a.y, b.z * theta.y - a.x, d + b.z * theta.z}};
}

/// Jl(θ)⁻ᵀ b = Jl(−θ)⁻¹ b
template <class T>
Vec3<T> leftJacobianInverseTransposeTimes(const Vec3<T>& theta, const ExpCoefficients<T>& c, const Vec3<T>& b) {
  const Vec3<T> first = cross(theta, b);
  return b + T(0.5) * first + c.c3 * cross(theta, first);
}

}  // namespace rigor
