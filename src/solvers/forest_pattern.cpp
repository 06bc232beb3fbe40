#include "solvers/forest_pattern.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace rigor {
namespace {

// Neighbours that are left, ascending.
using Neighbours = std::vector<std::vector<int>>;

void connect(int a, int b, Neighbours& neighbours) {
  if (a == b) return;
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    std::vector<int>& list = neighbours[from];
    const auto at = std::lower_bound(list.begin(), list.end(), to);
    if (at == list.end() || *at != to) list.insert(at, to);
  }
}

// The node goes: its neighbours and its parent meet each other.
void remove(int node, int parent, Neighbours& neighbours) {
  std::vector<int> meeting = neighbours[node];
  for (const int other : meeting) {
    std::vector<int>& list = neighbours[other];
    list.erase(std::lower_bound(list.begin(), list.end(), node));
  }
  if (meeting.empty()) return;
  if (parent >= 0 && !std::binary_search(meeting.begin(), meeting.end(), parent)) meeting.push_back(parent);
  for (std::size_t i = 0; i < meeting.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) connect(meeting[i], meeting[j], neighbours);
}

}  // namespace

void ForestPattern::analyze(const std::vector<int>& parent, const std::vector<NodeEdge>& edges) {
  const int nodes = static_cast<int>(parent.size());
  Neighbours neighbours(nodes);
  for (const auto& [a, b] : edges) connect(a, b, neighbours);
  std::vector<int> children(nodes, 0);
  for (const int one : parent)
    if (one >= 0) ++children[one];
  using Candidate = std::pair<int, int>;  // how many neighbours, node: those of leaves first
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
  const auto offer = [&](int node) {
    if (children[node] == 0) candidates.emplace(static_cast<int>(neighbours[node].size()), -node);
  };
  for (int node = 0; node < nodes; ++node) offer(node);
  order_.clear(), neighbours_.clear();
  place_.assign(nodes, -1);
  start_.assign(1, 0);
  while (!candidates.empty()) {
    const auto [degree, negative] = candidates.top();
    candidates.pop();
    const int node = -negative;
    if (place_[node] >= 0 || degree != static_cast<int>(neighbours[node].size())) continue;  // it was offered again
    place_[node] = static_cast<int>(order_.size());
    order_.push_back(node);
    neighbours_.insert(neighbours_.end(), neighbours[node].begin(), neighbours[node].end());
    start_.push_back(static_cast<int>(neighbours_.size()));
    remove(node, parent[node], neighbours);
    for (const int other : neighbours[node]) offer(other);
    if (parent[node] < 0) continue;
    --children[parent[node]];
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
