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
  const int n = lcp.rows();
  const auto at = [&](int i, int j) { return std::abs(lcp.M[static_cast<std::size_t>(i) * n + j]); };
  std::vector<double> scale(n, 0.0);
  std::vector<int> rest;
  for (int i = 0; i < n; ++i) {
    const double diagonal = lcp.M[static_cast<std::size_t>(i) * n + i];
    if (diagonal > 0.0)
      scale[i] = 1.0 / std::sqrt(diagonal);
    else
      rest.push_back(i);
  }
  std::vector<double> found(n, 0.0);
  for (const int i : rest) {
    double met = 0.0, any = 0.0;  // beside rows with a diagonal; beside all
    for (int j = 0; j < n; ++j) {
      met = std::max({met, at(i, j) * scale[j], at(j, i) * scale[j]});
      any = std::max({any, at(i, j), at(j, i)});
    }
    found[i] = met > 0.0 ? 1.0 / met : (any > 0.0 ? 1.0 / std::sqrt(any) : 1.0);
  }
  for (const int i : rest) scale[i] = found[i];
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
