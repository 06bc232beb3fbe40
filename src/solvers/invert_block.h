// The inverse of a small dense block, in place. Sizes are known to the compiler where they are std::integral_constant.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace rigor {

/// A [n × n] ← A⁻¹ by Gauss and Jordan, the largest entry of the column first; `rows` has room for n exchanges. False if a pivot is 0
/// or not finite.
template <class Size>
bool invertBlock(Size n, double* A, int* rows) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k])) pivot = i;
    rows[k] = pivot;
    if (pivot != k) std::swap_ranges(A + k * n, A + (k + 1) * n, A + pivot * n);
    const double inverse = 1.0 / A[k * n + k];
    if (!std::isfinite(inverse)) return false;
    A[k * n + k] = 1.0;
    for (int j = 0; j < n; ++j) A[k * n + j] *= inverse;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[i * n + k];
      A[i * n + k] = 0.0;
      for (int j = 0; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  for (int k = n - 1; k >= 0; --k)
    if (rows[k] != k)
      for (int i = 0; i < n; ++i) std::swap(A[i * n + k], A[i * n + rows[k]]);
  return true;
}

/// The same with room of its own, on the stack for all but very large blocks.
template <class Size>
bool invertBlock(Size n, double* A) {
  constexpr int kMost = 64;
  int rows[kMost];
  if (n <= kMost) return invertBlock(n, A, rows);
  std::vector<int> many(n);
  return invertBlock(n, A, many.data());
}

}  // namespace rigor
