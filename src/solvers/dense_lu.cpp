#include "solvers/dense_lu.h"

#include <algorithm>
#include <cmath>

#include "contact/row_product.h"
#include "solvers/fixed_lu.h"

namespace rigor {
namespace {

// target −= f · source from column `from` to the padded end.
void subtractRow(double* target, const double* source, double f, int from, int stride) {
  if (from % 2 != 0) {
    target[from] -= f * source[from];
    ++from;
  }
  const Pair factor{f, f};
  for (int j = from; j < stride; j += 2) (Pair::load(target + j) - factor * Pair::load(source + j)).store(target + j);
}

// target −= Σ f_i · (row i of the four from `pivots` on), right of column k + 3 (k even), where target holds the
// multipliers f in its columns k … k + 3: the rest of the row is read and written once for all of them.
void subtractFour(double* target, const double* pivots, int k, int stride) {
  const double *p0 = pivots, *p1 = p0 + stride, *p2 = p1 + stride, *p3 = p2 + stride;
  const Pair f0{target[k], target[k]}, f1{target[k + 1], target[k + 1]};
  const Pair f2{target[k + 2], target[k + 2]}, f3{target[k + 3], target[k + 3]};
  for (int j = k + 4; j < stride; j += 2)
    (Pair::load(target + j) - (f0 * Pair::load(p0 + j) + f1 * Pair::load(p1 + j)) -
     (f2 * Pair::load(p2 + j) + f3 * Pair::load(p3 + j)))
        .store(target + j);
}

// Eliminates columns k … k + 3 of one row with four finished rows; their multipliers depend on each other.
void eliminateFour(double* target, const double* pivots, const double* inverse, int k, int stride) {
  const double *p0 = pivots, *p1 = p0 + stride, *p2 = p1 + stride;
  const double f0 = target[k] * inverse[0];
  const double f1 = (target[k + 1] - f0 * p0[k + 1]) * inverse[1];
  const double f2 = (target[k + 2] - f0 * p0[k + 2] - f1 * p1[k + 2]) * inverse[2];
  const double f3 = (target[k + 3] - f0 * p0[k + 3] - f1 * p1[k + 3] - f2 * p2[k + 3]) * inverse[3];
  target[k] = f0, target[k + 1] = f1, target[k + 2] = f2, target[k + 3] = f3;
  subtractFour(target, pivots, k, stride);
}

// L and U in one matrix, solved for a few unknowns at a time: what the known ones take away is summed for all rows at
// once, so that only the small triangle between the rows waits for one after the other.
struct Triangles {
  const double *matrix, *inverse;
  int size, stride;

