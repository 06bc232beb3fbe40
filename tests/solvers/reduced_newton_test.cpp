// Newton's method on sets, away from the ladder that goes on where it ends.
#include "solvers/reduced_newton.h"

#include <gtest/gtest.h>

#include <string>

#include "rigor/io.h"
#include "rigor/solver.h"
#include "solvers/block_sor.h"

namespace rigor {
namespace {

constexpr double kTolerance = 1e-10;  // the judge's own

TEST(ReducedNewton, EndsWhenItGoesToAndFroBetweenTwoSets) {
  // The landing that only restarts solve: Newton corrects one set to the other and back.
  const ContactProblem problem = loadProblem(std::string(RIGOR_SOURCE_DIR) + "/tests/solvers/problems/to_and_fro.json");
  Iterate iterate;
  iterate.resize(problem.rows());
  relaxBlocks(problem, kTolerance, 3, {}, iterate);
  ReducedNewton newton;
  newton.reserve(problem.rows());
  constexpr int kLimit = 1000;
  const double law = iterate.residuals.law;
  EXPECT_LT(newton.polish(problem, kTolerance, kLimit, iterate), kLimit / 10);  // without an end it takes all of them
  EXPECT_FALSE(accepts(iterate.residuals, kTolerance));
  EXPECT_LE(iterate.residuals.law, law);  // the best of them is left, not the last
}

}  // namespace
}  // namespace rigor
