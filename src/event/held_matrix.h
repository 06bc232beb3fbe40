// W = J M⁻¹ Fᵀ of what is held, and forces that answer it: block by block, since rows of bodies that no joint and no constraint ties
// together do not meet.
//
// Few rows are solved as dense matrices, group by group; many, which loops and contacts tie, along their graph (block LDU, VG Alg. 1–4).
#pragma once

#include <memory>

#include "dynamics/mass_factors.h"
#include "event/held_rows.h"
#include "rigor/block_graph.h"
#include "solvers/dense_lu.h"
#include "solvers/least_norm.h"

namespace rigor {

class HeldMatrix {
 public:
  /// Who meets whom; after the rows were arranged.
  void arrange(const Topology& topology, const std::vector<Held>& held, const HeldRows& rows);
  /// With F, or with J in its place.
  void compute(const Topology& topology, const MassFactors<double>& mass, const HeldRows& rows, bool with_forces);

  int rows() const { return rows_; }
  double mobility(int row) const { return diagonal_[row]; }  ///< W_rr
  /// y ← y − W x.
  void subtract(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  /// change [nv] ← change + M⁻¹ Fᵀ forces.
  void addResponse(const Topology& topology, const MassFactors<double>& mass, const HeldRows& rows,
                   const Eigen::VectorXd& forces, double* change);
  void writeDense(RowMatrix& W) const;

  /// x with W x = right. Where rows depend on each other a dense group has the smallest x, in units of the rows' own sizes, and a graph leaves
  /// those that come last alone.
  void solve(const Eigen::VectorXd& right, Eigen::VectorXd& x);

 private:
  /// Two constraints with a tree in common, or one with itself.
  struct Meeting {
    int a = 0, b = 0;    // a ≤ b
    int ab = 0, ba = 0;  // first entries of the blocks (a, b) and (b, a), row by row
  };
  /// Constraints that are tied to each other: ranges of order_ and meetings_.
  struct Group {
    int first = 0, end = 0, first_meeting = 0, end_meeting = 0;
    int rows = 0;
    bool along_graph = false;
  };
  /// A group's graph. Those of earlier modes are kept: they come back.
  struct Plan {
    std::vector<int> shape;  // sizes, then pairs
    BlockGraph graph;
  };

  int size(int held) const { return first_row_[held + 1] - first_row_[held]; }
  void findMeetings(const Topology& topology, const HeldRows& rows);
  void findGroups();
  void layOut();
  void halfSolve(const Topology& topology, const MassFactors<double>& mass, const HeldRows& rows, bool with_forces);
  void fillBlock(const Topology& topology, const HeldRows& rows, int a, int b, double* block) const;
  void scaleRows();
  template <class F>
  void forEachBlock(const Group& group, const F& f) const;

  void solveDense(const Group& group, const Eigen::VectorXd& right, Eigen::VectorXd& x);
  void findConnected(int first, int rows);
  void solvePart();
  bool solveAlongGraph(const Group& group, const Eigen::VectorXd& right, Eigen::VectorXd& x);
  BlockGraph& graphOf(const Group& group);

  int rows_ = 0;
  std::vector<int> first_row_ = {0};  // [held + 1]
  std::vector<Meeting> meetings_;     // by group
  std::vector<Group> groups_;
  std::vector<int> order_, leader_;           // [held] by group; the first of a group
  std::vector<int> place_;                    // [rows] within their group
  std::vector<std::pair<int, int>> of_tree_;  // tree, constraint
  std::vector<double> half_, response_;       // L⁻ᵀ Jᵀ and D⁻¹ L⁻ᵀ Fᵀ, in the layout of the rows
  std::vector<double> blocks_, diagonal_;     // diagonal_ [rows]
  std::vector<double> scale_;                 // [rows] W_rr^−½; 0 of rows that nothing can move along
  std::vector<double> motion_;                // [nv]

  std::vector<double> dense_;   // [n × n] scaled, of a group
  std::vector<int> connected_;  // its rows that are solved together
  std::vector<char> taken_;
  std::vector<double> part_, part_right_, part_x_, part_rest_, scratch_;
  DenseLu lu_;
  LeastNorm least_norm_;

  std::vector<Plan> plans_;
  std::size_t next_plan_ = 0;
  std::vector<int> shape_;
  std::vector<double> graph_right_, graph_x_;
};

}  // namespace rigor
