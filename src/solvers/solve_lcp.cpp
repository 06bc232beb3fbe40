// The ladder of a complementarity problem: each rung hands what it found to judgeLcp or provesNoSolution, and nothing else counts.
#include <algorithm>
#include <cmath>

#include "rigor/error.h"
#include "rigor/lcp.h"
#include "solvers/lcp_branches.h"
#include "solvers/lcp_enumeration.h"
#include "solvers/lcp_form.h"
#include "solvers/lcp_own.h"
#include "solvers/lcp_proof.h"
#include "solvers/lemke_howson.h"
#include "solvers/lemke_path.h"

namespace rigor {
namespace {

// Free rows as differences of two variables that are not negative: M' = [M −M; −M M] on these rows. More rows, but no part of M
// has to be regular.
Lcp splitFree(const Lcp& lcp) {
  const int n = lcp.rows(), more = static_cast<int>(lcp.free.size()), size = n + more;
  const auto of = [&](int i) { return i < n ? i : lcp.free[i - n]; };
  const auto sign = [&](int i) { return i < n ? 1.0 : -1.0; };
  Lcp split;
  split.M.resize(static_cast<std::size_t>(size) * size);
  split.q.resize(size);
  const LcpBounds bounds = readBounds(lcp);
  split.lo = bounds.lo, split.hi = bounds.hi;
  split.lo.resize(size), split.hi.resize(size);
  for (int i = 0; i < size; ++i) {
    split.q[i] = sign(i) * lcp.q[of(i)];
    for (int j = 0; j < size; ++j)
      split.M[static_cast<std::size_t>(i) * size + j] =
          sign(i) * sign(j) * lcp.M[static_cast<std::size_t>(of(i)) * n + of(j)];
  }
  for (int k = 0; k < more; ++k)
    for (const int row : {lcp.free[k], n + k}) split.lo[row] = 0.0, split.hi[row] = HUGE_VAL;
  return split;
}

class LcpLadder {
 public:
  LcpLadder(const Lcp& lcp, const LcpOptions& options, LcpSolution& solution)
      : lcp_(lcp), options_(options), solution_(solution), bounds_(readBounds(lcp)), matrix_(lcp.M, lcp.rows()) {
    form_.scale = computeScale(lcp);
    form_.assign(matrix_, lcp.q.data(), bounds_.lo.data(), bounds_.hi.data());
    max_pivots_ = options.max_pivots > 0 ? options.max_pivots : 200 + 20 * lcp.rows();
    solution_.residuals.residual = HUGE_VAL;
    start_ = solution.basis.size() == lcp.q.size() ? solution.basis : std::vector<LcpPlace>();
  }

  void climb() {
    if (keep(form_, std::vector<double>(lcp_.q.size(), 0.0), {}, "zero"))
      return;  // else there is an answer, however bad
    if (tryStart() || tryCovers(0, 2) || tryGame() || trySplit(1) || prove() || tryCovers(2, options_.covers) ||
        trySplit(options_.covers))
      return;
    if (!enumerate()) branch();
  }

 private:
  bool stopped() const { return isRaised(options_.stop); }

  // Of a problem that may be split: the first n rows less those behind them.
  bool keep(const LcpForm& form, const std::vector<double>& scaled, const std::vector<LcpPlace>& places,
            const char* stage) {
    const int n = lcp_.rows();
    std::vector<double> z(n);
    for (int i = 0; i < n; ++i) z[i] = form.unit * form.scale[i] * scaled[i];
    for (int k = n; k < static_cast<int>(scaled.size()) && k < form.rows(); ++k)
      z[lcp_.free[k - n]] -= form.unit * form.scale[k] * scaled[k];
    return keepPlain(std::move(z), places, stage);
  }

