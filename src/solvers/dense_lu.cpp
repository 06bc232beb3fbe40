#include "solvers/dense_lu.h"

#include <algorithm>
#include <cmath>

#include "contact/row_product.h"

namespace rigor {
namespace {

// target −= f · source from column `from` (even) to the padded end.
inline void subtractRow(double* target, const double* source, double f, int from, int stride) {
  const Pair factor{f, f};
  for (int j = from; j < stride; j += 2) storePair(target + j, loadPair(target + j) - factor * loadPair(source + j));
}

}  // namespace

void DenseLu::resize(int n) {
  const std::size_t stride = (n + 1) & ~1;
  if (matrix_.size() < n * stride) {
    matrix_.resize(n * stride);
    inverse_pivot_.resize(n);
    scratch_.resize(stride);
    order_.resize(n);
  }
  size_ = n;
  stride_ = static_cast<int>(stride);
}

bool DenseLu::factor() {
  swapped_ = false;
  for (int i = 0; i < size_; ++i) order_[i] = i;
  if (stride_ > size_)
    for (int i = 0; i < size_; ++i) row(i)[size_] = 0.0;  // padding column
  for (int k = 0; k < size_; ++k) {
    double* pivot_row = row(k);
    double largest = 0.0;
    int where = k;
    for (int i = k + 1; i < size_; ++i) {
      const double value = std::abs(row(i)[k]);
      if (value > largest) largest = value, where = i;
    }
    if (largest > 10.0 * std::abs(pivot_row[k])) {
      std::swap_ranges(pivot_row, pivot_row + stride_, row(where));
      std::swap(order_[k], order_[where]);
      swapped_ = true;
    }
    const double inverse = 1.0 / pivot_row[k];
    if (!std::isfinite(inverse)) return false;
    inverse_pivot_[k] = inverse;
    const int from = (k + 1) & ~1;  // for even k the lane of column k + 1 starts there; for odd k it does too
    for (int i = k + 1; i < size_; ++i) {
      double* target = row(i);
      const double f = target[k] * inverse;
      if (from == k + 1) {
        subtractRow(target, pivot_row, f, from, stride_);
      } else {  // k even: column k shares a lane with k + 1
        target[k + 1] -= f * pivot_row[k + 1];
        subtractRow(target, pivot_row, f, from + 2, stride_);
      }
      target[k] = f;
    }
  }
  return true;
}

void DenseLu::solve(double* x) {
  double* y = scratch_.data();
  if (swapped_) {
    for (int i = 0; i < size_; ++i) y[i] = x[order_[i]];
    std::copy(y, y + size_, x);
  }
  for (int i = 1; i < size_; ++i) x[i] -= multiplyRow(row(i), i, x);
  for (int i = size_ - 1; i >= 0; --i)
    x[i] = (x[i] - multiplyRow(row(i) + i + 1, size_ - i - 1, x + i + 1)) * inverse_pivot_[i];
}

}  // namespace rigor
