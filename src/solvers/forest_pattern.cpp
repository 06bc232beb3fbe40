#include "solvers/forest_pattern.h"

#include <algorithm>
#include <functional>

namespace rigor {
namespace {

void addTo(std::vector<int>& list, int node) {
  const auto at = std::lower_bound(list.begin(), list.end(), node);
  if (at == list.end() || *at != node) list.insert(at, node);
}

}  // namespace

void ForestPattern::connect(int a, int b) {
  if (a == b) return;
  addTo(left_[a], b);
  addTo(left_[b], a);
}

// The node goes: its neighbours and its parent meet each other.
void ForestPattern::remove(int node, int parent) {
  meeting_.assign(left_[node].begin(), left_[node].end());
  for (const int other : meeting_) {
    std::vector<int>& list = left_[other];
    list.erase(std::lower_bound(list.begin(), list.end(), node));
  }
  if (meeting_.empty()) return;
  if (parent >= 0 && !std::binary_search(meeting_.begin(), meeting_.end(), parent)) meeting_.push_back(parent);
  for (std::size_t i = 0; i < meeting_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) connect(meeting_[i], meeting_[j]);
}

void ForestPattern::offer(int node) {
  if (children_[node] > 0) return;
  candidates_.emplace_back(static_cast<int>(left_[node].size()), -node);  // of leaves the last first
  std::push_heap(candidates_.begin(), candidates_.end(), std::greater<>());
}

void ForestPattern::begin(const std::vector<int>& parent, const std::vector<NodeEdge>& edges) {
  const std::size_t nodes = parent.size();
  if (left_.size() < nodes) left_.resize(nodes);
  for (std::vector<int>& list : left_) list.clear();
  for (const auto& [a, b] : edges) connect(a, b);
  children_.assign(nodes, 0);
  for (const int one : parent)
    if (one >= 0) ++children_[one];
  order_.clear(), neighbours_.clear(), candidates_.clear();
  place_.assign(nodes, -1);
  start_.assign(1, 0);
}

void ForestPattern::analyze(const std::vector<int>& parent, const std::vector<NodeEdge>& edges) {
  begin(parent, edges);
  for (int node = 0; node < static_cast<int>(parent.size()); ++node) offer(node);
  while (!candidates_.empty()) {
    std::pop_heap(candidates_.begin(), candidates_.end(), std::greater<>());
    const auto [degree, negative] = candidates_.back();
    candidates_.pop_back();
    const int node = -negative;
    if (place_[node] >= 0 || degree != static_cast<int>(left_[node].size())) continue;  // it was offered again
    place_[node] = static_cast<int>(order_.size());
    order_.push_back(node);
    neighbours_.insert(neighbours_.end(), left_[node].begin(), left_[node].end());
    start_.push_back(static_cast<int>(neighbours_.size()));
    remove(node, parent[node]);
    for (const int other : left_[node]) offer(other);
    if (parent[node] < 0) continue;
    --children_[parent[node]];
    offer(parent[node]);
  }
}

int ForestPattern::find(int a, int b) const {
  const int node = isEarlier(a, b) ? a : b, other = isEarlier(a, b) ? b : a;
  const auto begin = neighbours_.begin() + first(node), last = neighbours_.begin() + end(node);
  const auto found = std::lower_bound(begin, last, other);
  return found != last && *found == other ? static_cast<int>(found - neighbours_.begin()) : -1;
}

}  // namespace rigor