  bool keepPlain(std::vector<double> z, const std::vector<LcpPlace>& places, const char* stage) {
    const int n = lcp_.rows();
    for (int i = 0; i < n; ++i) {
      z[i] = std::min(std::max(z[i], bounds_.lo[i]), bounds_.hi[i]);
      const LcpPlace place = places.empty() ? LcpPlace::kInside : places[i];  // at a bound not but for rounding
      if (place == LcpPlace::kLower && std::isfinite(bounds_.lo[i])) z[i] = bounds_.lo[i];
      if (place == LcpPlace::kUpper && std::isfinite(bounds_.hi[i])) z[i] = bounds_.hi[i];
    }
    const LcpResiduals residuals = judgeLcp(lcp_, z, options_.tolerance);
    if (!residuals.finite) return false;
    const bool solved = residuals.residual <= options_.tolerance;
    if (!solved && !(residuals.residual < solution_.residuals.residual) && !solution_.z.empty()) return false;
    solution_.z = std::move(z);
    solution_.residuals = residuals;
    solution_.stage = stage;
    solution_.basis = places;
    solution_.basis.resize(n, LcpPlace::kLower);
    if (solved) solution_.status = LcpStatus::kSolved;
    return solved;
  }

  // The basis that the path is at. Scaling rounds, so that what is left of its equations is asked of M and q themselves.
  bool keepBasis(const LcpForm& form, const char* stage) {
    if (keep(form, path_.z(), path_.places(), stage)) return true;
    if (&form != &form_) return false;
    const int n = lcp_.rows();
    std::vector<double> z(n), left(n);
    for (int i = 0; i < n; ++i) z[i] = form.unit * form.scale[i] * path_.z()[i];
    for (int time = 0; time < 2; ++time) {
      for (int i = 0; i < n; ++i) {
        const double* row = lcp_.M.data() + static_cast<std::size_t>(i) * n;
        long double w = lcp_.q[i];
        for (int j = 0; j < n; ++j) w += static_cast<long double>(row[j]) * z[j];
        left[i] = static_cast<double>(w * form.scale[i] / form.unit);
      }
      if (!path_.correct(left)) return false;
      for (int i = 0; i < n; ++i) z[i] += form.unit * form.scale[i] * left[i];
    }
    return keepPlain(std::move(z), path_.places(), stage);
  }

  bool follow(const LcpForm& form, const std::vector<LcpPlace>& places, int cover, const char* stage) {
    constexpr int kTimes = 4;
    constexpr double kTies[] = {1e-12, 1e-13, 1e-14, 1e-11}, kNarrow = 1e-15;
    for (int time = 0; time < kTimes; ++time) {
      end_ = path_.follow(form, time == 0 ? places : ended_, cover + time,
                          {max_pivots_, options_.stop, time == 0 ? kTies[cover % 4] : kNarrow});
      solution_.pivots += path_.pivots();
      if (end_ == PathEnd::kSolution ? keepBasis(form, stage) : keep(form, path_.z(), path_.places(), stage))
        return true;
      if (end_ != PathEnd::kSolution) break;
      ended_ = path_.places();  // of several variables that left together the wrong one did: a short path from there
    }
    return false;
  }

  bool tryStart() {
    if (start_.empty()) return false;
    if (path_.tryBasis(form_, start_, options_.stop) && keepBasis(form_, "basis")) return true;
    return follow(form_, start_, 1, "lemke");
  }

  bool tryCovers(int first, int last) {
    for (int cover = first; cover < std::min(last, options_.covers) && !stopped(); ++cover) {
      if (follow(form_, {}, cover, "lemke") || proveByRay()) return true;
    }
    return false;
  }

  bool proveByRay() {
    if (end_ != PathEnd::kRay) return false;
    std::vector<double> ray(lcp_.q.size());
    for (std::size_t i = 0; i < ray.size(); ++i) ray[i] = form_.scale[i] * path_.ray()[i];
    if (!acceptProof(lcp_, knowOf(lcp_), std::move(ray), solution_.certificate)) return false;
    return concludeProof("ray");
  }

  bool prove() {
    return !stopped() && findProof(lcp_, knowOf(lcp_), options_, solution_.certificate, solution_.pivots) &&
           concludeProof("farkas");
  }

  bool concludeProof(const char* stage) {
    solution_.status = LcpStatus::kNoSolution;
    solution_.stage = stage;
    return true;
  }

  bool trySplit(int covers) {
    if (lcp_.free.empty()) return false;
    const Lcp split = splitFree(lcp_);
    const DenseLcpMatrix matrix(split.M, split.rows());
    LcpForm form;
    form.scale = computeScale(split);
    form.assign(matrix, split.q.data(), split.lo.data(), split.hi.data());
    for (int cover = 1; cover <= covers && !stopped(); ++cover)
      if (follow(form, {}, cover, "split")) return true;
    return false;
  }

