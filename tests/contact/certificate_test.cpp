#include "contact/certificate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rigor {
namespace {

// A ball of 2 kg between two walls along x that both come closer by 1 m/s; tangents uncoupled; a motor beside it.
ContactProblem vice() {
  ContactProblem problem;
  problem.blocks = {{BlockKind::kContact, 0, 3, 0.5, 0, 0, 0},
                    {BlockKind::kContact, 3, 3, 0.5, 0, 0, 0},
                    {BlockKind::kBox, 6, 1, 0, -1, 1, 0}};
  problem.W.setZero(7);
  for (int i = 0; i < 7; ++i) problem.W(i, i) = 0.5;
  problem.W(0, 3) = problem.W(3, 0) = -0.5;
  problem.W(1, 4) = problem.W(4, 1) = 0.5;
  problem.W(2, 5) = problem.W(5, 2) = 0.5;
  problem.b = {3, 0.1, 0, -3, 0.1, 0, 2};
  problem.bias = {-1, 0, 0, -1, 0, 0, 5};
  problem.compliance.assign(7, 0.0);
  return problem;
}

const std::vector<double> kSqueeze = {1, 0, 0, 1, 0, 0, 0};

TEST(Certificate, ProvesThatAViceCannotClose) {
  EXPECT_TRUE(provesNoSolution(vice(), kSqueeze));
  std::vector<double> weaker = kSqueeze;
  for (double& f : weaker) f *= 1e-200;
  EXPECT_TRUE(provesNoSolution(vice(), weaker));  // only its direction counts
}

TEST(Certificate, ProvesNothingWhereTheWallsStandOrOpen) {
  for (double opening : {0.0, 1e-15, 1e-9, 1.0}) {
    ContactProblem problem = vice();
    problem.bias[0] = problem.bias[3] = opening;
    EXPECT_FALSE(provesNoSolution(problem, kSqueeze)) << opening;
  }
}

TEST(Certificate, NeedsImpulsesThatPushAndMoveNothing) {
  const std::vector<double> wrong[] = {
      {-1, 0, 0, -1, 0, 0, 0},       // pulls
      {0, 0, 0, 0, 0, 0, 0},         // nothing
      {1, 0, 0, 0, 0, 0, 0},         // moves the ball
      {1, 0, 0, 1 + 1e-9, 0, 0, 0},  // moves it a little
      {1, 1e-300, 0, 1, 0, 0, 0},    // uses friction
      {1, 0, 0, 1, 0, 0, 1e-300},    // uses the motor
      {1, 0, 0, 1, 0, 0},            // wrong size
      {1, 0, 0, std::nan(""), 0, 0, 0},
      {INFINITY, 0, 0, INFINITY, 0, 0, 0},
  };
  for (const auto& f : wrong) EXPECT_FALSE(provesNoSolution(vice(), f)) << f[0] << " " << f[1] << " " << f[3];
}

TEST(Certificate, LooksAtTheAnswerOfTangentialRowsToo) {
  ContactProblem problem = vice();
  problem.W(1, 0) = problem.W(0, 1) = 1e-9;  // a wall that is not quite opposite squeezes the ball out
  EXPECT_FALSE(provesNoSolution(problem, kSqueeze));
}

// f·u = f·b + (Wᵀf)·λ: what f moves is not enough, what moves f counts.
TEST(Certificate, AsksForTheTransposeToo) {
  ContactProblem problem = vice();
  problem.W(0, 6) = 1e-6;  // the motor presses one wall away, though the wall does not feel it
  EXPECT_FALSE(provesNoSolution(problem, kSqueeze));
  problem = vice();
  problem.W(6, 0) = 1e-6;
  EXPECT_FALSE(provesNoSolution(problem, kSqueeze));
}

TEST(Certificate, DoesNotTakeTheSmallAnswerOfAHeavyBodyForNone) {
  // A light box under one that is `ratio` times as heavy: the floor pushes, gravity pulls both by 0.01 m/s.
  for (double ratio : {1.0, 1e4, 1e8, 1e11}) {
    ContactProblem problem;
    problem.blocks = {{BlockKind::kAtLeast, 0, 1, 0, 0, 0, 0}, {BlockKind::kAtLeast, 1, 1, 0, 0, 0, 0}};
    problem.W = {1, -1, -1, 1 + 1 / ratio};
    problem.b = {-0.01, 0};
    problem.bias = problem.compliance = {0, 0};
    EXPECT_FALSE(provesNoSolution(problem, {1, 1})) << ratio;
  }
}

TEST(Certificate, GivesWayToKnownErrorsOfTheFreeVelocity) {
  ContactProblem problem = vice();
  problem.row_error.assign(7, 0.9);
  EXPECT_TRUE(provesNoSolution(problem, kSqueeze));
  problem.row_error.assign(7, 1.1);  // each wall may stand after all
  EXPECT_FALSE(provesNoSolution(problem, kSqueeze));
}

TEST(Certificate, CountsEqualRowsWithEitherSignAndWithoutBias) {
  ContactProblem problem;
  problem.blocks = {{BlockKind::kEqual, 0, 2, 0, 0, 0, 0}};
  problem.W = {1, 1, 1, 1};
  problem.b = {1, 2};
  problem.bias = {0, 100};  // not looked at by the law
  problem.compliance = {0, 0};
  EXPECT_TRUE(provesNoSolution(problem, {1, -1}));
  EXPECT_FALSE(provesNoSolution(problem, {-1, 1}));
}

TEST(Certificate, ProvesNothingAboutAProblemThatIsNone) {
  const double inf = std::numeric_limits<double>::infinity();
  for (double bad : {std::nan(""), inf, -inf})
    for (int i = 0; i < 7; ++i) {
      ContactProblem problem = vice();
      problem.b[i] = bad;
      EXPECT_FALSE(provesNoSolution(problem, kSqueeze));
      problem = vice();
      problem.bias[i] = bad;
      EXPECT_FALSE(provesNoSolution(problem, kSqueeze));
      problem = vice();
      problem.W(i, i) = bad;
      EXPECT_FALSE(provesNoSolution(problem, kSqueeze));
    }
}

}  // namespace
}  // namespace rigor
