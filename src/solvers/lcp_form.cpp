#include "solvers/lcp_form.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void DenseLcpMatrix::multiply(const std::vector<int>& columns, const double* z, double* out) const {
  for (int i = 0; i < rows_; ++i) {
    const double* row = entries_ + static_cast<std::size_t>(i) * rows_;
    double sum = 0.0;
    for (const int j : columns) sum += row[j] * z[j];
    out[i] = sum;
  }
}

bool LcpForm::isFree(int row) const { return lo[row] == -kInfinity && hi[row] == kInfinity; }
bool LcpForm::isFixed(int row) const { return lo[row] == hi[row]; }

void LcpForm::reserve(int rows) {
  for (auto* array : {&scale, &q, &lo, &hi}) array->reserve(rows);
}

void LcpForm::assign(const LcpMatrix& matrix, const double* plain_q, const double* plain_lo, const double* plain_hi) {
  M = &matrix;
  const int n = matrix.rows();
  for (auto* array : {&q, &lo, &hi}) array->resize(n);
  unit = 0.0;
  for (int i = 0; i < n; ++i) unit = std::max(unit, std::abs(scale[i] * plain_q[i]));
  if (unit == 0.0)  // nothing but bounds asks for anything
    for (int i = 0; i < n; ++i)
      for (const double bound : {plain_lo[i], plain_hi[i]})
        if (std::isfinite(bound)) unit = std::max(unit, std::abs(bound / scale[i]));
  if (unit == 0.0) unit = 1.0;
  for (int i = 0; i < n; ++i) {
    q[i] = scale[i] * plain_q[i] / unit;
    lo[i] = plain_lo[i] / (scale[i] * unit);
    hi[i] = plain_hi[i] / (scale[i] * unit);
  }
}

std::vector<double> computeScale(const Lcp& lcp) {
  constexpr int kSweeps = 12;
  constexpr double kCounts = 1e-10;
  const int n = lcp.rows();
  const auto at = [&](int i, int j) { return lcp.M[static_cast<std::size_t>(i) * n + j]; };
  std::vector<double> scale(n, 1.0), largest(n);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    std::fill(largest.begin(), largest.end(), 0.0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const double entry = std::abs(scale[i] * at(i, j) * scale[j]);
        largest[i] = std::max(largest[i], entry), largest[j] = std::max(largest[j], entry);
      }
    for (int i = 0; i < n; ++i)
      if (largest[i] > 0.0) scale[i] /= std::sqrt(largest[i]);
  }
  for (int i = 0; i < n; ++i)
    if (scale[i] * scale[i] * at(i, i) > kCounts) scale[i] = 1.0 / std::sqrt(at(i, i));
  return scale;
}

LcpBounds readBounds(const Lcp& lcp) {
  const std::size_t n = lcp.q.size();
  LcpBounds bounds{lcp.lo, lcp.hi};
  if (bounds.lo.empty()) bounds.lo.assign(n, 0.0);
  if (bounds.hi.empty()) bounds.hi.assign(n, kInfinity);
  for (const int row : lcp.free) bounds.lo[row] = -kInfinity, bounds.hi[row] = kInfinity;
  return bounds;
}

}  // namespace rigor
