// Rows of W times λ, two lanes at a time, with the sum of magnitudes that bounds its rounding. The order of summation
// is fixed by the number of columns alone, so equal inputs give equal bits.
#pragma once

#include <cmath>

#include "math/pair.h"
#include "rigor/delassus_matrix.h"

namespace rigor {

/// row · x in the first lane and Σ|row_j x_j| in the second: the judge squares and sums both at once.
using RowProduct = Pair;

/// `kRows` neighbouring rows of a row-major matrix with `columns` columns times x: x is read once for all of them.
template <int kRows>
inline void multiplyRows(const double* rows, int columns, const double* x, RowProduct out[kRows]) {
  Pair sum[kRows], magnitude[kRows];
  for (int r = 0; r < kRows; ++r) sum[r] = magnitude[r] = Pair{0.0, 0.0};
  int j = 0;
  for (; j + 1 < columns; j += 2) {
    const Pair xj = Pair::load(x + j);
    for (int r = 0; r < kRows; ++r) {
      const Pair product = Pair::load(rows + static_cast<long>(r) * columns + j) * xj;
      sum[r] += product;
      magnitude[r] += absolute(product);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    out[r] = Pair{sum[r].lane(0), magnitude[r].lane(0)} + Pair{sum[r].lane(1), magnitude[r].lane(1)};
    if (j < columns) {
      const double product = rows[static_cast<long>(r) * columns + j] * x[j];
      out[r] += Pair{product, std::abs(product)};
    }
  }
}

/// The products alone, with the same bits; rows that lie `stride` apart.
template <int kRows>
inline void multiplyRows(const double* rows, long stride, int columns, const double* x, double out[kRows]) {
  Pair sum[kRows];
  for (int r = 0; r < kRows; ++r) sum[r] = Pair{0.0, 0.0};
  int j = 0;
  for (; j + 1 < columns; j += 2) {
    const Pair xj = Pair::load(x + j);
    for (int r = 0; r < kRows; ++r) sum[r] += Pair::load(rows + r * stride + j) * xj;
  }
  for (int r = 0; r < kRows; ++r) {
    out[r] = sum[r].lane(0) + sum[r].lane(1);
    if (j < columns) out[r] += rows[r * stride + j] * x[j];
  }
}

/// y = A x + b for a row-major matrix; several rows at once share the loads of x.
inline void multiplyAdd(const double* matrix, int rows, int columns, const double* x, const double* b, double* y) {
  int i = 0;
  for (; i + 2 < rows; i += 3, matrix += 3 * static_cast<long>(columns)) {
    const double *r0 = matrix, *r1 = r0 + columns, *r2 = r1 + columns;
    Pair s0{0.0, 0.0}, s1 = s0, s2 = s0;
    int j = 0;
    for (; j + 1 < columns; j += 2) {
      const Pair xj = Pair::load(x + j);
      s0 += Pair::load(r0 + j) * xj;
      s1 += Pair::load(r1 + j) * xj;
      s2 += Pair::load(r2 + j) * xj;
    }
    y[i] = s0.lane(0) + s0.lane(1) + b[i];
    y[i + 1] = s1.lane(0) + s1.lane(1) + b[i + 1];
    y[i + 2] = s2.lane(0) + s2.lane(1) + b[i + 2];
    if (j < columns) y[i] += r0[j] * x[j], y[i + 1] += r1[j] * x[j], y[i + 2] += r2[j] * x[j];
  }
  for (; i < rows; ++i, matrix += columns) {
    double sum = 0.0;
    for (int j = 0; j < columns; ++j) sum += matrix[j] * x[j];
    y[i] = sum + b[i];
  }
}

/// row · x alone.
inline double multiplyRow(const double* row, int columns, const double* x) {
  Pair sum{0.0, 0.0};
  int j = 0;
  for (; j + 1 < columns; j += 2) sum += Pair::load(row + j) * Pair::load(x + j);
  return sum.lane(0) + sum.lane(1) + (j < columns ? row[j] * x[j] : 0.0);
}

/// The same for rows of W.
template <int kRows>
inline void multiplyRows(const DelassusMatrix& W, int row, const double* x, RowProduct out[kRows]) {
  multiplyRows<kRows>(W.row(row), W.rows(), x, out);
}
template <int kRows>
inline void multiplyRows(const DelassusMatrix& W, int row, const double* x, double out[kRows]) {
  multiplyRows<kRows>(W.row(row), W.rows(), W.rows(), x, out);
}
inline double multiplyRow(const DelassusMatrix& W, int row, const double* x) {
  return multiplyRow(W.row(row), W.rows(), x);
}
inline void multiplyAdd(const DelassusMatrix& W, const double* x, const double* b, double* y) {
  multiplyAdd(W.row(0), W.rows(), W.rows(), x, b, y);
}

}  // namespace rigor
