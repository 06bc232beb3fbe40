// Dual numbers (rigor/dual.h) as the scalar of a kernel: the verbs of math/scalar.h.
#pragma once

#include "math/scalar.h"
#include "rigor/dual.h"

namespace rigor {

template <int N>
constexpr Dual<N> select(bool mask, const Dual<N>& a, const Dual<N>& b) {
  return mask ? a : b;
}
template <int N>
Dual<N> absolute(const Dual<N>& a) {
  return abs(a);
}
template <int N>
constexpr Dual<N> roundToInteger(const Dual<N>& a) {
  return roundToInteger(a.value);
}
template <int N>
Dual<N> squareRoot(const Dual<N>& a) {
  return sqrt(a);
}

}  // namespace rigor
