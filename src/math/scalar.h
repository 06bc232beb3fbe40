// The only mathematics that kernels may use on a scalar T: arithmetic, comparisons, select and the functions below.
//
// Nothing here branches on a value, but to skip what is not used (`decides`), so one source runs as double, as lanes of doubles and as dual numbers, and gives
// the same bits in double and in lanes. sin and cos are our own because those of the C library differ between CPUs.
#pragma once

#include <cmath>

/// Kernels work on structs of three to ten numbers; a call that is not inlined moves all of them through memory.
#define RIGOR_INLINE [[gnu::always_inline]] inline

namespace rigor {

/// `mask ? a : b` without a branch on data; packs overload it lane by lane.
inline double select(bool mask, double a, double b) { return mask ? a : b; }
inline double squareRoot(double x) { return std::sqrt(x); }
inline double absolute(double x) { return std::fabs(x); }

/// Whether a kernel may skip what `select(mask, …)` would throw away: where a comparison is one truth value. The bits are
/// the same either way.
inline bool decides(bool mask) { return mask; }
template <class Mask>
constexpr bool decides(const Mask&) {
  return false;
}

template <class T>
T minimum(T a, T b) {
  return select(a < b, a, b);
}
template <class T>
T maximum(T a, T b) {
  return select(a > b, a, b);
}

/// Nearest integer for |x| < 2^51: adding 1.5·2^52 leaves no bits for the fraction.
template <class T>
T roundToInteger(T x) {
  constexpr double kMagic = 6755399441055744.0;
  return (x + kMagic) - kMagic;
}

template <class T>
struct SinCos {
  T sin, cos;
};

namespace detail {

/// Taylor series on |r| ≤ π/4; the first term left out is below 2.4e-18 of the result.
template <class T>
T sinSeries(T r) {
  const T x = r * r;
  T p = 1.0 / 355687428096000.0;
  p = p * x - 1.0 / 1307674368000.0;
  p = p * x + 1.0 / 6227020800.0;
  p = p * x - 1.0 / 39916800.0;
  p = p * x + 1.0 / 362880.0;
  p = p * x - 1.0 / 5040.0;
  p = p * x + 1.0 / 120.0;
  p = p * x - 1.0 / 6.0;
  return r + r * (x * p);
}

template <class T>
T cosSeries(T r) {
  const T x = r * r;
  T p = 1.0 / 20922789888000.0;
  p = p * x - 1.0 / 87178291200.0;
  p = p * x + 1.0 / 479001600.0;
  p = p * x - 1.0 / 3628800.0;
  p = p * x + 1.0 / 40320.0;
  p = p * x - 1.0 / 720.0;
  p = p * x + 1.0 / 24.0;
  return 1.0 - (0.5 * x - x * x * p);
}

}  // namespace detail

/// Sine and cosine. Error at most 1 unit in the last place of 1 (2.3e-16) for |x| ≤ 1.6e6 rad, where the three-part
/// π/2 of Cody and Waite subtracts exactly; beyond that the argument itself loses digits.
template <class T>
RIGOR_INLINE SinCos<T> sincos(T x) {
  const T k = roundToInteger(x * 0.63661977236758134308);
  const T r = ((x - k * 1.57079632673412561417e+00) - k * 6.07710050630396597660e-11) - k * 2.02226624879595063154e-21;
  const T s = detail::sinSeries(r), c = detail::cosSeries(r);

  // quadrant k mod 4 ∈ {−2, −1, 0, 1, 2} without integers
  const T quadrant = k - 4.0 * roundToInteger(0.25 * k);
  const T size = absolute(quadrant);
  const auto odd = size == T(1.0);
  const T sin_value = select(odd, quadrant * c, select(size > T(1.5), -s, s));
  const T cos_value = select(odd, -quadrant * s, select(size > T(1.5), -c, c));
  return {sin_value, cos_value};
}

/// atan(x)/x for x ≥ 0 and any size, 1 at 0. Two half-angle steps bring x below tan(π/16), where twelve terms of the
/// series reach 2e-17. Relative error below 1e-15.
template <class T>
T arctanRatio(T x) {
  const auto large = x > T(1.0);
  const T y = select(large, T(1.0) / select(large, x, T(1.0)), x);
  const T half = y / (1.0 + squareRoot(1.0 + y * y));
  const T quarter = half / (1.0 + squareRoot(1.0 + half * half));
  const T z = quarter * quarter;
  T series = -1.0 / 23.0;
  series = series * z + 1.0 / 21.0;
  series = series * z - 1.0 / 19.0;
  series = series * z + 1.0 / 17.0;
  series = series * z - 1.0 / 15.0;
  series = series * z + 1.0 / 13.0;
  series = series * z - 1.0 / 11.0;
  series = series * z + 1.0 / 9.0;
  series = series * z - 1.0 / 7.0;
  series = series * z + 1.0 / 5.0;
  series = series * z - 1.0 / 3.0;
  series = series * z + 1.0;
  const auto nonzero = y > T(0.0);
  const T safe_y = select(nonzero, y, T(1.0));
  const T small_ratio = select(nonzero, 4.0 * quarter * series / safe_y, T(1.0));
  const T safe_x = select(large, x, T(1.0));
  return select(large, (1.57079632679489661923 - 4.0 * quarter * series) / safe_x, small_ratio);
}

/// Angle of (x, y) from the x axis, in [−π, π]; 0 at the origin. Absolute error below 1e-15.
template <class T>
T arctan2(T y, T x) {
  const T high = absolute(y), wide = absolute(x);
  const auto steep = high > wide;
  const T longer = select(steep, high, wide), shorter = select(steep, wide, high);
  const T slope = shorter / select(longer > T(0.0), longer, T(1.0)), angle = slope * arctanRatio(slope);
  const T quarter = select(steep, 1.57079632679489661923 - angle, angle);
  const T half = select(x < T(0.0), 3.14159265358979323846 - quarter, quarter);
  return select(y < T(0.0), -half, half);
}

/// atan(x)/x from s = x². Below tan²(0.15), half a turn of 0.3 rad, nine terms of the series reach 2e-18 without a root.
template <class T>
T arctanRatioOfSquare(T s) {
  const auto small = s < T(0.0228);
  T series = -1.0 / 19.0;
  series = series * s + 1.0 / 17.0;
  series = series * s - 1.0 / 15.0;
  series = series * s + 1.0 / 13.0;
  series = series * s - 1.0 / 11.0;
  series = series * s + 1.0 / 9.0;
  series = series * s - 1.0 / 7.0;
  series = series * s + 1.0 / 5.0;
  series = series * s - 1.0 / 3.0;
  series = series * s + 1.0;
  if (decides(small)) return series;
  return select(small, series, arctanRatio(squareRoot(select(small, T(1.0), s))));
}

}  // namespace rigor
