// The sparse block LU against Eigen's dense one, and the ladder in the freedoms of nodes against the dense ladder.
#include "solvers/node_lu.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "brick_wall.h"
#include "contact/judge.h"
#include "rigor/solver.h"
#include "solvers/gmres.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;

struct RandomGraph {
  std::vector<int> start = {0};
  std::vector<NodeEdge> edges;

  RandomGraph(int nodes, bool bodies, std::mt19937& random) {
    std::uniform_int_distribution<int> size(1, 9), pick(0, nodes - 1);
    for (int i = 0; i < nodes; ++i) start.push_back(start.back() + (bodies ? 6 : size(random)));
    for (int e = 0; e < 2 * nodes; ++e) {
      const int a = pick(random), b = pick(random);
      if (a != b) edges.emplace_back(std::min(a, b), std::max(a, b));
    }
  }
};

// The identity and random unsymmetric blocks on all nodes and on every edge but each third, in both forms.
MatrixXd fill(const RandomGraph& graph, std::mt19937& random, NodeLu& lu) {
  std::normal_distribution<double> normal;
  const int n = graph.start.back();
  MatrixXd dense = MatrixXd::Identity(n, n);
  const auto add = [&](int a, int b, double* block) {
    const int rows = graph.start[a + 1] - graph.start[a], columns = graph.start[b + 1] - graph.start[b];
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        const double entry = 0.3 * normal(random) + (a == b && i == j ? 3.0 : 0.0);
        block[i * columns + j] += entry;
        dense(graph.start[a] + i, graph.start[b] + j) += entry;
      }
  };
  lu.prepare(graph.start, graph.edges, true);
  lu.setIdentity();
  for (int i = 0; i + 1 < static_cast<int>(graph.start.size()); ++i) {
    lu.touchDiagonal(i);
    add(i, i, lu.diagonal(i));
  }
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (e % 3 == 2) continue;
    const auto [a, b] = graph.edges[e];
    add(a, b, lu.block(a, b));
    add(b, a, lu.block(b, a));
  }
  return dense;
}

TEST(NodeLu, SolvesWhatEigensDenseLuSolvesOnRandomGraphs) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  NodeLu lu;  // one for all: what it keeps from the graph before must not show
  for (int trial = 0; trial < 40; ++trial) {
    const RandomGraph graph(3 + trial, trial % 2 == 0, random);
    const MatrixXd dense = fill(graph, random, lu);
    ASSERT_TRUE(lu.factor());
    VectorXd right(dense.rows());
    for (double& x : right) x = normal(random);
    VectorXd x = right;
    lu.solve(x.data());
    // a few hundred unknowns of a well-conditioned matrix, pivots only inside nodes
    EXPECT_LE((x - dense.partialPivLu().solve(right)).norm(), 1e-11 * (1.0 + x.norm())) << trial;
  }
}

TEST(NodeLu, KeepsItsOrderWhileTheEdgesFitAndDropsOneThatWasMadeForManyMore) {
  std::mt19937 random(3);
  const RandomGraph graph(30, true, random);
  NodeLu lu;
  lu.prepare(graph.start, graph.edges, true);
  const int entries = lu.pattern().entries();
  std::vector<NodeEdge> fewer(graph.edges.begin(), graph.edges.end() - 3);
  lu.prepare(graph.start, fewer, false);
  EXPECT_EQ(lu.pattern().entries(), entries);
  lu.prepare(graph.start, {graph.edges[0]}, false);
  EXPECT_EQ(lu.pattern().entries(), 1);
}

TEST(NodePattern, OrdersAChainWithoutFill) {
  std::vector<NodeEdge> edges;
  for (int i = 0; i + 1 < 50; ++i) edges.emplace_back(i * 7 % 50, (i + 1) * 7 % 50);
  NodePattern pattern;
  pattern.analyze(50, edges);
  EXPECT_EQ(pattern.entries(), 49);  // minimum degree finds the ends; a bad order would fill
}

TEST(Gmres, FindsWhatADiagonalInTheFactorsHidesOfWeakDirections) {
  const int n = 40;
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  VectorXd values = VectorXd::Ones(n);
  values.head(3) << 1e-7, 3e-8, 1e-8;  // weaker than the diagonal 1e-6 of the factors
  const MatrixXd Q = MatrixXd::NullaryExpr(n, n, [&] { return normal(random); }).householderQr().householderQ();
  const MatrixXd A = Q * values.asDiagonal() * Q.transpose();
  const MatrixXd factors = (A + 1e-6 * MatrixXd::Identity(n, n)).inverse();
  const VectorXd right = A * VectorXd::NullaryExpr(n, [&] { return normal(random); });
  VectorXd x = factors * right;
  const double before = (A * x - right).norm();
  const bool reached = Gmres().correct(
      n, [&](const double* in, double* out) { VectorXd::Map(out, n) = A * VectorXd::Map(in, n); },
      [&](double* in) { VectorXd::Map(in, n) = (factors * VectorXd::Map(in, n)).eval(); }, right.data(), 1e-12, 12,
      false, x.data());
  EXPECT_TRUE(reached);
  EXPECT_GT(before, 1e-10 * right.norm());
  EXPECT_LE((A * x - right).norm(), 1e-11 * right.norm());  // the goal, and rounding of the basis
}

ContactSolution solve(const ContactProblem& problem) {
  ContactSolution solution;
  makeSolver("auto")->solve(problem, {}, solution);
  return solution;
}

TEST(FactoredLadder, MovesAWallAsTheDenseLadderDoes) {
  BrickWall wall({.columns = 3, .rows = 3, .mass_ratio = 10.0});
  for (int step = 0; step < 3; ++step) {
    const ContactProblem factored = wall.nextProblem();
    ContactProblem dense = factored;
    dense.W = factored.W.toDense();
    const ContactSolution a = solve(factored), b = solve(dense);
    ASSERT_EQ(a.status, SolveStatus::kSolved);
    ASSERT_EQ(b.status, SolveStatus::kSolved);
    // impulses of redundant contacts differ, velocities do not: 1e-10 of g·h each, and the known error of the rows
    for (int row = 0; row < factored.rows(); ++row)
      EXPECT_NEAR(a.velocity[row], b.velocity[row], 2e-11) << "step " << step << ", row " << row;
    wall.apply(a.impulse);
  }
}

TEST(FactoredLadder, HoldsWallsOfMassRatioOneThousandUnderPushes) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    BrickWall wall({.columns = 4, .rows = 4, .mass_ratio = 1e3, .seed = seed});
    const auto solver = makeSolver("auto");
    ContactSolution solution;
    for (int step = 0; step < 10; ++step) {
      solver->solve(wall.nextProblem(), {}, solution);
      ASSERT_EQ(solution.status, SolveStatus::kSolved) << "seed " << seed << ", step " << step;
      wall.apply(solution.impulse);
    }
  }
}

TEST(FactoredLadder, EveryOtherSolverIsGivenADenseMatrix) {
  BrickWall wall({.columns = 2, .rows = 2, .push = 0.0});
  const ContactProblem& problem = wall.nextProblem();
  for (const char* name : {"newton", "interior_point"}) {
    ContactSolution solution;
    makeSolver(name)->solve(problem, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << name;
    EXPECT_TRUE(accepts(judge(problem, solution), 1e-10)) << name;  // by the factors
  }
}

}  // namespace
}  // namespace rigor
