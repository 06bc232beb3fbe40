#include "rigor/block_graph.h"

#include <algorithm>

#include "math/block_product.h"
#include "math/graph_plan.h"

namespace rigor {

BlockGraph::BlockGraph(const std::vector<GraphNode>& nodes, const std::vector<GraphEdge>& edges)
    : plan_(std::make_shared<const Plan>(nodes, edges)), start_(1, 0), diagonal_(nodes.size()) {
  for (const GraphNode& node : nodes) {
    size_.push_back(node.size);
    start_.push_back(start_.back() + node.size);
  }
  for (const Plan::Pivot& pivot : plan_->pivots) diagonal_[pivot.node] = pivot.diagonal;
  for (const auto& [a, b] : edges) {
    const int place_a = plan_->place[a], place_b = plan_->place[b];
    const Plan::Entry& entry = plan_->find(place_a, place_b);
    block_.emplace_back(place_a < place_b ? entry.upper : entry.lower, place_a < place_b ? entry.lower : entry.upper);
  }
  shift_.assign(nodes.size(), 0.0);
  trace_.assign(nodes.size(), 0.0);
  columns_moved_.assign(nodes.size(), 0);
  values_.assign(plan_->values, 0.0);
  factors_.assign(plan_->factors, 0.0);
  inverse_pivot_.assign(rows(), 0.0);
  scale_.assign(rows(), 0.0);
  row_of_.assign(rows(), 0);
  column_of_.assign(rows(), 0);
  scratch_.assign(static_cast<std::size_t>(plan_->largest) * std::max(plan_->largest, kFixedSizes), 0.0);
  panel_.assign(static_cast<std::size_t>(rows()) * kFixedSizes * 4, 0.0);
}

const std::vector<int>& BlockGraph::order() const {
  static const std::vector<int> kNone;
  return plan_ ? plan_->order : kNone;
}

int BlockGraph::parent(int node) const {
  const Plan::Pivot& pivot = plan_->pivots[plan_->place[node]];
  return pivot.first == pivot.end ? -1 : plan_->order[plan_->entries[pivot.first].pivot];
}

int BlockGraph::fillCount() const { return plan_ ? plan_->fill : 0; }
int BlockGraph::unservedCount() const { return plan_ ? plan_->unserved : 0; }

void BlockGraph::setZero() { std::fill(values_.begin(), values_.end(), 0.0); }

}  // namespace rigor
