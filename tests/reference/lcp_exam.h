// Takes the exam of solveLcp: solves problems of a family and checks every claim with code that shares nothing with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference/lcp_families.h"

namespace rigor::reference {

/// Every row obeys the law within `tolerance` of its own numbers and what rounding does, in long double; as lcp.h says.
bool obeysSlowly(const Lcp& lcp, const std::vector<double>& z, double tolerance);
/// v·w is negative for every z within its bounds, summed in quadruple precision: for each column the z that is best for v·w. What no bound
/// stops must be 0 or of the right sign, but for the noise of mutual rows and, on rows without bounds, the rounding of v.
bool provesSlowly(const Lcp& lcp, const std::vector<double>& v);
/// The same of cases; the twin wants them to be disjoint, as a tree of them is.
bool provesSlowly(const Lcp& lcp, const std::vector<LcpBranch>& branches);

/// Some basis of all, at a bound, at the other or inside for every row, solves the problem: by elimination in long double.
bool hasSolutionSlowly(const Lcp& lcp);

struct LcpMarks {
  int solved = 0, proved = 0;
  int open = 0;                    ///< neither, though one of both is true
  int wrong = 0;                   ///< claimed and not true
  int by_floor = 0;                ///< solved, but not without the rounding floor
  double worst = 0.0;              ///< residual of the others, without any floor
  std::vector<int> pivots;         ///< of each problem
  std::vector<std::string> notes;  ///< the first few that were missed

  int medianPivots() const;
  int mostPivots() const;
};

/// Problems number seed·1e6, seed·1e6 + 1, ….
LcpMarks takeExam(const LcpFamily& family, std::uint64_t seed, int count);

}  // namespace rigor::reference
