// The linear system of Newton-type stages where W = Aᵀ B has factors, solved in the freedoms of the nodes. With the
// equations E dy + G dx = R of every unit in scaled variables (x = √w λ, y = u/√w; E and G are EquationRow's A and B) and
// dy = (W̃ + δ) dx,
//
//   dx = H R − S Aᵀz/√w,   H = (G + δ E)⁻¹,  S = H E,   z = B dλ:   (I + Σ B S Aᵀ/w) z = Σ B H R/√w
//
// One kernel for all of them: sticking, slipping, Alart–Curnier, interior point. Rows that are open have E = 0 and cost
// nothing; nothing here grows with the square of the rows. Where nodes are the links of a forest, its K stands in the place of 1.
#pragma once

#include <vector>

#include "contact/unit_rows.h"
#include "rigor/contact_problem.h"
#include "solvers/forest_lu.h"
#include "solvers/node_lu.h"

namespace rigor {

class NodeSystem {
 public:
  /// Looks at the blocks and nodes of a problem, before its first factorisation.
  void prepare(const ContactProblem& problem);
  /// The next problem is another one.
  void forget() { prepared_ = false; }

  /// With ε + δ on the diagonal. False if the equations of a unit or a pivot are singular.
  bool factor(const ContactProblem& problem, const std::vector<double>& root, const std::vector<EquationRow>& equations,
              double epsilon, double delta);
  /// R ← dx, [m].
  void solve(const ContactProblem& problem, const std::vector<double>& root, double* right);

  void heed(const StopFlag* stop) { lu_.heed(stop), forest_.heed(stop); }  ///< see NodeLu

  const NodeLu& lu() const { return lu_; }

 private:
  /// H and S of one unit at its first row; the first rows² entries are in use.
  struct UnitMatrices {
    double H[kMostUnitRows * kMostUnitRows], S[kMostUnitRows * kMostUnitRows];
    int rows;
    bool open;    // S = 0
    bool single;  // only the first entry of S is not 0: a contact without friction
  };

  bool invertUnits(const ContactProblem& problem, const std::vector<EquationRow>& equations, double epsilon,
                   double delta);
  void announceEdges();
  double* blockOf(const DelassusFactors& factors, int row_node, int column_node);
  void addUnit(const DelassusFactors& factors, int block, int row, double inverse_w);
  void addProduct(const DelassusFactors& factors, const DelassusSide& s, const DelassusSide& t, int size, int local,
                  int rows, const double* T);

  std::vector<NodeEdge> edges_;   // different ones of all blocks
  std::vector<int> first_edge_;   // [blocks + 1] into block_edges_
  std::vector<int> block_edges_;  // edges of each block
  std::vector<char> active_block_, active_edge_;
  std::vector<NodeEdge> announced_;
  std::vector<UnitMatrices> units_;  // [m] at the first row of each unit
  std::vector<double> z_, columns_;  // [freedoms]; scratch: S Aᵀ of one unit
  NodeLu lu_;
  ForestLu forest_;
  bool prepared_ = false;  // edges are those of the problem
  bool afresh_ = true;     // the next matrix is the first of its problem
};

}  // namespace rigor
