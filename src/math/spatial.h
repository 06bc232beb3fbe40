// Spatial vectors and inertia in world axes about one point O per tree: no transforms remain, only additions.
//
// Linear before angular. A motion is (velocity of the body point that is at O, angular velocity), a force is (force,
// torque about O). Inertia of a composite body is the sum of ten numbers.
#pragma once

#include "math/vec3.h"

namespace rigor {

template <class T>
struct Motion {
  Vec3<T> linear, angular;

  RIGOR_INLINE Motion& operator+=(const Motion& b) { return linear += b.linear, angular += b.angular, *this; }
  RIGOR_INLINE friend Motion operator+(const Motion& a, const Motion& b) {
    return {a.linear + b.linear, a.angular + b.angular};
  }
  RIGOR_INLINE friend Motion operator*(const T& s, const Motion& a) { return {s * a.linear, s * a.angular}; }
};

template <class T>
struct Force {
  Vec3<T> linear, angular;

  RIGOR_INLINE Force& operator+=(const Force& b) { return linear += b.linear, angular += b.angular, *this; }
  RIGOR_INLINE Force& operator-=(const Force& b) { return linear -= b.linear, angular -= b.angular, *this; }
  RIGOR_INLINE friend Force operator+(const Force& a, const Force& b) {
    return {a.linear + b.linear, a.angular + b.angular};
  }
  RIGOR_INLINE friend Force operator-(const Force& a, const Force& b) {
    return {a.linear - b.linear, a.angular - b.angular};
  }
  RIGOR_INLINE friend Force operator*(const T& s, const Force& a) { return {s * a.linear, s * a.angular}; }
};

template <class T>
RIGOR_INLINE T dot(const Motion<T>& motion, const Force<T>& force) {
  return dot(motion.linear, force.linear) + dot(motion.angular, force.angular);
}

/// Rate of a motion vector b that is carried along by a body moving with a.
template <class T>
RIGOR_INLINE Motion<T> cross(const Motion<T>& a, const Motion<T>& b) {
  return {cross(a.angular, b.linear) + cross(a.linear, b.angular), cross(a.angular, b.angular)};
}

/// Rate of a force vector that is carried along by a body moving with a.
template <class T>
RIGOR_INLINE Force<T> cross(const Motion<T>& a, const Force<T>& f) {
  return {cross(a.angular, f.linear), cross(a.angular, f.angular) + cross(a.linear, f.linear)};
}

/// Inertia about O: mass, first moment h = m·c, second moment about O.
template <class T>
struct Inertia {
  T mass{};
  Vec3<T> moment;
  Sym3<T> rotational;

  RIGOR_INLINE Inertia& operator+=(const Inertia& b) {
    return mass += b.mass, moment += b.moment, rotational += b.rotational, *this;
  }
  /// Momentum of a motion: (m v + ω × h, h × v + I ω).
  RIGOR_INLINE friend Force<T> operator*(const Inertia& I, const Motion<T>& a) {
    return {I.mass * a.linear + cross(a.angular, I.moment), cross(I.moment, a.linear) + I.rotational * a.angular};
  }
};

/// Inertia about O of a mass with its centre at c, from the rotational inertia about c in the same axes.
template <class T>
RIGOR_INLINE Inertia<T> inertiaAbout(T mass, const Vec3<T>& c, const Sym3<T>& about_centre) {
  const Vec3<T> h = mass * c;
  Sym3<T> I = about_centre;
  I.xx += h.y * c.y + h.z * c.z;
  I.yy += h.x * c.x + h.z * c.z;
  I.zz += h.x * c.x + h.y * c.y;
  I.xy -= h.x * c.y;
  I.xz -= h.x * c.z;
  I.yz -= h.y * c.z;
  return {mass, h, I};
}

}  // namespace rigor
