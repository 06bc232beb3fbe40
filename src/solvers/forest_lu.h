// LU of K + Σ (blocks of contacts, loops, joints) over the nodes of a forest (DelassusForest). A link leaves by its joint,
//
//   y = P V_parent + T x,  P = (Xᵀ, 0), T = (S̃, 1), T_F = (S, 1)     its freedoms by those of its parent and of its joint
//   D = T_Fᵀ K_ii T,   U_p = Pᵀ K_ii T,   L_p = T_Fᵀ K_ii P,   U_j = K_ji T,   L_j = T_Fᵀ K_ij
//   K_pp += Pᵀ K_ii P − U_p D⁻¹ L_p,   K_pj += Pᵀ K_ij − U_p D⁻¹ L_j,   K_jp += K_ji P − U_j D⁻¹ L_p,   K_jk −= U_j D⁻¹ L_k
//
// which without neighbours j is the recursion of articulated bodies, and with them elimination along the graph of links. A node
// that stands alone has T = T_F = 1 and no parent. Linear in the number of links as long as no cycle is long.
#pragma once

#include <vector>

#include "rigor/delassus_matrix.h"
#include "rigor/solver.h"
#include "solvers/forest_pattern.h"

namespace rigor {

class ForestLu {
 public:
  /// Verbs as those of NodeLu.
  void prepare(const DelassusFactors& factors, const std::vector<NodeEdge>& edges, bool afresh);
  void setForest(const DelassusFactors& factors);  ///< K of the forest alone
  double* diagonal(int node) { return diagonal_.data() + diagonal_start_[node]; }
  double* block(int row_node, int column_node);
  void heed(const StopFlag* stop) { stop_ = stop; }
  bool factor(const DelassusFactors& factors);
  void solve(const DelassusFactors& factors, double* x) const;

  const ForestPattern& pattern() const { return pattern_; }

 private:
  int size(int node) const { return start_[node + 1] - start_[node]; }
  bool fits(const DelassusFactors& factors, const std::vector<NodeEdge>& edges) const;
  void layOut(const DelassusFactors& factors);
  bool eliminate(const DelassusForest& forest, int node);
  void formOwn(const DelassusForest& forest, int node);
  void formNeighbour(const DelassusForest& forest, int node, int entry);
  void updateParent(const DelassusForest& forest, int node);
  void updateNeighbours(int node);

  ForestPattern pattern_;
  std::vector<NodeEdge> made_for_;
  std::vector<int> start_, parent_;              // [nodes + 1], [nodes]
  std::vector<int> freedoms_;                    // [nodes] f of its joint, or all of a node that stands alone
  std::vector<int> diagonal_start_;              // [nodes] into diagonal_
  std::vector<int> pivot_start_, own_start_;     // [nodes] into inverse_, into U_parent_ and L_parent_
  std::vector<int> entry_start_, joined_start_;  // [entries] into lower_ and upper_, into U_ and L_
  std::vector<double> diagonal_;                 // K_ii
  std::vector<double> lower_, upper_;            // K_ji and K_ij of an entry of i with j
  std::vector<double> inverse_;                  // D⁻¹
  std::vector<double> U_parent_, L_parent_;      // [6 × f] U_p, [f × 6] D⁻¹ L_p
  std::vector<double> U_, L_;                    // [n_j × f] U_j, [f × n_j] D⁻¹ L_j
  std::vector<double> scratch_, moved_;
  mutable std::vector<double> right_;  // of solve
  const StopFlag* stop_ = nullptr;
};

}  // namespace rigor
