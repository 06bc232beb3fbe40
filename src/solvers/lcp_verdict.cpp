// What an answer or a proof of a complementarity problem is worth: from M, q and the bounds alone, whoever found it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/finite.h"
#include "rigor/error.h"
#include "rigor/lcp.h"
#include "solvers/lcp_form.h"
#include "solvers/lcp_known.h"

namespace rigor {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kFloor = 8.0, kCeiling = 1e-6, kLeast = 1e-6;  // as the judge of contacts has them
constexpr double kRounding = 1e-12;                             // that is no entry of Mᵀv
constexpr double kLargest = 1e6;          // times what q asks for: a z beyond that would not be accepted as an answer
constexpr double kLargestNumber = 1e100;  // can be squared

[[noreturn]] void refuse(const std::string& file, const std::string& element, const std::string& problem,
                         const std::string& remedy) {
  throw Error({file, 0, element}, problem, remedy);
}

void checkNumbers(const std::string& file, const char* key, const std::vector<double>& values, bool may_be_infinite) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    const bool sound = std::abs(x) <= kLargestNumber || (may_be_infinite && std::isinf(x));
    if (!sound)
      refuse(file, fmt::format("{}[{}]", key, i), fmt::format("is {}", x),
             "Entries are finite and at most 1e100; only bounds may be infinite.");
  }
}

void checkBounds(const Lcp& lcp, const std::string& file) {
  const std::size_t n = lcp.q.size();
  for (const auto& [key, bound] : {std::pair{"lo", &lcp.lo}, std::pair{"hi", &lcp.hi}})
    if (!bound->empty() && bound->size() != n)
      refuse(file, key, fmt::format("has {} values, not {}", bound->size(), n),
             "Give one bound for every row of q, or leave the key out: lo is 0 then and hi infinite.");
  std::vector<char> named(n, 0);
  for (const int row : lcp.free) {
    if (row < 0 || row >= lcp.rows())
      refuse(file, "free", fmt::format("names row {} of {}", row, n), "Rows are counted from 0.");
    if (named[row]++) refuse(file, "free", fmt::format("names row {} twice", row), "Name each row once.");
  }
  const LcpBounds bounds = readBounds(lcp);
  for (std::size_t i = 0; i < n; ++i) {
    if (bounds.lo[i] > bounds.hi[i])
      refuse(file, fmt::format("lo[{}]", i), fmt::format("{} is above hi, {}", bounds.lo[i], bounds.hi[i]),
             "Swap them, or name the row in free if it has no bounds.");
    if (bounds.lo[i] == std::numeric_limits<double>::infinity() ||
        bounds.hi[i] == -std::numeric_limits<double>::infinity())
      refuse(file, fmt::format("lo[{}]", i), "both bounds are the same infinity", "No finite z is between them.");
  }
}

// z and w of one row in its own unit.
struct ScaledRow {
  long double z, w, lo, hi;
};

// Of the law, with the w nearest to 0 that rounding of w may hide.
long double distanceToLaw(const ScaledRow& row, long double rounding) {
  const long double w = row.w > 0.0L ? std::max(row.w - rounding, 0.0L) : std::min(row.w + rounding, 0.0L);
  return std::abs(row.z - std::min(std::max(row.z - w, row.lo), row.hi));
}

// The largest z that a row with a bound other than 0 speaks of: beside it z is right or wrong, however much other rows ask for.
long double reachOf(const ScaledRow& row) {
  long double reach = 0.0L;
  for (const long double bound : {row.lo, row.hi})
    if (std::isfinite(bound)) reach = std::max(reach, std::abs(bound));
  return reach > 0.0L ? std::max(reach, std::abs(row.z)) : std::numeric_limits<long double>::infinity();
}

// The largest |d q| of all rows that a row has to do with through M.
std::vector<double> findAsked(const Lcp& lcp, const std::vector<double>& scale) {
  const int n = lcp.rows();
  const auto touch = [&](int i, int j) {
    return lcp.M[static_cast<std::size_t>(i) * n + j] != 0.0 || lcp.M[static_cast<std::size_t>(j) * n + i] != 0.0;
  };
  std::vector<double> asked(n, 0.0);
  std::vector<char> seen(n, 0);
  std::vector<int> group;
  for (int first = 0; first < n; ++first) {
    if (seen[first]) continue;
    seen[first] = 1;
    group.assign(1, first);
    double most = 0.0;
    for (std::size_t k = 0; k < group.size(); ++k) {
      most = std::max(most, std::abs(scale[group[k]] * lcp.q[group[k]]));
      for (int j = 0; j < n; ++j)
        if (!seen[j] && touch(group[k], j)) seen[j] = 1, group.push_back(j);
    }
    for (const int i : group) asked[i] = most;
  }
  return asked;
}

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

}  // namespace

