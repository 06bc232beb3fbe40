// Products of small row-major blocks, as the elimination and substitution on a graph need them. Widths and inner sizes from
// 1 to 6 have code of their own: a body has six rows, a hinge five, a ball joint three, a motor one.
#pragma once

#include <type_traits>
#include <utility>

#include "math/pair.h"

namespace rigor {

inline constexpr int kFixedSizes = 6;

/// Calls f with a size that the compiler knows where there is code for it, with the plain number elsewhere. What f calls must be
/// inlined to know it too.
template <class F>
RIGOR_INLINE decltype(auto) withSize(int n, F&& f) {
  switch (n) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    default:
      return f(n);
  }
}

/// kWidth numbers that follow each other in memory, in registers.
template <int kWidth>
struct RowOf {
  static constexpr int kPairs = kWidth / 2;
  static constexpr bool kOdd = kWidth % 2 != 0;
  Pair pair[kPairs > 0 ? kPairs : 1];
  double last;

  RIGOR_INLINE static RowOf load(const double* from) {
    RowOf row;
#pragma GCC unroll 3
    for (int p = 0; p < kPairs; ++p) row.pair[p] = Pair::load(from + 2 * p);
    if constexpr (kOdd) row.last = from[kWidth - 1];
    return row;
  }
  RIGOR_INLINE void store(double* to) const {
#pragma GCC unroll 3
    for (int p = 0; p < kPairs; ++p) pair[p].store(to + 2 * p);
    if constexpr (kOdd) to[kWidth - 1] = last;
  }
  RIGOR_INLINE void subtract(double factor, const RowOf& other) {
    const Pair both(factor);
#pragma GCC unroll 3
    for (int p = 0; p < kPairs; ++p) pair[p] -= both * other.pair[p];
    if constexpr (kOdd) last -= factor * other.last;
  }
  RIGOR_INLINE void scale(double factor) {
    const Pair both(factor);
#pragma GCC unroll 3
    for (int p = 0; p < kPairs; ++p) pair[p] *= both;
    if constexpr (kOdd) last *= factor;
  }
};

/// C −= A B, kWidth columns of B and C, which lie in rows of `stride` numbers. The rows of A follow each other.
template <int kWidth>
RIGOR_INLINE void subtractPanel(const double* A, const double* B, double* C, int rows, int inner, int stride) {
  int i = 0;
  for (; i + 1 < rows; i += 2, A += 2 * inner, C += 2 * stride) {
    RowOf<kWidth> first = RowOf<kWidth>::load(C), second = RowOf<kWidth>::load(C + stride);
#pragma GCC unroll 6
    for (int k = 0; k < inner; ++k) {
      const RowOf<kWidth> row = RowOf<kWidth>::load(B + k * stride);
      first.subtract(A[k], row);
      second.subtract(A[inner + k], row);
    }
    first.store(C), second.store(C + stride);
  }
  if (i == rows) return;
  RowOf<kWidth> only = RowOf<kWidth>::load(C);
#pragma GCC unroll 6
  for (int k = 0; k < inner; ++k) only.subtract(A[k], RowOf<kWidth>::load(B + k * stride));
  only.store(C);
}

/// y −= A x for one column of a panel.
RIGOR_INLINE void subtractColumn(const double* A, const double* x, double* y, int rows, int inner, int stride) {
  for (int i = 0; i < rows; ++i, A += inner) {
    double sum = 0.0;
#pragma GCC unroll 6
    for (int k = 0; k < inner; ++k) sum += A[k] * x[k * stride];
    y[i * stride] -= sum;
  }
}

/// C −= A B, [rows × inner] [inner × columns]; rows of B and C are `stride` numbers apart.
void subtractProduct(const double* A, const double* B, double* C, int rows, int inner, int columns, int stride);

}  // namespace rigor
