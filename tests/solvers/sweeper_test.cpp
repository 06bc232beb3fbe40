// Solvers that only sweep: what makes them get to the end, and where there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "rigor/io.h"
#include "rigor/solver.h"
#include "solvers/sweep_memory.h"

namespace rigor {
namespace {

ContactProblem loadSaved(const std::string& name) {
  return loadProblem(std::string(RIGOR_SOURCE_DIR) + "/tests/solvers/problems/" + name + ".json");
}

ContactSolution solveCold(const char* solver, const ContactProblem& problem, double tolerance) {
  ContactSolution solution;
  makeSolver(solver)->solve(problem, {.tolerance = tolerance, .aim = 0.1 * tolerance}, solution);
  return solution;
}

// Four feet and four corners of a trunk that turns: rows of sticking corners contradict each other by 1e-8 m/s, internal forces
// grow by as little in every sweep, and only where they have grown to the edge of a cone the law holds. Plain sweeps end at 5e-6.
TEST(Sweeps, GoOnToTheEdgeOfACornerWhereStickingRowsContradictEachOther) {
  const ContactProblem problem = loadSaved("limp_on_eight_contacts");
  for (const double tolerance : {1e-6, 1e-10}) {
    const ContactSolution solution = solveCold("bisection", problem, tolerance);
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << solution.residuals.law;
    EXPECT_LT(solution.iterations, 500);
    EXPECT_TRUE(accepts(judge(problem, solution), tolerance));
  }
}

// μ|Wnt| = 3.9 Wnn: with the paper's α = 0.6 the contact opens and closes in turn for ever.
TEST(Pgs, ShortensAStepThatGoesInCircles) {
  const ContactProblem problem = loadSaved("knee_at_its_motor");
  const ContactSolution solution = solveCold("pgs", problem, 1e-10);
  EXPECT_EQ(solution.status, SolveStatus::kSolved) << solution.residuals.law;
  EXPECT_LT(solution.iterations, 2000);  // circles are looked for every 240 sweeps
}

// A contact with μ|k| = 2 and a limit that presses it down with a tenth of its impulse. By hand, in one tangential direction:
// where the contact is open, the limit carries λ = 1 and leaves it un = 0.05 − 0.1 < 0, so it closes. Where it is closed, the least
// energy is that of stick (λn − 2 λt = −un, λt = 4.9 − 0.8 λ), which asks the limit for λ = −8.4, so that carries nothing, and
// without its own impulse the contact has un = 0.05 > 0: PC Alg. 2 opens it (line 3). No λ is left as it is by a sweep. The law
// itself lets a contact stick although it would part without its impulse, and Newton's method finds that.
TEST(Sweeps, ByLawDissipationHaveNoEndWhereAContactLiftsWhatPressesIt) {
  ContactProblem problem;
  Block contact, limit;
  contact.mu = 1.0;
  limit.kind = BlockKind::kAtLeast;
  limit.row = 3, limit.size = 1;
  problem.blocks = {contact, limit};
  problem.W = {1, -2, 0, -0.1, -2, 5, 0, 1, 0, 0, 1, 0, -0.1, 1, 0, 1};
  problem.b = {0.05, -5, 0, -1};
  problem.bias = problem.compliance = {0, 0, 0, 0};
  problem.velocity_scale = 1e-2;
  problem.law = Law::kDissipation;
  for (const char* solver : {"bisection", "bisection_hybrid", "golden", "quartic"}) {
    const ContactSolution solution = solveCold(solver, problem, 1e-6);
    EXPECT_NE(solution.status, SolveStatus::kSolved) << solver;
    EXPECT_GT(solution.residuals.law, 1e-3) << solver;
  }
  EXPECT_EQ(solveCold("newton", problem, 1e-6).status, SolveStatus::kSolved);
}

/// λ ← M λ + c, as sweeps do while no mode changes.
std::vector<double> apply(const std::vector<double>& M, const std::vector<double>& c, const std::vector<double>& x) {
  std::vector<double> y = c;
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t j = 0; j < c.size(); ++j) y[i] += M[i * c.size() + j] * x[j];
  return y;
}

TEST(SweepMemory, FindsTheEndOfAnAffineMapInAsManyCallsAsItHasDimensions) {
  const std::vector<double> M = {0.9, 0.1, 0.0, 0.05, 0.8, 0.1, 0.0, 0.2, 0.7}, c = {1.0, -2.0, 0.5},
                            w = {1.0, 2.0, 1.0};
  SweepMemory memory;
  memory.reserve(3);
  memory.begin(3);
  std::vector<double> x = {0.0, 0.0, 0.0};
  for (int call = 0; call < 4; ++call) {
    std::vector<double> after = apply(M, c, x);
    memory.extrapolate(x.data(), w.data(), after.data());
    x = after;
  }
  const std::vector<double> end = apply(M, c, x);
  for (int r = 0; r < 3; ++r) EXPECT_NEAR(end[r], x[r], 1e-10);  // plain calls leave 0.1 of the way after twenty
}

TEST(SweepMemory, TellsWhatMovesOnForEver) {
  const std::vector<double> M = {1.0, 0.0, 0.0, 0.1}, c = {1e-6, 1.0}, w = {1.0, 1.0};
  SweepMemory memory;
  memory.reserve(2);
  memory.begin(2);
  std::vector<double> x = {0.0, 0.0};
  SweepGuess guess = SweepGuess::kNone;
  for (int call = 0; call < 8 && guess != SweepGuess::kDrift; ++call) {
    std::vector<double> after = apply(M, c, x);
    guess = memory.extrapolate(x.data(), w.data(), after.data());
    x = after;
  }
  EXPECT_EQ(guess, SweepGuess::kDrift);
  EXPECT_NEAR(x[1], 1.0 / 0.9, 1e-12);  // what does end has ended
  EXPECT_LT(x[0], 1e-4);
}

}  // namespace
}  // namespace rigor
