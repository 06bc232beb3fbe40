#include "math/pivot_matching.h"

#include <algorithm>
#include <utility>

namespace rigor {
namespace {

// A search gives up after so many nodes: then the node waits, and is asked again when more is known. Keeps the analysis linear
// and the recursion shallow.
constexpr int kLongestSearch = 2000;

}  // namespace

PivotMatching::PivotMatching(const std::vector<GraphNode>& nodes, const std::vector<std::vector<int>>& neighbours)
    : nodes_(nodes),
      neighbours_(neighbours),
      given_(nodes.size()),
      spare_(nodes.size()),
      holds_massless_(nodes.size()),
      ends_branch_(nodes.size()),
      in_(nodes.size()),
      seen_(nodes.size()) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].kind == GraphNodeKind::kConstraint) given_[i].resize(neighbours[i].size());
    if (nodes[i].kind != GraphNodeKind::kMassless) continue;
    has_massless_ = true;
    for (const int neighbour : neighbours[i]) holds_massless_[neighbour] = 1;
  }
}

int& PivotMatching::given(int constraint, int neighbour) {
  const std::vector<int>& list = neighbours_[constraint];
  return given_[constraint][std::lower_bound(list.begin(), list.end(), neighbour) - list.begin()];
}

bool PivotMatching::startSearch() {
  ++search_;
  visits_ = 0;
  return true;
}

bool PivotMatching::visit(int node) {
  if (seen_[node] == search_ || visits_ >= kLongestSearch) return false;
  seen_[node] = search_;
  ++visits_;
  return true;
}

// Rows of a constraint for which freedoms were found, at most `wanted`: spare ones, or some that another constraint gives up
// because it finds others.
int PivotMatching::serveRows(int constraint, int wanted) {
  for (const int body : neighbours_[constraint]) {
    if (!in_[body] || spare_[body] == 0) continue;
    const int found = std::min(wanted, spare_[body]);
    spare_[body] -= found;
    given(constraint, body) += found;
    return found;
  }
  for (const int body : neighbours_[constraint]) {
    if (!in_[body] || isConstraint(body) || !visit(body)) continue;
    for (const int other : neighbours_[body]) {
      if (!isConstraint(other) || other == constraint || given(other, body) == 0 || !visit(other)) continue;
      const int found = serveRows(other, std::min(wanted, given(other, body)));
      if (found == 0) continue;
      given(other, body) -= found;
      given(constraint, body) += found;
      return found;
    }
  }
  return 0;
}

// Freedoms of a massless body for which rows were found: rows that some body with mass served, or that another massless body
// gives up because it finds others.
int PivotMatching::serveFreedoms(int body, int wanted) {
  const auto take = [&](int constraint, int from, int count) {
    given(constraint, from) -= count;
    given(constraint, body) += count;
    return count;
  };
  for (const int constraint : neighbours_[body]) {
    if (!in_[constraint] || !isConstraint(constraint)) continue;
    for (const int other : neighbours_[constraint]) {
      const int served = given(constraint, other);
      if (served == 0 || nodes_[other].kind == GraphNodeKind::kMassless) continue;
      spare_[other] += std::min(wanted, served);
      return take(constraint, other, std::min(wanted, served));
    }
  }
  for (const int constraint : neighbours_[body]) {
    if (!in_[constraint] || !isConstraint(constraint)) continue;
    for (const int other : neighbours_[constraint]) {
      if (given(constraint, other) == 0 || !visit(other)) continue;
      const int found = serveFreedoms(other, std::min(wanted, given(constraint, other)));
      if (found > 0) return take(constraint, other, found);
    }
  }
  return 0;
}

void PivotMatching::giveBack(int node) {
  if (isConstraint(node)) {
    for (std::size_t k = 0; k < neighbours_[node].size(); ++k) spare_[neighbours_[node][k]] += given_[node][k];
    std::fill(given_[node].begin(), given_[node].end(), 0);
    return;
  }
  for (const int constraint : neighbours_[node]) {
    if (!isConstraint(constraint)) continue;
    int left = std::exchange(given(constraint, node), 0);
    while (left > 0 && startSearch()) {
      visit(constraint);
      const int found = serveRows(constraint, left);
      if (found == 0) break;
      left -= found;
    }
  }
}

bool PivotMatching::shouldLetOthersGoFirst(int constraint) {
  if (!has_massless_ || holds_massless_[constraint]) return false;
  const auto is_done = [&](int other) { return other == constraint || !isConstraint(other) || ends_branch_[other]; };
  for (const int body : neighbours_[constraint]) {
    const std::vector<int>& others = neighbours_[body];
    if (spare_[body] >= nodes_[constraint].size && std::all_of(others.begin(), others.end(), is_done)) {
      ends_branch_[constraint] = 1;
      return false;
    }
  }
  return true;
}

bool PivotMatching::serve(int node, bool patient) {
  if (nodes_[node].kind == GraphNodeKind::kRegular) return true;
  if (patient && isConstraint(node) && shouldLetOthersGoFirst(node)) return false;
  int left = nodes_[node].size;
  while (left > 0 && startSearch()) {
    visit(node);
    const int found = isConstraint(node) ? serveRows(node, left) : serveFreedoms(node, left);
    if (found == 0) break;
    left -= found;
  }
  if (left > 0) giveBack(node);
  return left == 0;
}

void PivotMatching::add(int node) {
  in_[node] = 1;
  if (nodes_[node].kind == GraphNodeKind::kRegular) spare_[node] = nodes_[node].size;
}

}  // namespace rigor
