// Elimination along the links of a forest against Eigen's dense LU, and W of a forest against its written-out product.
#include "solvers/forest_lu.h"

#include <gtest/gtest.h>

#include "reference/random_forest.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Random blocks on all nodes and some edges, in both forms; edges between links, joints and nodes that stand alone.
MatrixXd fill(const RandomForest& forest, int edges, std::mt19937& random, ForestLu& lu) {
  std::normal_distribution<double> normal;
  const std::vector<int>& start = forest.factors.node_start;
  const int nodes = forest.factors.nodes();
  std::uniform_int_distribution<int> pick(0, nodes - 1);
  std::vector<NodeEdge> list;
  while (static_cast<int>(list.size()) < edges)
    if (const int a = pick(random), b = pick(random); a != b) list.emplace_back(std::min(a, b), std::max(a, b));
  MatrixXd dense = MatrixXd::Zero(start.back(), start.back());
  const auto add = [&](int a, int b, double* block) {
    const int rows = start[a + 1] - start[a], columns = start[b + 1] - start[b];
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        const double entry = 0.1 * normal(random) + (a == b && i == j ? 2.0 : 0.0);
        block[i * columns + j] += entry;
        dense(start[a] + i, start[b] + j) += entry;
      }
  };
  lu.prepare(forest.factors, list, true);
  lu.setForest(forest.factors);
  for (int node = 0; node < nodes; ++node) add(node, node, lu.diagonal(node));
  for (const auto& [a, b] : list) add(a, b, lu.block(a, b)), add(b, a, lu.block(b, a));
  return dense;
}

TEST(ForestLu, SolvesWhatADenseMatrixSolves) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const int nodes = 1 + round;
    const RandomForest forest(nodes, 0, random);
    ForestLu lu;
    const MatrixXd more = fill(forest, nodes > 1 ? (round % 4) * nodes / 3 : 0, random, lu);
    ASSERT_TRUE(lu.factor(forest.factors));
    const VectorXd force = VectorXd::Random(forest.factors.freedomCount());
    VectorXd x = force;
    lu.solve(forest.factors, x.data());
    const VectorXd expected = forest.respond(more) * force;
    // digits that a matrix of condition 1e3 to 1e5 costs
    EXPECT_LE((x - expected).norm(), 1e-9 * expected.norm()) << round;
  }
}

TEST(ForestLu, FillsNothingBetweenLinksOfAChainThatTouchTheGround) {
  std::mt19937 random(2);
  const RandomForest forest(300, 0, random);
  ForestLu lu;
  lu.prepare(forest.factors, {}, true);
  EXPECT_EQ(lu.pattern().entries(), 0);
}

TEST(ForestLu, EliminatesALadderOfLoopsWithoutGrowingFill) {
  // a comb: two chains from one root, rungs between them; eliminated from the tips it never has more than two neighbours
  std::vector<int> parent = {-1};
  std::vector<NodeEdge> rungs;
  for (int i = 0; i < 100; ++i) {
    parent.push_back(i == 0 ? 0 : static_cast<int>(parent.size()) - 2);
    parent.push_back(i == 0 ? 0 : static_cast<int>(parent.size()) - 2);
    rungs.emplace_back(2 * i + 1, 2 * i + 2);
  }
  ForestPattern pattern;
  pattern.analyze(parent, rungs);
  EXPECT_LE(pattern.entries(), 250);
}

TEST(DelassusForest, MultipliesAsItsMatricesWrittenOut) {
  std::mt19937 random(3);
  for (int round = 0; round < 40; ++round) {
    const RandomForest forest(1 + round, 1 + round / 2, random);
    ASSERT_TRUE(forest.factors.isSound());
    const DelassusMatrix W(forest.factors);
    const MatrixXd A = forest.columns(forest.factors.A), B = forest.columns(forest.factors.B);
    const MatrixXd expected = A.transpose() * forest.respond(MatrixXd::Zero(A.rows(), A.rows())) * B;
    const VectorXd x = VectorXd::Random(W.rows());
    VectorXd y(W.rows());
    W.multiply(x.data(), y.data());
    const double size = expected.norm();
    EXPECT_LE((y - expected * x).norm(), 1e-11 * size * x.norm()) << round;
    const DelassusMatrix dense = W.toDense();
    for (int row = 0; row < W.rows(); ++row)
      for (int column = 0; column < W.rows(); ++column) {
        EXPECT_NEAR(dense(row, column), expected(row, column), 1e-11 * size);
        EXPECT_NEAR(std::as_const(W)(row, column), expected(row, column), 1e-11 * size);
      }
  }
}

TEST(DelassusForest, IsUnsoundWhereAnIndexLeadsNowhere) {
  std::mt19937 random(4);
  const RandomForest forest(6, 4, random);
  const auto refuses = [&](const auto& spoil) {
    DelassusFactors factors = forest.factors;
    spoil(factors.forest);
    return !factors.isSound();
  };
  EXPECT_TRUE(refuses([](DelassusForest& f) { f.parent[1] = 1; }));
  EXPECT_TRUE(refuses([](DelassusForest& f) { f.parent[5] = 4; }));  // a node that stands alone
  EXPECT_TRUE(refuses([](DelassusForest& f) { f.parent[0] = -3; }));
  EXPECT_TRUE(refuses([](DelassusForest& f) { f.parent.pop_back(); }));
  EXPECT_TRUE(refuses([](DelassusForest& f) { f.own.pop_back(); }));
  EXPECT_TRUE(refuses([](DelassusForest& f) { f.joint_start.back() += 1; }));
  EXPECT_TRUE(refuses([](DelassusForest& f) { f.motion_columns.pop_back(); }));
}

}  // namespace
}  // namespace rigor
