// Bodies held together by joints without compliance, [M −Gᵀ; G̃ 0]: chains, rings, redundant loops, bodies without mass.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>
#include <random>

#include "graph_mechanisms.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

// As the dense LU solves it, to the condition number times some hundreds of roundings: blocks of constraints are as badly
// conditioned as the lightest body beside the heaviest.
void expectSameAsDense(BlockGraph& graph, const Mechanism& mechanism, const std::string& name) {
  const Eigen::MatrixXd dense = makeDense(graph, mechanism.shape());
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(dense);
  const Eigen::VectorXd b = Eigen::VectorXd::Random(graph.rows()), expected = lu.solve(b);
  Eigen::VectorXd x = b;
  ASSERT_TRUE(graph.factor().regular()) << name << ": " << graph.report().zero_pivots << " zero pivots";
  graph.solve(x.data());
  const double limit = 1e3 * kEps / lu.rcond() * expected.norm();
  EXPECT_LE((x - expected).norm(), limit) << name << ", condition " << 1.0 / lu.rcond();
}

TEST(SaddlePoint, OfChainsIsSolvedHoweverTheyAreHeld) {
  for (const int bodies : {1, 2, 3, 8, 30})
    for (const bool first : {false, true})
      for (const bool last : {false, true}) {
        if (first && last && bodies < 6) continue;  // more rows than freedoms
        const Mechanism chain = makeHingeChain(bodies, first, last);
        BlockGraph graph = makeSaddlePoint(chain, bodies);
        EXPECT_EQ(graph.unservedCount(), 0);
        expectSameAsDense(graph, chain, "chain of " + std::to_string(bodies));
      }
}

TEST(SaddlePoint, OfRingsIsSolved) {
  for (const int bodies : {7, 8, 12, 25}) {
    const Mechanism ring = makeRing(bodies);
    BlockGraph graph = makeSaddlePoint(ring, bodies);
    expectSameAsDense(graph, ring, "ring of " + std::to_string(bodies));
  }
}

TEST(SaddlePoint, IsSolvedWhenMassesDifferAMillionfold) {
  for (const double ratio : {1e-6, 1e-3, 1e3, 1e6}) {
    const Mechanism chain = makeHingeChain(12, true, false);
    BlockGraph graph = makeSaddlePoint(chain, 3, ratio);
    expectSameAsDense(graph, chain, "mass ratio " + std::to_string(ratio));
  }
}

// Bodies in a random tree, more joints between any two and to the world, one to six random rows each, as long as there are
// freedoms left for them.
GraphShape makeRandomMechanism(std::mt19937& random) {
  const auto draw = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  GraphShape shape;
  const int bodies = draw(1, 25);
  int freedoms = 6 * bodies;
  for (int i = 0; i < bodies; ++i) shape.nodes.push_back({6});
  const auto join = [&](int a, int b, int rows) {
    if (freedoms < rows || a == b) return;
    freedoms -= rows;
    const int node = static_cast<int>(shape.nodes.size());
    shape.nodes.push_back({rows, GraphNodeKind::kConstraint});
    for (const int body : {a, b})
      if (body >= 0) shape.edges.emplace_back(body, node);
  };
  for (int i = 1; i < bodies; ++i) join(draw(0, i - 1), i, draw(1, 6));
  for (int k = draw(0, bodies); k > 0; --k) join(draw(-1, bodies - 1), draw(0, bodies - 1), draw(1, 6));
  return shape;
}

BlockGraph makeRandomSaddlePoint(const GraphShape& shape, int seed) {
  BlockGraph graph = makeRandomMatrix(shape, seed, 1.0);
  for (int i = 0; i < graph.nodeCount(); ++i)
    if (shape.nodes[i].kind == GraphNodeKind::kConstraint)
      std::fill_n(graph.diagonal(i), graph.size(i) * graph.size(i), 0.0);
  return graph;
}

