#include "solvers/lcp_own.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

constexpr double kAlike = 1e-10;   // of √(M_ii M_jj): rounding of J M⁻¹Jᵀ where masses are far apart
constexpr double kPushes = 1e-8;   // of √(M_ii M_jj): an entry that is more than rounding,
constexpr double kTheSame = 1e-6;  // so that M_ij and M_ji agree to this of themselves

}  // namespace

MutualRows::MutualRows(const Lcp& lcp)
    : lcp_(lcp), root_(lcp.q.size()), asked_(lcp.q.size(), 0.0), group_(lcp.q.size(), -1), is_linked_(lcp.q.size(), 0) {
  const int n = lcp.rows();
  const auto at = [&](int i, int j) { return lcp.M[static_cast<std::size_t>(i) * n + j]; };
  for (int i = 0; i < n; ++i) root_[i] = std::sqrt(std::max(at(i, i), 0.0));
  const auto pushEachOther = [&](int i, int j) {
    const double a = at(i, j), b = at(j, i), size = root_[i] * root_[j];
    return std::abs(a) > kPushes * size && std::abs(a) <= (1.0 + kAlike) * size &&
           std::abs(a - b) <= kTheSame * std::abs(a);
  };
  std::vector<int> group;
  for (int first = 0; first < n; ++first) {
    if (group_[first] >= 0 || root_[first] == 0.0) continue;
    group_[first] = first;
    group.assign(1, first);
    double most = 0.0;
    for (std::size_t k = 0; k < group.size(); ++k) {
      most = std::max(most, std::abs(lcp.q[group[k]]) / root_[group[k]]);
      for (int j = 0; j < n; ++j)
        if (group_[j] < 0 && root_[j] > 0.0 && pushEachOther(group[k], j)) group_[j] = first, group.push_back(j);
    }
    for (const int i : group) asked_[i] = most, is_linked_[i] = group.size() > 1;
    any_ = any_ || group.size() > 1;
  }
}

double MutualRows::size(int i, int j) const {
  if (!is_linked_[i] || !is_linked_[j]) return 0.0;
  const int n = lcp_.rows();
  const double size = root_[i] * root_[j], a = lcp_.M[static_cast<std::size_t>(i) * n + j],
               b = lcp_.M[static_cast<std::size_t>(j) * n + i];
  const bool mutual = std::abs(a) <= (1.0 + kAlike) * size && std::abs(a - b) <= kAlike * size;
  return mutual ? size : 0.0;
}

std::vector<double> MutualRows::pushes(const std::vector<double>& z) const {
  std::vector<double> most(z.size(), 0.0), pushes(z.size());
  for (std::size_t i = 0; i < z.size(); ++i)
    if (group_[i] >= 0) most[group_[i]] = std::max(most[group_[i]], root_[i] * std::abs(z[i]));
  for (std::size_t i = 0; i < z.size(); ++i)
    pushes[i] = group_[i] >= 0 ? std::max(std::abs(z[i]), most[group_[i]] / root_[i]) : std::abs(z[i]);
  return pushes;
}

LcpUnits findUnits(const Lcp& lcp) {
  constexpr int kSweeps = 24;
  const int n = lcp.rows();
  std::vector<double> row(n, 0.0), column(n, 0.0);  // exponents of two
  std::vector<double> of_row(n), of_column(n);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    std::fill(of_row.begin(), of_row.end(), -HUGE_VAL), std::fill(of_column.begin(), of_column.end(), -HUGE_VAL);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const double entry = std::abs(lcp.M[static_cast<std::size_t>(i) * n + j]);
        if (entry == 0.0) continue;
        const double size = std::log2(entry) - row[i] + column[j];
        of_row[i] = std::max(of_row[i], size), of_column[j] = std::max(of_column[j], size);
      }
    for (int i = 0; i < n; ++i) {
      if (std::isfinite(of_row[i])) row[i] += 0.5 * of_row[i];
      if (std::isfinite(of_column[i])) column[i] -= 0.5 * of_column[i];
    }
  }
  LcpUnits units;
  for (const double exponent : row) units.row.push_back(std::exp2(std::round(exponent)));
  for (const double exponent : column) units.column.push_back(std::exp2(std::round(exponent)));
  return units;
}

Lcp inUnits(const Lcp& lcp, const LcpUnits& units) {
  const int n = lcp.rows();
  Lcp scaled = lcp;
  for (int i = 0; i < n; ++i) {
    scaled.q[i] /= units.row[i];
    for (int j = 0; j < n; ++j) scaled.M[static_cast<std::size_t>(i) * n + j] *= units.column[j] / units.row[i];
  }
  for (auto* bounds : {&scaled.lo, &scaled.hi})
    for (std::size_t j = 0; j < bounds->size(); ++j) (*bounds)[j] /= units.column[j];
  return scaled;
}

void ExactSum::add(double a, double b) {
  const long double x = a, y = b, high = x * y;
  if (high == 0.0L) return;
  grow(std::fma(x, y, -high));
  grow(high);
}

void ExactSum::grow(long double x) {
  std::size_t kept = 0;
  for (const long double part : parts_) {
    const long double sum = x + part, of_part = sum - x, lost = (x - (sum - of_part)) + (part - of_part);
    if (lost != 0.0L) parts_[kept++] = lost;
    x = sum;
  }
  parts_.resize(kept);
  if (x != 0.0L) parts_.push_back(x);
}

long double ExactSum::value() const {
  long double sum = 0.0L;
  for (const long double part : parts_) sum += part;
  return sum;
}

}  // namespace rigor
