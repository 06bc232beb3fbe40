// Proofs that a complementarity problem has no solution, and everything that must not pass for one; bad input and limits.
#include <gtest/gtest.h>

#include <limits>

#include "reference/lcp_exam.h"
#include "reference/planted_jams.h"
#include "rigor/error.h"
#include "rigor/lcp.h"

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Lcp standard(std::vector<double> M, std::vector<double> q) {
  return {.M = std::move(M), .q = std::move(q), .free = {}, .lo = {}, .hi = {}};
}

TEST(LcpProof, IsFoundWhereNothingCanAnswer) {
  // w = −1; w = −z − 1; two rows that only push each other down
  for (const Lcp& lcp : {standard({0}, {-1}), standard({-1}, {-1}), standard({-1, -1, -1, -1}, {1, -1})}) {
    const LcpSolution solution = solveLcp(lcp);
    ASSERT_EQ(solution.status, LcpStatus::kNoSolution);
    EXPECT_TRUE(provesNoSolution(lcp, solution.certificate));
    EXPECT_TRUE(reference::provesSlowly(lcp, solution.certificate));
  }
}

// w2 = z1 − 2 with z1 at most 1; an equation that says 0 = 1; z at most 0 and w = z + 1 at most 0 is fine, w = −z + 1 is not.
TEST(LcpProof, KnowsBoundsAndEquations) {
  const Lcp box{.M = {0, 0, 1, 0}, .q = {0, -2}, .free = {}, .lo = {}, .hi = {1, kInfinity}};
  const Lcp equation{.M = {0}, .q = {1}, .free = {0}, .lo = {}, .hi = {}};
  const Lcp upper{.M = {-1}, .q = {1}, .free = {}, .lo = {-kInfinity}, .hi = {0}};
  for (const Lcp& lcp : {box, equation, upper}) {
    const LcpSolution solution = solveLcp(lcp);
    ASSERT_EQ(solution.status, LcpStatus::kNoSolution);
    EXPECT_TRUE(reference::provesSlowly(lcp, solution.certificate));
  }
  Lcp wider = box;
  wider.hi[0] = 3;  // now z1 can be 2
  EXPECT_EQ(solveLcp(wider).status, LcpStatus::kSolved);
  EXPECT_FALSE(provesNoSolution(wider, solveLcp(box).certificate));
}

// w1 = z2 − 1, so that z2 is 1 or more and w2 would have to be 0; but w2 = 1. The signs can be met.
TEST(LcpProof, TellsCasesApartWhereSignsAloneProveNothing) {
  const Lcp lcp = standard({0, 1, 0, 0}, {-1, 1});
  ASSERT_FALSE(reference::hasSolutionSlowly(lcp));
  const LcpSolution solution = solveLcp(lcp);
  ASSERT_EQ(solution.status, LcpStatus::kNoSolution);
  EXPECT_STREQ(solution.stage, "branches");
  EXPECT_TRUE(solution.certificate.empty());
  EXPECT_TRUE(provesByCases(lcp, solution.branches));
  EXPECT_TRUE(reference::provesSlowly(lcp, solution.branches));
}

TEST(LcpProof, OfCasesIsDeniedIfOneIsMissingOrNotEmpty) {
  using enum LcpPlace;
  const Lcp lcp = standard({0, 1, 0, 0}, {-1, 1});
  const std::vector<LcpBranch> proof{{{{1, kLower}}, {1, 0}}, {{{1, kInside}}, {0, -1}}};
  EXPECT_TRUE(provesByCases(lcp, proof));
  EXPECT_FALSE(provesByCases(lcp, std::vector<LcpBranch>{}));
  EXPECT_FALSE(provesByCases(lcp, std::vector<LcpBranch>{proof[0]}));
  EXPECT_FALSE(provesByCases(lcp, std::vector<LcpBranch>{proof[0], proof[0]}));
  EXPECT_FALSE(provesByCases(lcp, std::vector<LcpBranch>{{{}, {1, 0}}, proof[1]}));              // z2 may be 1
  EXPECT_FALSE(provesByCases(lcp, std::vector<LcpBranch>{proof[0], {{{1, kLower}}, {0, -1}}}));  // w2 may be 1
  EXPECT_FALSE(
      provesByCases(lcp, std::vector<LcpBranch>{proof[0], {{{1, kUpper}}, {0, -1}}}));  // there is no such bound
  EXPECT_FALSE(provesByCases(lcp, std::vector<LcpBranch>{proof[0], {{{2, kInside}}, {0, -1}}}));
  EXPECT_FALSE(provesByCases(standard({0, 1, 0, 0}, {-1, 0}), proof));  // z2 = 1 with w2 = 0
}

