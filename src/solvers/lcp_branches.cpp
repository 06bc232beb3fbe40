#include "solvers/lcp_branches.h"

#include <algorithm>
#include <cmath>

#include "solvers/lcp_form.h"
#include "solvers/lcp_known.h"
#include "solvers/lcp_proof.h"
#include "solvers/lemke_path.h"

namespace rigor {
namespace {

// z = base + Σ sign x over its variables; row r of the program is w of a row of the LCP, or an upper bound (−1).
struct Relaxation : LinearProgram {
  std::vector<double> base, sign;      // [n], [variables]
  std::vector<int> row_of, column_of;  // [constraints], [variables]
  std::vector<double> row_sign;        // [constraints]
};

class Branching {
 public:
  Branching(const Lcp& lcp, const LcpOptions& options, std::vector<LcpBranch>& branches, int& pivots,
            const std::function<bool(const std::vector<double>&)>& accept)
      : lcp_(lcp), options_(options), branches_(branches), pivots_(pivots), accept_(accept), scale_(computeScale(lcp)) {
    for (int i = 0; i < lcp.rows(); ++i) {
      unit_ = std::max(unit_, std::abs(scale_[i] * lcp.q[i]));
      places_.push_back(placesOf(lcp, i));
    }
    if (unit_ == 0.0) unit_ = 1.0;
  }

  BranchEnd decide() {
    if (isRaised(options_.stop) || ++count_ > options_.most_branches) return BranchEnd::kOpen;
    const LcpKnown known = knowOf(lcp_, decided_);
    std::vector<double> z, v;
    if (relax(known, z, v)) {
      if (accept_(z)) return BranchEnd::kSolution;
    } else if (!v.empty() || findProof(lcp_, known, options_, v, pivots_)) {
      branches_.push_back({decided_, std::move(v)});
      return BranchEnd::kNoSolution;
    }
    return divide(known, z);
  }

 private:
  double at(int i, int j) const { return lcp_.M[static_cast<std::size_t>(i) * lcp_.rows() + j]; }

  BranchEnd divide(const LcpKnown& known, const std::vector<double>& z) {
    const int row = z.empty() ? firstOpen() : findWorst(z);
    if (row < 0) return BranchEnd::kOpen;
    std::vector<LcpPlace> order = places_[row];
    // w far from 0 is more likely at a bound than inside
    if (!z.empty() &&
        std::min(z[row] - known.lo[row], known.hi[row] - z[row]) < scale_[row] * scale_[row] * std::abs(rate(row, z)))
      std::reverse(order.begin(), order.end());
    for (const LcpPlace place : order) {
      decided_.push_back({row, place});
      const BranchEnd end = decide();
      decided_.pop_back();
      if (end != BranchEnd::kNoSolution) return end;
    }
    return BranchEnd::kNoSolution;
  }

  bool isOpen(int row) const {
    return !places_[row].empty() &&
           std::none_of(decided_.begin(), decided_.end(), [row](const LcpDecision& one) { return one.row == row; });
  }

  int firstOpen() const {
    for (int i = 0; i < lcp_.rows(); ++i)
      if (isOpen(i)) return i;
    return -1;
  }

  double rate(int i, const std::vector<double>& z) const {
    double w = lcp_.q[i];
    for (int j = 0; j < lcp_.rows(); ++j) w += at(i, j) * z[j];
    return w;
  }

  int findWorst(const std::vector<double>& z) const {
    const LcpBounds bounds = readBounds(lcp_);
    int worst = firstOpen();
    double most = 0.0;
    for (int i = 0; i < lcp_.rows(); ++i) {
      if (!isOpen(i)) continue;
      const double d = scale_[i], target = std::min(std::max(z[i] - d * d * rate(i, z), bounds.lo[i]), bounds.hi[i]);
      const double miss = std::abs(z[i] - target) / d;
      if (miss > most) most = miss, worst = i;
    }
    return worst;
  }

  void addVariable(Relaxation& program, int column, double sign) const {
    program.column_of.push_back(column), program.sign.push_back(sign);
    ++program.variables;
  }

