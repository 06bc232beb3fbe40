#include "math/graph_plan.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "math/elimination_order.h"
#include "rigor/error.h"

namespace rigor {
namespace {

void check(const std::vector<GraphNode>& nodes, const std::vector<GraphEdge>& edges) {
  const int count = static_cast<int>(nodes.size());
  for (int i = 0; i < count; ++i)
    if (nodes[i].size < 1)
      throw Error("graph: node " + std::to_string(i) + " has size " + std::to_string(nodes[i].size),
                  "A node has at least one row. Leave out nodes that have nothing to solve.");
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto& [a, b] = edges[e];
    const std::string name =
        "graph: edge " + std::to_string(e) + " (" + std::to_string(a) + ", " + std::to_string(b) + ")";
    if (std::min(a, b) < 0 || std::max(a, b) >= count)
      throw Error(name + " names a node that does not exist", "Nodes are 0 to " + std::to_string(count - 1) + ".");
    if (a == b)
      throw Error(name + " joins a node to itself", "The block of a node itself is diagonal(node); it needs no edge.");
  }
}

std::vector<std::vector<int>> findNeighbours(int nodes, const std::vector<GraphEdge>& edges) {
  std::vector<std::vector<int>> neighbours(nodes);
  for (const auto& [a, b] : edges) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  for (std::vector<int>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

}  // namespace

BlockGraph::Plan::Plan(const std::vector<GraphNode>& nodes, const std::vector<GraphEdge>& edges) {
  check(nodes, edges);
  const std::vector<std::vector<int>> neighbours = findNeighbours(static_cast<int>(nodes.size()), edges);
  EliminationOrder found = findEliminationOrder(nodes, neighbours);
  order = std::move(found.order);
  place = std::move(found.place);
  unserved = found.unserved;
  layOut(nodes, neighbours, found.columns);
  findTargets();
}

// Blocks of F in the order of elimination, then the fill in the same order.
void BlockGraph::Plan::layOut(const std::vector<GraphNode>& nodes, const std::vector<std::vector<int>>& neighbours,
                              const std::vector<std::vector<int>>& columns) {
  std::vector<int> start(1, 0), is_near(nodes.size(), -1);
  for (const GraphNode& node : nodes) start.push_back(start.back() + node.size);
  std::vector<int> fill_entries;
  for (const int node : order) {
    const int size = nodes[node].size, first = static_cast<int>(entries.size());
    pivots.push_back({node, size, start[node], values, first, first + static_cast<int>(columns[node].size()), 0});
    values += size * size;
    largest = std::max(largest, size);
    for (const int neighbour : neighbours[node]) is_near[neighbour] = node;
    for (const int later : columns[node]) {
      const int other = order[later], numbers = size * nodes[other].size;
      entries.push_back({later, nodes[other].size, start[other], 0, values, values + numbers});
      if (is_near[other] == node)
        values += 2 * numbers;
      else
        fill_entries.push_back(static_cast<int>(entries.size()) - 1);
    }
  }
  factors = values;
  fill = static_cast<int>(fill_entries.size());
  std::size_t next = 0;
  for (const Pivot& pivot : pivots)
    for (; next < fill_entries.size() && fill_entries[next] < pivot.end; ++next) {
      Entry& entry = entries[fill_entries[next]];
      entry.upper = factors;
      entry.lower = factors + pivot.size * entry.size;
      factors += 2 * pivot.size * entry.size;
    }
  for (Entry& entry : entries) entry.diagonal = pivots[entry.pivot].diagonal;
}

const BlockGraph::Plan::Entry& BlockGraph::Plan::find(int pivot_1, int pivot_2) const {
  const Pivot& pivot = pivots[std::min(pivot_1, pivot_2)];
  const auto found =
      std::lower_bound(entries.begin() + pivot.first, entries.begin() + pivot.end, std::max(pivot_1, pivot_2),
                       [](const Entry& entry, int later) { return entry.pivot < later; });
  assert(found != entries.begin() + pivot.end && found->pivot == std::max(pivot_1, pivot_2));
  return *found;
}

void BlockGraph::Plan::findTargets() {
  for (Pivot& pivot : pivots) {
    pivot.target = static_cast<int>(targets.size());
    for (int a = pivot.first + 1; a < pivot.end; ++a)
      for (int b = pivot.first; b < a; ++b)
        targets.push_back(static_cast<int>(&find(entries[a].pivot, entries[b].pivot) - entries.data()));
  }
}

}  // namespace rigor
