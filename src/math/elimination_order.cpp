#include "math/elimination_order.h"

#include <algorithm>
#include <queue>

#include "math/pivot_matching.h"

namespace rigor {
namespace {

// The graph while nodes vanish from it: those that an eliminated node leaves behind become neighbours of each other.
class Elimination {
 public:
  Elimination(const std::vector<GraphNode>& nodes, const std::vector<std::vector<int>>& neighbours);

  /// Eliminates all nodes; the neighbours that each had left are in `left`, the order in `order`.
  void run();

  std::vector<int> order;
  std::vector<std::vector<int>> left;
  int unserved = 0;

 private:
  struct Candidate {
    int cost, node;
    bool operator>(const Candidate& other) const { return cost != other.cost ? cost > other.cost : node > other.node; }
  };
  using Queue = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;

  int cost(int node) const { return count_[node] <= 1 ? 0 : weight_[node]; }  // leaves first, whatever their size
  bool isCurrent(const Candidate& candidate) const {
    return !gone_[candidate.node] && candidate.cost == cost(candidate.node);
  }
  void dropGone(std::vector<int>& list) const;
  void eliminate(int node);
  void join(int node, const std::vector<int>& others);

  const std::vector<GraphNode>& nodes_;
  PivotMatching matching_;
  std::vector<std::vector<int>> near_;  // [nodes] neighbours; some may be gone
  std::vector<int> count_, weight_;     // [nodes] neighbours that are not gone, and their rows
  std::vector<char> gone_;              // [nodes]
  std::vector<int> mark_;               // [nodes] scratch of join
  int marks_ = 0;
  Queue ready_, massless_, waiting_;  // to be tried; what waits for rows, and for freedoms
};

Elimination::Elimination(const std::vector<GraphNode>& nodes, const std::vector<std::vector<int>>& neighbours)
    : left(nodes.size()),
      nodes_(nodes),
      matching_(nodes, neighbours),
      near_(neighbours),
      count_(nodes.size()),
      weight_(nodes.size()),
      gone_(nodes.size()),
      mark_(nodes.size()) {
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    count_[i] = static_cast<int>(near_[i].size());
    for (const int j : near_[i]) weight_[i] += nodes[j].size;
    ready_.push({cost(i), i});
  }
}

void Elimination::dropGone(std::vector<int>& list) const {
  std::erase_if(list, [&](int i) { return gone_[i] != 0; });
}

void Elimination::run() {
  while (!ready_.empty() || !massless_.empty() || !waiting_.empty()) {
    const bool forced = ready_.empty();
    Queue& queue = !forced ? ready_ : !massless_.empty() ? massless_ : waiting_;
    const Candidate next = queue.top();
    queue.pop();
    if (!isCurrent(next)) continue;
    if (matching_.serve(next.node, !forced)) {
      eliminate(next.node);
    } else if (forced) {
      ++unserved;
      eliminate(next.node);
    } else {
      (nodes_[next.node].kind == GraphNodeKind::kMassless ? massless_ : waiting_).push(next);
    }
  }
}

// Neighbours of a node that goes become neighbours of each other.
void Elimination::join(int node, const std::vector<int>& others) {
  dropGone(near_[node]);
  ++marks_;
  mark_[node] = marks_;
  for (const int i : near_[node]) mark_[i] = marks_;
  for (const int i : others) {
    if (mark_[i] == marks_) continue;
    near_[node].push_back(i);
    ++count_[node];
    weight_[node] += nodes_[i].size;
  }
}

void Elimination::eliminate(int node) {
  dropGone(near_[node]);
  gone_[node] = 1;
  order.push_back(node);
  matching_.add(node);
  const std::vector<int>& others = left[node] = std::move(near_[node]);
  for (const int i : others) {
    --count_[i];
    weight_[i] -= nodes_[node].size;
    if (others.size() > 1) join(i, others);  // a leaf leaves no fill
  }
  for (const int i : others) ready_.push({cost(i), i});
}

// [nodes] Places depth first: the nodes below one lie together before it. The order of a parent and those below stays, and with
// it the fill and what constraints waited for.
std::vector<int> findPlaces(const Elimination& done) {
  const int n = static_cast<int>(done.order.size());
  std::vector<int> step(n), parent(n, -1), below(n, 1), end(n), place(n);
  for (int k = 0; k < n; ++k) step[done.order[k]] = k;
  const auto earlier = [&](int a, int b) { return step[a] < step[b]; };
  for (const int node : done.order) {
    const std::vector<int>& left = done.left[node];
    if (left.empty()) continue;
    parent[node] = *std::min_element(left.begin(), left.end(), earlier);
    below[parent[node]] += below[node];
  }
  int roots_end = n;
  for (int k = n - 1; k >= 0; --k) {
    const int node = done.order[k];
    int& room = parent[node] < 0 ? roots_end : end[parent[node]];
    place[node] = end[node] = room - 1;
    room -= below[node];
  }
  return place;
}

}  // namespace

EliminationOrder findEliminationOrder(const std::vector<GraphNode>& nodes,
                                      const std::vector<std::vector<int>>& neighbours) {
  Elimination elimination(nodes, neighbours);
  elimination.run();
  EliminationOrder result;
  result.unserved = elimination.unserved;
  result.place = findPlaces(elimination);
  result.order.resize(nodes.size());
  for (std::size_t node = 0; node < nodes.size(); ++node) result.order[result.place[node]] = static_cast<int>(node);
  result.columns = std::move(elimination.left);
  for (std::vector<int>& column : result.columns) {
    for (int& node : column) node = result.place[node];
    std::sort(column.begin(), column.end());
  }
  return result;
}

}  // namespace rigor
