// Problems with torsion, rolling and soft contacts, for every solver, with W dense and as its factors.
#include <gtest/gtest.h>

#include "reference/mechanism.h"
#include "reference/slow_judge.h"
#include "rigor/solver.h"
#include "solver_choice.h"

namespace rigor {
namespace {

using reference::Random;

/// Free bodies that touch the ground and each other with three, four and six rows, some of them softly. b = J v is a velocity that
/// they can have, so there is a solution.
ContactProblem pileOf(int bodies, int contacts, Random& random, bool factored) {
  DelassusFactors factors;
  Eigen::VectorXd mass(6 * bodies), v(6 * bodies);
  for (int j = 0; j < 6 * bodies; ++j) mass[j] = random.logUniform(0.1, 10.0), v[j] = random.uniform(-1.0, 1.0);
  for (int body = 0; body < bodies; ++body) factors.node_start.push_back(6 * (body + 1));
  ContactProblem problem;
  std::vector<Eigen::RowVectorXd> J;
  for (int i = 0; i < contacts; ++i) {
    Block block;
    block.row = static_cast<int>(J.size());
    block.size = std::array{3, 4, 6}[random.integer(0, 2)];
    block.mu = block.size == 3 ? random.uniform(0.0, 1.2) : 1.0;
    const int first = i % bodies, second = random.integer(0, bodies);  // the last is the ground
    for (int r = 0; r < block.size; ++r) {
      // rows with coefficients: of torsion and rolling small ones, and now and then none
      const double scale = r < 3 ? 1.0 : random.integer(0, 5) == 0 ? 0.0 : random.uniform(0.01, 0.3);
      J.emplace_back(Eigen::RowVectorXd::Zero(6 * bodies));
      for (int k = 0; k < 6; ++k) J.back()[6 * first + k] = scale * random.uniform(-1.0, 1.0);
      for (int k = 0; second < bodies && second != first && k < 6; ++k)
        J.back()[6 * second + k] = scale * random.uniform(-1.0, 1.0);
      problem.bias.push_back(r == 0 ? random.uniform(0.0, 0.1) : 0.0);
      problem.compliance.push_back(r == 0 && random.integer(0, 2) == 0 ? random.logUniform(0.01, 10.0) : 0.0);
    }
    if (problem.compliance[block.row] > 0.0) problem.bias[block.row] = random.uniform(-0.5, 0.1);
    problem.blocks.push_back(block);
    std::vector<int> nodes = {first};
    if (second < bodies && second != first) nodes.push_back(second);
    for (const int node : nodes) {
      factors.sides.push_back({node, static_cast<int>(factors.freedoms.size()), 6, static_cast<int>(factors.A.size())});
      for (int k = 6 * node; k < 6 * node + 6; ++k) {
        factors.freedoms.push_back(k);
        for (int r = 0; r < block.size; ++r) {
          factors.A.push_back(J[block.row + r][k]);
          factors.B.push_back(J[block.row + r][k] / mass[k]);
        }
      }
    }
    factors.block_row.push_back(static_cast<int>(J.size()));
    factors.first_side.push_back(static_cast<int>(factors.sides.size()));
  }
  const int m = static_cast<int>(J.size());
  std::vector<double> W(static_cast<std::size_t>(m) * m);
  for (int i = 0; i < m; ++i) {
    problem.b.push_back(J[i].dot(v));
    for (int j = 0; j < m; ++j) W[i * m + j] = J[i].cwiseQuotient(mass.transpose()).dot(J[j]);
  }
  problem.W = factored ? DelassusMatrix(std::move(factors)) : DelassusMatrix(std::move(W));
  problem.velocity_scale = 1e-3;
  return problem;
}

int countSolved(std::string_view name, int bodies, int contacts, int problems, bool factored) {
  Random random(17);
  int solved = 0;
  const auto solver = makeSolver(name);
  for (int i = 0; i < problems; ++i) {
    const ContactProblem problem = pileOf(bodies, contacts, random, factored);
    ContactSolution solution;
    solution.impulse.assign(problem.rows(), 0.0);
    solver->solve(problem, {}, solution);
    const auto verdict = reference::judgeSlowly(problem, solution.impulse, solution.velocity, 1e-10 * (1.0 + 1e-5));
    if (solution.status == SolveStatus::kSolved) {
      EXPECT_TRUE(verdict.accepted) << name << " " << i;
    }
    EXPECT_NE(solution.status, SolveStatus::kBadInput) << name << " " << i;
    EXPECT_NE(solution.status, SolveStatus::kNoSolution) << name << " " << i;
    solved += solution.status == SolveStatus::kSolved;
  }
  return solved;
}

TEST(RoundCones, AreSolvedByAutoInSmallAndLargeProblems) {
  EXPECT_EQ(countSolved("auto", 1, 2, 300, false), 300);
  EXPECT_EQ(countSolved("auto", 3, 6, 200, false), 200);
  EXPECT_EQ(countSolved("auto", 12, 24, 20, false), 20);
}

TEST(RoundCones, AreSolvedByAutoWhereWIsFactored) { EXPECT_EQ(countSolved("auto", 12, 24, 20, true), 20); }

// Each of the others solves most of them; what it does not solve it does not claim.
TEST(RoundCones, AreSolvedByEverySolverOfTheList) {
  for (const SolverInfo& info : solversOf(Law::kCoulomb))
    EXPECT_GE(countSolved(info.name, 2, 3, 100, false), 80) << info.name;
}

// What cannot move gives way if it is soft: two walls that close on a block have no solution when they are hard.
TEST(SoftContacts, HaveSolutionsWhereHardOnesJam) {
  ContactProblem problem;
  for (int side = 0; side < 2; ++side) problem.blocks.push_back({BlockKind::kContact, 3 * side, 3, 0.5});
  std::vector<double> W(36, 0.0);
  for (const int sign : {0, 1})
    for (int r = 0; r < 3; ++r) {
      W[(3 * sign + r) * 6 + 3 * sign + r] = 1.0;
      W[(3 * sign + r) * 6 + 3 * (1 - sign) + r] = r == 0 ? -1.0 : 1.0;
    }
  problem.W = DelassusMatrix(W);
  problem.b = {-1.0, 0.0, 0.0, -1.0, 0.0, 0.0};
  problem.bias.assign(6, 0.0);
  problem.compliance.assign(6, 0.0);
  const auto solver = makeSolver("auto");
  ContactSolution hard;
  hard.impulse.assign(6, 0.0);
  solver->solve(problem, {}, hard);
  EXPECT_EQ(hard.status, SolveStatus::kNoSolution);
  problem.compliance[0] = problem.compliance[3] = 0.5;  // û = −1 + 0.5 λ on both sides
  ContactSolution soft;
  soft.impulse.assign(6, 0.0);
  solver->solve(problem, {}, soft);
  ASSERT_EQ(soft.status, SolveStatus::kSolved);
  EXPECT_NEAR(soft.impulse[0], 2.0, 1e-9);
  EXPECT_NEAR(soft.impulse[3], 2.0, 1e-9);
}

}  // namespace
}  // namespace rigor
