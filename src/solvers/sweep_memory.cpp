#include "solvers/sweep_memory.h"

#include <algorithm>
#include <cmath>

#include "math/pair.h"

namespace rigor {
namespace {

double dot(const double* x, const double* y, int count) {
  Pair sum{0.0, 0.0};
  int i = 0;
  for (; i + 1 < count; i += 2) sum += Pair::load(x + i) * Pair::load(y + i);
  return sum.lane(0) + sum.lane(1) + (i < count ? x[i] * y[i] : 0.0);
}

}  // namespace

void SweepMemory::reserve(int rows) {
  for (auto* list : {&f_, &g_, &plain_}) list->resize(rows);
  for (auto* list : {&df_, &dg_}) list->resize(static_cast<std::size_t>(kDepth) * rows);
}

void SweepMemory::begin(int rows) {
  rows_ = rows;
  forget();
}

// By Cholesky factors of the differences' products, the latest first.
SweepMemory::Mix SweepMemory::leastMix(int latest, double size) {
  constexpr double kDependent = 1e-8;  // of a difference, squared: what others leave of it is rounding
  constexpr double kFar = 1e-6;        // of |f|, squared: differences that small say nothing of what ends f
  double factor[kDepth][kDepth];
  Mix mix;
  int& count = mix.count;
  for (int k = 0; k < count_; ++k) {
    const int index = (latest - k + kDepth) % kDepth;
    const double whole = gram_[index][index];
    double left = whole, along = dot(columnOf(df_, index), f_.data(), rows_);
    for (int j = 0; j < count; ++j) {
      double value = gram_[index][mix.used[j]];
      for (int i = 0; i < j; ++i) value -= factor[count][i] * factor[j][i];
      factor[count][j] = value / factor[j][j];
      left -= factor[count][j] * factor[count][j];
      along -= factor[count][j] * mix.gamma[j];
    }
    if (!(left > kDependent * whole && left > kFar * size)) continue;
    factor[count][count] = std::sqrt(left);
    mix.gamma[count] = along / factor[count][count];
    mix.explained += mix.gamma[count] * mix.gamma[count];
    mix.used[count++] = index;
  }
  for (int j = count - 1; j >= 0; --j) {
    for (int k = j + 1; k < count; ++k) mix.gamma[j] -= factor[k][j] * mix.gamma[k];
    mix.gamma[j] /= factor[j][j];
  }
  return mix;
}

SweepGuess SweepMemory::extrapolate(const double* before, const double* weight, double* after) {
  const int n = rows_;
  constexpr double kWorse = 1.5;         // a guess after which sweeps move that much more was none
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
  const int latest = next_;
  next_ = (next_ + 1) % kDepth;
  count_ = std::min(count_ + 1, kDepth);
  size_ = size;
  for (int k = 0; k < count_; ++k) gram_[latest][k] = gram_[k][latest] = dot(df, columnOf(df_, k), n);
  const Mix mix = leastMix(latest, size);
  if (change < kSame * size && size - mix.explained > kUnexplained * size) return SweepGuess::kDrift;
  if (mix.count == 0) return SweepGuess::kNone;
  std::copy_n(after, n, plain_.data());
  for (int j = mix.count - 1; j >= 0; --j) {
    const double* moved = columnOf(dg_, mix.used[j]);
    for (int r = 0; r < n; ++r) after[r] -= mix.gamma[j] * moved[r];
  }
  guessed_ = true;
  return SweepGuess::kMixed;
}

}  // namespace rigor
