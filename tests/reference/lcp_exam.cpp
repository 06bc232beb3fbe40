#include "reference/lcp_exam.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigor::reference {
namespace {

using Real = long double;
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// The problem once more, row by row, as the definition has it.
struct SlowLcp {
  int n;
  std::vector<Real> M, q, lo, hi, unit;

  explicit SlowLcp(const Lcp& lcp) : n(lcp.rows()), M(lcp.M.begin(), lcp.M.end()), q(lcp.q.begin(), lcp.q.end()) {
    for (int i = 0; i < n; ++i) {
      lo.push_back(lcp.lo.empty() ? 0.0L : Real(lcp.lo[i]));
      hi.push_back(lcp.hi.empty() ? kInfinity : Real(lcp.hi[i]));
    }
    for (const int i : lcp.free) lo[i] = -kInfinity, hi[i] = kInfinity;
    unit.assign(n, 0.0L);
    std::vector<Real> first(n, 0.0L);
    for (int i = 0; i < n; ++i)
      if (at(i, i) > 0.0L) first[i] = 1.0L / std::sqrt(at(i, i));
    for (int i = 0; i < n; ++i) {
      Real beside = 0.0L, any = 0.0L;
      for (int j = 0; j < n; ++j) {
        const Real larger = std::max(std::abs(at(i, j)), std::abs(at(j, i)));
        beside = std::max(beside, larger * first[j]);
        any = std::max(any, larger);
      }
      unit[i] = first[i] > 0.0L ? first[i] : (beside > 0.0L ? 1.0L / beside : (any > 0.0L ? 1.0L / std::sqrt(any) : 1.0L));
    }
  }
  Real at(int i, int j) const { return M[static_cast<std::size_t>(i) * n + j]; }
  Real asked() const {
    Real most = 0.0L;
    for (int i = 0; i < n; ++i) most = std::max(most, std::abs(unit[i] * q[i]));
    return most;
  }
};

void note(LcpMarks& marks, const std::string& text) {
  if (marks.notes.size() < 5) marks.notes.push_back(text);
}

}  // namespace

bool obeysSlowly(const Lcp& lcp, const std::vector<double>& z, double tolerance) {
  const SlowLcp slow(lcp);
  std::vector<Real> w(slow.q), size(slow.n, 0.0L);
  for (int j = 0; j < slow.n; ++j)
    for (int i = 0; i < slow.n; ++i) {
      w[i] += slow.at(i, j) * z[j];
      size[i] += std::abs(slow.at(i, j) * z[j]);
    }
  for (int i = 0; i < slow.n; ++i) {
    if (!std::isfinite(z[i])) return false;
    const Real d = slow.unit[i], y = z[i] / d - d * w[i];
    const Real nearest = y < slow.lo[i] / d ? slow.lo[i] / d : (y > slow.hi[i] / d ? slow.hi[i] / d : y);
    const Real s =
        std::max({std::abs(d * slow.q[i]), std::abs(d * (w[i] - slow.q[i])), Real(1e-6) * slow.asked()});
    const Real floor = std::min(Real(8.0 * 0x1p-52) * d * size[i], Real(1e-6) * s);
    if (std::abs(z[i] / d - nearest) > tolerance * s + floor) return false;
  }
  return true;
}

bool provesSlowly(const Lcp& lcp, const std::vector<double>& v) {
  const SlowLcp slow(lcp);
  const Real far = 1e6L * slow.asked();
  Real most = 0.0L;
  for (int i = 0; i < slow.n; ++i) {
    const bool lower = slow.lo[i] > -kInfinity, upper = slow.hi[i] < kInfinity;
    if ((lower && v[i] < 0.0) || (upper && v[i] > 0.0)) return false;
    most += v[i] * slow.q[i];
  }
  for (int j = 0; j < slow.n; ++j) {
    Real answer = 0.0L;
    for (int i = 0; i < slow.n; ++i) answer += v[i] * slow.at(i, j);
    const Real bound = answer > 0.0L ? slow.hi[j] : slow.lo[j];
    most += std::isfinite(bound) ? answer * bound : std::abs(answer) * slow.unit[j] * far;
  }
  return most < 0.0L;
}

int LcpMarks::medianPivots() const {
  std::vector<int> sorted = pivots;
  std::sort(sorted.begin(), sorted.end());
  return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

int LcpMarks::mostPivots() const { return pivots.empty() ? 0 : *std::max_element(pivots.begin(), pivots.end()); }

LcpMarks takeExam(const LcpFamily& family, std::uint64_t seed, int count) {
  LcpMarks marks;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t number = seed * 1'000'000 + i;
    const LcpSample sample = family.make(number);
    const LcpSolution solution = solveLcp(sample.lcp);
    marks.pivots.push_back(solution.pivots);
    bool right = true;
    if (solution.status == LcpStatus::kSolved) {
      ++marks.solved;
      marks.worst_residual = std::max(marks.worst_residual, solution.residuals.residual);
      right = sample.truth != LcpTruth::kInfeasible && obeysSlowly(sample.lcp, solution.z, 1e-9 * (1.0 + 1e-6));
    } else if (solution.status == LcpStatus::kNoSolution) {
      ++marks.proved;
      right = sample.truth != LcpTruth::kSolvable && provesSlowly(sample.lcp, solution.certificate);
    } else {
      ++marks.open;
      note(marks, fmt::format("problem {}: open, {} rows, residual {:.1e}", number, sample.lcp.rows(),
                              solution.residuals.residual));
    }
    if (right) continue;
    ++marks.wrong;
    note(marks, fmt::format("problem {}: {} by {} is not true, residual {:.1e}", number,
                            solution.status == LcpStatus::kSolved ? "solved" : "proved", solution.stage,
                            solution.residuals.residual));
  }
  return marks;
}

}  // namespace rigor::reference
