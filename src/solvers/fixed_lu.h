// LU without swaps for sizes known at compile time, fully unrolled: the matrices of one to four sticking contacts are
// factored in nearly every step of a walking robot, and loops of unknown length cost twice the arithmetic there.
#pragma once

#include "contact/row_product.h"

namespace rigor {

/// Rows of kSize entries, padded to an even number. Multipliers stay below the diagonal. False if a pivot shrinks
/// below `least` of its diagonal entry.
template <int kSize>
bool factorFixed(double* matrix, double* inverse_pivot, double least) {
  constexpr int kPairs = (kSize + 1) / 2, kStride = 2 * kPairs;
#pragma GCC unroll 12
  for (int i = 0; i < kSize; ++i) {
    double* target = matrix + i * kStride;
    Pair row[kPairs];
#pragma GCC unroll 6
    for (int p = 0; p < kPairs; ++p) row[p] = Pair::load(target + 2 * p);
    if (kSize < kStride) row[kPairs - 1].setLane(1, 0.0);
    const double diagonal = row[i / 2].lane(i % 2);
#pragma GCC unroll 12
    for (int k = 0; k < i; ++k) {
      const double* pivot_row = matrix + k * kStride;
      const double f = row[k / 2].lane(k % 2) * inverse_pivot[k];
      const Pair factor{f, f};
      row[k / 2].setLane(k % 2, f);
      if (k % 2 == 0) row[k / 2].setLane(1, row[k / 2].lane(1) - f * pivot_row[k + 1]);
#pragma GCC unroll 6
      for (int p = k / 2 + 1; p < kPairs; ++p) row[p] -= factor * Pair::load(pivot_row + 2 * p);
    }
#pragma GCC unroll 6
    for (int p = 0; p < kPairs; ++p) row[p].store(target + 2 * p);
    const double pivot = row[i / 2].lane(i % 2);
    if (!(pivot > least * diagonal)) return false;
    inverse_pivot[i] = 1.0 / pivot;
  }
  return true;
}

/// x ← U⁻¹ L⁻¹ x.
template <int kSize>
void solveFixed(const double* matrix, const double* inverse_pivot, double* x) {
  constexpr int kStride = (kSize + 1) / 2 * 2;
  double y[kSize];
#pragma GCC unroll 12
  for (int i = 0; i < kSize; ++i) {
    double sum = x[i];
#pragma GCC unroll 12
    for (int k = 0; k < i; ++k) sum -= matrix[i * kStride + k] * y[k];
    y[i] = sum;
  }
#pragma GCC unroll 12
  for (int i = kSize - 1; i >= 0; --i) {
    double sum = y[i];
#pragma GCC unroll 12
    for (int k = kSize - 1; k > i; --k) sum -= matrix[i * kStride + k] * y[k];
    x[i] = y[i] = sum * inverse_pivot[i];
  }
}

}  // namespace rigor
