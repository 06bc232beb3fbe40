#include "solvers/lcp_proof.h"

#include <algorithm>
#include <cmath>

#include "solvers/lcp_form.h"
#include "solvers/lcp_own.h"
#include "solvers/lemke_path.h"

namespace rigor {
namespace {

// What is asked of an entry of Mᵀv: a sign that nothing may hide, one that only noise of mutual rows may hide, to be 0.
enum class Asks : std::uint8_t { kSign, kMutualSign, kZero };

// The linear program, and how its x makes v.
struct Program : LinearProgram {
  std::vector<int> row_of;   // [variables] of the LCP: where v is, or the bounded column of a slack
  std::vector<double> sign;  // [variables] of v; 0: a slack
  std::vector<Asks> asks;    // [constraints]
};

void addRow(Program& program, const std::vector<double>& row, double right, Asks asks) {
  program.A.insert(program.A.end(), row.begin(), row.end());
  program.b.push_back(right), program.asks.push_back(asks);
}

// v has the sign that its row asks for: two variables where there are no bounds, none where there are two. With y = Mᵀv the largest
// v·w over all z within bounds is
//
//   v·q + Σ y_j lo_j + Σ a_j (hi_j − lo_j),   a_j ≥ max(y_j, 0) where both bounds are finite, y_j ≤ 0 where hi is not, …
//
// and has to be −1 or less. Columns are scaled, so that v of all rows are alike.
Program makeProgram(const Lcp& lcp, const LcpKnown& known, const std::vector<double>& scale) {
  const int n = lcp.rows();
  const MutualRows mutual(lcp);
  Program program;
  const auto addVariable = [&](int row, double sign) {
    program.row_of.push_back(row), program.sign.push_back(sign);
    ++program.variables;
  };
  const auto hasLower = [&](int i) { return std::isfinite(known.lo[i]); };
  const auto hasUpper = [&](int i) { return std::isfinite(known.hi[i]); };
  for (int i = 0; i < n; ++i) {
    if (known.rises[i]) addVariable(i, 1.0);
    if (known.falls[i]) addVariable(i, -1.0);
    if (hasLower(i) && hasUpper(i) && known.lo[i] < known.hi[i]) addVariable(i, 0.0);
  }
  std::vector<double> row(program.variables), last(program.variables, 0.0);
  double unit = 0.0;
  for (int i = 0; i < n; ++i) unit = std::max(unit, std::abs(scale[i] * lcp.q[i]));
  if (unit == 0.0) unit = 1.0;
  for (int k = 0; k < program.variables; ++k) {
    const int i = program.row_of[k];
    if (program.sign[k] == 0.0)
      last[k] = -(known.hi[i] - known.lo[i]) / (scale[i] * unit);
    else
      last[k] = -program.sign[k] * scale[i] * lcp.q[i] / unit;
  }
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < program.variables; ++k) {
      const int i = program.row_of[k];
      const double y = program.sign[k] * scale[i] * lcp.M[static_cast<std::size_t>(i) * n + j] * scale[j];
      row[k] = program.sign[k] == 0.0 ? (i == j ? 1.0 : 0.0) : -y;  // a − y ≥ 0, or −y ≥ 0
      const double bound = hasLower(j) ? known.lo[j] : (hasUpper(j) ? known.hi[j] : 0.0);
      last[k] -= y * bound / (scale[j] * unit);
    }
    if (known.lo[j] == known.hi[j]) continue;
    const bool up = !hasUpper(j) || hasLower(j), down = !hasLower(j);
    const Asks asks = up && down ? Asks::kZero : (mutual.scale(j) > 0.0 ? Asks::kMutualSign : Asks::kSign);
    if (up) addRow(program, row, 0.0, asks);
    for (double& entry : row) entry = -entry;
    if (down) addRow(program, row, 0.0, asks);
  }
  addRow(program, last, 1.0, Asks::kZero);
  return program;
}

// Entries of Mᵀv that are wrong by rounding, though v may not touch anything else there (corners of a pyramid that push nothing): the
// row that answers them at the least cost of all, the row of a pyramid's slip for instance, takes it. False if nothing was changed.
bool mendSigns(const Lcp& lcp, const LcpKnown& known, std::vector<double>& v) {
  constexpr double kSmall = 1e-9;  // of the largest v: it is to mend v, not to find it
  const int n = lcp.rows();
  const auto at = [&](int i, int j) { return lcp.M[static_cast<std::size_t>(i) * n + j]; };
  bool changed = false;
  for (int j = 0; j < n; ++j) {
    long double answer = 0.0L;
    for (int i = 0; i < n; ++i) answer += static_cast<long double>(at(i, j)) * v[i];
    if (!(answer > 0.0L && std::isinf(known.hi[j])) && !(answer < 0.0L && std::isinf(known.lo[j]))) continue;
    int best = -1;
    double least = kSmall;
    for (int i = 0; i < n; ++i) {
      const double change = at(i, j) != 0.0 ? static_cast<double>(-answer / at(i, j)) : HUGE_VAL;
      const bool allowed = change > 0.0 ? known.rises[i] : known.falls[i];
      if (allowed && std::abs(change) < least) best = i, least = std::abs(change);
    }
    if (best < 0) continue;
    v[best] += (1.0 + 1e-12) * static_cast<double>(-answer / at(best, j));
    changed = true;
  }
  return changed;
}

