// What the analysis of a BlockGraph found: pivots in the order of elimination, the blocks beside each, where they lie in memory,
// and which block each product of the elimination changes.
#pragma once

#include <vector>

#include "rigor/block_graph.h"

namespace rigor {

struct BlockGraph::Plan {
  /// One node, in the order of elimination. Its blocks lie together.
  struct Pivot {
    int node, size;
    int row;         ///< its first row in right sides
    int diagonal;    ///< place of its block
    int first, end;  ///< its entries
    int target;      ///< its first target
  };
  /// A pivot's neighbour that comes later.
  struct Entry {
    int pivot, size;
    int row, diagonal;  ///< those of the neighbour
    int upper;          ///< place of the block (pivot, neighbour)
    int lower;          ///< place of the block (neighbour, pivot)
  };

  Plan(const std::vector<GraphNode>& nodes, const std::vector<GraphEdge>& edges);

  /// The entry of two pivots, which must be there.
  const Entry& find(int pivot_1, int pivot_2) const;

  std::vector<int> order, place;  ///< [nodes] pivot → node and back
  std::vector<Pivot> pivots;      ///< [nodes]
  std::vector<Entry> entries;
  std::vector<int>
      targets;      ///< for each pivot and its entries a > b, in this order: the entry of the neighbours a and b
  int values = 0;   ///< numbers in blocks of F
  int factors = 0;  ///< and with the fill
  int fill = 0;     ///< entries that are not edges
  int largest = 0;  ///< size of a node
  int unserved = 0;

 private:
  void layOut(const std::vector<GraphNode>& nodes, const std::vector<std::vector<int>>& neighbours,
              const std::vector<std::vector<int>>& columns);
  void findTargets();
};

}  // namespace rigor
