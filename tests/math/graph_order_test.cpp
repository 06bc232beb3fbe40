// In which order nodes are eliminated: fill, the elimination tree, waiting constraints, time.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>

#include "experiments/graph_shapes.h"
#include "graph_mechanisms.h"

namespace rigor {
namespace {

std::vector<int> findPlaces(const BlockGraph& graph) {
  std::vector<int> place(graph.nodeCount());
  for (int k = 0; k < graph.nodeCount(); ++k) place[graph.order()[k]] = k;
  return place;
}

TEST(GraphOrder, FillsNothingInTreesAndForests) {
  for (int seed = 0; seed < 50; ++seed) {
    const GraphShape shape = makeRandomForest(5 + 4 * seed, 1 + seed % 5, seed);
    EXPECT_EQ(BlockGraph(shape.nodes, shape.edges).fillCount(), 0) << seed;
  }
}

TEST(GraphOrder, FillsNothingInMechanismsThatAreTreesHeldByOneBody) {
  for (const bool held : {false, true}) {
    const GraphShape shape = makeHingeChain(20, held, false).shape();
    const BlockGraph graph(shape.nodes, shape.edges);
    EXPECT_EQ(graph.fillCount(), 0);
    EXPECT_EQ(graph.unservedCount(), 0);
  }
}

TEST(GraphOrder, NamesEveryNodeOnceAndParentsAfterTheirChildren) {
  for (int seed = 0; seed < 20; ++seed) {
    const GraphShape shape = seed % 2 == 0 ? makeNet(2 + seed / 2) : makeRandomForest(40, 3, seed);
    const BlockGraph graph(shape.nodes, shape.edges);
    std::vector<int> order = graph.order(), place = findPlaces(graph);
    for (int i = 0; i < graph.nodeCount(); ++i)
      EXPECT_TRUE(graph.parent(i) < 0 || place[graph.parent(i)] > place[i]) << i;
    std::sort(order.begin(), order.end());
    for (int i = 0; i < graph.nodeCount(); ++i) EXPECT_EQ(order[i], i);
  }
}

// A cycle of n nodes cannot be eliminated with less fill than n − 3 chords; a ladder has n/2 − 1 squares, one chord each.
TEST(GraphOrder, FillsCyclesAndLaddersAsLittleAsPossible) {
  for (const int n : {3, 4, 5, 10, 33}) {
    GraphShape ring = makePath(n);
    ring.edges.emplace_back(n - 1, 0);
    EXPECT_EQ(BlockGraph(ring.nodes, ring.edges).fillCount(), n - 3);
  }
  for (const int rungs : {1, 2, 10, 151}) {
    const GraphShape shape = makeLadder(rungs);
    EXPECT_EQ(BlockGraph(shape.nodes, shape.edges).fillCount(), rungs - 1);
  }
}

TEST(GraphOrder, EliminatesWhatHangsOnACycleBeforeTheCycle) {
  GraphShape shape = makePath(4);  // 0 to 3 are a ring, and each has a tail of three
  shape.edges.emplace_back(3, 0);
  for (int i = 0; i < 12; ++i) {
    shape.nodes.push_back({1});
    shape.edges.emplace_back(i < 4 ? i : i, 4 + i);
  }
  const BlockGraph graph(shape.nodes, shape.edges);
  EXPECT_EQ(graph.fillCount(), 1);
}

TEST(GraphOrder, KnowsTheGraphsOfThePaper) {
  EXPECT_EQ(makeLadder(151).nodes.size(), 302u);
  EXPECT_EQ(makeLadder(151).edges.size(), 151u + 2 * 150);
  for (const int side : {1, 9, 10, 18}) EXPECT_EQ(makeNet(side).edges.size(), 2u * side * (side - 1));
  for (const int side : {1, 6}) EXPECT_EQ(makeCrystal(side).edges.size(), 3u * side * side * (side - 1));
}

// The first constraint that is eliminated has a body before it, and no body serves more rows than it has freedoms.
TEST(GraphOrder, LetsConstraintsWaitForBodies) {
  for (const Mechanism& mechanism : {makeHingeChain(9, true, false), makeHingeChain(9, true, true), makeRing(9)}) {
    const GraphShape shape = mechanism.shape();
    const BlockGraph graph(shape.nodes, shape.edges);
    EXPECT_EQ(graph.unservedCount(), 0);
    int freedoms = 0;
    for (const int node : graph.order()) {
      freedoms += node < 9 ? 6 : -5;
      EXPECT_GE(freedoms, 0);
    }
  }
}

TEST(GraphOrder, PutsConstraintsLastThatNobodyCanServe) {
  GraphShape shape{{{1}, {2, GraphNodeKind::kConstraint}, {1}, {3}}, {{0, 1}, {2, 3}}};  // two rows on one freedom
  const BlockGraph graph(shape.nodes, shape.edges);
  EXPECT_EQ(graph.unservedCount(), 1);
  EXPECT_EQ(graph.order().back(), 1);
  const BlockGraph alone({{1, GraphNodeKind::kConstraint}}, {});
  EXPECT_EQ(alone.unservedCount(), 1);
}

// Two rows rest on two bodies, the second of them can only rest on one: what the first took it must give up.
TEST(GraphOrder, GivesTheOnlyBodyToTheConstraintThatHasNoOther) {
  const GraphNode one{1}, row{1, GraphNodeKind::kConstraint};
  const BlockGraph graph({one, one, row, row}, {{0, 2}, {1, 2}, {0, 3}});
  EXPECT_EQ(graph.unservedCount(), 0);
}

// [s] of this thread: others may use the machine.
double cpuTime() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double bestTime(const GraphShape& shape) {
  double best = 1e300;
  for (int round = 0; round < 4; ++round) {
    const double begin = cpuTime();
    BlockGraph graph(shape.nodes, shape.edges);
    best = std::min(best, cpuTime() - begin);
  }
  return best;
}

// 32 times as many nodes: 1024 times the time if anything were quadratic, 32 if all is linear, two to three times that beyond the
// caches. Small blocks, so that it is not the memory of the numbers that is timed.
TEST(GraphOrder, IsFoundInLinearTime) {
  const auto star = [](int nodes) {
    GraphShape shape = makePath(nodes, 1);
    for (GraphEdge& edge : shape.edges) edge.first = 0;
    return shape;
  };
  const auto forest = [](int nodes) {
    GraphShape shape = makeRandomForest(nodes, 2, 1);
    for (GraphNode& node : shape.nodes) node.size = 1;
    return shape;
  };
  const auto chain = [](int nodes) {
    GraphShape shape = makePath(nodes, 2);
    for (int i = 0; i < nodes; i += 2) shape.nodes[i] = {1, GraphNodeKind::kConstraint};
    return shape;
  };
  const auto ladder = [](int nodes) { return makeLadder(nodes / 2, 1); };
  for (const auto& make : std::vector<std::function<GraphShape(int)>>{star, forest, chain, ladder})
    EXPECT_LT(bestTime(make(96000)), 250 * bestTime(make(3000)));
}

}  // namespace
}  // namespace rigor