  bool tryGame() {
    LemkeHowson game;
    if (!game.begin(form_)) return false;
    for (int label = 0; label < lcp_.rows() && !stopped(); ++label) {
      const bool ended = game.follow(label, max_pivots_, options_.stop);
      solution_.pivots += game.pivots();
      if (ended && keep(form_, game.z(), game.places(), "lemke_howson")) return true;
    }
    return false;
  }

  bool enumerate() {
    constexpr int kMost = 24;
    return enumerateBases(form_, std::min(options_.most_enumerated, kMost), options_.stop, path_,
                          [&](const LemkePath&) { return keepBasis(form_, "enumeration"); });
  }

  void branch() {
    const BranchEnd end =
        decideByBranches(lcp_, options_, solution_.branches, solution_.pivots, [&](const std::vector<double>& z) {
          std::vector<double> scaled(z);
          std::vector<LcpPlace> places(z.size(), LcpPlace::kInside);
          for (std::size_t i = 0; i < z.size(); ++i) {
            scaled[i] /= form_.unit * form_.scale[i];
            if (z[i] == bounds_.hi[i]) places[i] = LcpPlace::kUpper;
            if (z[i] == bounds_.lo[i]) places[i] = LcpPlace::kLower;
          }
          return keep(form_, scaled, places, "branches");
        });
    if (end == BranchEnd::kNoSolution) concludeProof("branches");
  }

  const Lcp& lcp_;
  const LcpOptions& options_;
  LcpSolution& solution_;
  LcpBounds bounds_;
  DenseLcpMatrix matrix_;
  LcpForm form_;
  LemkePath path_;
  PathEnd end_ = PathEnd::kLimit;
  std::vector<LcpPlace> start_, ended_;
  int max_pivots_ = 0;
};

// z, v and the verdict of a problem in its units.
void climb(const Lcp& lcp, const LcpOptions& options, LcpSolution& solution) {
  if (MutualRows(lcp).any()) return LcpLadder(lcp, options, solution).climb();
  const LcpUnits units = findUnits(lcp);
  const Lcp scaled = inUnits(lcp, units);
  LcpLadder(scaled, options, solution).climb();
  const auto intoUnits = [&](std::vector<double>& v) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] /= units.row[i];
    normalize(v);
  };
  for (std::size_t i = 0; i < solution.z.size(); ++i) solution.z[i] *= units.column[i];
  intoUnits(solution.certificate);
  for (LcpBranch& branch : solution.branches) intoUnits(branch.v);
  // The same verdict but for numbers that no double can hold.
  solution.residuals = judgeLcp(lcp, solution.z, options.tolerance);
  const bool holds = solution.status == LcpStatus::kSolved ? solution.residuals.residual <= options.tolerance
                     : solution.certificate.empty()        ? provesByCases(lcp, solution.branches)
                                                           : provesNoSolution(lcp, solution.certificate);
  if (solution.status != LcpStatus::kUnsolved && !holds) solution.status = LcpStatus::kUnsolved;
}

bool isSound(const Lcp& lcp) {
  try {
    checkLcp(lcp);
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace

void solveLcp(const Lcp& lcp, const LcpOptions& options, LcpSolution& solution) {
  solution.status = LcpStatus::kBadInput;
  solution.z.clear(), solution.w.clear(), solution.certificate.clear(), solution.branches.clear();
  solution.residuals = {};
  solution.stage = "";
  solution.pivots = 0;
  if (!isSound(lcp)) {
    solution.residuals.finite = false;
    return;
  }
  solution.status = LcpStatus::kUnsolved;
  climb(lcp, options, solution);
  const int n = lcp.rows();
  solution.w.resize(n);
  for (int i = 0; i < n; ++i) {
    long double sum = lcp.q[i];
    for (int j = 0; j < n; ++j)
      sum += static_cast<long double>(lcp.M[static_cast<std::size_t>(i) * n + j]) * solution.z[j];
    solution.w[i] = static_cast<double>(sum);
  }
}

LcpSolution solveLcp(const Lcp& lcp, const LcpOptions& options) {
  LcpSolution solution;
  solveLcp(lcp, options, solution);
  return solution;
}

}  // namespace rigor
