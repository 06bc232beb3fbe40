#include "contact/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/mechanism.h"
#include "reference/problem_families.h"
#include "reference/slow_judge.h"

namespace rigor {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// An impulse and velocity that are wrong by about `error` relative, of every sign and on every side of the cones.
ContactSolution wrongAnswer(const ContactProblem& problem, reference::Random& random, double error) {
  ContactSolution solution;
  const int m = problem.rows();
  for (int row = 0; row < m; ++row) {
    const double w = problem.W[row * m + row];
    solution.impulse.push_back(random.uniform(-1.0, 1.0) * problem.b[row] / (w > 0.0 ? w : 1.0));
  }
  for (int row = 0; row < m; ++row) {
    double u = problem.b[row];
    for (int j = 0; j < m; ++j) u += problem.W[row * m + j] * solution.impulse[j];
    solution.velocity.push_back(u * (1.0 + random.uniform(-error, error)));
  }
  return solution;
}

ContactProblem oneContact(double mu) {
  ContactProblem problem;
  problem.blocks = {Block{}};
  problem.blocks[0].mu = mu;
  problem.W = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  problem.b = {-1, 0.25, 0};
  problem.bias = problem.compliance = {0, 0, 0};
  return problem;
}

ContactSolution answerOf(std::vector<double> impulse, std::vector<double> velocity) {
  ContactSolution solution;
  solution.impulse = std::move(impulse);
  solution.velocity = std::move(velocity);
  return solution;
}

TEST(Judge, AgreesWithTheSlowTwinOnEveryFamilyAndBlock) {
  reference::Random random(5);
  for (const reference::Family& family : reference::problemFamilies()) {
    for (int i = 0; i < 12; ++i) {
      const ContactProblem problem = reference::makeSample(family, i);
      const ContactSolution solution = wrongAnswer(problem, random, i % 3 == 0 ? 0.0 : 1e-6);
      const Residuals fast = judge(problem, solution);
      const reference::SlowVerdict slow = reference::judgeSlowly(problem, solution.impulse, solution.velocity, 1e-10);
      double law = 0.0, equation = 0.0;
      for (double value : slow.law) law = std::max(law, value);
      for (double value : slow.equation) equation = std::max(equation, value);
      // Rounding of u and of wλ − û enters relative to the scale: far below 1e-9 for residuals of order one.
      EXPECT_NEAR(fast.law, law, 1e-9 * (1.0 + law)) << family.name << " " << i;
      EXPECT_NEAR(fast.equation, equation, 1e-9 * (1.0 + equation)) << family.name << " " << i;
      EXPECT_EQ(accepts(fast, 1e-10), slow.accepted) << family.name << " " << i;
      if (law > 1e-6) {
        EXPECT_NEAR(slow.law[fast.worst_block], law, 1e-9 * law) << family.name << " " << i;
      }
    }
  }
}

TEST(Judge, AcceptsStickAndRefusesItAMillionthBeyondTheCone) {
  const ContactProblem problem = oneContact(0.25);
  EXPECT_TRUE(accepts(judge(problem, answerOf({1, -0.25, 0}, {0, 0, 0})), 1e-10));
  const ContactProblem slippery = oneContact(0.25 * (1 - 1e-6));
  const Residuals residuals = judge(slippery, answerOf({1, -0.25, 0}, {0, 0, 0}));
  EXPECT_FALSE(accepts(residuals, 1e-10));
  EXPECT_NEAR(residuals.primal, 0.25e-6, 0.02e-6);  // distance to the cone: excess times cos(atan μ)
}

TEST(Judge, MeasuresAnImpulseThatIsTooSmallAsApproach) {
  const Residuals residuals = judge(oneContact(1.0), answerOf({0.9, -0.25, 0}, {-0.1, 0, 0}));
  EXPECT_NEAR(residuals.law, 0.1 / std::hypot(1.0, 0.25), 1e-12);  // un = −0.1, scale |b|
  EXPECT_NEAR(residuals.signorini, 0.1, 1e-15);
  EXPECT_NEAR(residuals.dual, 0.1, 1e-15);
  EXPECT_EQ(residuals.equation, 0.0);
}

TEST(Judge, SeesFrictionThatDrivesTheSlip) {
  const Residuals residuals = judge(oneContact(0.1), answerOf({1, 0.1, 0}, {0, 0.35, 0}));
  EXPECT_NEAR(residuals.dissipation, 0.035, 1e-15);
  EXPECT_GT(residuals.law, 0.1);
  const Residuals opposed = judge(oneContact(0.1), answerOf({1, -0.1, 0}, {0, 0.15, 0}));
  EXPECT_NEAR(opposed.dissipation, -0.015, 1e-15);
  EXPECT_TRUE(accepts(opposed, 1e-10));
}

TEST(Judge, RefusesVelocitiesThatDoNotBelongToTheImpulse) {
  const Residuals residuals = judge(oneContact(1.0), answerOf({1, -0.25, 0}, {0, 0, 1e-6}));
  // The floor, 8 eps times |Wλ|, is taken off.
  EXPECT_NEAR(residuals.equation, 1e-6 / std::hypot(1.0, 0.25), 2e-15);
  EXPECT_FALSE(accepts(residuals, 1e-10));
}

TEST(Judge, RefusesNotFiniteEverywhere) {
  const ContactSolution good = answerOf({1, -0.25, 0}, {0, 0, 0});
  for (double bad : {kNaN, static_cast<double>(INFINITY), -static_cast<double>(INFINITY)}) {
    for (int i = 0; i < 3; ++i) {
      ContactSolution broken = good;
      broken.impulse[i] = bad;
      EXPECT_FALSE(accepts(judge(oneContact(0.5), broken), 1e300)) << bad << " in impulse " << i;
      broken = good;
      broken.velocity[i] = bad;
      EXPECT_FALSE(accepts(judge(oneContact(0.5), broken), 1e300)) << bad << " in velocity " << i;
      ContactProblem problem = oneContact(0.5);
      problem.b[i] = bad;
      EXPECT_FALSE(accepts(judge(problem, good), 1e300)) << bad << " in b " << i;
    }
    for (int i = 0; i < 9; ++i) {
      ContactProblem problem = oneContact(0.5);
      problem.W[i] = bad;
      EXPECT_FALSE(accepts(judge(problem, good), 1e300)) << bad << " in W " << i;
      EXPECT_FALSE(accepts(judgeLaw(problem, good.impulse.data(), good.velocity.data()), 1e300));
    }
    ContactProblem problem = oneContact(bad);
    EXPECT_FALSE(accepts(judge(problem, good), 1e300));
  }
}

TEST(Judge, RefusesAnswersOfTheWrongSize) {
  EXPECT_FALSE(accepts(judge(oneContact(0.5), answerOf({1, 0}, {0, 0, 0})), 1e300));
  EXPECT_FALSE(accepts(judge(oneContact(0.5), answerOf({1, 0, 0}, {})), 1e300));
}

TEST(Judge, AcceptsTheEmptyProblem) { EXPECT_TRUE(accepts(judge(ContactProblem{}, ContactSolution{}), 0.0)); }

TEST(Judge, UsesTheLargestScaleWhereABlockCannotMove) {
  ContactProblem problem;
  Block fixed, loose;
  fixed.kind = loose.kind = BlockKind::kAtLeast;
  fixed.size = loose.size = 1;
  loose.row = 1;
  problem.blocks = {fixed, loose};
  problem.W = {0, 0, 0, 4};
  problem.b = {1, 1};
  problem.bias = problem.compliance = {0, 0};
  // λ = 0.1 on the fixed row: r = min(û, wλ) = min(1, 4 · 0.1), relative to |b| = 1.
  EXPECT_NEAR(judge(problem, answerOf({0.1, 0}, {1, 1})).law, 0.4, 1e-14);
}

TEST(Judge, LeavesWhatRoundingDidToItself) {
  // A light block pressed by 1e6 times its own velocity: the residual below the floor counts as zero.
  ContactProblem problem = oneContact(0.5);
  problem.b = {-1e6, 0, 0};
  problem.velocity_scale = 1e-9;
  const double noise = 1e6 * std::numeric_limits<double>::epsilon();
  const Residuals residuals = judge(problem, answerOf({1e6, 0, 0}, {noise, 0, 0}));
  EXPECT_EQ(residuals.law, 0.0);
  EXPECT_NEAR(residuals.floor, 8.0 * std::numeric_limits<double>::epsilon(), 1e-17);
}

TEST(Judge, GivesTheSameLawWhetherItComputesTheVelocityOrReadsIt) {
  for (const reference::Family& family : reference::problemFamilies()) {
    const ContactProblem problem = reference::makeSample(family, 1);
    reference::Random random(9);
    ContactSolution solution = wrongAnswer(problem, random, 0.0);
    const Residuals own = judgeImpulse(problem, solution.impulse.data(), solution.velocity.data());
    const Residuals read = judgeLaw(problem, solution.impulse.data(), solution.velocity.data());
    EXPECT_EQ(own.law, read.law) << family.name;
    EXPECT_EQ(read.equation, 0.0) << family.name;
  }
}

}  // namespace
}  // namespace rigor
