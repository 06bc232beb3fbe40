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
  std::vector<Real> M, q, lo, hi;
  std::vector<int> group;

  explicit SlowLcp(const Lcp& lcp) : n(lcp.rows()), M(lcp.M.begin(), lcp.M.end()), q(lcp.q.begin(), lcp.q.end()) {
    for (int i = 0; i < n; ++i) {
      lo.push_back(lcp.lo.empty() ? 0.0L : Real(lcp.lo[i]));
      hi.push_back(lcp.hi.empty() ? kInfinity : Real(lcp.hi[i]));
    }
    for (const int i : lcp.free) lo[i] = -kInfinity, hi[i] = kInfinity;
    findGroups();
  }
  Real at(int i, int j) const { return M[static_cast<std::size_t>(i) * n + j]; }
  // Whether two rows push each other by J M⁻¹Jᵀ, and the size of that in a group of such rows, or 0.
  bool linked(int i, int j) const {
    if (!(at(i, i) > 0.0L) || !(at(j, j) > 0.0L)) return false;
    const Real size = std::sqrt(at(i, i)) * std::sqrt(at(j, j)), a = std::abs(at(i, j));
    return a > 0.999e-8L * size && a < 1.001L * size && std::abs(at(i, j) - at(j, i)) < 1.001e-6L * a;
  }
  Real mutual(int i, int j) const {
    if (group[i] < 0 || group[j] < 0) return 0.0L;
    const Real size = std::sqrt(at(i, i)) * std::sqrt(at(j, j));
    return std::abs(at(i, j)) < 1.001L * size && std::abs(at(i, j) - at(j, i)) < 1.001e-10L * size ? size : 0.0L;
  }
  // The least row that can be reached, −1: none but itself.
  void findGroups() {
    group.resize(n);
    for (int i = 0; i < n; ++i) group[i] = i;
    for (int time = 0; time < n; ++time)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (linked(i, j)) group[i] = group[j] = std::min(group[i], group[j]);
    const std::vector<int> all = group;
    for (int& of : group)
      if (std::count(all.begin(), all.end(), of) == 1) of = -1;
  }
  bool beside(int i, int j) const { return i == j || (group[i] >= 0 && group[i] == group[j]); }
  // Most of |q_j|/√M_jj in the group of a row.
  Real askedBeside(int row) const {
    Real most = 0.0L;
    for (int j = 0; j < n; ++j)
      if (at(j, j) > 0.0L && beside(j, row)) most = std::max(most, std::abs(q[j]) / std::sqrt(at(j, j)));
    return most;
  }
  // Most of |z_j| √M_jj there, as z of this row.
  Real pushBeside(int row, const std::vector<double>& z) const {
    Real most = std::abs(Real(z[row]));
    for (int j = 0; j < n; ++j)
      if (at(j, j) > 0.0L && beside(j, row))
        most = std::max(most, std::abs(Real(z[j])) * std::sqrt(at(j, j) / at(row, row)));
    return most;
  }
};

void note(LcpMarks& marks, const std::string& text) {
  if (marks.notes.size() < 5) marks.notes.push_back(text);
}

}  // namespace

