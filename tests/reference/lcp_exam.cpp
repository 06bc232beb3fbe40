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
    // the largest entries of all rows and columns 1, then those with a diagonal by it
    unit.assign(n, 1.0L);
    for (int sweep = 0; sweep < 12; ++sweep) {
      std::vector<Real> next(unit);
      for (int i = 0; i < n; ++i) {
        Real largest = 0.0L;
        for (int j = 0; j < n; ++j)
          largest = std::max(largest, unit[i] * unit[j] * std::max(std::abs(at(i, j)), std::abs(at(j, i))));
        if (largest > 0.0L) next[i] /= std::sqrt(largest);
      }
      unit = next;
    }
    for (int i = 0; i < n; ++i)
      if (unit[i] * unit[i] * at(i, i) > 1e-10L) unit[i] = 1.0L / std::sqrt(at(i, i));
  }
  Real at(int i, int j) const { return M[static_cast<std::size_t>(i) * n + j]; }
  // Rows that can be reached from this one through M.
  Real askedBeside(int row) const {
    std::vector<char> near(n, 0);
    near[row] = 1;
    for (int changed = 1; changed > 0;) {
      changed = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n && near[i]; ++j)
          if (!near[j] && (at(i, j) != 0.0L || at(j, i) != 0.0L)) near[j] = changed = 1;
    }
    Real most = 0.0L;
    for (int i = 0; i < n; ++i)
      if (near[i]) most = std::max(most, std::abs(unit[i] * q[i]));
    return most;
  }
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
      const Real product = slow.at(i, i) * slow.at(j, j),
                 own = slow.at(i, i) > 0.0L && product > 0.0L ? std::sqrt(product) : 0.0L;
      size[i] += std::max(std::abs(slow.at(i, j)), own) * std::abs(Real(z[j]));
    }
  for (int i = 0; i < slow.n; ++i) {
    if (!std::isfinite(z[i])) return false;
    const Real d = slow.unit[i];
    const Real moved = std::max(std::abs(d * slow.q[i]), std::abs(d * (w[i] - slow.q[i])));
    Real s = std::max(moved, Real(1e-6) * slow.askedBeside(i));
    const Real lo = std::isfinite(slow.lo[i]) ? std::abs(slow.lo[i]) : 0.0L,
               hi = std::isfinite(slow.hi[i]) ? std::abs(slow.hi[i]) : 0.0L;
    if (lo > 0.0L || hi > 0.0L) s = std::min(s, std::max({lo, hi, std::abs(Real(z[i]))}) / d);
    const Real floor = std::min(Real(8.0 * 0x1p-52) * d * size[i], Real(1e-6) * std::max(moved, slow.askedBeside(i)));
    // the law holds for some w within the floor: try the nearest to 0
    const Real dw = d * w[i], near = std::abs(dw) <= floor ? 0.0L : dw - std::copysign(floor, dw), y = z[i] / d - near;
    const Real nearest = y < slow.lo[i] / d ? slow.lo[i] / d : (y > slow.hi[i] / d ? slow.hi[i] / d : y);
    if (!(std::abs(z[i] / d - nearest) <= tolerance * s)) return false;
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

// Whether v proves a case empty: where a row is decided its z is known, or w = 0.
static bool provesCaseSlowly(const Lcp& lcp, const LcpBranch& branch) {
  SlowLcp slow(lcp);
  const Real far = 1e6L * slow.asked();
  std::vector<int> least(slow.n), most(slow.n);  // signs that v may have
  for (int i = 0; i < slow.n; ++i)
    least[i] = slow.lo[i] > -kInfinity ? 0 : -1, most[i] = slow.hi[i] < kInfinity ? 0 : 1;
  for (const auto& [row, place] : branch.decided) {
    least[row] = place == LcpPlace::kLower ? 0 : -1, most[row] = place == LcpPlace::kUpper ? 0 : 1;
    if (place == LcpPlace::kLower) slow.hi[row] = slow.lo[row];
    if (place == LcpPlace::kUpper) slow.lo[row] = slow.hi[row];
  }
  Real largest = 0.0L;
  for (int i = 0; i < slow.n; ++i) {
    if ((branch.v[i] < 0.0 && least[i] == 0) || (branch.v[i] > 0.0 && most[i] == 0)) return false;
    largest += branch.v[i] * slow.q[i];
  }
  for (int j = 0; j < slow.n; ++j) {
    Real answer = 0.0L;
    for (int i = 0; i < slow.n; ++i) answer += branch.v[i] * slow.at(i, j);
    const Real bound = answer > 0.0L ? slow.hi[j] : slow.lo[j];
    largest += std::isfinite(bound) ? answer * bound : std::abs(answer) * slow.unit[j] * far;
  }
  return largest < 0.0L;
}

// Cases of which no two meet, and whose shares of all cases add up to all.
bool provesSlowly(const Lcp& lcp, const std::vector<LcpBranch>& branches) {
  const SlowLcp slow(lcp);
  Real covered = 0.0L;
  for (std::size_t a = 0; a < branches.size(); ++a) {
    if (!provesCaseSlowly(lcp, branches[a])) return false;
    Real share = 1.0L;
    for (const LcpDecision& one : branches[a].decided)
      share /= (slow.lo[one.row] > -kInfinity) + (slow.hi[one.row] < kInfinity) + 1;
    covered += share;
    for (std::size_t b = 0; b < a; ++b) {
      bool apart = false;
      for (const LcpDecision& one : branches[a].decided)
        for (const LcpDecision& other : branches[b].decided)
          apart = apart || (one.row == other.row && one.place != other.place);
      if (!apart) return false;
    }
  }
  return std::abs(covered - 1.0L) < 1e-12L;
}

bool hasSolutionSlowly(const Lcp& lcp) {
  const SlowLcp slow(lcp);
  const int n = slow.n;
  long bases = 1;
  for (int i = 0; i < n; ++i) bases *= 3;
  for (long basis = 0; basis < bases; ++basis) {
    // rows: w = 0 inside, z = bound elsewhere
    std::vector<std::vector<Real>> system(n, std::vector<Real>(n + 1, 0.0L));
    bool exists = true;
    long rest = basis;
    for (int i = 0; i < n; ++i, rest /= 3) {
      const Real bound = rest % 3 == 0 ? slow.lo[i] : slow.hi[i];
      if (rest % 3 == 2) {
        for (int j = 0; j < n; ++j) system[i][j] = slow.at(i, j);
        system[i][n] = -slow.q[i];
      } else if (std::isfinite(bound)) {
        system[i][i] = 1.0L, system[i][n] = bound;
      } else {
        exists = false;
      }
    }
    for (int c = 0; c < n && exists; ++c) {
      int pivot = c;
      for (int r = c; r < n; ++r)
        if (std::abs(system[r][c]) > std::abs(system[pivot][c])) pivot = r;
      std::swap(system[c], system[pivot]);
      if (std::abs(system[c][c]) < 1e-15L) exists = false;
      for (int r = 0; r < n && exists; ++r) {
        if (r == c) continue;
        const Real factor = system[r][c] / system[c][c];
        for (int k = c; k <= n; ++k) system[r][k] -= factor * system[c][k];
      }
    }
    if (!exists) continue;
    std::vector<double> z(n);
    for (int i = 0; i < n; ++i) z[i] = static_cast<double>(system[i][n] / system[i][i]);
    if (obeysSlowly(lcp, z, 1e-9)) return true;
  }
  return false;
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
      marks.by_floor += solution.residuals.by_floor;
      if (!solution.residuals.by_floor) marks.worst = std::max(marks.worst, solution.residuals.plain_residual);
      right = sample.truth != LcpTruth::kInfeasible && obeysSlowly(sample.lcp, solution.z, 1e-9 * (1.0 + 1e-6));
    } else if (solution.status == LcpStatus::kNoSolution) {
      ++marks.proved;
      right = sample.truth != LcpTruth::kSolvable &&
              (solution.certificate.empty() ? provesSlowly(sample.lcp, solution.branches)
                                            : provesSlowly(sample.lcp, solution.certificate));
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
