#include "math/pivot_block.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "math/block_product.h"

namespace rigor {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

// In place, right-looking; the largest entry of the column becomes the pivot.
RIGOR_INLINE bool factorRows(const PivotBlock& pivot, double zero_pivot, int n) {
  double* const A = pivot.block;
  for (int i = 0; i < n; ++i) pivot.row_of[i] = pivot.column_of[i] = i;
#pragma GCC unroll 6
  for (int k = 0; k < n; ++k) {
    int best = k;
    double largest = std::fabs(A[k * n + k]);
#pragma GCC unroll 6
    for (int i = k + 1; i < n; ++i) {
      const double candidate = std::fabs(A[i * n + k]);
      if (candidate > largest) best = i, largest = candidate;
    }
    if (!(largest > zero_pivot * pivot.scale[k] && largest <= kLargest)) return false;
    if (best != k) {
      std::swap_ranges(A + k * n, A + k * n + n, A + best * n);
      std::swap(pivot.row_of[k], pivot.row_of[best]);
    }
    const double inverse = 1.0 / A[k * n + k];
    pivot.inverse[k] = inverse;
#pragma GCC unroll 6
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] * inverse;
      A[i * n + k] = factor;
#pragma GCC unroll 6
      for (int j = k + 1; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  return true;
}

RIGOR_INLINE void raiseColumns(const double* block, double* scale, int n) {
  for (int i = 0; i < n; ++i)
#pragma GCC unroll 6
    for (int j = 0; j < n; ++j) scale[j] = std::max(scale[j], std::fabs(block[i * n + j]));
}

// The rows of a panel in registers: forward with L, backward with U.
template <int kSize, int kWidth>
void applyFixed(const PivotBlock& pivot, double* B, int stride) {
  RowOf<kWidth> row[kSize];
#pragma GCC unroll 6
  for (int i = 0; i < kSize; ++i) {
    row[i] = RowOf<kWidth>::load(B + pivot.row_of[i] * stride);
#pragma GCC unroll 6
    for (int k = 0; k < i; ++k) row[i].subtract(pivot.block[i * kSize + k], row[k]);
  }
#pragma GCC unroll 6
  for (int i = kSize - 1; i >= 0; --i) {
#pragma GCC unroll 6
    for (int k = kSize - 1; k > i; --k) row[i].subtract(pivot.block[i * kSize + k], row[k]);
    row[i].scale(pivot.inverse[i]);
    row[i].store(B + i * stride);
  }
}

using Kernel = void (*)(const PivotBlock& pivot, double* B, int stride);

template <int... k>
constexpr std::array<Kernel, sizeof...(k)> listKernels(std::integer_sequence<int, k...>) {
  return {applyFixed<k / kFixedSizes + 1, k % kFixedSizes + 1>...};
}

// [size − 1][width − 1]
constexpr auto kKernels = listKernels(std::make_integer_sequence<int, kFixedSizes * kFixedSizes>{});

// Any size, at most kFixedSizes columns, through memory; undoes exchanges of columns too.
void applyAny(const PivotBlock& pivot, double* B, int width, int stride, double* work) {
  const int n = pivot.size;
  const auto subtract = [&](int i, int k) {
    const double factor = pivot.block[i * n + k];
    for (int j = 0; j < width; ++j) work[i * width + j] -= factor * work[k * width + j];
  };
  for (int i = 0; i < n; ++i) {
    std::copy_n(B + pivot.row_of[i] * stride, width, work + i * width);
    for (int k = 0; k < i; ++k) subtract(i, k);
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = n - 1; k > i; --k) subtract(i, k);
    for (int j = 0; j < width; ++j) work[i * width + j] *= pivot.inverse[i];
  }
  for (int i = 0; i < n; ++i) std::copy_n(work + i * width, width, B + pivot.column_of[i] * stride);
}

// The largest entry of what is left, each column measured by its own scale; false if all of them count as zero.
bool findLargest(const PivotBlock& pivot, int k, double zero_pivot, int& row, int& column) {
  const int n = pivot.size;
  double best = zero_pivot;
  bool found = false;
  for (int i = k; i < n; ++i)
    for (int j = k; j < n; ++j) {
      const double scale = pivot.scale[pivot.column_of[j]], size = std::fabs(pivot.block[i * n + j]);
      if (size == 0.0 || !(size > best * scale)) continue;
      best = size / scale, row = i, column = j, found = true;
    }
  return found;
}

void exchange(const PivotBlock& pivot, int k, int row, int column) {
  const int n = pivot.size;
  std::swap_ranges(pivot.block + k * n, pivot.block + k * n + n, pivot.block + row * n);
  std::swap(pivot.row_of[k], pivot.row_of[row]);
  for (int i = 0; i < n; ++i) std::swap(pivot.block[i * n + k], pivot.block[i * n + column]);
  std::swap(pivot.column_of[k], pivot.column_of[column]);
}

}  // namespace

bool factorPartially(const PivotBlock& pivot, double zero_pivot) {
  return withSize(pivot.size, [&](auto n) { return factorRows(pivot, zero_pivot, n); });
}

int factorCompletely(const PivotBlock& pivot, double zero_pivot) {
  const int n = pivot.size;
  double* const A = pivot.block;
  for (int i = 0; i < n * n; ++i)
    if (!(std::fabs(A[i]) <= kLargest)) return -1;
  for (int i = 0; i < n; ++i) pivot.row_of[i] = pivot.column_of[i] = i;
  for (int k = 0; k < n; ++k) {
    int row = k, column = k;
    if (!findLargest(pivot, k, zero_pivot, row, column)) {
      for (int i = k; i < n; ++i) {
        std::fill(A + i * n + k, A + i * n + n, 0.0);
        pivot.inverse[i] = 0.0;
      }
      return n - k;
    }
    exchange(pivot, k, row, column);
    pivot.inverse[k] = 1.0 / A[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] *= pivot.inverse[k];
      for (int j = k + 1; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  return 0;
}

void applyInverse(const PivotBlock& pivot, bool columns_moved, double* B, int columns, int stride, double* scratch) {
  for (; columns > 0; columns -= kFixedSizes, B += kFixedSizes) {
    const int width = std::min(columns, kFixedSizes);
    if (columns_moved || pivot.size > kFixedSizes)
      applyAny(pivot, B, width, stride, scratch);
    else
      kKernels[(pivot.size - 1) * kFixedSizes + width - 1](pivot, B, stride);
  }
}

void raiseScale(int size, const double* block, double* scale) {
  withSize(size, [&](auto n) { raiseColumns(block, scale, n); });
}

}  // namespace rigor
