// Without friction the cone of a contact is a half line: it pushes, or it does nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/problem_families.h"
#include "reference/slow_judge.h"
#include "rigor/solver.h"
#include "solver_choice.h"

namespace rigor {
namespace {

ContactSolution solveWith(std::string_view solver, const ContactProblem& problem) {
  ContactSolution solution;
  solution.impulse.assign(problem.rows(), 0.0);
  makeSolver(solver)->solve(problem, {}, solution);
  return solution;
}

ContactProblem ball(double lift) {
  ContactProblem problem;
  problem.blocks = {Block{}};
  problem.W = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  problem.b = {lift, 0, 0};
  problem.bias = problem.compliance = {0, 0, 0};
  return problem;
}

void expectNoPull(const ContactProblem& problem, const ContactSolution& solution, const std::string& what) {
  if (solution.status != SolveStatus::kSolved) return;
  for (const Block& block : problem.blocks)
    for (int r = 0; r < block.size; ++r) {
      const double impulse = solution.impulse[block.row + r];
      if (block.kind == BlockKind::kAtLeast || (block.kind == BlockKind::kContact && r == 0)) {
        EXPECT_GE(impulse, 0.0) << what << " row " << block.row + r;
      }
      if (block.kind == BlockKind::kBox) {
        EXPECT_TRUE(block.lo <= impulse && impulse <= block.hi) << what << " row " << block.row + r;
      }
    }
}

TEST(Frictionless, ABallThatIsLiftedLetsGo) {
  for (const SolverInfo& info : solversOf(Law::kCoulomb))
    for (double zero : {0.0, -0.0}) {
      ContactProblem problem = ball(1.0);
      problem.blocks[0].mu = zero;
      const ContactSolution solution = solveWith(info.name, problem);
      EXPECT_EQ(solution.status, SolveStatus::kSolved) << info.name;
      for (int r = 0; r < 3; ++r) EXPECT_NEAR(solution.impulse[r], 0.0, 1e-10) << info.name;
      EXPECT_NEAR(solution.velocity[0], 1.0, 1e-10) << info.name;
    }
}

TEST(Frictionless, ABallThatWasHeldByAPullIsLetGo) {
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
    ContactSolution solution;
    solution.impulse = {-1, 0, 0};
    for (ContactMode mode : {ContactMode::kOpen, ContactMode::kStick, ContactMode::kSlip}) {
      solution.modes = {mode};
      solution.modes_known = true;
      makeSolver(info.name)->solve(ball(1.0), {}, solution);
      EXPECT_EQ(solution.status, SolveStatus::kSolved) << info.name;
      EXPECT_NEAR(solution.impulse[0], 0.0, 1e-10) << info.name << " " << static_cast<int>(mode);
      solution.impulse = {-1, 0, 0};
    }
  }
}

// Every family with all friction taken away, and with a random half of it: μ = 0 beside μ > 0.
TEST(Frictionless, ProblemsOfEveryFamilyAreSolved) {
  for (const reference::Family& family : reference::problemFamilies())
    for (int i = 0; i < 6; ++i)
      for (int part : {1, 2}) {
        ContactProblem problem = reference::makeSample(family, i);
        int contact = 0;
        for (Block& block : problem.blocks)
          if (block.kind == BlockKind::kContact && contact++ % part == 0) block.mu = 0.0;
        const std::string what = family.name + " " + std::to_string(i) + " part " + std::to_string(part);
        for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
          const ContactSolution solution = solveWith(info.name, problem);
          if (info.name == "auto") {
            EXPECT_EQ(solution.status, SolveStatus::kSolved) << what;
          }
          expectNoPull(problem, solution, std::string(info.name) + " " + what);
          if (solution.status != SolveStatus::kSolved) continue;
          const double limit = 1e-10 * (1.0 + 1e-5);  // the slow judge adds up in another order
          EXPECT_TRUE(reference::judgeSlowly(problem, solution.impulse, solution.velocity, limit).accepted)
              << info.name << " " << what;
        }
      }
}

TEST(Solver, AcceptsNoPullAndNoImpulseBeyondItsBounds) {
  for (const reference::Family& family : reference::problemFamilies())
    for (int i = 0; i < 20; ++i) {
      const ContactProblem problem = reference::makeSample(family, i);
      expectNoPull(problem, solveWith("auto", problem), family.name + " " + std::to_string(i));
    }
}

}  // namespace
}  // namespace rigor
