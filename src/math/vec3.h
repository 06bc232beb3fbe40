// Vectors and matrices of three, plain and templated over the scalar. No alignment, no expression templates.
#pragma once

#include "math/scalar.h"

namespace rigor {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  RIGOR_INLINE Vec3& operator+=(const Vec3& b) { return x += b.x, y += b.y, z += b.z, *this; }
  RIGOR_INLINE Vec3& operator-=(const Vec3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  RIGOR_INLINE Vec3& operator*=(const T& s) { return x *= s, y *= s, z *= s, *this; }
  RIGOR_INLINE friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  RIGOR_INLINE friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  RIGOR_INLINE friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  RIGOR_INLINE friend Vec3 operator*(const T& s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  RIGOR_INLINE friend Vec3 operator*(const Vec3& a, const T& s) { return {s * a.x, s * a.y, s * a.z}; }
};

template <class T>
RIGOR_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
RIGOR_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
RIGOR_INLINE T norm(const Vec3<T>& a) {
  return squareRoot(dot(a, a));
}
/// |x| + |y| + |z|
template <class T>
RIGOR_INLINE T absoluteSum(const Vec3<T>& a) {
  return absolute(a.x) + absolute(a.y) + absolute(a.z);
}

/// A 3 × 3 matrix by its columns; of a rotation R_AB these are the axes of B in A.
template <class T>
struct Mat3 {
  Vec3<T> x, y, z;

  static Mat3 identity() { return {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}; }
  RIGOR_INLINE friend Vec3<T> operator*(const Mat3& A, const Vec3<T>& b) { return A.x * b.x + A.y * b.y + A.z * b.z; }
  RIGOR_INLINE friend Mat3 operator*(const Mat3& A, const Mat3& B) { return {A * B.x, A * B.y, A * B.z}; }
  RIGOR_INLINE friend Mat3 operator+(const Mat3& A, const Mat3& B) { return {A.x + B.x, A.y + B.y, A.z + B.z}; }
  RIGOR_INLINE friend Mat3 operator*(const T& s, const Mat3& A) { return {s * A.x, s * A.y, s * A.z}; }
};

template <class T>
RIGOR_INLINE Mat3<T> transpose(const Mat3<T>& A) {
  return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}
/// Aᵀ b
template <class T>
RIGOR_INLINE Vec3<T> transposeTimes(const Mat3<T>& A, const Vec3<T>& b) {
  return {dot(A.x, b), dot(A.y, b), dot(A.z, b)};
}

/// Symmetric 3 × 3 matrix.
template <class T>
struct Sym3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  RIGOR_INLINE Sym3& operator+=(const Sym3& b) {
    return xx += b.xx, yy += b.yy, zz += b.zz, xy += b.xy, xz += b.xz, yz += b.yz, *this;
  }
  RIGOR_INLINE friend Vec3<T> operator*(const Sym3& A, const Vec3<T>& b) {
    return {A.xx * b.x + A.xy * b.y + A.xz * b.z, A.xy * b.x + A.yy * b.y + A.yz * b.z,
            A.xz * b.x + A.yz * b.y + A.zz * b.z};
  }
};

/// R A Rᵀ: a symmetric tensor in the axes that R leads to.
template <class T>
RIGOR_INLINE Sym3<T> rotate(const Mat3<T>& R, const Sym3<T>& A) {
  const Vec3<T> p = R.x * A.xx + R.y * A.xy + R.z * A.xz;  // columns of R·A
  const Vec3<T> q = R.x * A.xy + R.y * A.yy + R.z * A.yz;
  const Vec3<T> r = R.x * A.xz + R.y * A.yz + R.z * A.zz;
  return {p.x * R.x.x + q.x * R.y.x + r.x * R.z.x, p.y * R.x.y + q.y * R.y.y + r.y * R.z.y,
          p.z * R.x.z + q.z * R.y.z + r.z * R.z.z, p.x * R.x.y + q.x * R.y.y + r.x * R.z.y,
          p.x * R.x.z + q.x * R.y.z + r.x * R.z.z, p.y * R.x.z + q.y * R.y.z + r.y * R.z.z};
}

/// Pose X_AB: axes of B in A as the columns of R, origin of B in A.
template <class T>
struct Transform {
  Mat3<T> R;
  Vec3<T> p;

  static Transform identity() { return {Mat3<T>::identity(), {}}; }
  RIGOR_INLINE friend Transform operator*(const Transform& A, const Transform& B) {
    return {A.R * B.R, A.p + A.R * B.p};
  }
  RIGOR_INLINE friend Vec3<T> operator*(const Transform& A, const Vec3<T>& point) { return A.p + A.R * point; }
};

}  // namespace rigor