  // sign · w of a row ≥ 0, scaled.
  void addRow(Relaxation& program, int row, double sign) const {
    double right = lcp_.q[row];
    for (int j = 0; j < lcp_.rows(); ++j) right += at(row, j) * program.base[j];
    for (int k = 0; k < program.variables; ++k) {
      const int j = program.column_of[k];
      program.A.push_back(sign * scale_[row] * at(row, j) * program.sign[k] * scale_[j]);
    }
    program.b.push_back(-sign * scale_[row] * right / unit_);
    program.row_of.push_back(row), program.row_sign.push_back(sign);
  }

  Relaxation makeRelaxation(const LcpKnown& known) const {
    const int n = lcp_.rows();
    Relaxation program;
    program.base.assign(n, 0.0);
    for (int j = 0; j < n; ++j) {
      const bool lower = std::isfinite(known.lo[j]), upper = std::isfinite(known.hi[j]);
      program.base[j] = lower ? known.lo[j] : (upper ? known.hi[j] : 0.0);
      if (known.lo[j] == known.hi[j]) continue;
      if (lower || !upper) addVariable(program, j, 1.0);
      if (!lower) addVariable(program, j, -1.0);
    }
    for (int i = 0; i < n; ++i) {
      if (known.rises[i]) addRow(program, i, 1.0);
      if (known.falls[i]) addRow(program, i, -1.0);
    }
    for (int k = 0; k < program.variables; ++k) {
      const int j = program.column_of[k];
      if (!std::isfinite(known.lo[j]) || !std::isfinite(known.hi[j])) continue;
      for (int c = 0; c < program.variables; ++c) program.A.push_back(c == k ? -1.0 : 0.0);
      program.b.push_back(-(known.hi[j] - known.lo[j]) / (scale_[j] * unit_));
      program.row_of.push_back(-1), program.row_sign.push_back(0.0);
    }
    return program;
  }

  // True: z obeys what is known. False: v proves that nothing does, or is empty.
  bool relax(const LcpKnown& known, std::vector<double>& z, std::vector<double>& v) {
    const Relaxation program = makeRelaxation(known);
    const int n = lcp_.rows(), k = program.variables;
    const Lcp skew = makeSkew(program);
    if (skew.q.empty()) return z = program.base, true;
    const DenseLcpMatrix matrix(skew.M, skew.rows());
    const LcpBounds bounds = readBounds(skew);
    LcpForm form;
    form.scale.assign(skew.q.size(), 1.0);
    form.assign(matrix, skew.q.data(), bounds.lo.data(), bounds.hi.data());
    for (const int cover : {1, 2}) {
      const PathEnd end = path_.follow(form, {}, cover, {200 + 20 * skew.rows(), options_.stop});
      pivots_ += path_.pivots();
      if (end == PathEnd::kSolution) {
        z = program.base;
        for (int c = 0; c < k; ++c) {
          const int j = program.column_of[c];
          z[j] += program.sign[c] * scale_[j] * unit_ * form.unit * path_.z()[c];
        }
        for (int j = 0; j < n; ++j) z[j] = std::min(std::max(z[j], known.lo[j]), known.hi[j]);
        return true;
      }
      if (end != PathEnd::kRay) continue;
      std::vector<double> ray(n, 0.0);
      for (std::size_t r = 0; r < program.b.size(); ++r)
        if (program.row_of[r] >= 0)
          ray[program.row_of[r]] += program.row_sign[r] * scale_[program.row_of[r]] * path_.ray()[k + r];
      if (acceptProof(lcp_, known, std::move(ray), v)) return false;
    }
    return false;
  }

  const Lcp& lcp_;
  const LcpOptions& options_;
  std::vector<LcpBranch>& branches_;
  int& pivots_;
  const std::function<bool(const std::vector<double>&)>& accept_;
  std::vector<double> scale_;
  std::vector<std::vector<LcpPlace>> places_;
  std::vector<LcpDecision> decided_;
  LemkePath path_;
  double unit_ = 0.0;
  int count_ = 0;
};

}  // namespace

BranchEnd decideByBranches(const Lcp& lcp, const LcpOptions& options, std::vector<LcpBranch>& branches, int& pivots,
                           const std::function<bool(const std::vector<double>& z)>& accept) {
  branches.clear();
  const BranchEnd end = Branching(lcp, options, branches, pivots, accept).decide();
  if (end == BranchEnd::kNoSolution && provesByCases(lcp, branches)) return end;
  branches.clear();
  return end == BranchEnd::kSolution ? end : BranchEnd::kOpen;
}

}  // namespace rigor
