// Random numbers without a state: each is a function of a seed and of where it is drawn. The same bits on every CPU.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "math/scalar.h"

namespace rigor {

/// Every bit of the answer depends on every bit of x (the finaliser of SplitMix64; a bijection).
inline std::uint64_t mixBits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Uniform in (0, 1), one of 2⁵³ values that lie evenly and never at an end.
inline double uniformOf(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

/// log x of a positive, normal x. With x = m·2ᵉ, m in [√½, √2), and s = (m − 1)/(m + 1): log m = 2(s + s³/3 + s⁵/5 + …); |s| is
/// below 0.172, so that the first term left out is below 1e-18. The C library's differs between CPUs.
inline double naturalLog(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < std::numbers::sqrt2 / 2.0) m *= 2.0, --exponent;
  const double s = (m - 1.0) / (m + 1.0), z = s * s;
  double series = 0.0;
  for (int k = 23; k >= 3; k -= 2) series = (series + 1.0 / k) * z;
  return 2.0 * (s + s * series) + exponent * std::numbers::ln2;
}

/// Normally distributed with variance 1 (Box and Muller): number `index` of draw `draw`.
inline double standardNormal(std::uint64_t seed, std::uint64_t draw, std::uint64_t index) {
  const std::uint64_t first = mixBits(mixBits(mixBits(seed) ^ draw) ^ index), second = mixBits(first);
  return std::sqrt(-2.0 * naturalLog(uniformOf(first))) * sincos(2.0 * std::numbers::pi * uniformOf(second)).cos;
}

}  // namespace rigor
