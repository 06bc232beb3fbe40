// The path by its arc length, on jams of 64 balls in a box near rest that no other stage solves. In both, sticking rows
// contradict each other a little, and only one of a great many combinations of open, sticking and slipping contacts obeys the
// law: the path finds it. That of the second one folds. The third is a wall of twelve bricks that a ball of 30 kg strikes: rows of
// bricks that tip together are nearly dependent.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "rigor/io.h"
#include "solvers/interior_point.h"
#include "solvers/staged_solver.h"

namespace rigor {
namespace {

ContactProblem loadJam(const char* name) {
  return loadProblem(std::string(RIGOR_SOURCE_DIR) + "/tests/solvers/problems/" + name + ".npz");
}

/// One path from the middle of the cones.
class OnePath final : public StagedSolver {
 public:
  explicit OnePath(bool closely) : closely_(closely) {}
  std::string_view name() const override { return "one path"; }
  int mostDenseRows() const override { return 0; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool) override {
    followPathFrom(problem, options, {.size = 1.0, .closely = closely_});
  }

 private:
  bool closely_;
};

bool solves(ContactSolver& solver, const ContactProblem& problem) {
  ContactSolution solution;
  solver.solve(problem, {}, solution);
  return accepts(judge(problem, solution), 1e-10);
}

class RecordedJam : public testing::TestWithParam<const char*> {};

TEST_P(RecordedJam, IsSolvedWhereItsPathIsFollowedClosely) {
  const ContactProblem problem = loadJam(GetParam());
  OnePath closely(true), fast(false);
  EXPECT_TRUE(solves(closely, problem));
  EXPECT_FALSE(solves(fast, problem));
  EXPECT_TRUE(solves(*makeSolver("auto"), problem));
}

INSTANTIATE_TEST_SUITE_P(Of, RecordedJam, testing::Values("jam_of_balls", "folded_jam_of_balls", "wall_under_impact"),
                         [](const auto& jam) { return jam.param; });

// Each takes hundreds of factorisations or sweeps on it; after a stop none begins, and one sweep of each stage at most.
TEST(AStopThatIsRaised, EndsEverySolverByEveryLaw) {
  const StopFlag stop = true;
  for (const SolverInfo& info : listSolvers())
    for (const Law law : {Law::kCoulomb, Law::kDissipation, Law::kPyramid})
      for (const bool dense : {false, true}) {
        ContactProblem problem = loadJam("folded_jam_of_balls");
        const auto solver = makeSolver(info.name);
        if (!solver->solves(law) || (!dense && (info.name != "auto" || law != Law::kCoulomb))) continue;
        problem.law = law;
        if (dense) problem.W = problem.W.toDense();
        ContactSolution solution;
        solver->solve(problem, {.stop = &stop}, solution);
        EXPECT_FALSE(accepts(judge(problem, solution), 1e-10)) << info.name;
        EXPECT_LE(solution.iterations, 2) << info.name << " " << lawName(law) << (dense ? ", dense" : "");
      }
}

// Its law ends at 8e-9, where rounding decides. From there no step leads on, however short, and each try costs a factorisation.
TEST(CloselyFollowedPath, EndsWhereNoStepLeadsOn) {
  const ContactProblem problem = loadJam("jam_of_balls");
  InteriorPoint path;
  Iterate iterate;
  iterate.resize(problem.rows());
  path.begin(problem, {.closely = true}, iterate);
  EXPECT_LT(path.goOn(problem, -1.0, 600, iterate), 600);
  EXPECT_TRUE(path.ended());
  EXPECT_LT(iterate.residuals.law, 1e-7);
}

// One row: 2 λ = 3 − 1. The path ends where its products are 1e-20 of their start.
TEST(CloselyFollowedPath, EndsAtTheAnswerOfOneRow) {
  for (const double b : {-3.0, 3.0}) {
    ContactProblem problem;
    Block block;
    block.kind = BlockKind::kAtLeast;
    block.size = 1;
    problem.blocks = {block};
    problem.W = {2.0}, problem.b = {b}, problem.bias = {1.0}, problem.compliance = {0.0};
    InteriorPoint path;
    Iterate iterate;
    path.reserve(1);
    iterate.resize(1);
    path.begin(problem, {.closely = true}, iterate);
    path.goOn(problem, -1.0, 400, iterate);
    EXPECT_NEAR(iterate.impulse[0], std::max(0.0, -(b + 1.0) / 2.0), 1e-9);
  }
}

}  // namespace
}  // namespace rigor
