// Takes equal rows (loops, welds) out of a problem whose W has factors, along the graph that loops make of the trees that they tie:
// robots of free bodies, many mechanisms on one floor. Rows meet where their trees are the same, so W_EE = A_EᵀB_E is block sparse, a
// chain of bodies makes it tridiagonal, and with S its rows that have a pivot of their own
//
//   S = L D U           block by block in an order of minimum degree; pivots on the diagonals of blocks, VG Alg. 1–4
//   W′ = A_Rᵀ (B_R − B_S S⁻¹ A_Sᵀ B_R),   b′ = b_R − A_Rᵀ B_S S⁻¹ b_S
//
// The rest R has all other rows, and those equal rows whose pivot was too small: redundant ones, or such as are only regular together
// with rows of later blocks. It is dense, as small as they are few, and goes to Elimination, which tells the rank.
#pragma once

#include <utility>
#include <vector>

#include "rigor/solver.h"
#include "solvers/dense_lu.h"
#include "solvers/eliminate.h"
#include "solvers/node_pattern.h"

namespace rigor {

class LoopGraph {
 public:
  /// Factors what it can of W_EE and writes the rest. False, and nothing is reduced, once `stop` is raised. Does not allocate once it
  /// has seen problems of this size with loops between the same trees.
  bool reduce(const ContactProblem& problem, const StopFlag* stop = nullptr);

  /// Rows that are not equal, in their order, then the equal rows that are left.
  const ContactProblem& rest() const { return rest_; }
  const ScalesBefore& scales() const { return scales_; }
  int rank() const { return rank_; }  ///< of S

  /// Start of the rest.
  void restrict(const ContactSolution& full, ContactSolution& rest) const;
  /// Impulses of all rows from those of the rest; modes of all blocks. Of all multipliers that give the same motion these have the
  /// least Σ (c_j λ_j)² of Elimination, which took the rest apart.
  void recover(const ContactProblem& problem, const Elimination& elimination, const ContactSolution& rest,
               ContactSolution& full);

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

  int equalCount() const { return start_.back(); }
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
  bool factor(const StopFlag* stop);
  void solve(double* x) const;
  void answer(const double* velocity, double sign, double* impulse);
  void findRest(const ContactProblem& problem);
  void fillRest(const ContactProblem& problem);
  void copyRest(const ContactProblem& problem);
  void shareFree(const Elimination& elimination, std::vector<double>& impulse);

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
  int rank_ = 0;

  ContactProblem rest_;
  ScalesBefore scales_;                             // of the rows of the rest
  std::vector<int> rest_rows_;                      // [rest] rows of the problem
  std::vector<int> kept_blocks_;                    // blocks of the problem that are none of equal rows
  std::vector<int> left_;                           // equal rows of the rest: their places among all equal rows
  std::vector<double> left_response_;               // [left × equal] scaled S⁻¹ of their columns
  std::vector<double> impulse_, velocity_, equal_;  // [m], [m], [equal] scratch
  std::vector<double> null_;                        // [free × equal] scaled multipliers that move nothing
  std::vector<double> of_rest_, shares_;            // [rest], [free] scratch
  DenseLu gram_;                                    // of these
};

}  // namespace rigor
