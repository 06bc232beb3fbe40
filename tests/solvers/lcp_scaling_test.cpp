// Rows and columns of a complementarity problem in any units: a positive factor of w_i, or of z_j, changes nothing, and no number excuses
// another one of another row or column.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/lcp_exam.h"
#include "reference/mechanism.h"
#include "rigor/lcp.h"

namespace rigor {
namespace {

Lcp standard(std::vector<double> M, std::vector<double> q) {
  return {.M = std::move(M), .q = std::move(q), .free = {}, .lo = {}, .hi = {}};
}

// Mᵀv = (1, −1e12): the 1 is all that its column has. P-matrices have a solution whatever q is.
TEST(LcpProof, DoesNotCallAColumnZeroBesideALargerOne) {
  const struct {
    Lcp lcp;
    std::vector<double> z, v;
  } solvable[] = {{standard({1, -1e12, 1, 0}, {-1, 0}), {1, 0}, {1, 0}},
                  {standard({1, -2e12, 0, 1}, {-2, -1}), {2e12 + 2, 1}, {5e-13, 1}},
                  {standard({1, -1e17, 0, 1}, {-2, -1}), {1e17, 1}, {1e-17, 1}},
                  {standard({2, -1e15, 2, 2}, {-2, 1}), {1, 0}, {1, 0}},
                  // v is within rounding of every column, but no v beside it is in all of them
                  {standard({1, -0x1p57, 0, 1, 1, -1, -1, 0, 1}, {0, -1, 0}), {0x1p57, 1, 0x1p57}, {0x1p-57, 1, 1}}};
  for (const auto& [lcp, z, v] : solvable) {
    EXPECT_FALSE(provesNoSolution(lcp, v)) << z[0];
    EXPECT_FALSE(reference::provesSlowly(lcp, v)) << z[0];
    const LcpSolution solution = solveLcp(lcp);
    EXPECT_NE(solution.status, LcpStatus::kNoSolution) << z[0];
    if (z[0] == 1e17) continue;  // w needs 1e17 + 2, which is no double
    EXPECT_EQ(judgeLcp(lcp, z).residual, 0.0) << z[0];
    ASSERT_EQ(solution.status, LcpStatus::kSolved) << z[0];
    EXPECT_TRUE(reference::obeysSlowly(lcp, solution.z, 1e-9)) << z[0];
  }
}

// Of the first column 1e-25 is left: no long double shows it beside 1, but z1 = 1e25 makes up for v·q = −1.
TEST(LcpProof, SumsColumnsToTheLastBit) {
  const Lcp lcp = standard({1, 0, 0, 1e-25, 0, 0, -1, 0, 0}, {0, -1, 0});
  EXPECT_FALSE(provesNoSolution(lcp, {1, 1, 1}));
  EXPECT_FALSE(reference::provesSlowly(lcp, {1, 1, 1}));
  EXPECT_EQ(solveLcp(lcp).status, LcpStatus::kNoSolution);  // w3 = −z1
  const Lcp exact = standard({1 + 0x1p-52, 0, 0, -1, 0, 0, -0x1p-52, 0, 0}, {0, -1, 0});
  EXPECT_TRUE(provesNoSolution(exact, {1, 1, 1}));
  // (1 + 2⁻⁵²)² − (1 + 2⁻⁵¹) = 2⁻¹⁰⁴
  const double next = 1 + 0x1p-52;
  EXPECT_FALSE(provesNoSolution(standard({next, 0, -(1 + 0x1p-51), 0}, {0, -1}), {next, 1}));
  EXPECT_TRUE(provesNoSolution(standard({-next, 0, 1 + 0x1p-51, 0}, {0, -1}), {next, 1}));
}

// Free z1: v1 + v2 − v3 = 0 is what a third cannot hold to the last bit. Some v beside it can, as long as the sign of the other columns has room.
TEST(LcpProof, OfEquationsStandsForAnExactOneBesideIt) {
  const double third = 1.0 / 3.0;
  Lcp lcp = standard({3, 0, 0, -1, -1, 0, 0, -1, -1}, {-1, -1, -1});
  lcp.free = {0};
  EXPECT_TRUE(provesNoSolution(lcp, {third, 1, 1}));
  EXPECT_TRUE(provesNoSolution(lcp, {third * (1 + 0x1p-51), 1, 1}));
  EXPECT_FALSE(provesNoSolution(lcp, {third * (1 + 1e-9), 1, 1}));
  lcp.M[1] = 3, lcp.M[4] = -1;  // z2 is in the same rows: a sign without room
  EXPECT_FALSE(provesNoSolution(lcp, {third * (1 + 0x1p-51), 1, 0}));
}

// w2 is negative whatever z ≥ 0 is: no number of row 1 makes its −1 small.
TEST(LcpVerdict, DoesNotExcuseARowByTheNumbersOfAnother) {
  const Lcp none[] = {standard({0, 2, -1, -2e15}, {2, -1}), standard({1, 1, -1, -1}, {2e15, -1}),
                      standard({1, 0, 0, 0, 1, 0, 1, -1, 0}, {-0x1p54, -0x1p54, -1})};
  for (const Lcp& lcp : none) {
    std::vector<double> z(lcp.q.size(), 0.0);
    if (z.size() == 3) z = {0x1p54, 0x1p54, 0};
    EXPECT_GT(judgeLcp(lcp, z).residual, 0.5);
    EXPECT_FALSE(reference::obeysSlowly(lcp, z, 1e-9));
    const LcpSolution solution = solveLcp(lcp);
    EXPECT_NE(solution.status, LcpStatus::kSolved);
    if (solution.status == LcpStatus::kNoSolution && !solution.certificate.empty()) {
      EXPECT_TRUE(reference::provesSlowly(lcp, solution.certificate));
    }
  }
}

// Small whole numbers, with zeros and negative diagonals, in units of powers of two from 1e-20 to 1e20: products are exact, so that any
// verdict of the problem without units is the truth here too.
TEST(Lcp, IsNeverAnsweredOtherwiseInOtherUnits) {
  int same = 0, open = 0, left = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    reference::Random random(seed);
    const int n = random.integer(1, 4);
    Lcp plain, scaled;
    for (int i = 0; i < n * n; ++i) plain.M.push_back(random.integer(-2, 2));
    for (int i = 0; i < n; ++i) plain.q.push_back(random.integer(-2, 2));
    if (seed % 4 == 0 && n > 1) plain.free.push_back(random.integer(0, n - 1));
    scaled = plain;
    std::vector<double> row(n), column(n);
    for (int i = 0; i < n; ++i) {
      row[i] = std::ldexp(1.0, random.integer(-66, 66)), column[i] = std::ldexp(1.0, random.integer(-66, 66));
    }
    for (int i = 0; i < n; ++i) {
      scaled.q[i] *= row[i];
      for (int j = 0; j < n; ++j) scaled.M[i * n + j] *= row[i] * column[j];
    }
    const LcpSolution first = solveLcp(plain), second = solveLcp(scaled);
    if (first.status == LcpStatus::kUnsolved) {
      ++left;
      continue;
    }
    open += second.status == LcpStatus::kUnsolved;
    same += second.status == first.status;
    EXPECT_TRUE(second.status == first.status || second.status == LcpStatus::kUnsolved) << seed;
    if (second.status != LcpStatus::kSolved) continue;
    std::vector<double> back(n);
    for (int i = 0; i < n; ++i) back[i] = second.z[i] * column[i];
    EXPECT_LE(judgeLcp(plain, back).residual, 1e-9) << seed;
  }
  EXPECT_EQ(same + open + left, 3000);
  EXPECT_LE(left, 1);   // seed 1648: a case whose v is not found to the last bit
  EXPECT_LE(open, 60);  // 35 were: z or v that only exact arithmetic finds
}

}  // namespace
}  // namespace rigor
