#include "solvers/sweep_memory.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

double dot(const double* x, const double* y, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

void SweepMemory::reserve(int rows) {
  for (auto* list : {&f_, &g_, &plain_}) list->resize(rows);
  for (auto* list : {&df_, &dg_, &q_}) list->resize(static_cast<std::size_t>(kDepth) * rows);
}

void SweepMemory::begin(int rows) {
  rows_ = rows;
  next_ = 0;
  forget();
}

SweepGuess SweepMemory::extrapolate(const double* before, const double* weight, double* after) {
  const int n = rows_;
  const auto columnOf = [n](std::vector<double>& list, int index) {
    return &list[static_cast<std::size_t>(index) * n];
  };
  constexpr double kWorse = 1.5;         // a guess after which sweeps move that much more was none
  constexpr double kDependent = 1e-8;    // of a difference, squared: what others leave of it is rounding
  constexpr double kFar = 1e-6;          // of |f|, squared: differences that small say nothing of what ends f
  constexpr double kSame = 1e-2;         // of |f|, squared: so little did it change
  constexpr double kUnexplained = 0.25;  // of |f|, squared
  double *df = columnOf(df_, next_), *dg = columnOf(dg_, next_);
  double size = 0.0, change = 0.0;
  for (int r = 0; r < n; ++r) {
    const double f = weight[r] * (after[r] - before[r]);
    df[r] = f - f_[r], dg[r] = after[r] - g_[r];
    f_[r] = f, g_[r] = after[r];
    size += f * f, change += df[r] * df[r];
  }
  if (!known_) {
    known_ = true;
    size_ = size;
    return SweepGuess::kNone;
  }
  if (guessed_ && size > kWorse * kWorse * size_) {  // modes are others there: on from where plain sweeps were
    std::copy_n(plain_.data(), n, after);
    forget();
    return SweepGuess::kMixed;
  }
  next_ = (next_ + 1) % kDepth;
  count_ = std::min(count_ + 1, kDepth);
  size_ = size;
  // least |f − Σ γ df|: Gram–Schmidt on the differences, the latest first
  double gamma[kDepth], triangle[kDepth][kDepth], explained = 0.0;
  int used[kDepth], count = 0;
  for (int k = 0; k < count_; ++k) {
    const int index = (next_ - 1 - k + kDepth) % kDepth;
    double* q = columnOf(q_, count);
    std::copy_n(columnOf(df_, index), n, q);
    const double whole = dot(q, q, n);
    for (int j = 0; j < count; ++j) {
      const double* other = columnOf(q_, j);
      const double along = triangle[j][count] = dot(other, q, n);
      for (int r = 0; r < n; ++r) q[r] -= along * other[r];
    }
    const double left = dot(q, q, n);
    if (!(left > kDependent * whole && left > kFar * size)) continue;
    const double length = triangle[count][count] = std::sqrt(left);
    for (int r = 0; r < n; ++r) q[r] /= length;
    gamma[count] = dot(q, f_.data(), n);
    explained += gamma[count] * gamma[count];
    used[count++] = index;
  }
  if (change < kSame * size && size - explained > kUnexplained * size) return SweepGuess::kDrift;
  if (count == 0) return SweepGuess::kNone;
  std::copy_n(after, n, plain_.data());
  for (int j = count - 1; j >= 0; --j) {
    for (int k = j + 1; k < count; ++k) gamma[j] -= triangle[j][k] * gamma[k];
    gamma[j] /= triangle[j][j];
    const double* moved = columnOf(dg_, used[j]);
    for (int r = 0; r < n; ++r) after[r] -= gamma[j] * moved[r];
  }
  guessed_ = true;
  return SweepGuess::kMixed;
}

}  // namespace rigor
