// The cubic of Hermite between two rows, by their way and the derivatives at both: with s from 0 to 1 and Δ the length,
//
//     x(s) = x₀ + H(s)(x₁ − x₀) + Δ (s³ − 2s² + s) ẋ₀ + Δ (s³ − s²) ẋ₁,   H(s) = 3s² − 2s³
#pragma once

#include "math/scalar.h"

namespace rigor {

/// Weights of the way, of Δ times the first derivative and of Δ times the second one.
template <class T>
struct Hermite {
  T way, first, second;
};
template <class T>
Hermite<T> hermite(const T& s) {
  return {s * s * (3.0 - 2.0 * s), s * (1.0 - s) * (1.0 - s), s * s * (s - 1.0)};
}
/// Their derivatives by s.
template <class T>
Hermite<T> hermiteRate(const T& s) {
  return {6.0 * s * (1.0 - s), (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)};
}

}  // namespace rigor
