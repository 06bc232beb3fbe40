#include "experiments/graph_shapes.h"

#include <random>

namespace rigor {
namespace {

// Numbers in [−1, 1], one after the other.
struct Stream {
  std::mt19937_64 random;
  explicit Stream(std::uint64_t seed) : random(seed) {}
  double next() { return static_cast<double>(random() >> 11) * 0x1p-52 - 1.0; }  // the same with every library
};

// A box of nodes, each joined to the next one in every direction.
GraphShape makeGrid(int width, int depth, int height, int size) {
  GraphShape shape;
  const auto index = [&](int x, int y, int z) { return (z * depth + y) * width + x; };
  for (int z = 0; z < height; ++z)
    for (int y = 0; y < depth; ++y)
      for (int x = 0; x < width; ++x) {
        shape.nodes.push_back({size});
        const int node = index(x, y, z);
        if (x > 0) shape.edges.emplace_back(index(x - 1, y, z), node);
        if (y > 0) shape.edges.emplace_back(index(x, y - 1, z), node);
        if (z > 0) shape.edges.emplace_back(index(x, y, z - 1), node);
      }
  return shape;
}

}  // namespace

GraphShape makePath(int nodes, int size) { return makeGrid(nodes, 1, 1, size); }
GraphShape makeLadder(int rungs, int size) { return makeGrid(2, rungs, 1, size); }
GraphShape makeNet(int side, int size) { return makeGrid(side, side, 1, size); }
GraphShape makeCrystal(int side, int size) { return makeGrid(side, side, side, size); }

GraphShape makeRandomForest(int nodes, int trees, std::uint64_t seed) {
  Stream stream(seed);
  GraphShape shape;
  for (int i = 0; i < nodes; ++i) {
    shape.nodes.push_back({1 + static_cast<int>(3.999 * (stream.next() + 1.0))});  // 1 to 8
    const int earlier = static_cast<int>(0.5 * (stream.next() + 1.0) * i);
    if (i >= trees) shape.edges.emplace_back(earlier, i);
  }
  return shape;
}

BlockGraph makeRandomMatrix(const GraphShape& shape, std::uint64_t seed, double dominance) {
  BlockGraph graph(shape.nodes, shape.edges);
  Stream stream(seed);
  std::vector<int> width(shape.nodes.size());  // numbers in the rows of a node
  for (std::size_t i = 0; i < width.size(); ++i) width[i] = shape.nodes[i].size;
  const auto fill = [&](double* block, int count) {
    for (int k = 0; k < count; ++k) block[k] = stream.next();
  };
  for (int e = 0; e < graph.edgeCount(); ++e) {
    const auto [a, b] = shape.edges[e];
    const int numbers = graph.size(a) * graph.size(b);
    fill(graph.block(e), numbers);
    fill(graph.reverse(e), numbers);
    width[a] += graph.size(b);
    width[b] += graph.size(a);
  }
  for (int i = 0; i < graph.nodeCount(); ++i) {
    fill(graph.diagonal(i), graph.size(i) * graph.size(i));
    for (int k = 0; k < graph.size(i); ++k) graph.diagonal(i)[k * (graph.size(i) + 1)] += dominance * width[i];
  }
  return graph;
}

Eigen::MatrixXd makeDense(const BlockGraph& graph, const GraphShape& shape) {
  using Block = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(graph.rows(), graph.rows());
  const auto put = [&](int row, int column, const double* block) {
    const int rows = graph.size(row), columns = graph.size(column);
    dense.block(graph.start(row), graph.start(column), rows, columns) = Block(block, rows, columns);
  };
  for (int i = 0; i < graph.nodeCount(); ++i) put(i, i, graph.diagonal(i));
  for (int e = 0; e < graph.edgeCount(); ++e) {
    put(shape.edges[e].first, shape.edges[e].second, graph.block(e));
    put(shape.edges[e].second, shape.edges[e].first, graph.reverse(e));
  }
  return dense;
}

}  // namespace rigor
