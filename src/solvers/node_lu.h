// LU of a sparse matrix whose entries are small dense blocks, one row and column of them per node (the six freedoms of a
// free body, the eighteen of a quadruped). The pattern is symmetric, the numbers need not be. Pivots are exchanged only
// inside a node: the matrices of contact problems are the identity plus something nearly positive semidefinite. Blocks
// that nobody touches cost nothing.
#pragma once

#include <vector>

#include "rigor/solver.h"
#include "solvers/node_pattern.h"

namespace rigor {

class NodeLu {
 public:
  /// Takes the sizes of the nodes [nodes + 1 starts] and the edges that will be touched, sorted. Keeps the order of before
  /// where these fit it and it was not made for many more; `afresh`, at the first matrix of a problem, only where it was made
  /// for exactly these: the bits of an answer may not depend on what was solved before.
  void prepare(const std::vector<int>& node_start, const std::vector<NodeEdge>& edges, bool afresh);
  /// The identity; no block is touched.
  void setIdentity();

  /// Row-major, size(node)²: to be added to.
  double* diagonal(int node) { return diagonal_.data() + diagonal_start_[node]; }
  void touchDiagonal(int node) { touched_node_[node] = 1; }
  /// The block (row node, column node), row-major, of an edge that was announced. Touches it.
  double* block(int row_node, int column_node);

  /// Factorisations end as if a pivot were 0 once this is raised.
  void heed(const StopFlag* stop) { stop_ = stop; }
  /// False if a pivot is 0 or not finite.
  bool factor();
  /// x ← K⁻¹ x.
  void solve(double* x) const;

  const NodePattern& pattern() const { return pattern_; }

 private:
  int size(int node) const { return start_[node + 1] - start_[node]; }
  bool fits(const std::vector<int>& node_start, const std::vector<NodeEdge>& edges) const;
  void layOut();
  bool invertDiagonal(int node);
  void eliminate(int place);

  NodePattern pattern_;
  std::vector<NodeEdge> made_for_;            // edges that the order was made for
  std::vector<int> start_;                    // [nodes + 1]
  std::vector<int> diagonal_start_;           // [nodes]
  std::vector<int> entry_start_;              // [entries] into lower_ and upper_
  std::vector<double> diagonal_;              // inverted by factor()
  std::vector<double> lower_, upper_;         // blocks (row, column) and (column, row) of an entry
  std::vector<char> touched_, touched_node_;  // [entries], [nodes]
  std::vector<double> scratch_;
  std::vector<int> live_;  // scratch: touched entries of a column
  const StopFlag* stop_ = nullptr;
  mutable std::vector<double> part_;  // scratch: one node of x
};

}  // namespace rigor
