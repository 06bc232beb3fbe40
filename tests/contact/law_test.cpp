// The law is part of the problem: the same numbers are an answer by one law and none by the other.
#include <gtest/gtest.h>

#include "contact/check_problem.h"
#include "contact/dissipation_contact.h"
#include "contact/friction_cone.h"
#include "contact/pyramid_contact.h"
#include "reference/mechanism.h"
#include "reference/slow_judge.h"
#include "reference/slow_projection.h"
#include "rigor/solver.h"

namespace rigor {
namespace {

ContactProblem oneContact(double mu, Law law) {
  ContactProblem problem;
  problem.blocks = {{BlockKind::kContact, 0, 3, mu, 0, 0, 0}};
  problem.W = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  problem.b = {0, 0, 0};
  problem.bias = problem.compliance = {0, 0, 0};
  problem.velocity_scale = 1e-3;
  problem.law = law;
  return problem;
}

// With W = I and û = u the impulse is the point of the cone nearest to −b; where it slips, u_n = μ|ut| lifts it, which
// Coulomb's law does not allow.
TEST(AssociatedLaw, HoldsAtTheNearestPointOfTheConeWhereSlipLifts) {
  reference::Random random(3);
  int slips = 0;
  for (int i = 0; i < 200; ++i) {
    ContactProblem problem = oneContact(random.logUniform(0.05, 5.0), Law::kAssociated);
    ContactSolution solution;
    for (double& b : problem.b) b = random.uniform(-1.0, 1.0);
    for (double b : problem.b) solution.impulse.push_back(-b);
    projectOnFrictionCone(problem.blocks[0].mu, solution.impulse.data());
    for (int r = 0; r < 3; ++r) solution.velocity.push_back(problem.b[r] + solution.impulse[r]);
    EXPECT_TRUE(accepts(judge(problem, solution), 1e-12)) << i;
    const double slip = std::hypot(solution.velocity[1], solution.velocity[2]);
    if (!(solution.impulse[0] > 1e-3 && slip > 1e-3)) continue;
    ++slips;
    EXPECT_NEAR(solution.velocity[0], problem.blocks[0].mu * slip, 1e-12) << i;
    problem.law = Law::kCoulomb;
    EXPECT_FALSE(accepts(judge(problem, solution), 1e-6)) << i;
  }
  EXPECT_GT(slips, 20);
}

// A contact whose normal and tangential rows couple, μ|k| < 1.
void couple(reference::Random& random, ContactProblem& problem) {
  const double tilt = 0.8 / (1.0 + problem.blocks[0].mu), k1 = random.uniform(-tilt, tilt), k2 = 0.5 * k1;
  problem.W = {1, k1, k2, k1, 2, 0.3, k2, 0.3, 2};
}

TEST(Judge, AgreesWithTheSlowTwinByEveryLaw) {
  reference::Random random(4);
  for (const Law law : {Law::kCoulomb, Law::kAssociated, Law::kDissipation, Law::kPyramid})
    for (int i = 0; i < 400; ++i) {
      ContactProblem problem = oneContact(random.logUniform(0.05, 5.0), law);
      problem.directions = 4 + 2 * (i % 31);
      couple(random, problem);
      ContactSolution solution;
      for (int r = 0; r < 3; ++r) {
        problem.b[r] = random.uniform(-1.0, 1.0);
        solution.impulse.push_back(random.uniform(-1.0, 1.0));
      }
      solution.velocity.resize(3);
      problem.W.multiplyAdd(solution.impulse.data(), problem.b.data(), solution.velocity.data());
      const auto slow = reference::judgeSlowly(problem, solution.impulse, solution.velocity, 1e-10);
      // numbers of order one, μ up to 5, s of dissipation up to ten times the slip: a few roundings
      EXPECT_NEAR(judge(problem, solution).law, slow.law[0], 1e-13 * (1.0 + problem.blocks[0].mu))
          << lawName(law) << " " << i;
    }
}

// What solves one contact to rounding is accepted by its own law; the other laws have it at their law gap.
TEST(Judge, AcceptsTheExactAnswerOfEachLawAndTellsItsLawGap) {
  reference::Random random(5);
  int gaps[2] = {0, 0};
  for (int i = 0; i < 500; ++i)
    for (const Law law : {Law::kCoulomb, Law::kDissipation, Law::kPyramid}) {
      ContactProblem problem = oneContact(random.logUniform(0.05, 2.0), law);
      couple(random, problem);
      for (double& b : problem.b) b = random.uniform(-1.0, 1.0);
      ContactBlock block{{}, {problem.b[0], problem.b[1], problem.b[2]}, problem.blocks[0].mu};
      problem.W.copyBlock<3>(0, block.W);
      const ContactAnswer answer = law == Law::kPyramid   ? solvePyramid(block, polygonOf(problem.directions))
                                   : law == Law::kCoulomb ? solveSingleContact(block)
                                                          : solveDissipation(block);
      ContactSolution solution;
      solution.impulse.assign(answer.impulse, answer.impulse + 3);
      solution.velocity.resize(3);
      problem.W.multiplyAdd(solution.impulse.data(), problem.b.data(), solution.velocity.data());
      const Residuals residuals = judge(problem, solution);
      EXPECT_TRUE(accepts(residuals, 1e-13)) << lawName(law) << " " << i << " " << residuals.law;
      ContactProblem by_coulomb = problem;
      by_coulomb.law = Law::kCoulomb;
      EXPECT_EQ(residuals.law_gap, judge(by_coulomb, solution).law);
      if (law == Law::kCoulomb)
        EXPECT_LE(residuals.law_gap, 1e-13);
      else if (answer.mode == ContactMode::kSlip)
        gaps[law == Law::kPyramid] += residuals.law_gap > 1e-3;
    }
  EXPECT_GT(std::min(gaps[0], gaps[1]), 50);  // the laws do differ where contacts slip
}

// Beyond the Painlevé range some velocities belong to no slip; rounding of a contact at rest is often one of them.
TEST(Judge, AcceptsTheExactAnswerOfLawDissipationInThePainleveRange) {
  reference::Random random(8);
  int modes[3] = {0, 0, 0};
  for (int i = 0; i < 1000; ++i) {
    ContactProblem problem = oneContact(random.uniform(2.0, 4.0), Law::kDissipation);
    const double k1 = random.uniform(-0.7, 0.7), k2 = std::sqrt(0.5 - k1 * k1);  // μ|k| ≥ 1.4
    problem.W = {1, k1, k2, k1, 2, 0.3, k2, 0.3, 2};
    for (double& b : problem.b) b = random.uniform(-1.0, 1.0);
    ContactBlock block{{}, {problem.b[0], problem.b[1], problem.b[2]}, problem.blocks[0].mu};
    problem.W.copyBlock<3>(0, block.W);
    const ContactAnswer answer = solveDissipation(block);
    ++modes[static_cast<int>(answer.mode)];
    ContactSolution solution;
    solution.impulse.assign(answer.impulse, answer.impulse + 3);
    solution.velocity.resize(3);
    problem.W.multiplyAdd(solution.impulse.data(), problem.b.data(), solution.velocity.data());
    // s is a difference that loses digits as ρ = 1 + μ k·d goes to 0
    EXPECT_TRUE(accepts(judge(problem, solution), 1e-11)) << i << " " << judge(problem, solution).law;
  }
  EXPECT_GT(std::min({modes[0], modes[1], modes[2]}), 50);
}

// r = 0 nowhere but at the answer: moved by a hundredth in any direction, an answer is one no more.
TEST(Judge, RefusesEachLawsAnswerOnceItIsMoved) {
  reference::Random random(6);
  for (int i = 0; i < 300; ++i)
    for (const Law law : {Law::kDissipation, Law::kPyramid}) {
      ContactProblem problem = oneContact(random.logUniform(0.05, 2.0), law);
      couple(random, problem);
      for (double& b : problem.b) b = random.uniform(-1.0, 1.0);
      if (problem.b[0] > -0.05) problem.b[0] = -0.05 - std::abs(problem.b[0]);
      ContactBlock block{{}, {problem.b[0], problem.b[1], problem.b[2]}, problem.blocks[0].mu};
      problem.W.copyBlock<3>(0, block.W);
      const ContactAnswer answer =
          law == Law::kPyramid ? solvePyramid(block, polygonOf(problem.directions)) : solveDissipation(block);
      ContactSolution solution;
      solution.impulse.assign(answer.impulse, answer.impulse + 3);
      solution.impulse[i % 3] += (i % 2 ? 0.01 : -0.01) * answer.impulse[0];
      solution.velocity.resize(3);
      problem.W.multiplyAdd(solution.impulse.data(), problem.b.data(), solution.velocity.data());
      EXPECT_GT(judge(problem, solution).law, 1e-5) << lawName(law) << " " << i;  // W is well conditioned
    }
}

TEST(PyramidProjection, IsTheNearestPointThatTryingEveryFaceFinds) {
  reference::Random random(7);
  for (int i = 0; i < 4000; ++i) {
    const double mu = i % 10 == 0 ? 0.0 : random.logUniform(1e-3, 10.0);
    const int corners = 4 + 2 * (i % 31);
    double x[3];
    for (double& entry : x) entry = random.uniform(-1.0, 1.0);
    const auto nearest = reference::searchNearestInPyramid(mu, corners, {x[0], x[1], x[2]});
    int index;
    projectOnPyramid(polygonOf(corners), mu, x, index);
    for (int r = 0; r < 3; ++r)  // numbers of order one
      ASSERT_NEAR(x[r], static_cast<double>(nearest[r]), 1e-14) << i << " corners " << corners << " mu " << mu;
  }
}

TEST(Law, IsFoundByNameAndSuggestsTheNearest) {
  for (const Law law : {Law::kCoulomb, Law::kDissipation, Law::kPyramid, Law::kAssociated})
    EXPECT_EQ(findLaw(lawName(law)), law);
  try {
    findLaw("pyramd");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.remedy().find("\"pyramid\""), std::string::npos);
  }
}

TEST(Law, PyramidHasAnEvenNumberOfCornersFromFourToSixtyFour) {
  for (const int corners : {-8, 0, 2, 3, 7, 65, 66, 1000}) {
    ContactProblem problem = oneContact(0.5, Law::kPyramid);
    problem.directions = corners;
    const auto defect = findDefect(problem);
    ASSERT_TRUE(defect.has_value()) << corners;
    EXPECT_EQ(defect->where().element, "directions");
    EXPECT_FALSE(hasSoundBlocks(problem));
    problem.law = Law::kCoulomb;  // does not ask
    EXPECT_TRUE(hasSoundBlocks(problem));
  }
}

TEST(Law, DissipationIsNotDefinedBesideEqualRows) {
  ContactProblem problem = oneContact(0.5, Law::kDissipation);
  problem.blocks.push_back({BlockKind::kEqual, 3, 1, 0, 0, 0, 0});
  problem.W = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  for (auto* vector : {&problem.b, &problem.bias, &problem.compliance}) vector->push_back(0.0);
  ASSERT_TRUE(findDefect(problem).has_value());
  EXPECT_EQ(findDefect(problem)->where().element, "law");
}

}  // namespace
}  // namespace rigor
