#include <gtest/gtest.h>

#include "rigor/rigor.h"

namespace rigor {
namespace {

ContactSolution solveSaved(const std::string& name, ContactProblem& problem) {
  problem = loadProblem(std::string(RIGOR_SOURCE_DIR) + "/tests/simulation/problems/" + name + ".json");
  ContactSolution solution;
  solution.impulse.assign(problem.b.size(), 0.0);
  makeSolver("auto")->solve(problem, {.tolerance = 1e-10}, solution);
  return solution;
}

// From a run of anymal_hang: four feet on the ground, two of them on each other. Every Newton iteration from the usual
// starts cycles between open and closed; the step was refused at every length.
TEST(FootOnFoot, IsSolvedByTheLadder) {
  ContactProblem problem;
  const ContactSolution solution = solveSaved("foot_on_foot", problem);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_TRUE(accepts(judge(problem, solution), 1e-10));
}

// From a run of the exoskeleton: six equal rows of rank two, which disagree by what positions round over a step of 4 µs. Rows that
// move a hundred times less than the others were taken as pivots, and left a hundred times as much of them open.
TEST(RedundantCuffs, AreHeldByTheRowsThatMoveMost) {
  ContactProblem problem;
  const ContactSolution solution = solveSaved("redundant_cuffs", problem);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_TRUE(accepts(judge(problem, solution), 1e-10));
}

}  // namespace
}  // namespace rigor
