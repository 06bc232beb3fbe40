// What an answer or a proof of a complementarity problem is worth: from M, q and the bounds alone, whoever found it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/finite.h"
#include "rigor/error.h"
#include "rigor/lcp.h"
#include "solvers/lcp_form.h"
#include "solvers/lcp_own.h"

namespace rigor {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kFloor = 8.0, kCeiling = 1e-6;  // as the judge of contacts has them
constexpr double kHuge = 1e6;                    // times what is asked for: z beyond that excuses nothing
constexpr double kLargestNumber = 1e100;         // can be squared

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

// One row, with the sizes of what is small for it.
struct MeasuredRow {
  long double z, w, lo, hi;
  long double z_size, w_size;
};

// a/size, where 0 of nothing is 0.
long double part(long double a, long double size) { return a > 0.0L ? a / size : 0.0L; }

// How far z and w are from one of the three ways to obey the law, with the w nearest to 0 that rounding may hide.
long double distanceToLaw(const MeasuredRow& row, long double rounding) {
  const long double w = row.w > 0.0L ? std::max(row.w - rounding, 0.0L) : std::min(row.w + rounding, 0.0L);
  const auto ofZ = [&](long double off) { return part(off, row.z_size); };
  const auto ofW = [&](long double off) { return part(off, row.w_size); };
  const long double outside = std::max(ofZ(row.lo - row.z), ofZ(row.z - row.hi));
  const long double at_lower = std::max(ofZ(std::abs(row.z - row.lo)), ofW(-w));
  const long double at_upper = std::max(ofZ(std::abs(row.z - row.hi)), ofW(w));
  return std::min({std::max(outside, ofW(std::abs(w))), at_lower, at_upper});
}

// The largest z that a row with a bound other than 0 speaks of: beside it z is right or wrong, however much other rows ask for.
long double reachOf(double z, double lo, double hi) {
  long double reach = 0.0L;
  for (const double bound : {lo, hi})
    if (std::isfinite(bound)) reach = std::max<long double>(reach, std::abs(bound));
  return reach > 0.0L ? std::max<long double>(reach, std::abs(z)) : std::numeric_limits<long double>::infinity();
}

// The largest z_j that one row alone asks for; where all that it is in ask for nothing, any.
double askedOf(const Lcp& lcp, int j) {
  const int n = lcp.rows();
  double asked = 0.0;
  for (int i = 0; i < n; ++i)
    if (const double entry = std::abs(lcp.M[static_cast<std::size_t>(i) * n + j]); entry > 0.0)
      asked = std::max(asked, std::abs(lcp.q[i]) / entry);
  return asked > 0.0 ? asked : std::numeric_limits<double>::infinity();
}

// What M z of a row is made of, and how well it can be known.
struct RowSum {
  long double sum = 0.0L, size = 0.0L;  // Σ M_ij z_j, Σ |M_ij z_j|
  long double known = 0.0L;             // Σ |M_ij| pushes_j
  long double mutual = 0.0L;            // Σ max(|M_ij| pushes_j, √(M_ii M_jj) |z_j|), the latter of mutual rows
};

RowSum sumRow(const Lcp& lcp, const MutualRows& mutual, const std::vector<double>& z, const std::vector<double>& pushes,
              int i) {
  const double* row = lcp.M.data() + static_cast<std::size_t>(i) * lcp.rows();
  RowSum result;
  for (int j = 0; j < lcp.rows(); ++j) {
    if (z[j] == 0.0 && pushes[j] == 0.0) continue;
    const long double term = static_cast<long double>(row[j]) * z[j];
    const long double known = static_cast<long double>(std::abs(row[j])) * pushes[j];
    result.sum += term, result.size += std::abs(term), result.known += known;
    result.mutual += std::max(known, mutual.size(i, j) * std::min<long double>(std::abs(z[j]), pushes[j]));
  }
  return result;
}

// What rounding may hide of w. A row that says nothing itself, q = 0 or less than the rounding of what it adds up, is known to
// rounding alone; another one has a number of its own that no rounding may swallow.
long double floorOf(const RowSum& row, double q, const MutualRows& mutual, int i) {
  constexpr long double kRounding = kFloor * kEpsilon;
  const long double own = std::max<long double>(std::abs(q), std::abs(row.sum));
  const long double terms = q == 0.0 ? kRounding * row.known : 0.0L;
  const bool silent = mutual.scale(i) > 0.0 && std::abs(q) <= kRounding * row.size;
  const long double asked = silent ? mutual.asked(i) / mutual.scale(i) : 0.0L;
  return std::max(terms, std::min(kRounding * row.mutual, kCeiling * std::max(own, asked)));
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
  const MutualRows mutual(lcp);
  const LcpBounds bounds = readBounds(lcp);
  std::vector<double> pushes = mutual.pushes(z);
  for (int j = 0; j < n; ++j) pushes[j] = std::min(pushes[j], kHuge * askedOf(lcp, j));
  std::vector<RowSum> sums;
  std::vector<long double> own, counts(n, std::numeric_limits<long double>::infinity());  // z that a row would notice
  for (int i = 0; i < n; ++i) {
    sums.push_back(sumRow(lcp, mutual, z, pushes, i));
    own.push_back(std::max<long double>(std::abs(lcp.q[i]), std::abs(sums[i].sum)));
    for (int j = 0; j < n; ++j) {
      const double entry = std::abs(lcp.M[static_cast<std::size_t>(i) * n + j]);
      if (entry > 0.0) counts[j] = std::min(counts[j], own[i] / entry);
    }
  }
  for (int i = 0; i < n; ++i) {
    const long double z_size = std::min(counts[i], reachOf(z[i], bounds.lo[i], bounds.hi[i]));
    const MeasuredRow row{
        z[i],  sums[i].sum + lcp.q[i], bounds.lo[i], bounds.hi[i], std::isfinite(z_size) ? z_size : std::abs(z[i]),
        own[i]};
    const double plain = static_cast<double>(distanceToLaw(row, 0.0L));
    const double residual = static_cast<double>(distanceToLaw(row, floorOf(sums[i], lcp.q[i], mutual, i)));
    result.plain_residual = std::max(result.plain_residual, plain);
    if (residual > result.residual) result.residual = residual, result.worst_row = i;
  }
  result.by_floor = result.residual <= tolerance && result.plain_residual > tolerance;
  return result;
}

}  // namespace rigor