// v in whole numbers, if that is what it is but for rounding: what cancels does so to the last bit then.
bool makeWhole(std::vector<double>& v) {
  constexpr int kMost = 60;
  constexpr double kNear = 1e-9;
  double least = HUGE_VAL;
  for (const double x : v)
    if (x != 0.0) least = std::min(least, std::abs(x));
  for (int k = 1; k <= kMost; ++k) {
    const auto whole = [&](double x) { return std::round(x / least * k); };
    if (!std::all_of(v.begin(), v.end(), [&](double x) { return std::abs(x / least * k - whole(x)) <= kNear; }))
      continue;
    for (double& x : v) x = whole(x);
    return true;
  }
  return false;
}

}  // namespace

void normalize(std::vector<double>& v) {
  double largest = 0.0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  int exponent = 0;
  std::frexp(largest, &exponent);
  for (double& x : v) x = std::ldexp(x, -exponent);
}

// Signs exact, and the rounding of what should be zero gone.
bool acceptProof(const Lcp& lcp, const LcpKnown& known, std::vector<double> trial, std::vector<double>& v) {
  constexpr int kMended = 3;
  double largest = 0.0;
  for (const double x : trial) largest = std::max(largest, std::abs(x));
  if (!(largest > 0.0) || !std::isfinite(largest)) return false;
  normalize(trial);
  for (const double cut : {0.0, 1e-13, 1e-10}) {
    for (std::size_t i = 0; i < trial.size(); ++i) {
      const bool allowed = trial[i] > 0.0 ? known.rises[i] : known.falls[i];
      if (std::abs(trial[i]) <= cut || !allowed) trial[i] = 0.0;
    }
    v = trial;
    for (int mended = 0; mended <= kMended; ++mended) {
      if (provesEmpty(lcp, known, v)) return true;
      if (!mendSigns(lcp, known, v)) break;
    }
    v = trial;
    if (!makeWhole(v)) continue;
    normalize(v);
    if (provesEmpty(lcp, known, v)) return true;
  }
  v.clear();
  return false;
}

bool findProof(const Lcp& lcp, const LcpKnown& known, const LcpOptions& options, std::vector<double>& v, int& pivots) {
  const std::vector<double> scale = computeScale(lcp);
  const Program program = makeProgram(lcp, known, scale);
  Lcp skew = makeSkew(program);
  const DenseLcpMatrix matrix(skew.M, skew.rows());
  const LcpBounds bounds = readBounds(skew);
  LcpForm form;
  form.scale.assign(skew.q.size(), 1.0);  // the program is scaled already
  LemkePath path;
  // Signs are asked for with a little more than 0, since v will be rounded. Columns that come with their negatives (corners of a pyramid)
  // ask for 0, which rounding of M may have made impossible: then y may be as large as rounding.
  const struct {
    double sign, mutual, zero;
  } tries[] = {{-1e-9, -1e-9, 0.0}, {-1e-9, 0.0, 0.0},      {-1e-12, -1e-12, 0.0}, {0.0, 0.0, 0.0},
               {0.0, 1e-13, 1e-13}, {-1e-10, 1e-12, 1e-12}, {0.0, 1e-12, 1e-12},   {0.0, 1e-11, 1e-11}};
  for (const auto& slack : tries)
    for (const int cover : {1, 2}) {
      for (std::size_t r = 0; r + 1 < program.b.size(); ++r) {
        const double of[] = {slack.sign, slack.mutual, slack.zero};
        skew.q[program.variables + r] = of[static_cast<int>(program.asks[r])];
      }
      form.assign(matrix, skew.q.data(), bounds.lo.data(), bounds.hi.data());
      const PathEnd end = path.follow(form, {}, cover, {200 + 20 * skew.rows(), options.stop});
      pivots += path.pivots();
      if (isRaised(options.stop)) return false;
      if (end != PathEnd::kSolution) continue;
      std::vector<double> trial(lcp.q.size(), 0.0);
      for (int k = 0; k < program.variables; ++k)
        trial[program.row_of[k]] += program.sign[k] * scale[program.row_of[k]] * path.z()[k];
      if (acceptProof(lcp, known, std::move(trial), v)) return true;
    }
  return false;
}

}  // namespace rigor
