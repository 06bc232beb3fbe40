// Dual numbers: a value together with its derivatives along N directions. A kernel that runs on them returns the exact
// derivative of what it computes, to rounding; its values have the bits of the double kernel.
#pragma once

#include <array>
#include <compare>

#include "math/scalar.h"

namespace rigor {

template <int N = 1>
struct Dual {
  double value = 0.0;
  std::array<double, N> tangent{};  ///< d value / d direction k

  constexpr Dual() = default;
  constexpr Dual(double constant) : value(constant) {}  // implicit: kernels mix T with plain numbers
  constexpr Dual(double x, const std::array<double, N>& slopes) : value(x), tangent(slopes) {}

  /// The independent variable of one direction.
  static constexpr Dual variable(double x, int direction = 0) {
    Dual result(x);
    result.tangent[direction] = 1.0;
    return result;
  }

  friend constexpr Dual operator-(const Dual& a) { return chain(-a.value, -1.0, a); }
  friend constexpr Dual operator+(const Dual& a, const Dual& b) { return chain(a.value + b.value, 1.0, a, 1.0, b); }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) { return chain(a.value - b.value, 1.0, a, -1.0, b); }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    return chain(a.value * b.value, b.value, a, a.value, b);
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value / b.value;
    return chain(quotient, 1.0 / b.value, a, -quotient / b.value, b);
  }
  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  // Comparisons see values only: a derivative belongs to the side of a case distinction that the value is on.
  friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend constexpr std::partial_ordering operator<=>(const Dual& a, const Dual& b) { return a.value <=> b.value; }

  friend constexpr Dual select(bool mask, const Dual& a, const Dual& b) { return mask ? a : b; }
  friend constexpr Dual absolute(const Dual& a) { return a.value < 0.0 ? -a : chain(absolute(a.value), 1.0, a); }
  friend constexpr Dual roundToInteger(const Dual& a) { return roundToInteger(a.value); }

  /// At 0 the slope is infinite. The kernels take roots of sums of squares, where 0 is a kink of the norm and 0 one of
  /// its slopes, so 0 it is: a NaN would spread to answers that are smooth there.
  friend Dual squareRoot(const Dual& a) {
    const double root = squareRoot(a.value);
    return chain(root, root > 0.0 ? 0.5 / root : 0.0, a);
  }

 private:
  static constexpr Dual chain(double value, double slope, const Dual& a) {
    Dual result(value);
    for (int k = 0; k < N; ++k) result.tangent[k] = slope * a.tangent[k];
    return result;
  }
  static constexpr Dual chain(double value, double slope_a, const Dual& a, double slope_b, const Dual& b) {
    Dual result(value);
    for (int k = 0; k < N; ++k) result.tangent[k] = slope_a * a.tangent[k] + slope_b * b.tangent[k];
    return result;
  }
};

}  // namespace rigor
