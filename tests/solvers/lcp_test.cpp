// Complementarity problems of the literature and small ones by hand: solved, proved, or left open, and never claimed falsely.
#include "rigor/lcp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/lcp_exam.h"
#include "reference/mechanism.h"
#include "solvers/lcp_form.h"
#include "solvers/lemke_path.h"

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// z of problems with entries of about 1: the verdict lets pass 1e-9 of w, and conditions are below 10.
constexpr double kNear = 1e-8;

void expectNear(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], kNear) << i;
}

// A linear program max c·x with A x ≤ b, x ≥ 0 and its dual: w = [0 Aᵀ; −A 0] (x, y) + (−c, b).
Lcp makeLinearProgram(const std::vector<double>& c, const std::vector<std::vector<double>>& A,
                      const std::vector<double>& b) {
  const std::size_t k = c.size(), n = k + b.size();
  Lcp lcp;
  lcp.M.assign(n * n, 0.0);
  for (const double x : c) lcp.q.push_back(-x);
  lcp.q.insert(lcp.q.end(), b.begin(), b.end());
  for (std::size_t r = 0; r < b.size(); ++r)
    for (std::size_t j = 0; j < k; ++j) lcp.M[j * n + k + r] = A[r][j], lcp.M[(k + r) * n + j] = -A[r][j];
  return lcp;
}

// Cottle, Pang and Stone's game; three equilibria.
Lcp makeGame() {
  Lcp game;
  game.M = {0, 0, 10, 20, 0, 0, 30, 15, 10, 20, 0, 0, 30, 15, 0, 0};
  game.q = {-1, -1, -1, -1};
  return game;
}

TEST(Lcp, OfTwoRowsHasTheAnswerOfSchoolAlgebra) {
  // w = 2 z1 + z2 − 5, z1 + 2 z2 − 6: both inside
  const LcpSolution solution = solveLcp({.M = {2, 1, 1, 2}, .q = {-5, -6}, .free = {}, .lo = {}, .hi = {}});
  ASSERT_EQ(solution.status, LcpStatus::kSolved);
  expectNear(solution.z, {4.0 / 3.0, 7.0 / 3.0});
  EXPECT_EQ(solution.basis, std::vector<LcpPlace>(2, LcpPlace::kInside));
}

// From the all-ones cover Murty's problems take as many pivots as there are bases; another cover takes few.
TEST(Lcp, OfMurtyIsSolvedForUpToTwentyRows) {
  for (int n = 1; n <= 20; ++n) {
    Lcp lcp;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) lcp.M.push_back(i == j ? 1.0 : (j > i ? 2.0 : 0.0));
    lcp.q.assign(n, -1.0);
    const LcpSolution solution = solveLcp(lcp);
    ASSERT_EQ(solution.status, LcpStatus::kSolved) << n;
    std::vector<double> wanted(n, 0.0);
    wanted.back() = 1.0;
    expectNear(solution.z, wanted);
  }
}

// Largest coefficient, first row of ties: this program makes a simplex tableau cycle (Chvátal).
TEST(Lcp, OfAProgramThatCyclesEndsAtItsOptimum) {
  const Lcp chvatal =
      makeLinearProgram({10, -57, -9, -24}, {{0.5, -5.5, -2.5, 9}, {0.5, -1.5, -0.5, 1}, {1, 0, 0, 0}}, {0, 0, 1});
  LcpSolution solution = solveLcp(chvatal);
  ASSERT_EQ(solution.status, LcpStatus::kSolved);
  expectNear({solution.z.begin(), solution.z.begin() + 4}, {1, 0, 1, 0});
  // Beale's: optimum 1/20 at x1 = 1/25, x3 = 1
  const Lcp beale =
      makeLinearProgram({0.75, -150, 0.02, -6}, {{0.25, -60, -0.04, 9}, {0.5, -90, -0.02, 3}, {0, 0, 1, 0}}, {0, 0, 1});
  solution = solveLcp(beale);
  ASSERT_EQ(solution.status, LcpStatus::kSolved);
  EXPECT_NEAR(0.75 * solution.z[0] - 150 * solution.z[1] + 0.02 * solution.z[2] - 6 * solution.z[3], 0.05, kNear);
}