// Rows and columns of zeros: no basis is regular but that of z = 0, and z3 = 2 solves it.
TEST(LcpCases, FindSolutionsAtSingularBases) {
  const Lcp lcp{.M = {0, 1, 1, 0, 0, 0, -2, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                .q = {1, -2, 2, 0, 0},
                .free = {0},
                .lo = {-1, -kInfinity, -kInfinity, -1, -1},
                .hi = {kInfinity, 2, 1, kInfinity, kInfinity}};
  const LcpSolution solution = solveLcp(lcp);
  ASSERT_EQ(solution.status, LcpStatus::kSolved);
  EXPECT_TRUE(reference::obeysSlowly(lcp, solution.z, 1e-9));
}

// w = 1e-12 z − 1 is negative: z is at its upper bound, however little that changes w.
TEST(LcpVerdict, KnowsTheRightEndOfASmallBox) {
  for (const double entry : {1e-12, 1e-18, 1e-80}) {
    const Lcp box{.M = {entry}, .q = {-1}, .free = {}, .lo = {0}, .hi = {1}};
    EXPECT_GT(judgeLcp(box, {0}).residual, 0.5) << entry;
    EXPECT_GT(judgeLcp(box, {0.5}).residual, 0.25) << entry;
    const LcpSolution solution = solveLcp(box);
    ASSERT_EQ(solution.status, LcpStatus::kSolved) << entry;
    EXPECT_EQ(solution.z[0], 1.0) << entry;
    const Lcp below{.M = {entry}, .q = {1}, .free = {}, .lo = {-1}, .hi = {}};
    EXPECT_GT(judgeLcp(below, {0}).residual, 0.5) << entry;
    EXPECT_EQ(solveLcp(below).z[0], -1.0) << entry;
  }
}

// Row 1 says w = −2 whatever z is; row 3, which nothing couples to it, is in another unit.
TEST(LcpVerdict, DoesNotExcuseARowByOthersThatItHasNothingToDoWith) {
  const Lcp lcp = standard({0, 0, 0, 1e80, 1e80, 0, 0, 0, 0}, {-2, -2, -1});
  EXPECT_GT(judgeLcp(lcp, {0, 0, 0}).residual, 0.5);
  EXPECT_EQ(solveLcp(lcp).status, LcpStatus::kNoSolution);
}

TEST(LcpVerdict, IsNotFooledByNumbersThatCannotBeTold) {
  EXPECT_GT(judgeLcp(standard({1, -1e100, 0, 0}, {-1, 0}), {0, 1e250}).residual, 0.5);
}

TEST(Lcp, EndsAtItsBoundsToTheBit) {
  const Lcp skew{
      .M = {0, 1, 4, -1, 0, -3, -4, 3, 0}, .q = {0, -2, 2}, .free = {}, .lo = {0, -1, -1}, .hi = {kInfinity, 1, 2}};
  const LcpSolution solution = solveLcp(skew);
  ASSERT_EQ(solution.status, LcpStatus::kSolved);
  EXPECT_EQ(solution.z[1], 1.0);  // not 1 − 1e-16
}

TEST(LcpProof, OfTheWrongSignOrOfAnotherProblemIsDenied) {
  const Lcp jam = standard({1, -1, -1, 1}, {-1, 0.5});  // v = (1, 1)
  EXPECT_TRUE(provesNoSolution(jam, {1, 1}));
  EXPECT_FALSE(provesNoSolution(jam, {-1, -1}));
  EXPECT_FALSE(provesNoSolution(jam, {1, 1 + 1e-9}));
  EXPECT_FALSE(provesNoSolution(jam, {1, 0}));
  EXPECT_FALSE(provesNoSolution(jam, {0, 0}));
  EXPECT_FALSE(provesNoSolution(jam, {1}));
  EXPECT_FALSE(provesNoSolution(jam, {kInfinity, kInfinity}));
  EXPECT_FALSE(provesNoSolution(standard({1, -1, -1, 1}, {-1, 1}), {1, 1}));  // v·q = 0: it just fits
}

// A heavy body on a light one answers little, but it answers: 1e-6 of what v = (1, 1) would do without it.
TEST(LcpProof, OfAnUnequalStackIsDenied) {
  const Lcp stack = standard({1, -1, -1, 1 + 1e-6}, {-1, 0.5});
  EXPECT_FALSE(provesNoSolution(stack, {1, 1}));
  EXPECT_EQ(solveLcp(stack).status, LcpStatus::kSolved);
}

TEST(LcpProof, OfClosingWallsIsAJamOfNormalsAlone) {
  for (const reference::JamFamily& family : reference::jamFamilies()) {
    ContactProblem problem = family.make(7, 0.5);
    problem.law = Law::kPyramid;
    const Lcp lcp = makePyramidLcp(problem);
    const LcpSolution solution = solveLcp(lcp);
    ASSERT_EQ(solution.status, LcpStatus::kNoSolution) << family.name;
    EXPECT_TRUE(reference::provesSlowly(lcp, solution.certificate)) << family.name;
  }
}

// Feasible, but no complementary z is, and cases are not to be told apart.
TEST(Lcp, WithoutASolutionAndWithoutAProofIsLeftOpenWithItsBestIterate) {
  const Lcp lcp = standard({-2, 1, -2, 2}, {-1, -1});
  const LcpSolution solution = solveLcp(lcp, {.most_branches = 0});
  EXPECT_EQ(solution.status, LcpStatus::kUnsolved);
  EXPECT_TRUE(solution.certificate.empty());
  ASSERT_EQ(solution.z.size(), 2u);
  EXPECT_GT(solution.residuals.residual, 1e-9);
  EXPECT_TRUE(solution.residuals.finite);
}

TEST(Lcp, ThatReachesItsCapsIsLeftOpenWithItsBestIterate) {
  const Lcp lcp = reference::frictionLcps()[1].make(3).lcp;
  const LcpSolution whole = solveLcp(lcp);
  ASSERT_EQ(whole.status, LcpStatus::kSolved);
  ASSERT_GT(whole.pivots, 3);
  const LcpSolution capped = solveLcp(lcp, {.max_pivots = 1, .covers = 1, .most_enumerated = 0, .most_branches = 0});
  EXPECT_EQ(capped.status, LcpStatus::kUnsolved);
  EXPECT_TRUE(capped.residuals.finite);
  EXPECT_GT(capped.residuals.residual, 1e-9);
  EXPECT_EQ(capped.z.size(), lcp.q.size());
  StopFlag stop{true};
  EXPECT_EQ(solveLcp(lcp, {.stop = &stop}).status, LcpStatus::kUnsolved);
}

TEST(Lcp, ThatIsNoneIsRefusedWithAMessageAndSolvedByNobody) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    Lcp lcp;
    const char* words;
  } bad[] = {
      {standard({}, {}), "q: is empty"},
      {standard({1, 2}, {1}), "M: has 2 values, not 1 × 1"},
      {standard({1, 0, 0}, {1, 1}), "not 2 × 2"},
      {standard({nan}, {1}), "M[0]: is nan"},
      {standard({1e200}, {1}), "M[0]"},
      {standard({1}, {kInfinity}), "q[0]: is inf"},
      {{.M = {1}, .q = {1}, .free = {}, .lo = {1}, .hi = {0}}, "lo[0]: 1 is above hi, 0"},
      {{.M = {1}, .q = {1}, .free = {}, .lo = {1, 2}, .hi = {}}, "lo: has 2 values, not 1"},
      {{.M = {1}, .q = {1}, .free = {}, .lo = {nan}, .hi = {}}, "lo[0]: is nan"},
      {{.M = {1}, .q = {1}, .free = {}, .lo = {kInfinity}, .hi = {}}, "same infinity"},
      {{.M = {1}, .q = {1}, .free = {1}, .lo = {}, .hi = {}}, "free: names row 1 of 1"},
      {{.M = {1}, .q = {1}, .free = {-1}, .lo = {}, .hi = {}}, "free: names row -1 of 1"},
      {{.M = {1}, .q = {1}, .free = {0, 0}, .lo = {}, .hi = {}}, "free: names row 0 twice"},
  };
  for (const auto& [lcp, words] : bad) {
    const LcpSolution solution = solveLcp(lcp);
    EXPECT_EQ(solution.status, LcpStatus::kBadInput) << words;
    EXPECT_FALSE(solution.residuals.finite) << words;
    try {
      checkLcp(lcp);
      ADD_FAILURE() << words;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
      EXPECT_FALSE(error.remedy().empty()) << words;
    }
  }
}

TEST(LcpJudge, RefusesWhatIsNotFiniteAndMeasuresWhatIsOff) {
  const Lcp lcp = standard({1}, {-1});
  EXPECT_EQ(judgeLcp(lcp, {1.0}).plain_residual, 0.0);
  EXPECT_NEAR(judgeLcp(lcp, {1.0 + 1e-6}).plain_residual, 1e-6, 1e-11);
  EXPECT_FALSE(judgeLcp(lcp, {std::numeric_limits<double>::quiet_NaN()}).finite);
  EXPECT_FALSE(judgeLcp(lcp, {}).finite);
  EXPECT_GT(judgeLcp(lcp, {kInfinity}).residual, 1.0);
  // a z of 1e12 whose rounding is larger than q: no floor excuses that
  const Lcp jam = standard({1, -1, -1, 1}, {-1, 0.5});
  EXPECT_GT(judgeLcp(jam, {1e15, 1e15}).residual, 1e-3);
}

}  // namespace
}  // namespace rigor
