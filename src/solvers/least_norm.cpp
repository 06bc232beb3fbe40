#include "solvers/least_norm.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace rigor {

void LeastNorm::reserve(int n) {
  for (auto* matrix : {&matrix_, &sorted_}) matrix->reserve(static_cast<std::size_t>(n) * n);
  for (auto* vector : {&work_, &tail_}) vector->reserve(n);
  for (auto* indices : {&column_, &order_}) indices->reserve(n);
}

void LeastNorm::resize(int n) {
  size_ = n;
  for (auto* matrix : {&matrix_, &sorted_}) matrix->resize(static_cast<std::size_t>(n) * n);
  for (auto* vector : {&work_, &tail_}) vector->resize(n);
  for (auto* indices : {&column_, &order_}) {
    indices->resize(n);
    std::iota(indices->begin(), indices->end(), 0);
  }
}

// Rows of very different size keep their own accuracy if the large ones come first.
void LeastNorm::sortRows(double* x) {
  const int n = size_;
  for (int i = 0; i < n; ++i)
    work_[i] = std::transform_reduce(
        row(i), row(i) + n, 0.0, [](double a, double b) { return std::max(a, b); },
        [](double entry) { return std::abs(entry); });
  std::sort(order_.begin(), order_.end(),
            [&](int a, int b) { return work_[a] != work_[b] ? work_[a] > work_[b] : a < b; });
  for (int i = 0; i < n; ++i) {
    std::copy(row(order_[i]), row(order_[i]) + n, sorted_.begin() + static_cast<std::ptrdiff_t>(i) * n);
    tail_[i] = x[order_[i]];
  }
  matrix_.swap(sorted_);
  std::copy(tail_.begin(), tail_.end(), x);
}

// The longest column that is left goes to place k; false if none is longer than `cut`.
bool LeastNorm::pivot(int k, double cut) {
  const int n = size_;
  std::fill(work_.begin() + k, work_.end(), 0.0);
  for (int i = k; i < n; ++i)
    for (int j = k; j < n; ++j) work_[j] += row(i)[j] * row(i)[j];
  const int best = static_cast<int>(std::max_element(work_.begin() + k, work_.end()) - work_.begin());
  if (!(work_[best] > cut * cut)) return false;
  if (best != k) {
    for (int i = 0; i < n; ++i) std::swap(row(i)[k], row(i)[best]);
    std::swap(column_[k], column_[best]);
  }
  return true;
}

// Turns column k into its first entry, and everything right of it and x with it: a −= (a·v) v/v₀, v₀ = 1 + |a₀|/|a|.
void LeastNorm::reflect(int k, double* x) {
  const int n = size_;
  double length = 0.0;
  for (int i = k; i < n; ++i) length = std::hypot(length, row(i)[k]);
  length = std::copysign(length, row(k)[k]);
  for (int i = k; i < n; ++i) row(i)[k] /= length;
  const double first = row(k)[k] += 1.0;
  std::fill(work_.begin() + k, work_.end(), 0.0);
  double along = 0.0;
  for (int i = k; i < n; ++i) {
    for (int j = k + 1; j < n; ++j) work_[j] += row(i)[k] * row(i)[j];
    along += row(i)[k] * x[i];
  }
  for (int i = k; i < n; ++i) {
    const double part = row(i)[k] / first;
    for (int j = k + 1; j < n; ++j) row(i)[j] -= part * work_[j];
    x[i] -= part * along;
  }
  row(k)[k] = -length;
}

// Turns what row i has beyond the rank into its entry i, and the rows above with it. The reflection stays where it was made.
void LeastNorm::foldRow(int i, int rank) {
  const int n = size_;
  double* own = row(i);
  double length = std::abs(own[i]);
  for (int j = rank; j < n; ++j) length = std::hypot(length, own[j]);
  length = std::copysign(length, own[i]);
  for (int j = rank; j < n; ++j) own[j] /= length;
  const double first = tail_[i] = own[i] / length + 1.0;
  for (int r = 0; r < i; ++r) {
    double* above = row(r);
    double along = first * above[i];
    for (int j = rank; j < n; ++j) along += own[j] * above[j];
    along /= first;
    above[i] -= along * first;
    for (int j = rank; j < n; ++j) above[j] -= along * own[j];
  }
  own[i] = -length;
}

void LeastNorm::substitute(int rank, double* x) const {
  const int n = size_;
  for (int i = rank - 1; i >= 0; --i) {
    const double* own = matrix_.data() + static_cast<std::size_t>(i) * n;
    for (int j = i + 1; j < rank; ++j) x[i] -= own[j] * x[j];
    x[i] /= own[i];
  }
}

int LeastNorm::solve(double cut, double* x) {
  const int n = size_;
  sortRows(x);
  int rank = 0;
  for (; rank < n && !isRaised(stop_) && pivot(rank, cut); ++rank) reflect(rank, x);
  if (rank < n)
    for (int i = rank - 1; i >= 0; --i) foldRow(i, rank);
  substitute(rank, x);
  std::fill(x + rank, x + n, 0.0);
  for (int i = 0; rank < n && i < rank; ++i) {
    double along = tail_[i] * x[i];
    for (int j = rank; j < n; ++j) along += row(i)[j] * x[j];
    along /= tail_[i];
    x[i] -= along * tail_[i];
    for (int j = rank; j < n; ++j) x[j] -= along * row(i)[j];
  }
  for (int i = 0; i < n; ++i) work_[column_[i]] = x[i];
  std::copy(work_.begin(), work_.end(), x);
  return rank;
}

}  // namespace rigor
