// Which node with a zero diagonal block may be eliminated next. The rows of constraints are given to freedoms of bodies that
// were eliminated before, each freedom to one row at most: then the diagonal blocks are regular for nearly all numbers. What
// was given may be given to another row later (augmenting paths), so that only constraints without any choice have to wait.
#pragma once

#include <vector>

#include "rigor/block_graph.h"

namespace rigor {

class PivotMatching {
 public:
  PivotMatching(const std::vector<GraphNode>& nodes, const std::vector<std::vector<int>>& neighbours);

  /// Finds a freedom for each row of a constraint, or a row for each freedom of a massless body, among the nodes that are in;
  /// regular nodes need none. False, and nothing is taken, if there are not enough. Where bodies are
  /// massless, a `patient` constraint that holds none of them waits for those that do, unless it closes off a branch: they have less
  /// choice.
  bool serve(int node, bool patient);
  /// The node is eliminated: others may use its freedoms or rows.
  void add(int node);

 private:
  bool isConstraint(int node) const { return nodes_[node].kind == GraphNodeKind::kConstraint; }
  bool shouldLetOthersGoFirst(int constraint);
  int serveRows(int constraint, int wanted);
  int serveFreedoms(int body, int wanted);
  void giveBack(int node);
  bool startSearch();
  bool visit(int node);
  int& given(int constraint, int neighbour);

  const std::vector<GraphNode>& nodes_;
  const std::vector<std::vector<int>>& neighbours_;
  std::vector<std::vector<int>> given_;  // [nodes][its neighbours] rows of a constraint that a neighbour serves
  std::vector<int> spare_;               // [nodes] freedoms of bodies that are in and serve nobody
  std::vector<char> holds_massless_;     // [nodes] constraints with a massless neighbour
  std::vector<char> ends_branch_;        // [nodes] constraints behind which all bodies serve only such
  std::vector<char> in_;                 // [nodes] eliminated
  std::vector<int> seen_;                // [nodes] in which search
  bool has_massless_ = false;
  int search_ = 0, visits_ = 0;
};

}  // namespace rigor
