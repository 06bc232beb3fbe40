// Four numbers of one kernel side by side, in whole registers where the scalar is a double. Unlike packs (pack.h), whose
// lanes are environments, these are columns of one matrix: the kernel itself knows about them.
#pragma once

#include <cstring>

#include "math/pair.h"

namespace rigor {

template <class T>
struct Four {
  T value[4];

  Four() = default;
  RIGOR_INLINE Four(const T& x) : value{x, x, x, x} {}

  RIGOR_INLINE const T& lane(int i) const { return value[i]; }
  RIGOR_INLINE void setLane(int i, const T& x) { value[i] = x; }
  RIGOR_INLINE friend Four operator*(const Four& a, const Four& b) {
    Four c;
    for (int i = 0; i < 4; ++i) c.value[i] = a.value[i] * b.value[i];
    return c;
  }
  RIGOR_INLINE Four& operator+=(const Four& b) {
    for (int i = 0; i < 4; ++i) value[i] += b.value[i];
    return *this;
  }
  RIGOR_INLINE Four& operator-=(const Four& b) {
    for (int i = 0; i < 4; ++i) value[i] -= b.value[i];
    return *this;
  }
  RIGOR_INLINE void storeThree(T* to) const {
    for (int i = 0; i < 3; ++i) to[i] = value[i];
  }
};

/// Two registers, also in units that are compiled for wider ones: the type is the same in all of them.
template <>
struct Four<double> {
  Pair low, high;

  Four() = default;
  RIGOR_INLINE Four(double x) : low(x), high(x) {}
  RIGOR_INLINE Four(const Pair& a, const Pair& b) : low(a), high(b) {}

  RIGOR_INLINE double lane(int i) const { return i < 2 ? low.lane(i) : high.lane(i - 2); }
  RIGOR_INLINE void setLane(int i, double x) { i < 2 ? low.setLane(i, x) : high.setLane(i - 2, x); }
  RIGOR_INLINE friend Four operator*(const Four& a, const Four& b) { return {a.low * b.low, a.high * b.high}; }
  RIGOR_INLINE Four& operator+=(const Four& b) { return low += b.low, high += b.high, *this; }
  RIGOR_INLINE Four& operator-=(const Four& b) { return low -= b.low, high -= b.high, *this; }
  RIGOR_INLINE void storeThree(double* to) const {
    std::memcpy(to, &low, sizeof low);  // the first register as a whole
    to[2] = high.lane(0);
  }
};

}  // namespace rigor