void checkLcp(const Lcp& lcp, const std::string& file) {
  const std::size_t n = lcp.q.size();
  if (n == 0) refuse(file, "q", "is empty", "A problem has M [n × n] and q [n] with n of at least 1.");
  if (lcp.M.size() != n * n)
    refuse(file, "M", fmt::format("has {} values, not {} × {}", lcp.M.size(), n, n),
           "M is square, by rows, with as many rows as q has entries.");
  checkNumbers(file, "M", lcp.M, false), checkNumbers(file, "q", lcp.q, false);
  checkNumbers(file, "lo", lcp.lo, true), checkNumbers(file, "hi", lcp.hi, true);
  checkBounds(lcp, file);
}

LcpResiduals judgeLcp(const Lcp& lcp, const std::vector<double>& z, double tolerance) {
  const int n = lcp.rows();
  LcpResiduals result;
  result.finite = z.size() == lcp.q.size() && allFinite(z) && allFinite(lcp.M) && allFinite(lcp.q);
  if (!result.finite) {
    result.residual = result.plain_residual = std::numeric_limits<double>::infinity();
    return result;
  }
  const std::vector<double> scale = computeScale(lcp);
  const LcpBounds bounds = readBounds(lcp);
  const std::vector<double> asked = findAsked(lcp, scale);
  std::vector<double> root(n);
  for (int i = 0; i < n; ++i) root[i] = std::sqrt(std::max(lcp.M[static_cast<std::size_t>(i) * n + i], 0.0));
  for (int i = 0; i < n; ++i) {
    const double* row = lcp.M.data() + static_cast<std::size_t>(i) * n;
    long double sum = 0.0L, size = 0.0L;
    for (int j = 0; j < n; ++j) {
      if (z[j] == 0.0) continue;
      const long double own = static_cast<long double>(root[i]) * root[j];  // entries are known to rounding of this
      sum += static_cast<long double>(row[j]) * z[j];
      size += std::max(std::abs(static_cast<long double>(row[j])), own) * std::abs(z[j]);
    }
    const long double d = scale[i];
    const ScaledRow scaled{z[i] / d, d * (sum + lcp.q[i]), bounds.lo[i] / d, bounds.hi[i] / d};
    const long double moved = std::max(std::abs(d * lcp.q[i]), std::abs(d * sum));
    const long double s = std::min(std::max<long double>(moved, kLeast * asked[i]), reachOf(scaled));
    const long double floor = std::min(kFloor * kEpsilon * d * size, kCeiling * std::max<long double>(moved, asked[i]));
    const auto relative = [s](long double r) {
      if (r == 0.0L) return 0.0;
      const double part = static_cast<double>(r / s);
      return std::isnan(part) ? std::numeric_limits<double>::infinity() : part;
    };
    result.plain_residual = std::max(result.plain_residual, relative(distanceToLaw(scaled, 0.0L)));
    const double residual = relative(distanceToLaw(scaled, floor));
    if (residual > result.residual) result.residual = residual, result.worst_row = i;
  }
  result.by_floor = result.residual <= tolerance && result.plain_residual > tolerance;
  return result;
}

bool provesEmpty(const Lcp& lcp, const LcpKnown& known, const std::vector<double>& v) {
  const int n = lcp.rows();
  if (v.size() != lcp.q.size() || !allFinite(v) || !allFinite(lcp.M) || !allFinite(lcp.q)) return false;
  const std::vector<double> scale = computeScale(lcp);
  double asked = 0.0;
  for (int i = 0; i < n; ++i) asked = std::max(asked, std::abs(scale[i] * lcp.q[i]));
  long double most = 0.0L, uncertain = 0.0L;  // of v·w over all z within bounds; what rounding may hide
  for (int i = 0; i < n; ++i) {
    if ((!known.falls[i] && v[i] < 0.0) || (!known.rises[i] && v[i] > 0.0)) return false;
    most += static_cast<long double>(v[i]) * lcp.q[i];
    uncertain += kRounding * std::abs(static_cast<long double>(v[i]) * lcp.q[i]);
  }
  for (int j = 0; j < n; ++j) {
    long double sum = 0.0L, size = 0.0L;  // (Mᵀv)_j: how v·w answers z_j, and how it could
    for (int i = 0; i < n; ++i) {
      const long double term = static_cast<long double>(lcp.M[static_cast<std::size_t>(i) * n + j]) * v[i];
      sum += term;
      size += std::max(std::abs(term), std::abs(static_cast<long double>(v[i])) / (scale[i] * scale[j]));
    }
    if (sum == 0.0L) continue;
    const double bound = sum > 0.0L ? known.hi[j] : known.lo[j];
    if (std::isfinite(bound)) {
      most += sum * bound;
      uncertain += kRounding * std::abs(sum * bound);
      continue;
    }
    if (std::abs(sum) > kRounding * size) return false;
    uncertain += std::abs(sum) * scale[j] * kLargest * asked;
  }
  return most < -uncertain;
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