TEST(Game, EndsOnARayFromTheCoverOfOnesAndIsSolvedAllTheSame) {
  const Lcp game = makeGame();
  const LcpBounds bounds = readBounds(game);
  const DenseLcpMatrix matrix(game.M, 4);
  LcpForm form;
  form.scale.assign(4, 1.0);
  form.assign(matrix, game.q.data(), bounds.lo.data(), bounds.hi.data());
  LemkePath path;
  EXPECT_EQ(path.follow(form, {}, 0, {.max_pivots = 100}), PathEnd::kRay);

  const LcpSolution solution = solveLcp(game);
  ASSERT_EQ(solution.status, LcpStatus::kSolved);
  EXPECT_STREQ(solution.stage, "lemke_howson");
  const std::vector<std::vector<double>> equilibria = {
      {0.1, 0, 0.1, 0}, {0, 1.0 / 15, 0, 1.0 / 15}, {1.0 / 90, 2.0 / 45, 1.0 / 90, 2.0 / 45}};
  EXPECT_TRUE(std::any_of(equilibria.begin(), equilibria.end(), [&](const auto& one) {
    double off = 0.0;
    for (int i = 0; i < 4; ++i) off = std::max(off, std::abs(one[i] - solution.z[i]));
    return off < kNear;
  }));
}

// M positive definite: for every t there is one solution, so a path cannot end before t = 0, wherever it begins. No other cover and no
// other method helps here.
TEST(LemkePath, EndsAtTheSolutionFromEveryBasisWhereThereIsAlwaysOne) {
  const reference::LcpFamily& mixed = reference::algebraicLcps()[6];
  ASSERT_EQ(mixed.name, "mixed");
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Lcp lcp = mixed.make(seed).lcp;
    const LcpBounds bounds = readBounds(lcp);
    const DenseLcpMatrix matrix(lcp.M, lcp.rows());
    LcpForm form;
    form.scale = computeScale(lcp);
    form.assign(matrix, lcp.q.data(), bounds.lo.data(), bounds.hi.data());
    reference::Random random(seed);
    std::vector<LcpPlace> places(lcp.q.size());
    for (LcpPlace& place : places) place = static_cast<LcpPlace>(random.integer(0, 2));
    for (const int row : lcp.free) places[row] = LcpPlace::kInside;
    LemkePath path;
    for (const auto& start : {std::vector<LcpPlace>(), places}) {
      ASSERT_EQ(path.follow(form, start, 1, {.max_pivots = 1000}), PathEnd::kSolution) << seed;
      std::vector<double> z(lcp.q.size());
      for (int i = 0; i < lcp.rows(); ++i) z[i] = form.unit * form.scale[i] * path.z()[i];
      EXPECT_TRUE(reference::obeysSlowly(lcp, z, 1e-9)) << seed;
    }
  }
}

TEST(Lcp, BetweenBoundsHasWOfTheSignOfTheBoundItIsAt) {
  // z = clamp(−q) for M = 1
  const Lcp lcp{.M = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                .q = {5, -5, -0.5, 7},
                .free = {3},
                .lo = {-1, -1, -1, 0},
                .hi = {1, 1, 1, 0}};
  const LcpSolution solution = solveLcp(lcp);
  ASSERT_EQ(solution.status, LcpStatus::kSolved);
  expectNear(solution.z, {-1, 1, 0.5, -7});
  expectNear(solution.w, {4, -4, 0, 0});
  const std::vector<LcpPlace> places = {LcpPlace::kLower, LcpPlace::kUpper, LcpPlace::kInside, LcpPlace::kInside};
  EXPECT_EQ(solution.basis, places);
}

TEST(Lcp, WithBothBoundsTheSameLeavesWToItself) {
  const LcpSolution solution =
      solveLcp({.M = {1, 1, 1, 1}, .q = {-3, -3}, .free = {}, .lo = {2, 0}, .hi = {2, kInfinity}});
  ASSERT_EQ(solution.status, LcpStatus::kSolved);
  expectNear(solution.z, {2, 1});
}

// A multiplier and what it holds: nothing on the diagonal of the free rows, or the same equation twice.
TEST(Lcp, WithEquationsWhoseOwnPartIsSingularIsSolved) {
  const LcpSolution saddle = solveLcp({.M = {1, 1, -1, 0}, .q = {-1, 3}, .free = {0, 1}, .lo = {}, .hi = {}});
  ASSERT_EQ(saddle.status, LcpStatus::kSolved);
  expectNear(saddle.z, {3, -2});
  const LcpSolution twice =
      solveLcp({.M = {2, 2, 1, 2, 2, 1, 1, 1, 2}, .q = {-4, -4, 5}, .free = {0, 1}, .lo = {}, .hi = {}});
  ASSERT_EQ(twice.status, LcpStatus::kSolved);
  EXPECT_NEAR(twice.z[0] + twice.z[1], 2.0, kNear);
}

