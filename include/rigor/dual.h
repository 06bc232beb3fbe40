// Dual numbers: a value together with its derivatives along N directions. A function that is computed with them returns its
// exact derivative, to rounding; its values have the bits of the same function of doubles.
#pragma once

#include <array>
#include <cmath>
#include <compare>

namespace rigor {

template <int N = 1>
struct Dual {
  double value = 0.0;
  std::array<double, N> tangent{};  ///< d value / d direction k

  constexpr Dual() = default;
  constexpr Dual(double constant) : value(constant) {}  // implicit: formulas mix duals with plain numbers
  constexpr Dual(double x, const std::array<double, N>& slopes) : value(x), tangent(slopes) {}

  /// The independent variable of one direction.
  static constexpr Dual variable(double x, int direction = 0) {
    Dual result(x);
    result.tangent[direction] = 1.0;
    return result;
  }

  /// What a function of one or two duals is: its value, and its partial derivatives there.
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

  // Functions of the C library, found without naming a namespace.

  friend Dual abs(const Dual& a) { return chain(std::fabs(a.value), a.value < 0.0 ? -1.0 : 1.0, a); }
  /// At 0 the slope is infinite. Roots are mostly taken of sums of squares, where 0 is a kink of the norm and 0 one of its
  /// slopes, so 0 it is: a NaN would spread to answers that are smooth there.
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return chain(root, root > 0.0 ? 0.5 / root : 0.0, a);
  }
  friend Dual exp(const Dual& a) { return chain(std::exp(a.value), std::exp(a.value), a); }
  friend Dual log(const Dual& a) { return chain(std::log(a.value), 1.0 / a.value, a); }
  friend Dual pow(const Dual& a, double exponent) {
    const double slope = exponent == 0.0 ? 0.0 : exponent * std::pow(a.value, exponent - 1.0);
    return chain(std::pow(a.value, exponent), slope, a);
  }
  friend Dual sin(const Dual& a) { return chain(std::sin(a.value), std::cos(a.value), a); }
  friend Dual cos(const Dual& a) { return chain(std::cos(a.value), -std::sin(a.value), a); }
  friend Dual tan(const Dual& a) {
    const double value = std::tan(a.value);
    return chain(value, 1.0 + value * value, a);
  }
  friend Dual asin(const Dual& a) { return chain(std::asin(a.value), 1.0 / std::sqrt(1.0 - a.value * a.value), a); }
  friend Dual acos(const Dual& a) { return chain(std::acos(a.value), -1.0 / std::sqrt(1.0 - a.value * a.value), a); }
  friend Dual atan(const Dual& a) { return chain(std::atan(a.value), 1.0 / (1.0 + a.value * a.value), a); }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double square = x.value * x.value + y.value * y.value;
    return chain(std::atan2(y.value, x.value), x.value / square, y, -y.value / square, x);
  }
  friend Dual sinh(const Dual& a) { return chain(std::sinh(a.value), std::cosh(a.value), a); }
  friend Dual cosh(const Dual& a) { return chain(std::cosh(a.value), std::sinh(a.value), a); }
  friend Dual tanh(const Dual& a) {
    const double value = std::tanh(a.value);
    return chain(value, 1.0 - value * value, a);
  }
};

}  // namespace rigor
