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
    const double w = problem.W(row, row);
    solution.impulse.push_back(random.uniform(-1.0, 1.0) * problem.b[row] / (w > 0.0 ? w : 1.0));
  }
  for (int row = 0; row < m; ++row) {
    double u = problem.b[row];
    for (int j = 0; j < m; ++j) u += problem.W(row, j) * solution.impulse[j];
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

TEST(Judge, PassesAnIterateWithThePlainLawAndTheVelocityOfTheFullJudgement) {
  reference::Random random(7);
  for (const reference::Family& family : reference::problemFamilies()) {
    for (int i = 0; i < 12; ++i) {
      const ContactProblem problem = reference::makeSample(family, i);
      const std::vector<double> impulse = wrongAnswer(problem, random, 1e-6).impulse;
      std::vector<double> u(impulse.size()), full(impulse.size());
      const double plain = judgePlainly(problem, impulse.data(), u.data());
      const Residuals residuals = judgeImpulse(problem, impulse.data(), full.data());
      EXPECT_EQ(plain, residuals.plain_law)
          << family.name << " " << i;  // to the bit: a stage asks now one, now the other
      EXPECT_EQ(u, full) << family.name << " " << i;
    }
  }
  ContactProblem problem = oneContact(0.5);
  problem.b[1] = kNaN;
  double impulse[3] = {1, 0, 0}, u[3];
  EXPECT_EQ(judgePlainly(problem, impulse, u), std::numeric_limits<double>::infinity());
}

// W = I, b = (1, 0, 0): the contact opens by itself; a pull that holds it is no answer.
TEST(Judge, RefusesAFrictionlessContactThatPulls) {
  for (double zero : {0.0, -0.0}) {
    ContactProblem problem = oneContact(zero);
    problem.b = {1, 0, 0};
    const Residuals pulled = judge(problem, answerOf({-1, 0, 0}, {0, 0, 0}));
    EXPECT_FALSE(accepts(pulled, 0.5));
    EXPECT_EQ(pulled.law, 1.0 - 8.0 * std::numeric_limits<double>::epsilon());
    EXPECT_EQ(pulled.primal, 1.0);
    const Residuals open = judge(problem, answerOf({0, 0, 0}, {1, 0, 0}));
    EXPECT_TRUE(accepts(open, 0.0));
    EXPECT_EQ(open.dual, 0.0);
  }
}

// One row or contact at a time with W = 1: r is the distance to what the search calls nearest, for every kind of block.
TEST(Judge, MeasuresEveryBlockKindByItsNearestPoint) {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<Block> blocks;
  for (double mu : {0.0, 1e-12, 0.3, 1.0, 1e3, 1e12}) blocks.push_back({BlockKind::kContact, 0, 3, mu, 0, 0, 0});
  blocks.push_back({BlockKind::kAtLeast, 0, 1, 0, 0, 0, 0});
  blocks.push_back({BlockKind::kEqual, 0, 1, 0, 0, 0, 0});
  for (const auto& [lo, hi] : {std::pair{-inf, inf}, {-inf, 0.0}, {0.0, inf}, {-1.0, 1.0}, {0.5, 0.5}, {-0.0, 0.0}})
    blocks.push_back({BlockKind::kBox, 0, 1, 0, lo, hi, 0});
  const double values[] = {0.0, -0.0, 1e-9, -1e-9, 0.5, -0.5, 3.0, -3.0};
  for (const Block& block : blocks)
    for (double impulse : values)
      for (double velocity : values)
        for (double side : values) {
          ContactProblem problem;
          problem.blocks = {block};
          const int m = block.size;
          problem.W.setZero(m);
          for (int i = 0; i < m; ++i) problem.W(i, i) = 1.0;
          ContactSolution solution = answerOf({impulse}, {velocity});
          if (m == 3) solution = answerOf({impulse, side, 0.25 * side}, {velocity, 0.5 * impulse, -side});
          problem.bias = problem.compliance = std::vector<double>(m, 0.0);
          problem.velocity_scale = 1.0;
          for (int i = 0; i < m; ++i) problem.b.push_back(solution.velocity[i] - solution.impulse[i]);
          const auto slow = reference::judgeSlowly(problem, solution.impulse, solution.velocity, 1e-10);
          // μ times a slip of order one is subtracted: its rounding is that much larger.
          const double rounding = 1e-14 * (1.0 + block.mu);
          EXPECT_NEAR(judge(problem, solution).law, slow.law[0], rounding)
              << static_cast<int>(block.kind) << " mu " << block.mu << " [" << block.lo << ", " << block.hi << "] λ "
              << impulse << " u " << velocity << " side " << side;
        }
}

// A vice: two walls press on a ball from both sides. No impulse helps, and a large one must not hide that.
TEST(Judge, AcceptsNothingInAJamHoweverLargeTheImpulse) {
  ContactProblem problem;
  problem.blocks = {{BlockKind::kAtLeast, 0, 1, 0, 0, 0, 0}, {BlockKind::kAtLeast, 1, 1, 0, 0, 0, 0}};
  problem.bias = problem.compliance = {0, 0};
  const double w = 1.0 / 3.0;
  reference::Random random(3);
  for (double skew : {0.0, 1e-16, -1e-16, 2e-15})  // rounding may make W regular
    for (double scale : {0.0, 1e-9, 1e-3, 1.0}) {
      problem.W = {w, -w * (1.0 + skew), -w, w};
      problem.b = {-1.0, -0.5};
      problem.velocity_scale = scale;
      for (double push = 1.0; push < 1e140; push *= 10.0)
        for (int i = 0; i < 20; ++i) {
          ContactSolution solution = answerOf({push, push * (1.0 + random.uniform(-1e-15, 1e-15))}, {0, 0});
          EXPECT_FALSE(accepts(judgeImpulse(problem, solution.impulse.data(), solution.velocity.data()), 1e-6))
              << push << " skew " << skew;
          EXPECT_FALSE(accepts(judge(problem, solution), 1e-6)) << push;
        }
    }
}

TEST(Judge, TakesNoResidualForBetterKnownThanItsRounding) {
  // Wλ is 1e8 − 1e8 in each row and b is 1e-3: an exact zero may be luck.
  ContactProblem problem;
  problem.blocks = {{BlockKind::kEqual, 0, 2, 0, 0, 0, 0}};
  problem.bias = problem.compliance = {0, 0};
  problem.W = {1, -1, -1, 1};
  problem.b = {-1e-3, 1e-3};
  const ContactSolution small = answerOf({1.001, 1.0}, {1.001 - 1.0 - 1e-3, 1.0 - 1.001 + 1e-3});
  EXPECT_TRUE(accepts(judge(problem, small), 1e-10));
  const ContactSolution large = answerOf({1e8 + 1e-3, 1e8}, {0, 0});
  EXPECT_FALSE(accepts(judge(problem, large), 1e-10));
}

TEST(Judge, GivesKnownErrorsOfTheFreeVelocityUpToTheCeiling) {
  ContactProblem problem = oneContact(0.5);
  problem.b = {-1, 0, 0};
  const ContactSolution off = answerOf({1.0 - 1e-8, 0, 0}, {-1e-8, 0, 0});
  EXPECT_FALSE(accepts(judge(problem, off), 1e-10));
  problem.row_error = {2e-8, 0, 0};
  const Residuals excused = judge(problem, off);
  EXPECT_TRUE(accepts(excused, 1e-10));
  EXPECT_TRUE(excused.by_floor);
  EXPECT_NEAR(excused.plain_law, 1e-8, 1e-15);
  EXPECT_NEAR(excused.floor, 2e-8, 1e-14);
  problem.row_error = {1, 1, 1};
  EXPECT_NEAR(judge(problem, off).floor, 1e-6, 1e-20);
  const ContactSolution far_off = answerOf({1.0 - 2e-6, 0, 0}, {-2e-6, 0, 0});
  EXPECT_NEAR(judge(problem, far_off).law, 1e-6, 1e-15);  // 2e-6 less the ceiling
}

// Positions excuse what no step can know better, and that is no trouble: only what impulses excuse beyond it is told.
TEST(Judge, DoesNotCallTheRoundingOfPositionsAFloorOfImpulses) {
  ContactProblem problem = oneContact(0.5);
  problem.b = {-1, 0, 0};
  problem.velocity_scale = 1.0;
  const double impulse[] = {1, 0, 0}, velocity[] = {-1e-4, 0, 0}, known[] = {2e-4, 2e-4, 2e-4};
  const Residuals excused = judgeLaw(problem, impulse, velocity, known);
  EXPECT_TRUE(accepts(excused, 1e-10));
  EXPECT_FALSE(excused.by_floor);
  EXPECT_EQ(excused.plain_law, 0.0);
  // a gap is curved: u of the end pose is not Wλ + b, and need not be
  const double separating[] = {0, 0, 0}, leaving[] = {0.5, 0, 0};
  EXPECT_EQ(judgeLaw(problem, separating, leaving, known).plain_law, 0.0);
  EXPECT_NEAR(judgeLaw(problem, separating, leaving).plain_law, 1.5, 1e-15);
}

TEST(Judge, SaysWhetherTheFloorWasNeeded) {
  const ContactProblem problem = oneContact(0.5);
  EXPECT_FALSE(judge(problem, answerOf({1, -0.25, 0}, {0, 0, 0})).by_floor);
  EXPECT_FALSE(judge(problem, answerOf({0.5, -0.25, 0}, {-0.5, 0, 0})).by_floor);  // not accepted at all
  const ContactSolution rounded = answerOf({1.0 - 1e-15, -0.25, 0}, {-1e-15, 0, 0});
  EXPECT_FALSE(judge(problem, rounded).by_floor);
  EXPECT_TRUE(judge(problem, rounded, 1e-17).by_floor);
}

// The same impact at any speed is the same problem: without a scale of its own no speed is small.
TEST(Judge, JudgesByTheProblemsOwnNumbersWithoutAVelocityScale) {
  for (double speed = 1e-90; speed < 1e90; speed *= 1e3) {
    ContactProblem problem = oneContact(0.5);
    for (double& b : problem.b) b *= speed;
    const ContactSolution exact = answerOf({speed, -0.25 * speed, 0}, {0, 0, 0});
    EXPECT_TRUE(accepts(judge(problem, exact), 1e-14)) << speed;
    const ContactSolution off = answerOf({speed * (1 - 1e-4), -0.25 * speed, 0}, {-1e-4 * speed, 0, 0});
    EXPECT_NEAR(judge(problem, off).law, 1e-4 / std::hypot(1.0, 0.25), 1e-12) << speed;
  }
  ContactProblem scaled = oneContact(0.5);
  for (double& b : scaled.b) b *= 1e-9;
  scaled.velocity_scale = 1e-3;  // asked for: 1e-13 m/s and less are nothing
  EXPECT_TRUE(accepts(judge(scaled, answerOf({0.9999e-9, -0.25e-9, 0}, {-1e-13, 0, 0})), 1e-10));
}

// Two boxes on each other fall alike: the upper contact has b = 0, and only rounding remains of it.
TEST(Judge, JudgesAnAllZeroBlockToRounding) {
  ContactProblem problem;
  problem.blocks = {{BlockKind::kAtLeast, 0, 1, 0, 0, 0, 0}, {BlockKind::kAtLeast, 1, 1, 0, 0, 0, 0}};
  problem.bias = problem.compliance = {0, 0};
  problem.W = {1, -1, -1, 2};
  problem.b = {-1, 0};
  EXPECT_TRUE(accepts(judge(problem, answerOf({2, 1 + 1e-15}, {-1e-15, 2e-15})), 1e-10));
  EXPECT_FALSE(accepts(judge(problem, answerOf({2, 1 + 1e-13}, {-1e-13, 2e-13})), 1e-10));
  problem.velocity_scale = 0.1;
  EXPECT_TRUE(accepts(judge(problem, answerOf({2, 1 + 1e-13}, {-1e-13, 2e-13})), 1e-10));
}

TEST(Judge, HidesNoSlowBlockBehindAFastOne) {
  ContactProblem problem;
  problem.blocks = {{BlockKind::kAtLeast, 0, 1, 0, 0, 0, 0}, {BlockKind::kAtLeast, 1, 1, 0, 0, 0, 0}};
  problem.bias = problem.compliance = {0, 0};
  problem.W = {1, 0, 0, 1};
  problem.b = {-1, -1e-6};
  EXPECT_TRUE(accepts(judge(problem, answerOf({1, 1e-6}, {0, 0})), 1e-10));
  EXPECT_NEAR(judge(problem, answerOf({1, 0.999e-6}, {0, -1e-9})).law, 1e-3, 1e-9);
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

// A contact, a limit, a motor and a loop row, all answered.
ContactProblem everyKind() {
  ContactProblem problem;
  problem.blocks = {{BlockKind::kContact, 0, 3, 0.5, 0, 0, 0},
                    {BlockKind::kAtLeast, 3, 1, 0, 0, 0, 0},
                    {BlockKind::kBox, 4, 1, 0, -1, 1, 0},
                    {BlockKind::kEqual, 5, 1, 0, 0, 0, 0}};
  problem.W.setZero(6);
  for (int i = 0; i < 6; ++i) problem.W(i, i) = 1.0;
  problem.b = {-1, 0.25, 0, 2, 5, 1};
  problem.bias = problem.compliance = problem.row_error = std::vector<double>(6, 0.0);
  return problem;
}

TEST(Judge, RefusesNotFiniteEverywhere) {
  const ContactSolution good = answerOf({1, -0.25, 0, 0, -1, -1}, {0, 0, 0, 2, 4, 0});
  ASSERT_TRUE(accepts(judge(everyKind(), good), 0.0));
  const double inf = std::numeric_limits<double>::infinity();
  for (double bad : {kNaN, inf, -inf}) {
    const auto refuse = [&](const ContactProblem& problem, const ContactSolution& solution, const std::string& what) {
      EXPECT_FALSE(accepts(judge(problem, solution), 1e300)) << bad << " in " << what;
      const Residuals lean = judgeLaw(problem, solution.impulse.data(), solution.velocity.data());
      EXPECT_FALSE(accepts(lean, 1e300)) << bad << " in " << what << ", lean";
      EXPECT_FALSE(needsFloor(lean, 1e300));
    };
    for (int i = 0; i < 6; ++i) {
      const std::string row = " of row " + std::to_string(i);
      ContactSolution broken = good;
      broken.impulse[i] = bad;
      refuse(everyKind(), broken, "impulse" + row);
      broken = good;
      broken.velocity[i] = bad;
      refuse(everyKind(), broken, "velocity" + row);
      ContactProblem problem = everyKind();
      problem.b[i] = bad;
      refuse(problem, good, "b" + row);
      problem = everyKind();
      problem.row_error[i] = bad;
      refuse(problem, good, "row_error" + row);
      double known[6] = {};
      known[i] = bad;
      EXPECT_FALSE(accepts(judgeLaw(everyKind(), good.impulse.data(), good.velocity.data(), known), 1e300));
      // The lean judge reads only the biases and compliances that the law knows; the full one looks at all.
      problem = everyKind();
      problem.bias[i] = bad;
      EXPECT_FALSE(accepts(judge(problem, good), 1e300)) << bad << " in bias" << row;
      if (i == 0 || i == 3 || i == 4) refuse(problem, good, "bias" + row);
      problem = everyKind();
      problem.compliance[i] = bad;
      EXPECT_FALSE(accepts(judge(problem, good), 1e300)) << bad << " in compliance" << row;
      if (i == 4) refuse(problem, good, "compliance" + row);
    }
    for (int i = 0; i < 36; ++i) {
      ContactProblem problem = everyKind();
      problem.W(i / 6, i % 6) = bad;
      refuse(problem, good, "W " + std::to_string(i));
    }
    ContactProblem problem = everyKind();
    problem.blocks[0].mu = bad;
    refuse(problem, good, "mu");
    problem = everyKind();
    problem.velocity_scale = bad;
    refuse(problem, good, "velocity_scale");
  }
  for (double Block::* bound : {&Block::lo, &Block::hi}) {
    ContactProblem problem = everyKind();
    problem.blocks[2].*bound = kNaN;
    EXPECT_FALSE(accepts(judge(problem, good), 1e300));
    EXPECT_FALSE(accepts(judgeLaw(problem, good.impulse.data(), good.velocity.data()), 1e300));
  }
}

TEST(Judge, RefusesAComplianceThatPushesItselfOn) {
  ContactProblem problem = everyKind();
  problem.compliance[4] = -1e-3;
  const Residuals residuals = judge(problem, answerOf({1, -0.25, 0, 0, -1, -1}, {0, 0, 0, 2, 4, 0}));
  EXPECT_FALSE(accepts(residuals, 1e300));
  EXPECT_FALSE(residuals.finite);
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
