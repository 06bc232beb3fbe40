#include <gtest/gtest.h>

#include "rigor/rigor.h"

namespace rigor {
namespace {

// From a run of anymal_hang: four feet on the ground, two of them on each other. Every Newton iteration from the usual
// starts cycles between open and closed; the step was refused at every length.
TEST(FootOnFoot, IsSolvedByTheLadder) {
  const ContactProblem problem =
      loadProblem(std::string(RIGOR_SOURCE_DIR) + "/tests/simulation/problems/foot_on_foot.json");
  ContactSolution solution;
  solution.impulse.assign(problem.b.size(), 0.0);
  makeSolver("auto")->solve(problem, {.tolerance = 1e-10}, solution);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_TRUE(accepts(judge(problem, solution), 1e-10));
}

}  // namespace
}  // namespace rigor
