// The interior point and the proximal problem without any polish, on problems with one row whose answer is known.
#include <gtest/gtest.h>

#include "solvers/interior_point.h"
#include "solvers/semismooth_newton.h"

namespace rigor {
namespace {

ContactProblem oneRow(BlockKind kind, double W, double b, double bias = 0.0, double compliance = 0.0) {
  ContactProblem problem;
  Block block;
  block.kind = kind;
  block.size = 1;
  block.lo = -10.0, block.hi = 10.0;
  problem.blocks = {block};
  problem.W = {W}, problem.b = {b}, problem.bias = {bias}, problem.compliance = {compliance};
  return problem;
}

double endOfPath(const ContactProblem& problem) {
  InteriorPoint path;
  Iterate iterate;
  path.reserve(problem.rows());
  iterate.resize(problem.rows());
  path.solve(problem, 1e-10, 40, {.size = 1.0}, iterate);
  return iterate.impulse[0];
}

// The path ends where its products are 1e-22 of their start, 1e-11 in impulse.
TEST(InteriorPointAlone, EndsAtTheAnswerOfOneRow) {
  EXPECT_NEAR(endOfPath(oneRow(BlockKind::kBox, 2.0, 1.0, -4.0, 1.0)), 1.0, 1e-9);    // (2 + 1) λ = 4 − 1
  EXPECT_NEAR(endOfPath(oneRow(BlockKind::kBox, 2.0, 1.0, -94.0, 1.0)), 10.0, 1e-9);  // saturated
  EXPECT_NEAR(endOfPath(oneRow(BlockKind::kBox, 2.0, 1.0, 94.0, 1.0)), -10.0, 1e-9);
  EXPECT_NEAR(endOfPath(oneRow(BlockKind::kAtLeast, 2.0, -3.0, 1.0)), 1.0, 1e-9);  // 2 λ = 3 − 1
  EXPECT_NEAR(endOfPath(oneRow(BlockKind::kAtLeast, 2.0, 3.0, 1.0)), 0.0, 1e-9);
}

// W + ε w and b − ε w λ_centre with w = W = 2, ε = 0.5: (2 + 1) λ = 3 + 1·λ_centre.
TEST(ProximalProblem, PullsTowardsItsCentre) {
  const ContactProblem problem = oneRow(BlockKind::kAtLeast, 2.0, -3.0);
  SemismoothNewton newton;
  newton.reserve(1);
  for (double centre : {0.0, 0.75, 6.0}) {
    Iterate iterate;
    iterate.resize(1);
    newton.solve(problem, NonsmoothMap::kAlartCurnier, 1e-10, 12, iterate, {0.5, &centre});
    EXPECT_NEAR(iterate.impulse[0], (3.0 + centre) / 3.0, 1e-7);  // the diagonal of 1e-8 slows the last digits
  }
}

}  // namespace
}  // namespace rigor
