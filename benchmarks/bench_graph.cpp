// The block graph solver: its time beside that of a dense LU (Eigen, same flags) on the graphs of VG §5.2, its slope along chains,
// and the system of a robot in maximal coordinates. Factorisation and one right side. Run alone.
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>

#include "experiments/call_time.h"
#include "experiments/graph_shapes.h"

namespace rigor {
namespace {

double microseconds(const std::function<void()>& call) { return 1e6 * timeCall(call); }

struct Times {
  double analysis, factor, solve;  // [µs]
};

Times timeGraph(const GraphShape& shape, BlockGraph& graph) {
  std::vector<double> x(graph.rows());
  Times times;
  times.analysis = microseconds([&] { BlockGraph again(shape.nodes, shape.edges); });
  times.factor = microseconds([&] { graph.factor(); });
  times.solve = microseconds([&] {
    std::fill(x.begin(), x.end(), 1.0);
    graph.solve(x.data());
  });
  return times;
}

double timeDense(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(matrix.rows());
  Eigen::PartialPivLU<Eigen::MatrixXd> lu(matrix.rows());
  Eigen::VectorXd x(matrix.rows());
  return microseconds([&] {
    lu.compute(matrix);
    x = lu.solve(b);
  });
}

void compare(const char* name, int side, const GraphShape& shape) {
  BlockGraph graph = makeRandomMatrix(shape, 1);
  const Times times = timeGraph(shape, graph);
  const double dense = timeDense(makeDense(graph, shape));
  fmt::print("{:8} {:4} {:6} {:6} {:12.1f} {:12.2f} {:10.2f} {:12.1f} {:9.1f}\n", name, side, graph.nodeCount(),
             graph.fillCount(), times.analysis, times.factor, times.solve, dense, dense / (times.factor + times.solve));
}

/// Bodies in a row with a joint between each and the next; numbers as random as the others.
GraphShape makeJointedChain(int bodies, int joint_rows) {
  GraphShape shape = makePath(2 * bodies - 1);
  for (int i = 1; i < 2 * bodies - 1; i += 2) shape.nodes[i] = {joint_rows, GraphNodeKind::kConstraint};
  return shape;
}

void printChains() {
  fmt::print("\n{:>8} {:>12} {:>12} {:>12} {:>16}\n", "bodies", "analysis", "factor", "solve", "factor per body");
  for (const int bodies : {2, 5, 13, 25, 50, 100, 200, 400, 1000, 4000}) {
    const GraphShape shape = makeJointedChain(bodies, 5);
    BlockGraph graph = makeRandomMatrix(shape, 2);
    const Times times = timeGraph(shape, graph);
    fmt::print("{:8} {:12.1f} {:12.2f} {:12.2f} {:16.3f}\n", bodies, times.analysis, times.factor, times.solve,
               times.factor / bodies);
  }
}

/// Right sides are cheaper together.
void printRightSides() {
  const GraphShape shape = makeJointedChain(13, 5);
  BlockGraph graph = makeRandomMatrix(shape, 3);
  graph.factor();
  fmt::print("\n13 bodies, 12 hinges; right sides at once:");
  for (const int columns : {1, 2, 3, 6, 12, 24, 50}) {
    std::vector<double> x(static_cast<std::size_t>(graph.rows()) * columns, 1.0);
    const double time = microseconds([&] {
      std::fill(x.begin(), x.end(), 1.0);
      graph.solve(x.data(), columns);
    });
    fmt::print(" {}: {:.2f}", columns, time);
  }
  fmt::print(" us\n");
}

}  // namespace
}  // namespace rigor

int main() {
  using namespace rigor;
  fmt::print("{:8} {:>4} {:>6} {:>6} {:>12} {:>12} {:>10} {:>12} {:>9}   [us]\n", "graph", "side", "nodes", "fill",
             "analysis", "factor", "solve", "dense LU", "ratio");
  for (const int rungs : {1, 5, 25, 75, 151}) compare("ladder", rungs, makeLadder(rungs));
  for (const int side : {3, 6, 9, 12, 18}) compare("net", side, makeNet(side));
  for (const int side : {2, 3, 4, 5, 6}) compare("crystal", side, makeCrystal(side));
  printChains();
  printRightSides();
}