// Rows can be too many for two bodies while the whole has freedoms enough: one mechanism in three is redundant, and there a
// constraint waits in vain. Then a shift and refinement find an answer to right sides that have one.
TEST(SaddlePoint, OfRandomMechanismsIsSolvedRedundantOrNot) {
  std::mt19937 random(5);
  int regular = 0, redundant = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const GraphShape shape = makeRandomMechanism(random);
    BlockGraph graph = makeRandomSaddlePoint(shape, trial);
    const Eigen::MatrixXd dense = makeDense(graph, shape);
    const Eigen::VectorXd solution = Eigen::VectorXd::Random(graph.rows()), b = dense * solution;
    Eigen::VectorXd x = b;
    const double condition = 1.0 / Eigen::PartialPivLU<Eigen::MatrixXd>(dense).rcond();
    if (graph.unservedCount() == 0) {
      ++regular;
      if (condition > 1e8) continue;  // a pivot may count as zero
      EXPECT_TRUE(graph.factor().regular()) << trial;
      graph.solveRefined(b.data(), x.data());  // pivots that are not exchanged between nodes may cost some digits
      EXPECT_LE((x - solution).norm(), 100 * kEps * condition * solution.norm()) << trial;
    } else {
      ++redundant;
      EXPECT_GT(condition, 1e12) << trial;  // singular, but for rounding
      for (int i = 0; i < graph.nodeCount(); ++i)
        if (shape.nodes[i].kind == GraphNodeKind::kConstraint) graph.setShift(i, 1e-10);
      graph.factor();
      // One rounding of b over the shift, 1e-6, would be moved into x; four refinements leave less than a thousandth.
      EXPECT_LE(graph.solveRefined(b.data(), x.data(), 1, 4), 1e-11 * b.cwiseAbs().maxCoeff()) << trial;
    }
  }
  EXPECT_GT(regular, 200);
  EXPECT_GT(redundant, 80);
}

// A body without mass takes its motion from the two hinges that hold it.
TEST(SaddlePoint, IsSolvedWithMasslessBodiesBetweenOthers) {
  Mechanism chain = makeHingeChain(9, true, false);
  chain.massless = {1, 3, 6};
  BlockGraph graph = makeSaddlePoint(chain, 4);
  EXPECT_EQ(graph.unservedCount(), 0);
  expectSameAsDense(graph, chain, "massless bodies");
}

// Two of them side by side with their hinge are one node of 17 rows. It comes last, where all that holds it is known.
TEST(SaddlePoint, IsSolvedWithMasslessNeighboursThatAreOneNode) {
  Mechanism chain = makeHingeChain(6, true, false);
  chain.massless = {2, 3};
  BlockGraph apart = makeSaddlePoint(chain, 4);
  EXPECT_GT(apart.unservedCount(), 0);
  EXPECT_GT(apart.factor().zero_pivots, 0) << "the remedy of the header would not be needed";

  // nodes: bodies 0, 1, 4, 5, then hinges 0, 1, 2, 4, 5, then the joint one of body 2, body 3 and hinge 3
  const GraphShape before = chain.shape();
  const Eigen::MatrixXd dense = makeDense(apart, before);
  const std::vector<std::vector<int>> groups = {{0}, {1}, {4}, {5}, {6}, {7}, {8}, {10}, {11}, {2, 3, 9}};
  std::vector<int> group_of(12), rows;
  GraphShape shape;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    shape.nodes.push_back({0, before.nodes[groups[g][0]].kind});
    for (const int node : groups[g]) {
      group_of[node] = static_cast<int>(g);
      shape.nodes.back().size += before.nodes[node].size;
      for (int k = 0; k < before.nodes[node].size; ++k) rows.push_back(apart.start(node) + k);
    }
  }
  for (const auto& [a, b] : before.edges)
    if (group_of[a] != group_of[b]) shape.edges.emplace_back(group_of[a], group_of[b]);
  const Eigen::MatrixXd sorted = dense(rows, rows);
  BlockGraph graph(shape.nodes, shape.edges);
  const auto put = [&](double* block, int a, int b) {
    Eigen::Map<RowMajor>(block, graph.size(a), graph.size(b)) =
        sorted.block(graph.start(a), graph.start(b), graph.size(a), graph.size(b));
  };
  for (int i = 0; i < graph.nodeCount(); ++i) put(graph.diagonal(i), i, i);
  for (int e = 0; e < graph.edgeCount(); ++e) {
    put(graph.block(e), shape.edges[e].first, shape.edges[e].second);
    put(graph.reverse(e), shape.edges[e].second, shape.edges[e].first);
  }
  ASSERT_TRUE(graph.factor().regular());
  const Eigen::VectorXd b = Eigen::VectorXd::Random(graph.rows());
  Eigen::VectorXd x = b;
  graph.solve(x.data());
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(sorted);
  EXPECT_LE((x - lu.solve(b)).norm(), 1e3 * kEps / lu.rcond() * x.norm());  // as for chains
}

