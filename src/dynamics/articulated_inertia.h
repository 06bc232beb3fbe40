// Inertia of a link with everything that hangs on it through joints that give way, and how a freedom is eliminated.
#pragma once

#include "math/spatial.h"

namespace rigor {

/// Symmetric 6 × 6 articulated inertia: [linear, coupling; couplingᵀ, angular].
template <class T>
struct ArticulatedInertia {
  Sym3<T> linear;
  Mat3<T> coupling;  ///< force from angular acceleration
  Sym3<T> angular;

  RIGOR_INLINE friend Force<T> operator*(const ArticulatedInertia& I, const Motion<T>& a) {
    return {I.linear * a.linear + I.coupling * a.angular, transposeTimes(I.coupling, a.linear) + I.angular * a.angular};
  }
  RIGOR_INLINE ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
    linear += b.linear;
    coupling = coupling + b.coupling;
    angular += b.angular;
    return *this;
  }
  /// A rigid body more: its mass on the diagonal, its moment in the coupling, m v + ω × h = m v − h × ω.
  RIGOR_INLINE ArticulatedInertia& operator+=(const Inertia<T>& b) {
    const Vec3<T>& h = b.moment;
    linear.xx += b.mass, linear.yy += b.mass, linear.zz += b.mass;
    coupling.x.y -= h.z, coupling.x.z += h.y;
    coupling.y.x += h.z, coupling.y.z -= h.x;
    coupling.z.x -= h.y, coupling.z.y += h.x;
    angular += b.rotational;
    return *this;
  }
};

template <class T>
ArticulatedInertia<T> makeArticulated(const Inertia<T>& I) {
  const T o(0.0);
  ArticulatedInertia<T> made{{o, o, o, o, o, o}, {{o, o, o}, {o, o, o}, {o, o, o}}, {o, o, o, o, o, o}};
  made += I;
  return made;
}

/// −s·u uᵀ
template <class T>
RIGOR_INLINE Sym3<T> minusSquare(const T& s, const Vec3<T>& u) {
  const Vec3<T> w = -(s * u);
  return {w.x * u.x, w.y * u.y, w.z * u.z, w.x * u.y, w.x * u.z, w.y * u.z};
}

/// I − s·U Uᵀ: what is left of an inertia, rigid or articulated, that gives way in one direction.
template <class T, class AnyInertia>
RIGOR_INLINE ArticulatedInertia<T> withoutRankOne(const AnyInertia& I, const Force<T>& U, const T& s) {
  const Vec3<T> w = -(s * U.angular);
  ArticulatedInertia<T> rest{
      minusSquare(s, U.linear), {w.x * U.linear, w.y * U.linear, w.z * U.linear}, minusSquare(s, U.angular)};
  rest += I;
  return rest;
}

/// A = L D Lᵀ of a symmetric positive definite 3 × 3 matrix.
template <class T>
struct Factors3 {
  T inverse_x, inverse_y, inverse_z;  ///< 1/D
  T yx, zx, zy;                       ///< L

  RIGOR_INLINE explicit Factors3(const Sym3<T>& A) {
    inverse_x = 1.0 / A.xx;
    yx = A.xy * inverse_x, zx = A.xz * inverse_x;
    inverse_y = 1.0 / (A.yy - yx * A.xy);
    const T below = A.yz - yx * A.xz;
    zy = below * inverse_y;
    inverse_z = 1.0 / ((A.zz - zx * A.xz) - zy * below);
  }

  /// A⁻¹ b
  RIGOR_INLINE Vec3<T> solve(const Vec3<T>& b) const {
    const T y = b.y - yx * b.x, z = (b.z - zx * b.x) - zy * y;
    const T c = z * inverse_z, d = y * inverse_y - zy * c;
    return {(b.x * inverse_x - yx * d) - zx * c, d, c};
  }
};

/// I⁻¹ f, by blocks: the linear part is eliminated first.
template <class T>
RIGOR_INLINE Motion<T> solve(const ArticulatedInertia<T>& I, const Force<T>& f) {
  const Factors3<T> linear(I.linear);
  const Mat3<T> give{linear.solve(I.coupling.x), linear.solve(I.coupling.y), linear.solve(I.coupling.z)};
  const Vec3<T> free = linear.solve(f.linear);
  Sym3<T> A = I.angular;
  A.xx -= dot(I.coupling.x, give.x), A.yy -= dot(I.coupling.y, give.y), A.zz -= dot(I.coupling.z, give.z);
  A.xy -= dot(I.coupling.x, give.y), A.xz -= dot(I.coupling.x, give.z), A.yz -= dot(I.coupling.y, give.z);
  const Vec3<T> alpha = Factors3<T>(A).solve(f.angular - transposeTimes(I.coupling, free));
  return {free - give * alpha, alpha};
}

}  // namespace rigor
