// The law is part of the problem: the same numbers are an answer by one law and none by the other.
#include <gtest/gtest.h>

#include "contact/friction_cone.h"
#include "reference/mechanism.h"
#include "reference/slow_judge.h"
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

TEST(Judge, AgreesWithTheSlowTwinByEitherLaw) {
  reference::Random random(4);
  for (const Law law : {Law::kCoulomb, Law::kAssociated})
    for (int i = 0; i < 200; ++i) {
      ContactProblem problem = oneContact(random.logUniform(0.05, 5.0), law);
      ContactSolution solution;
      for (int r = 0; r < 3; ++r) {
        problem.b[r] = random.uniform(-1.0, 1.0);
        solution.impulse.push_back(random.uniform(-1.0, 1.0));
        solution.velocity.push_back(problem.b[r] + solution.impulse[r]);
      }
      const auto slow = reference::judgeSlowly(problem, solution.impulse, solution.velocity, 1e-10);
      // numbers of order one, μ up to 5: a few roundings
      EXPECT_NEAR(judge(problem, solution).law, slow.law[0], 1e-14 * (1.0 + problem.blocks[0].mu)) << i;
    }
}

}  // namespace
}  // namespace rigor
