// The block graph solver beside a dense LU.
#include "rigor/block_graph.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>
#include <random>

#include "experiments/graph_shapes.h"
#include "reference/allocation_counter.h"
#include "rigor/error.h"

namespace rigor {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double kEps = std::numeric_limits<double>::epsilon();

// Elimination with pivots exchanged inside blocks only lets numbers grow a little more than a dense LU does: both are off by
// the condition number times some tens of roundings.
void expectSameAsDense(BlockGraph& graph, const GraphShape& shape, const std::string& name) {
  const Eigen::MatrixXd dense = makeDense(graph, shape);
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(dense);
  const RowMajor b = RowMajor::Random(graph.rows(), 3);
  RowMajor x = b;
  ASSERT_TRUE(graph.factor().regular()) << name;
  graph.solve(x.data(), 3);
  const Eigen::MatrixXd expected = lu.solve(Eigen::MatrixXd(b));
  const double limit = 100 * kEps / lu.rcond() * expected.cwiseAbs().maxCoeff();
  EXPECT_LE((x - expected).cwiseAbs().maxCoeff(), limit) << name << ", condition " << 1.0 / lu.rcond();
  EXPECT_LE((b - dense * x).cwiseAbs().maxCoeff(), limit) << name;
}

void expectSameAsDense(const GraphShape& shape, std::uint64_t seed, const std::string& name) {
  BlockGraph graph = makeRandomMatrix(shape, seed);
  expectSameAsDense(graph, shape, name);
}

// Edges between random nodes on top of a tree, and sizes up to 8.
GraphShape makeRandomGraph(int nodes, int extra, unsigned seed) {
  GraphShape shape = makeRandomForest(nodes, 1, seed);
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> any(0, nodes - 1);
  for (int i = 0; i < extra; ++i) {
    const int a = any(random), b = any(random);
    if (a != b) shape.edges.emplace_back(a, b);
  }
  std::sort(shape.edges.begin(), shape.edges.end());
  shape.edges.erase(std::unique(shape.edges.begin(), shape.edges.end()), shape.edges.end());
  std::erase_if(shape.edges, [&](const GraphEdge& edge) {  // once in one direction: makeDense would see half of it
    return edge.first > edge.second &&
           std::binary_search(shape.edges.begin(), shape.edges.end(), GraphEdge(edge.second, edge.first));
  });
  return shape;
}

TEST(BlockGraph, SolvesTreesAndForestsOfMixedBlocksAsADenseLuDoes) {
  for (int seed = 0; seed < 40; ++seed)
    expectSameAsDense(makeRandomForest(1 + 2 * seed, 1 + seed % 4, seed), seed, "forest " + std::to_string(seed));
}

TEST(BlockGraph, SolvesLaddersNetsAndCrystalsAsADenseLuDoes) {
  for (const int rungs : {1, 2, 3, 7, 20})
    expectSameAsDense(makeLadder(rungs), rungs, "ladder " + std::to_string(rungs));
  for (const int side : {1, 2, 3, 5, 8}) expectSameAsDense(makeNet(side), side, "net " + std::to_string(side));
  for (const int side : {1, 2, 3, 4}) expectSameAsDense(makeCrystal(side), side, "crystal " + std::to_string(side));
}

TEST(BlockGraph, SolvesRandomGraphsOfMixedBlocksAsADenseLuDoes) {
  for (int seed = 0; seed < 60; ++seed)
    expectSameAsDense(makeRandomGraph(2 + seed, seed, seed), seed, "graph " + std::to_string(seed));
}

TEST(BlockGraph, HasNoLargestBlock) {
  GraphShape shape = makeNet(3);
  for (int i = 0; i < 9; ++i) shape.nodes[i].size = 4 * i + 1;
  expectSameAsDense(shape, 5, "blocks to 33");
  expectSameAsDense({{{50}}, {}}, 6, "one block of 50");
}

TEST(BlockGraph, SolvesEveryPairOfSizes) {
  for (int a = 1; a <= 8; ++a)
    for (int b = 1; b <= 8; ++b)
      expectSameAsDense({{{a}, {b}, {a}}, {{0, 1}, {2, 1}, {0, 2}}}, 8 * a + b,
                        std::to_string(a) + " and " + std::to_string(b));
}

TEST(BlockGraph, ExchangesPivotsInsideABlock) {
  BlockGraph graph({{2}, {1}}, {{0, 1}});
  const double turn[] = {0, 1, -1, 0}, right[] = {1, 0}, down[] = {0, 2}, corner = 3;
  std::copy_n(turn, 4, graph.diagonal(0));
  std::copy_n(right, 2, graph.block(0));
  std::copy_n(down, 2, graph.reverse(0));
  *graph.diagonal(1) = corner;
  ASSERT_TRUE(graph.factor().regular());
  double x[] = {3, -1, 7};  // of (1, 2, 1)
  graph.solve(x);
  EXPECT_EQ(x[0], 1.0);  // small integers: nothing is rounded
  EXPECT_EQ(x[1], 2.0);
  EXPECT_EQ(x[2], 1.0);
}

TEST(BlockGraph, OfNothingIsSolvedByNothing) {
  BlockGraph none, empty({}, {});
  for (BlockGraph* graph : {&none, &empty}) {
    EXPECT_EQ(graph->rows(), 0);
    EXPECT_TRUE(graph->factor().regular());
    graph->solve(nullptr);
    EXPECT_EQ(graph->solveRefined(nullptr, nullptr), 0.0);
    EXPECT_TRUE(graph->order().empty());
  }
}

TEST(BlockGraph, SolvesSeveralRightSidesAsOneByOne) {
  const GraphShape shape = makeRandomGraph(30, 20, 7);
  BlockGraph graph = makeRandomMatrix(shape, 7);
  graph.factor();
  for (const int columns : {1, 2, 3, 5, 6, 7, 12, 13, 50}) {
    const RowMajor b = RowMajor::Random(graph.rows(), columns);
    RowMajor together = b;
    graph.solve(together.data(), columns);
    for (int j = 0; j < columns; ++j) {
      Eigen::VectorXd alone = b.col(j);
      graph.solve(alone.data());
      // the same products, added up in another order
      EXPECT_LE((together.col(j) - alone).norm(), 1e4 * kEps * alone.norm()) << columns << " columns";
    }
  }
}

TEST(BlockGraph, KeepsItsValuesAndCopiesShareNone) {
  const GraphShape shape = makeLadder(6);
  BlockGraph graph = makeRandomMatrix(shape, 3), copy = graph;
  const Eigen::MatrixXd before = makeDense(graph, shape);
  graph.factor();
  EXPECT_EQ(makeDense(graph, shape), before);
  copy.setZero();
  copy.factor();
  EXPECT_EQ(makeDense(graph, shape), before);
  Eigen::VectorXd x = Eigen::VectorXd::Ones(graph.rows()), again = x;
  graph.solve(x.data());
  graph.factor();
  graph.solve(again.data());
  EXPECT_EQ(x, again);
}

TEST(BlockGraph, GivesRepeatedEdgesOneBlock) {
  BlockGraph graph({{2}, {3}}, {{0, 1}, {1, 0}, {0, 1}});
  EXPECT_EQ(graph.block(0), graph.reverse(1));
  EXPECT_EQ(graph.reverse(0), graph.block(1));
  EXPECT_EQ(graph.block(0), graph.block(2));
}

std::string complaintAbout(const std::vector<GraphNode>& nodes, const std::vector<GraphEdge>& edges) {
  try {
    BlockGraph graph(nodes, edges);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(BlockGraph, RefusesWhatIsNoGraph) {
  EXPECT_NE(complaintAbout({{6}, {0}}, {}).find("node 1 has size 0"), std::string::npos);
  EXPECT_NE(complaintAbout({{-2}}, {}).find("node 0 has size -2"), std::string::npos);
  EXPECT_NE(complaintAbout({{6}, {6}}, {{0, 1}, {1, 2}}).find("edge 1 (1, 2) names a node that does not exist"),
            std::string::npos);
  EXPECT_NE(complaintAbout({{6}, {6}}, {{-1, 0}}).find("Nodes are 0 to 1"), std::string::npos);
  EXPECT_NE(complaintAbout({{6}, {6}}, {{1, 1}}).find("joins a node to itself"), std::string::npos);
}

TEST(BlockGraph, AllocatesNothingOnceItIsMade) {
  for (const bool singular : {false, true}) {
    BlockGraph graph = makeRandomMatrix(makeRandomGraph(40, 30, 2), 2);
    if (singular) std::fill_n(graph.diagonal(7), graph.size(7) * graph.size(7), 0.0);
    RowMajor b = RowMajor::Random(graph.rows(), 13), x = b;
    AllocationScope scope;
    graph.setShift(3, 1e-10);
    graph.factor();
    graph.solve(x.data(), 13);
    graph.solveRefined(b.data(), x.data(), 13);
    graph.residual(b.data(), x.data(), 13);
    graph.setZero();
    EXPECT_EQ(scope.count(), 0);
  }
}

// Blocks of condition 1e10 lose ten digits of the answer, none of the residual once it is refined.
TEST(BlockGraph, RefinesToRoundingAndTellsTheResidual) {
  const GraphShape shape = makeRandomGraph(40, 30, 11);
  BlockGraph graph = makeRandomMatrix(shape, 11);
  for (int i = 0; i < graph.nodeCount(); i += 3) {
    const int n = graph.size(i);
    for (int j = 0; j < n; ++j)  // the first row nearly repeats the last
      graph.diagonal(i)[j] = graph.diagonal(i)[(n - 1) * n + j] * (n > 1 ? 1.0 + 1e-10 * j : 1.0);
  }
  const Eigen::MatrixXd dense = makeDense(graph, shape);
  const RowMajor b = RowMajor::Random(graph.rows(), 9);
  RowMajor x = b;
  graph.factor();
  const double told = graph.solveRefined(b.data(), x.data(), 9, 3);
  const double found = (b - dense * x).cwiseAbs().maxCoeff();
  const double scale = (dense.cwiseAbs() * x.cwiseAbs()).maxCoeff();  // of the terms that cancel in the residual
  EXPECT_LE(told, 8 * kEps * scale);
  EXPECT_NEAR(told, found, 50 * kEps * scale);  // sums of up to some dozens of terms, in two orders
  EXPECT_EQ(graph.residual(b.data(), x.data(), 9), told);
}

TEST(BlockGraph, TellsTheRankOfABlock) {
  std::mt19937 random(1);
  for (int n = 1; n <= 9; ++n)
    for (int rank = 0; rank <= n; ++rank) {
      const Eigen::MatrixXd left = Eigen::MatrixXd::Random(n, rank), right = Eigen::MatrixXd::Random(rank, n);
      BlockGraph graph({{n}, {3}}, {});
      Eigen::Map<RowMajor>(graph.diagonal(0), n, n) = left * right;
      Eigen::Map<RowMajor>(graph.diagonal(1), 3, 3).setIdentity();
      const GraphReport& report = graph.factor();
      EXPECT_EQ(report.zero_pivots, n - rank) << n << " rows";
      EXPECT_EQ(report.first_zero_node, rank < n ? 0 : -1);
      const Eigen::VectorXd b = left * Eigen::VectorXd::Random(rank);  // fits
      Eigen::VectorXd all = Eigen::VectorXd::Zero(n + 3);
      all.head(n) = b;
      graph.solve(all.data());
      ASSERT_TRUE(all.allFinite());
      // The pivots that count are above 1e-12 of the rest, usually far above: random factors of condition below 1e4.
      EXPECT_LE((left * right * all.head(n) - b).norm(), 1e-10 * (1.0 + b.norm())) << n << " rows, rank " << rank;
    }
}

TEST(BlockGraph, FindsTheRankWhereAColumnIsZeroAndItsNeighbourIsNot) {
  BlockGraph graph({{2}}, {});
  graph.diagonal(0)[1] = 1.0;  // [0 1; 0 0]: partial pivoting alone would find no pivot at all
  EXPECT_EQ(graph.factor().zero_pivots, 1);
  double x[] = {5.0, 0.0};
  graph.solve(x);
  EXPECT_EQ(x[0], 0.0);
  EXPECT_EQ(x[1], 5.0);
}

TEST(BlockGraph, SaysSoWhenANumberIsNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int place = 0; place < 6; ++place) {
      BlockGraph graph = makeRandomMatrix(makeLadder(4), 4);
      double* const blocks[] = {graph.diagonal(0), graph.diagonal(7), graph.block(0),
                                graph.block(8),    graph.reverse(3),  graph.reverse(9)};
      blocks[place][17] = bad;
      EXPECT_FALSE(graph.factor().finite) << place;
      EXPECT_FALSE(graph.report().regular());
    }
}

TEST(BlockGraph, OfZerosHasNoRankAndNoAnswerButZero) {
  BlockGraph graph(makeNet(3).nodes, makeNet(3).edges);
  EXPECT_EQ(graph.factor().zero_pivots, graph.rows());
  Eigen::VectorXd x = Eigen::VectorXd::Ones(graph.rows());
  graph.solve(x.data());
  EXPECT_EQ(x.norm(), 0.0);
}

}  // namespace
}  // namespace rigor
