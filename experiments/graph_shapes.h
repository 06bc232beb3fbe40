// The graphs of VG §5.2 and their random matrices: ladders, nets, crystals; chains for the slope. Shared by tests, benchmarks
// and experiments.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "rigor/block_graph.h"

namespace rigor {

struct GraphShape {
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
};

GraphShape makePath(int nodes, int size = 6);
/// Two rails of `rungs` nodes each; every rung closes a cycle of four with the one before. VG goes from 1 to 151.
GraphShape makeLadder(int rungs, int size = 6);
/// side × side nodes, each with its neighbours left, right, above and below, at any side: the script of the paper leaves the
/// square beyond 9. VG goes to 18.
GraphShape makeNet(int side, int size = 6);
/// side³ nodes with their six neighbours. VG goes to 6.
GraphShape makeCrystal(int side, int size = 6);
/// Every node but the first hangs on a random earlier one; with several trees, the first of each hangs on none.
GraphShape makeRandomForest(int nodes, int trees, std::uint64_t seed);

/// The graph with random blocks in [−1, 1], unsymmetric; diagonals raised by `dominance` × the sizes of the node and of its
/// neighbours: with 1 every row is dominant, with 0.3 pivots are exchanged and no block is singular in practice.
BlockGraph makeRandomMatrix(const GraphShape& shape, std::uint64_t seed, double dominance = 0.3);

/// The whole matrix, for dense solvers.
Eigen::MatrixXd makeDense(const BlockGraph& graph, const GraphShape& shape);

}  // namespace rigor