// 20 rows of rank 17: the three that are missing are told, the motion is that of any other solver, and nothing is left over.
TEST(RedundantLoop, IsSolvedExactlyAndItsRankIsTold) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    BlockGraph graph = makeSaddlePoint(makeFourBar(), seed);
    const Eigen::MatrixXd dense = makeDense(graph, makeFourBar().shape());
    const Eigen::VectorXd solution = Eigen::VectorXd::Random(graph.rows()), b = dense * solution;
    Eigen::VectorXd x(graph.rows());
    EXPECT_EQ(graph.factor().zero_pivots, 3);
    EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(dense).rank(), graph.rows() - 3);
    const double left = graph.solveRefined(b.data(), x.data());
    // condition of the part with rank: below 1e4
    EXPECT_LE(left, 1e-12);
    EXPECT_LE((x - solution).head(18).norm(), 1e-10) << "motion of the bodies, which is unique";
  }
}

TEST(RedundantLoop, TakesTheSameHingeTwice) {
  for (int times = 2; times < 5; ++times) {
    Mechanism chain = makeHingeChain(5, true, false);
    for (int i = 1; i < times; ++i) chain.hinges.push_back(chain.hinges[2]);
    chain.spread.setZero();
    BlockGraph graph = makeSaddlePoint(chain, 3);
    const Eigen::MatrixXd dense = makeDense(graph, chain.shape());
    const Eigen::VectorXd solution = Eigen::VectorXd::Random(graph.rows()), b = dense * solution;
    Eigen::VectorXd x(graph.rows());
    EXPECT_EQ(graph.factor().zero_pivots, 5 * (times - 1));
    EXPECT_LE(graph.solveRefined(b.data(), x.data()), 1e-12);  // as above
    EXPECT_LE((x - solution).head(5 * 6).norm(), 1e-10) << times << " times";
  }
}

// A shift makes the redundant rows regular; refinement takes it out of the motion again.
TEST(RedundantLoop, IsLedThroughByAShift) {
  for (const double share : {1e-8, 1e-10, 1e-12}) {
    const Mechanism bars = makeFourBar();
    BlockGraph graph = makeSaddlePoint(bars, 1);
    const Eigen::MatrixXd dense = makeDense(graph, bars.shape());
    for (int hinge = 0; hinge < 4; ++hinge) graph.setShift(3 + hinge, share);
    ASSERT_TRUE(graph.factor(1e-14).regular());  // so that a shift of 1e-12 is no zero
    const Eigen::VectorXd solution = Eigen::VectorXd::Random(graph.rows()), b = dense * solution;
    Eigen::VectorXd x(graph.rows());
    // rounding over the shift: 1e-16 / 1e-12 of the impulses may wander, to no effect on the bodies
    EXPECT_LE(graph.solveRefined(b.data(), x.data(), 1, 4), 1e-11);
    EXPECT_LE((x - solution).head(18).norm(), 1e-9);
  }
}

// Near the pose in which a loop becomes redundant the answer stays that of the equations, with and without a shift.
TEST(RedundantLoop, IsSolvedNearItsSingularPose) {
  for (const double bend : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 0.0}) {
    Mechanism bars = makeFourBar();
    bars.hinges[1].axis = Eigen::Vector3d(bend, 0, 1).normalized();  // no longer parallel
    for (const double share : {0.0, 1e-10}) {
      BlockGraph graph = makeSaddlePoint(bars, 2);
      const Eigen::MatrixXd dense = makeDense(graph, bars.shape());
      for (int hinge = 0; hinge < 4; ++hinge) graph.setShift(3 + hinge, share);
      graph.factor();
      Eigen::VectorXd solution = Eigen::VectorXd::Random(graph.rows());
      const Eigen::VectorXd b = dense * solution;
      Eigen::VectorXd x(graph.rows());
      EXPECT_LE(graph.solveRefined(b.data(), x.data(), 1, 4), 1e-9) << "bend " << bend << ", shift " << share;
      EXPECT_TRUE(x.allFinite());
    }
  }
}

}  // namespace
}  // namespace rigor
