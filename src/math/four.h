// Four numbers of one kernel side by side, in whole registers where the scalar is a double. Unlike packs (pack.h), whose
// lanes are environments, these are columns of one matrix: the kernel itself knows about them.
#pragma once

#include <cstring>

#include "math/pack.h"

namespace rigor {

template <class T>
struct PlainFour {
  T value[4];

  PlainFour() = default;
  RIGOR_INLINE PlainFour(const T& x) : value{x, x, x, x} {}

  RIGOR_INLINE const T& lane(int i) const { return value[i]; }
  RIGOR_INLINE void setLane(int i, const T& x) { value[i] = x; }
  RIGOR_INLINE friend PlainFour operator*(const PlainFour& a, const PlainFour& b) {
    PlainFour c;
    for (int i = 0; i < 4; ++i) c.value[i] = a.value[i] * b.value[i];
    return c;
  }
  RIGOR_INLINE PlainFour& operator+=(const PlainFour& b) {
    for (int i = 0; i < 4; ++i) value[i] += b.value[i];
    return *this;
  }
  RIGOR_INLINE PlainFour& operator-=(const PlainFour& b) {
    for (int i = 0; i < 4; ++i) value[i] -= b.value[i];
    return *this;
  }
};

template <class T>
struct FourOf {
  using Type = PlainFour<T>;
};
/// Two registers, also in units that are compiled for wider ones: it must be the same type in all of them.
template <>
struct FourOf<double> {
  using Type = Pack4<2>;
};
template <class T>
using Four = typename FourOf<T>::Type;

/// The first three to memory.
template <class T>
RIGOR_INLINE void storeThree(const PlainFour<T>& four, T* to) {
  for (int i = 0; i < 3; ++i) to[i] = four.value[i];
}
RIGOR_INLINE void storeThree(const Pack4<2>& four, double* to) {
  std::memcpy(to, &four, 2 * sizeof(double));  // the first register as a whole
  to[2] = four.lane(2);
}

}  // namespace rigor
