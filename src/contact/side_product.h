// What two blocks of rows do to each other by way of one node of DelassusFactors that stands alone: AᵀB over the freedoms that both meet.
#pragma once

#include "rigor/delassus_matrix.h"

namespace rigor {

/// The six freedoms of a free body, one after the other: what nearly all sides of heaps, walls and redundant robots meet.
inline constexpr int kFreeBody = 6;
inline bool meetsFreeBody(const DelassusSide& side, const int* freedoms) {
  return side.length == kFreeBody && freedoms[kFreeBody - 1] - freedoms[0] == kFreeBody - 1;
}

/// out [kRows × kColumns, rows `stride` apart] += AᵀB of two sides of one free body.
template <int kRows, int kColumns>
void addBodyProduct(const double* A, const double* B, double* out, int stride) {
  for (int r = 0; r < kRows; ++r) {
    double sum[kColumns];
    for (int c = 0; c < kColumns; ++c) sum[c] = out[r * stride + c];
    for (int k = 0; k < kFreeBody; ++k)
      for (int c = 0; c < kColumns; ++c) sum[c] += A[kRows * k + r] * B[kColumns * k + c];
    for (int c = 0; c < kColumns; ++c) out[r * stride + c] = sum[c];
  }
}

template <int kRows>
bool addBodyProduct(const double* A, const double* B, int columns, double* out, int stride) {
  if (columns == 1) return addBodyProduct<kRows, 1>(A, B, out, stride), true;
  if (columns == 2) return addBodyProduct<kRows, 2>(A, B, out, stride), true;
  if (columns == 3) return addBodyProduct<kRows, 3>(A, B, out, stride), true;
  return false;
}
inline bool addBodyProduct(const double* A, int rows, const double* B, int columns, double* out, int stride) {
  if (rows == 1) return addBodyProduct<1>(A, B, columns, out, stride);
  if (rows == 2) return addBodyProduct<2>(A, B, columns, out, stride);
  if (rows == 3) return addBodyProduct<3>(A, B, columns, out, stride);
  return false;
}

/// out [rows × columns, rows `stride` apart] += AᵀB of two sides of one node.
inline void addSideProduct(const DelassusFactors& factors, const DelassusSide& a, int rows, const DelassusSide& b,
                           int columns, double* out, int stride) {
  const int *of_a = &factors.freedoms[a.first], *of_b = &factors.freedoms[b.first];
  const double *A = &factors.A[a.offset], *B = &factors.B[b.offset];
  if (meetsFreeBody(a, of_a) && meetsFreeBody(b, of_b) && addBodyProduct(A, rows, B, columns, out, stride)) return;
  for (int k = 0, l = 0; k < a.length && l < b.length;) {
    const int first = of_a[k], second = of_b[l];
    if (first == second)
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) out[r * stride + c] += A[k * rows + r] * B[l * columns + c];
    k += first <= second;
    l += second <= first;
  }
}

}  // namespace rigor