TEST(Lcp, IsSolvedByItsLastBasisWithoutAPivot) {
  for (const reference::LcpFamily& family : {reference::frictionLcps()[1], reference::algebraicLcps()[6]}) {
    const Lcp lcp = family.make(3).lcp;
    LcpSolution solution = solveLcp(lcp);
    ASSERT_EQ(solution.status, LcpStatus::kSolved) << family.name;
    const std::vector<double> first = solution.z;
    solveLcp(lcp, {}, solution);
    EXPECT_EQ(solution.status, LcpStatus::kSolved) << family.name;
    EXPECT_STREQ(solution.stage, "basis") << family.name;
    EXPECT_EQ(solution.pivots, 0) << family.name;
    expectNear(solution.z, first);
  }
}

TEST(Lcp, StartsFromABasisThatIsNearlyRight) {
  reference::Random random(5);
  Lcp lcp = reference::algebraicLcps()[0].make(17).lcp;  // a P-matrix
  LcpSolution warm = solveLcp(lcp);
  for (int step = 0; step < 50; ++step) {
    for (double& q : lcp.q) q += random.uniform(-0.1, 0.1);
    solveLcp(lcp, {}, warm);
    const LcpSolution cold = solveLcp(lcp);
    ASSERT_EQ(warm.status, LcpStatus::kSolved) << step;
    ASSERT_EQ(cold.status, LcpStatus::kSolved) << step;
    for (int i = 0; i < lcp.rows(); ++i)  // units differ by up to 1e4, conditions are below 1e3
      EXPECT_NEAR(warm.z[i], cold.z[i], 1e-6 * (1.0 + std::abs(cold.z[i]))) << step;
  }
}

// Against every basis in long double: whatever M is, nothing is claimed that is not so, and nothing left open that a basis solves.
TEST(Lcp, OfAnyKindIsAnsweredAsTheEnumerationOfAllBasesAnswersIt) {
  int solved = 0, proved = 0, by_cases = 0, open = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    reference::Random random(seed);
    const int n = random.integer(1, 5);
    Lcp lcp;
    for (int i = 0; i < n * n; ++i) lcp.M.push_back(random.integer(0, 4) == 0 ? 0.0 : random.uniform(-1.0, 1.0));
    for (int i = 0; i < n; ++i) lcp.q.push_back(random.uniform(-1.0, 0.5));
    if (seed % 3 == 0) {
      lcp.lo.assign(n, 0.0), lcp.hi.assign(n, kInfinity);
      for (int i = 0; i < n; ++i)
        if (random.integer(0, 1)) lcp.lo[i] = -random.uniform(0.0, 1.0), lcp.hi[i] = random.uniform(0.0, 1.0);
      if (n > 1) lcp.free.push_back(random.integer(0, n - 1));
    }
    const LcpSolution solution = solveLcp(lcp);
    const bool solvable = reference::hasSolutionSlowly(lcp);
    EXPECT_EQ(solution.status == LcpStatus::kSolved, solvable) << seed;
    if (solution.status == LcpStatus::kSolved) {
      EXPECT_TRUE(reference::obeysSlowly(lcp, solution.z, 1e-9)) << seed;
    } else if (solution.status == LcpStatus::kNoSolution) {
      EXPECT_TRUE(solution.certificate.empty() ? reference::provesSlowly(lcp, solution.branches)
                                               : reference::provesSlowly(lcp, solution.certificate))
          << seed;
      by_cases += solution.certificate.empty();
    }
    solved += solution.status == LcpStatus::kSolved;
    proved += solution.status == LcpStatus::kNoSolution;
    open += solution.status == LcpStatus::kUnsolved;
  }
  EXPECT_GT(solved, 1000);
  EXPECT_GT(proved, 300);
  EXPECT_GT(by_cases, 30);  // feasible, but nothing complementary is
  EXPECT_EQ(open, 0);
}

}  // namespace
}  // namespace rigor