  template <int kRows>
  void solveLower(int first, double* x) const {
    const double* rows = matrix + static_cast<long>(first) * stride;
    double taken[kRows];
    multiplyRows<kRows>(rows, stride, first, x, taken);
    for (int r = 0; r < kRows; ++r) {
      double y = x[first + r] - taken[r];
      for (int c = 0; c < r; ++c) y -= rows[r * stride + first + c] * x[first + c];
      x[first + r] = y;
    }
  }
  template <int kRows>
  void solveUpper(int first, double* x) const {
    const double* rows = matrix + static_cast<long>(first) * stride;
    const int known = first + kRows;
    double taken[kRows];
    multiplyRows<kRows>(rows + known, stride, size - known, x + known, taken);
    for (int r = kRows - 1; r >= 0; --r) {
      double y = x[first + r] - taken[r];
      for (int c = kRows - 1; c > r; --c) y -= rows[r * stride + first + c] * x[first + c];
      x[first + r] = y * inverse[first + r];
    }
  }
};

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

// Divides column k by its pivot and brings the panel's kRest later columns up to date in all rows below. Finds the largest
// entry below the next pivot on the way.
template <int kRest>
DenseLu::Largest DenseLu::eliminateColumn(int k) {
  const double inverse = inverse_pivot_[k];
  double pivot[kRest + 1];
  for (int c = 1; c <= kRest; ++c) pivot[c] = row(k)[k + c];
  Largest next{0.0, k + 1};
  double* target = row(k) + k + stride_;
  for (int i = k + 1; i < size_; ++i, target += stride_) {
    const double f = target[0] * inverse;
    target[0] = f;
    for (int c = 1; c <= kRest; ++c) target[c] -= f * pivot[c];
    if constexpr (kRest > 0)
      if (std::abs(target[1]) > next.value && i > k + 1) next = {std::abs(target[1]), i};
  }
  return next;
}

DenseLu::Largest DenseLu::eliminateColumn(int k, int last) {
  switch (last - k) {
    case 4:
      return eliminateColumn<3>(k);
    case 3:
      return eliminateColumn<2>(k);
    case 2:
      return eliminateColumn<1>(k);
  }
  return eliminateColumn<0>(k);
}

// Columns of one panel: choose the pivot, divide, and bring the panel's later columns up to date.
bool DenseLu::factorPanel(int first, int last) {
  Largest largest{0.0, first};
  for (int i = first + 1; i < size_; ++i) {
    const double value = std::abs(row(i)[first]);
    if (value > largest.value) largest = {value, i};
  }
  for (int k = first; k < last; ++k) {
    double* pivot_row = row(k);
    if (largest.value > 10.0 * std::abs(pivot_row[k])) {
      std::swap_ranges(pivot_row, pivot_row + stride_, row(largest.row));
      std::swap(order_[k], order_[largest.row]);
      swapped_ = true;
    }
    const double inverse = 1.0 / pivot_row[k];
    if (!std::isfinite(inverse)) return false;
    inverse_pivot_[k] = inverse;
    largest = eliminateColumn(k, last);
  }
  return true;
}

bool DenseLu::factor() {
  constexpr int kPanel = 4;  // columns per panel: the rest of the matrix is read and written once for four of them
  swapped_ = false;
  for (int i = 0; i < size_; ++i) order_[i] = i;
  if (stride_ > size_)
    for (int i = 0; i < size_; ++i) row(i)[size_] = 0.0;  // padding column
  for (int first = 0; first < size_; first += kPanel) {
    const int last = std::min(first + kPanel, size_);
    if (isRaised(stop_) || !factorPanel(first, last)) return false;
    if (last == size_) break;
    for (int k = first; k < last; ++k)
      for (int r = k + 1; r < last; ++r) subtractRow(row(r), row(k), row(r)[k], last, stride_);
    for (int i = last; i < size_; ++i) subtractFour(row(i), row(first), first, stride_);
  }
  return true;
}

bool DenseLu::factorInOrder(double least) {
  swapped_ = false;
  switch (size_) {
    case 3:
      return factorFixed<3>(matrix_.data(), inverse_pivot_.data(), least);
    case 6:
      return factorFixed<6>(matrix_.data(), inverse_pivot_.data(), least);
    case 9:
      return factorFixed<9>(matrix_.data(), inverse_pivot_.data(), least);
    case 12:
      return factorFixed<12>(matrix_.data(), inverse_pivot_.data(), least);
  }
  const int n = size_, stride = stride_;
  double* const matrix = matrix_.data();
  double* const inverse = inverse_pivot_.data();
  for (int i = 0; i < n; ++i) {
    double* target = matrix + static_cast<std::size_t>(i) * stride;
    if (stride > n) target[n] = 0.0;
    const double diagonal = target[i];
    int k = 0;
    for (; k + 3 < i; k += 4)
      eliminateFour(target, matrix + static_cast<std::size_t>(k) * stride, inverse + k, k, stride);
    for (; k < i; ++k) {
      const double f = target[k] * inverse[k];
      target[k] = f;
      subtractRow(target, matrix + static_cast<std::size_t>(k) * stride, f, k + 1, stride);
    }
    if (!(target[i] > least * diagonal) || isRaised(stop_)) return false;
    inverse[i] = 1.0 / target[i];
  }
  return true;
}

void DenseLu::solve(double* x) {
  const double *matrix = matrix_.data(), *inverse = inverse_pivot_.data();
  if (size_ == 12 && !swapped_) return solveFixed<12>(matrix, inverse, x);
  if (swapped_) {
    double* y = scratch_.data();
    for (int i = 0; i < size_; ++i) y[i] = x[order_[i]];
    std::copy(y, y + size_, x);
  }
  const Triangles triangles{matrix, inverse, size_, stride_};
  const int whole = size_ & ~3;
  for (int first = 0; first < whole; first += 4) triangles.solveLower<4>(first, x);
  switch (size_ - whole) {
    case 1:
      triangles.solveLower<1>(whole, x);
      triangles.solveUpper<1>(whole, x);
      break;
    case 2:
      triangles.solveLower<2>(whole, x);
      triangles.solveUpper<2>(whole, x);
      break;
    case 3:
      triangles.solveLower<3>(whole, x);
      triangles.solveUpper<3>(whole, x);
      break;
  }
  for (int first = whole - 4; first >= 0; first -= 4) triangles.solveUpper<4>(first, x);
}

double DenseLu::pivotRange() const {
  if (size_ == 0) return 1.0;
  const auto smaller = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
  const auto [least, most] = std::minmax_element(inverse_pivot_.begin(), inverse_pivot_.begin() + size_, smaller);
  return std::fabs(*least / *most);
}

}  // namespace rigor
