// Where the blocks of a sparse matrix over nodes are, before and after elimination: minimum degree order, fill, and where
// each product of the elimination goes. Symmetric pattern, whatever the numbers are.
#pragma once

#include <utility>
#include <vector>

namespace rigor {

/// Two different nodes that some block of rows couples.
using NodeEdge = std::pair<int, int>;

class NodePattern {
 public:
  /// Orders the nodes and finds the fill. Repeated edges are fine.
  void analyze(int nodes, const std::vector<NodeEdge>& edges);

  int nodes() const { return static_cast<int>(order_.size()); }
  int entries() const { return static_cast<int>(rows_.size()); }  ///< blocks below the diagonal, fill included
  int node(int place) const { return order_[place]; }
  int place(int node) const { return place_[node]; }

  /// Entries of a column: first, one past the last; their rows are places, ascending.
  int first(int column) const { return start_[column]; }
  int end(int column) const { return start_[column + 1]; }
  int row(int entry) const { return rows_[entry]; }
  /// The entry of two nodes, or −1.
  int find(int node_1, int node_2) const;

  /// For the pivot `column`: the entries (row(a), row(b)) for a in its column and b < a, in this order.
  const int* targets(int column) const { return targets_.data() + target_start_[column]; }

 private:
  void orderNodes(int nodes, const std::vector<NodeEdge>& edges);
  void findFill(const std::vector<NodeEdge>& edges);
  void findTargets();

  std::vector<int> order_, place_;  // [nodes] place → node and back
  std::vector<int> start_, rows_;   // [nodes + 1], [entries]
  std::vector<int> target_start_, targets_;
};

}  // namespace rigor
