#include "solvers/node_pattern.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cassert>

namespace rigor {

void NodePattern::analyze(int nodes, const std::vector<NodeEdge>& edges) {
  orderNodes(nodes, edges);
  findFill(edges);
  findTargets();
}

void NodePattern::orderNodes(int nodes, const std::vector<NodeEdge>& edges) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(2 * edges.size() + nodes);
  for (int i = 0; i < nodes; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& [a, b] : edges) {
    entries.emplace_back(a, b, 1.0);
    entries.emplace_back(b, a, 1.0);
  }
  Eigen::SparseMatrix<double> graph(nodes, nodes);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  order_.assign(order.indices().data(), order.indices().data() + nodes);
  place_.resize(nodes);
  for (int k = 0; k < nodes; ++k) place_[order_[k]] = k;
}

// Column j has the later neighbours of j and what the columns that end at j (its children) leave over.
void NodePattern::findFill(const std::vector<NodeEdge>& edges) {
  const int n = nodes();
  std::vector<std::vector<int>> columns(n), children(n);
  for (const auto& [a, b] : edges) columns[std::min(place_[a], place_[b])].push_back(std::max(place_[a], place_[b]));
  std::vector<int> seen(n, -1);
  start_.assign(1, 0);
  rows_.clear();
  for (int j = 0; j < n; ++j) {
    const std::size_t first = rows_.size();
    const auto add = [&](int row) {
      if (row <= j || seen[row] == j) return;
      seen[row] = j;
      rows_.push_back(row);
    };
    for (const int row : columns[j]) add(row);
    for (const int child : children[j])
      for (int entry = start_[child]; entry < start_[child + 1]; ++entry) add(rows_[entry]);
    std::sort(rows_.begin() + first, rows_.end());
    if (rows_.size() > first) children[rows_[first]].push_back(j);
    start_.push_back(static_cast<int>(rows_.size()));
  }
}

void NodePattern::findTargets() {
  targets_.clear();
  target_start_.clear();
  for (int column = 0; column < nodes(); ++column) {
    target_start_.push_back(static_cast<int>(targets_.size()));
    for (int a = first(column) + 1; a < end(column); ++a)
      for (int b = first(column); b < a; ++b) targets_.push_back(find(order_[rows_[a]], order_[rows_[b]]));
  }
}

int NodePattern::find(int node_1, int node_2) const {
  const int column = std::min(place_[node_1], place_[node_2]), row = std::max(place_[node_1], place_[node_2]);
  const auto begin = rows_.begin() + start_[column], end = rows_.begin() + start_[column + 1];
  const auto found = std::lower_bound(begin, end, row);
  return found != end && *found == row ? static_cast<int>(found - rows_.begin()) : -1;
}

}  // namespace rigor