// Each row has some z' within its bounds and some w' of the sign that belongs there, both within `tolerance` of what they are small beside.
bool obeysSlowly(const Lcp& lcp, const std::vector<double>& z, double tolerance) {
  const SlowLcp slow(lcp);
  const int n = slow.n;
  std::vector<Real> moved(n, 0.0L), own(n), push(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) moved[i] += slow.at(i, j) * z[j];
    own[i] = std::max(std::abs(slow.q[i]), std::abs(moved[i]));
    Real asked = 0.0L;
    for (int k = 0; k < n; ++k)
      if (slow.at(k, i) != 0.0L) asked = std::max(asked, std::abs(slow.q[k] / slow.at(k, i)));
    push[i] = slow.pushBeside(i, z);
    if (asked > 0.0L) push[i] = std::min(push[i], 1e6L * asked);
  }
  for (int i = 0; i < n; ++i) {
    if (!std::isfinite(z[i])) return false;
    Real terms = 0.0L, together = 0.0L, pushed = 0.0L, notice = kInfinity;
    for (int j = 0; j < n; ++j) {
      const Real term = std::abs(slow.at(i, j) * z[j]);
      const Real known = std::abs(slow.at(i, j)) * push[j];
      terms += term, together += known,
          pushed += std::max(known, slow.mutual(i, j) * std::min(std::abs(Real(z[j])), push[j]));
      if (slow.at(j, i) != 0.0L) notice = std::min(notice, own[j] / std::abs(slow.at(j, i)));
    }
    const Real lo = std::isfinite(slow.lo[i]) ? std::abs(slow.lo[i]) : 0.0L,
               hi = std::isfinite(slow.hi[i]) ? std::abs(slow.hi[i]) : 0.0L;
    if (lo > 0.0L || hi > 0.0L) notice = std::min(notice, std::max({lo, hi, std::abs(Real(z[i]))}));
    if (std::isinf(notice)) notice = std::abs(Real(z[i]));
    const Real eight = 8.0L * 0x1p-52L;
    Real hidden = std::min(eight * pushed, 1e-6L * own[i]);
    if (slow.at(i, i) > 0.0L && std::abs(slow.q[i]) <= eight * terms)
      hidden = std::min(eight * pushed, 1e-6L * std::max(own[i], slow.askedBeside(i) * std::sqrt(slow.at(i, i))));
    if (slow.q[i] == 0.0L) hidden = std::max(hidden, eight * together);
    const Real w = moved[i] + slow.q[i], of_w = tolerance * own[i] + hidden, of_z = tolerance * notice;
    const bool within = z[i] >= slow.lo[i] - of_z && z[i] <= slow.hi[i] + of_z;
    const bool inside = within && std::abs(w) <= of_w;
    const bool at_lo = std::abs(z[i] - slow.lo[i]) <= of_z && w >= -of_w;
    const bool at_hi = std::abs(z[i] - slow.hi[i]) <= of_z && w <= of_w;
    if (!inside && !at_lo && !at_hi) return false;
  }
  return true;
}

// Whether v proves a case empty: where a row is decided its z is known, or w = 0.
static bool provesCaseSlowly(const Lcp& lcp, const LcpBranch& branch) {
  using Quad = __float128;  // twice as long as every product
  SlowLcp slow(lcp);
  std::vector<int> least(slow.n), most(slow.n);  // signs that v may have
  for (int i = 0; i < slow.n; ++i)
    least[i] = slow.lo[i] > -kInfinity ? 0 : -1, most[i] = slow.hi[i] < kInfinity ? 0 : 1;
  for (const auto& [row, place] : branch.decided) {
    least[row] = place == LcpPlace::kLower ? 0 : -1, most[row] = place == LcpPlace::kUpper ? 0 : 1;
    if (place == LcpPlace::kLower) slow.hi[row] = slow.lo[row];
    if (place == LcpPlace::kUpper) slow.lo[row] = slow.hi[row];
  }
  Quad largest = 0;
  for (int i = 0; i < slow.n; ++i) {
    if ((branch.v[i] < 0.0 && least[i] == 0) || (branch.v[i] > 0.0 && most[i] == 0)) return false;
    largest += Quad(branch.v[i]) * Quad(slow.q[i]);
  }
  for (int j = 0; j < slow.n; ++j) {
    Quad answer = 0;
    Real terms = 0.0L, pushed = 0.0L;
    for (int i = 0; i < slow.n; ++i) {
      answer += Quad(branch.v[i]) * Quad(slow.at(i, j));
      terms += std::abs(branch.v[i] * slow.at(i, j)), pushed += std::abs(branch.v[i]) * slow.mutual(i, j);
    }
    const Real rounded = static_cast<Real>(answer), bound = rounded > 0.0L ? slow.hi[j] : slow.lo[j];
    const bool any = std::isinf(slow.lo[j]) && std::isinf(slow.hi[j]);  // then 0 for some v beside this one
    if (std::abs(rounded) <= 1e-32L * terms || (any && std::abs(rounded) <= 1e-11L * terms)) continue;
    if (std::isfinite(bound)) {
      largest += answer * Quad(bound);
    } else {
      if (std::abs(rounded) > 1e-12L * pushed) return false;
      largest += Quad(std::abs(rounded) * 1e6L * slow.askedBeside(j) / std::sqrt(slow.at(j, j)));
    }
  }
  return largest < 0;
}

bool provesSlowly(const Lcp& lcp, const std::vector<double>& v) { return provesCaseSlowly(lcp, {{}, v}); }

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
