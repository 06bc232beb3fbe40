// What a proof that a complementarity problem has no solution is worth: from M, q and the bounds alone, whoever found it.
#include <algorithm>
#include <cmath>

#include "math/finite.h"
#include "rigor/lcp.h"
#include "solvers/lcp_known.h"
#include "solvers/lcp_nearby.h"
#include "solvers/lcp_own.h"

namespace rigor {
namespace {

constexpr double kNoise = 1e-12;  // of what mutual rows push each other with: no entry of Mᵀv
constexpr double kLargest =
    1e6;  // times what q asks of mutual rows: a z beyond that would not be accepted as an answer
constexpr double kSummed = 1e-17;    // lost by a sum in long double, of all that was summed, for each term
constexpr double kCancelled = 1e-2;  // of what was summed: below, its rounding counts too

// Rows that exist, once each, at places that they may be in.
bool isDecidable(const Lcp& lcp, const std::vector<LcpDecision>& decided) {
  std::vector<char> named(lcp.q.size(), 0);
  for (const auto& [row, place] : decided) {
    if (row < 0 || row >= lcp.rows() || named[row]++) return false;
    const std::vector<LcpPlace> places = placesOf(lcp, row);
    if (std::find(places.begin(), places.end(), place) == places.end()) return false;
  }
  return true;
}

// Of the branches that agree with what `decided` rows are: whether one asks for nothing else, or some row in all its ways.
bool areAllCases(const Lcp& lcp, const std::vector<const LcpBranch*>& branches, std::vector<char> decided) {
  if (branches.empty()) return false;
  const auto opens = [&](const LcpDecision& one) { return !decided[one.row]; };
  int row = -1;
  for (const LcpBranch* branch : branches) {
    const auto first = std::find_if(branch->decided.begin(), branch->decided.end(), opens);
    if (first == branch->decided.end()) return true;
    row = first->row;
  }
  decided[row] = 1;
  for (const LcpPlace place : placesOf(lcp, row)) {
    std::vector<const LcpBranch*> agreeing;
    for (const LcpBranch* branch : branches)
      if (std::none_of(branch->decided.begin(), branch->decided.end(),
                       [&](const LcpDecision& one) { return one.row == row && one.place != place; }))
        agreeing.push_back(branch);
    if (!areAllCases(lcp, agreeing, decided)) return false;
  }
  return true;
}

// (Mᵀv)_j.
long double answerTo(const Lcp& lcp, const std::vector<double>& v, int j) {
  const int n = lcp.rows();
  long double sum = 0.0L, size = 0.0L;
  for (int i = 0; i < n; ++i) {
    const long double term = static_cast<long double>(lcp.M[static_cast<std::size_t>(i) * n + j]) * v[i];
    sum += term, size += std::abs(term);
  }
  if (std::abs(sum) > kCancelled * size || size == 0.0L) return sum;
  ExactSum exact;  // whether anything is left of it, and of which sign
  for (int i = 0; i < n; ++i) exact.add(lcp.M[static_cast<std::size_t>(i) * n + j], v[i]);
  return exact.value();
}

}  // namespace

bool provesEmpty(const Lcp& lcp, const LcpKnown& known, const std::vector<double>& v) {
  const int n = lcp.rows();
  if (v.size() != lcp.q.size() || !allFinite(v) || !allFinite(lcp.M) || !allFinite(lcp.q)) return false;
  const MutualRows mutual(lcp);
  std::vector<long double> answers, noise(n, 0.0L), near;
  std::vector<int> exact;  // columns without bounds, where an entry is there or not
  for (int j = 0; j < n; ++j) {
    answers.push_back(answerTo(lcp, v, j));
    for (int i = 0; i < n; ++i) noise[j] += kNoise * mutual.size(i, j) * std::abs(v[i]);
    if (std::isinf(known.lo[j]) && std::isinf(known.hi[j]) && std::abs(answers[j]) > noise[j]) exact.push_back(j);
  }
  if (!findNearby(lcp, exact, v, answers, near)) return false;
  long double most = 0.0L, size = 0.0L, hidden = 0.0L;  // of v·w over all z within bounds; of its terms; by noise
  const auto add = [&](long double term, long double uncertain) {
    most += term, size += std::abs(term), hidden += uncertain;
  };
  for (int i = 0; i < n; ++i) {
    if ((!known.falls[i] && v[i] < 0.0) || (!known.rises[i] && v[i] > 0.0)) return false;
    const long double term = static_cast<long double>(v[i]) * lcp.q[i];
    add(term, near[i] * std::abs(term));
  }
  for (int j = 0; j < n; ++j) {
    if (std::find(exact.begin(), exact.end(), j) != exact.end()) continue;  // 0 for that v
    long double uncertain = 0.0L;
    for (int i = 0; i < n; ++i)
      uncertain += near[i] * std::abs(static_cast<long double>(lcp.M[static_cast<std::size_t>(i) * n + j]) * v[i]);
    const auto bestOf = [&](long double answer) {  // answer · z
      return answer == 0.0L ? 0.0L : answer * (answer > 0.0L ? known.hi[j] : known.lo[j]);
    };
    const long double best = std::max(bestOf(answers[j] + uncertain), bestOf(answers[j] - uncertain));
    if (std::isfinite(best)) {
      add(best, 0.0L);
      continue;
    }
    const long double left = std::abs(answers[j]) + uncertain;
    if (left > noise[j]) return false;
    const double bound = std::isfinite(known.lo[j]) ? known.lo[j] : (std::isfinite(known.hi[j]) ? known.hi[j] : 0.0);
    hidden += left * (mutual.scale(j) * kLargest * mutual.asked(j) + std::abs(bound));
  }
  return most < -(hidden + 2 * n * kSummed * size);
}

bool provesNoSolution(const Lcp& lcp, const std::vector<double>& v) { return provesEmpty(lcp, knowOf(lcp), v); }

bool provesByCases(const Lcp& lcp, const std::vector<LcpBranch>& branches) {
  std::vector<const LcpBranch*> all;
  for (const LcpBranch& branch : branches) {
    if (!isDecidable(lcp, branch.decided) || !provesEmpty(lcp, knowOf(lcp, branch.decided), branch.v)) return false;
    all.push_back(&branch);
  }
  return areAllCases(lcp, all, std::vector<char>(lcp.q.size(), 0));
}

}  // namespace rigor
