// LU of the equal rows of a problem whose W has factors, along the graph that loops make of the trees that they tie. Rows meet where
// their trees are the same, so W_EE = A_EᵀB_E is block sparse; a chain of bodies makes it tridiagonal. With S its rows that have a
// pivot of their own, S = L D U block by block in an order of minimum degree (VG Alg. 1–4), pivots on the diagonals of blocks.
#pragma once

#include <utility>
#include <vector>

#include "rigor/contact_problem.h"
#include "rigor/solver.h"
#include "solvers/node_pattern.h"

namespace rigor {

class LoopLu {
 public:
  /// Finds the equal rows of a problem and their graph. Does not allocate once it has seen the graph and not many others since.
  void prepare(const ContactProblem& problem);
  /// False once `stop` is raised.
  bool factor(const DelassusFactors& factors, const StopFlag* stop);

  int rows() const { return start_.back(); }          ///< equal rows, node by node
  int row(int i) const { return rows_[i]; }           ///< of the problem
  bool isPivot(int i) const { return is_pivot_[i]; }  ///< a row of S
  /// Scales as those of Elimination.
  const std::vector<double>& rowScale() const { return row_scale_; }
  const std::vector<double>& columnScale() const { return col_scale_; }
  /// x [rows] ← S⁻¹ x in scaled rows and multipliers, 0 in rows without a pivot.
  void solve(double* x) const;

 private:
  struct TiedBlock {
    std::pair<int, int> trees;  // the first and the last that it ties
    int block, node;            // node of the graph: all blocks of the same trees
    int first;                  // row of the node
  };
  struct TiedSide {
    int tree, tied, side;  // index into ties_; into the factors' sides
    friend bool operator<(const TiedSide& a, const TiedSide& b) {
      return std::pair(a.tree, a.side) < std::pair(b.tree, b.side);
    }
  };
  /// Graph and order of one island; islands that take turns keep theirs.
  struct Plan {
    std::vector<int> start;  // [nodes + 1] rows
    std::vector<NodeEdge> edges;
    NodePattern pattern;
    std::vector<int> diagonal_start, entry_start;  // [nodes], [entries] places of blocks
    int diagonal_size = 0, entry_size = 0, largest = 0;
  };

  int size(int node) const { return start_[node + 1] - start_[node]; }
  double* diagonal(int node) { return diagonal_.data() + plan_->diagonal_start[node]; }
  double* lower(int entry) { return lower_.data() + plan_->entry_start[entry]; }
  double* upper(int entry) { return upper_.data() + plan_->entry_start[entry]; }
  template <class F>
  void forEachBlock(F&& f);

  void findNodes(const ContactProblem& problem);
  void findEdges(const DelassusFactors& factors);
  void choosePlan();
  void fill(const DelassusFactors& factors);
  void scale();
  void eliminate(int node);

  std::vector<TiedBlock> ties_;
  std::vector<TiedSide> sides_;  // of equal blocks, by tree
  std::vector<int> start_;       // [nodes + 1] of this problem
  std::vector<NodeEdge> edges_;
  std::vector<Plan> plans_;
  Plan* plan_ = nullptr;
  std::size_t next_plan_ = 0;

  std::vector<int> rows_;                      // [equal] rows of the problem, node by node
  std::vector<double> row_scale_, col_scale_;  // [equal] 0 where nothing can be moved
  std::vector<double> diagonal_;               // D⁻¹ over the pivots, 0 in rows and columns without one
  std::vector<double> lower_, upper_;          // of an entry: L = (later, earlier) D⁻¹, and (earlier, later)
  std::vector<char> is_pivot_;                 // [equal]
  std::vector<double> block_;                  // scratch: one block
  mutable std::vector<double> part_;           // one node of x
};

}  // namespace rigor
