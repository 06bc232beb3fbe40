// How a link moves per unit of force on it, with everything between it and the world: the inverse of what aba.h collects.
#pragma once

#include "math/spatial.h"

namespace rigor {

/// Symmetric map from forces to motions: [linear, coupling; couplingᵀ, angular].
template <class T>
struct Mobility {
  Sym3<T> linear;
  Mat3<T> coupling;  ///< linear motion from torque
  Sym3<T> angular;

  friend Motion<T> operator*(const Mobility& M, const Force<T>& f) {
    return {M.linear * f.linear + M.coupling * f.angular, transposeTimes(M.coupling, f.linear) + M.angular * f.angular};
  }
};

/// M += a bᵀ + b aᵀ
template <class T>
void addSymmetric(Mobility<T>& M, const Motion<T>& a, const Motion<T>& b) {
  const auto add = [](Sym3<T>& A, const Vec3<T>& x, const Vec3<T>& y) {
    A.xx += 2.0 * (x.x * y.x), A.yy += 2.0 * (x.y * y.y), A.zz += 2.0 * (x.z * y.z);
    A.xy += x.x * y.y + x.y * y.x, A.xz += x.x * y.z + x.z * y.x, A.yz += x.y * y.z + x.z * y.y;
  };
  add(M.linear, a.linear, b.linear);
  add(M.angular, a.angular, b.angular);
  M.coupling.x += a.linear * b.angular.x + b.linear * a.angular.x;
  M.coupling.y += a.linear * b.angular.y + b.linear * a.angular.y;
  M.coupling.z += a.linear * b.angular.z + b.linear * a.angular.z;
}

/// Ω after one more freedom: with w = Ω U, Ω − (S wᵀ + w Sᵀ)/d + S Sᵀ (1 + U·w/d)/d.
template <class T>
void passFreedom(Mobility<T>& mobility, const Motion<T>& S, const Force<T>& U, T inverse) {
  const Motion<T> w = mobility * U;
  const T half = 0.5 * (1.0 + inverse * dot(w, U));
  addSymmetric(mobility, inverse * S, half * S + T(-1.0) * w);
}

}  // namespace rigor
