// In which order the nodes of a graph are eliminated, and which neighbours each has left by then.
#pragma once

#include <vector>

#include "rigor/block_graph.h"

namespace rigor {

struct EliminationOrder {
  std::vector<int> order;                 // [nodes] depth first along the elimination tree, children before parents
  std::vector<int> place;                 // [nodes] where a node is in it
  std::vector<std::vector<int>> columns;  // [nodes] places of the neighbours that come later, ascending
  int unserved = 0;                       // nodes that could not wait for what they need
};

/// `neighbours` [nodes]: each edge at both its nodes, once.
EliminationOrder findEliminationOrder(const std::vector<GraphNode>& nodes,
                                      const std::vector<std::vector<int>>& neighbours);

}  // namespace rigor
