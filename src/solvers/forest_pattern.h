// In which order the nodes of a forest are eliminated, and which blocks that fills. A link goes after all that hangs on it; what it
// shared with others its parent shares then (VG Alg. 3 with joints taken along: the graph of links, not of links and joints).
#pragma once

#include <utility>
#include <vector>

#include "solvers/node_pattern.h"

namespace rigor {

class ForestPattern {
 public:
  /// `parent` [nodes]: a node before it, or negative. Among those whose children are gone the node with the fewest neighbours is next.
  /// Repeated edges are fine.
  void analyze(const std::vector<int>& parent, const std::vector<NodeEdge>& edges);

  int nodes() const { return static_cast<int>(order_.size()); }
  int entries() const {
    return static_cast<int>(neighbours_.size());
  }  ///< pairs of blocks off the diagonal, fill included
  int node(int place) const { return order_[place]; }

  /// Entries of a node: with those of its neighbours that are eliminated later, ascending.
  int first(int node) const { return start_[place_[node]]; }
  int end(int node) const { return start_[place_[node] + 1]; }
  int neighbour(int entry) const { return neighbours_[entry]; }
  /// The entry of two nodes, or −1; it belongs to the one that is eliminated first.
  int find(int a, int b) const;
  bool isEarlier(int a, int b) const { return place_[a] < place_[b]; }

 private:
  using Candidate = std::pair<int, int>;  // how many neighbours, −node

  void begin(const std::vector<int>& parent, const std::vector<NodeEdge>& edges);
  void connect(int a, int b);
  void remove(int node, int parent);
  void offer(int node);

  std::vector<int> order_, place_;       // [nodes] place → node and back
  std::vector<int> start_, neighbours_;  // [nodes + 1], [entries] by place
  // kept from one analysis to the next, so that it allocates nothing:
  std::vector<std::vector<int>> left_;  // [nodes] neighbours that are left, ascending
  std::vector<int> children_;           // [nodes] that are left
  std::vector<int> meeting_;            // neighbours of the node that goes
  std::vector<Candidate> candidates_;   // heap, the fewest neighbours first
};

}  // namespace rigor
