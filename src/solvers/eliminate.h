// Takes equal rows (loops, welds, couplings) out of a contact problem before a solver sees it: the rows of λ in the
// mixed problem of OS eq. 34.
//
// With E the equal rows and F all others, u_E = 0 gives λ_E = −W_EE⁻¹ (b_E + W_EF λ_F), and what is left is a problem
// of the same form:
//   W′ = W_FF − W_FE W_EE⁻¹ W_EF,   b′ = b_F − W_FE W_EE⁻¹ b_E
//
// Loops are often redundant (a planar four-bar closed in space, a Bricard linkage), so W_EE is singular; and where a
// step passes a singular pose it is not even semidefinite, because force and constraint rows point to different sides
// of it. So W_EE is scaled by rows and columns and eliminated with the largest remaining entry first, until what remains
// is rounding. Equations beyond that rank are met by the others if they can be met at all; the judge looks at them like
// at every row. As many multipliers are free: of all that give the same motion, the answer has the least Σ (c_j λ_j)²,
// with c_j the largest velocity that λ_j causes in an equal row, per impulse.
#pragma once

#include <vector>

#include "rigor/solver.h"
#include "solvers/dense_lu.h"

namespace rigor {

/// How rows compared before others were taken out of a problem: what is left of a redundant row is rounding, and must look like it.
struct ScalesBefore {
  std::vector<double> row, column;  ///< [m] of equal rows, what makes the largest entry 1; 0 where nothing can be moved
  std::vector<double> diagonal;     ///< [m] w
};

/// The largest entry of a row and of a column becomes 1. A row of a planar loop that points out of the plane has entries of rounding
/// size; the heaviest link beside the lightest is far above this share of the largest of all, or of the scaled ones.
inline constexpr double kDeadRow = 1e-13;
inline double invertScale(double largest, double dead) { return largest > dead ? 1.0 / largest : 0.0; }

class Elimination {
 public:
  /// Factors W_EE and writes the reduced problem, of a problem with a dense W. False, and nothing is reduced, once `stop` is raised.
  /// Does not allocate once it has seen a problem of this size.
  bool reduce(const ContactProblem& problem, const StopFlag* stop = nullptr, const ScalesBefore* before = nullptr);
  const ContactProblem& reduced() const { return reduced_; }
  int rank() const { return rank_; }  ///< of the equal rows
  int freeCount() const { return equalCount() - rank_; }
  /// Scaled multipliers [m] that move no equal row, one of as many as are free; 0 in other rows.
  void writeNull(int index, double* multipliers) const;

  /// Start of the reduced solve: impulses and modes of the blocks that stay.
  void restrict(const ContactSolution& full, ContactSolution& reduced) const;
  /// Impulses of all rows from those of the reduced problem; modes of all blocks. Velocities are left to the judge.
  void recover(const ContactProblem& problem, const ContactSolution& reduced, ContactSolution& full);

 private:
  int equalCount() const { return static_cast<int>(equations_.size()); }
  int keptCount() const { return static_cast<int>(kept_.size()); }
  int panelColumns() const { return keptCount() + 1 + freeCount(); }
  double* panelRow(int i) { return panel_.data() + static_cast<std::size_t>(i) * panelColumns(); }
  const double* panelRow(int i) const { return panel_.data() + static_cast<std::size_t>(i) * panelColumns(); }
  const double* responses(int i) const { return panelRow(i) + keptCount() + 1; }  // of pivot i to the free multipliers

  struct Pivot {
    int row, column;
    double size;
  };

  void sortRows(const ContactProblem& problem);
  void scaleEqual(const ContactProblem& problem);
  void scaleAsBefore(const ContactProblem& problem, const ScalesBefore& before);
  Pivot largestOf(int row, int k) const;
  Pivot findPivot(int k) const;
  void eliminatePivot(int k, int column);
  void factorEqual(const StopFlag* stop);
  void swapPivot(int k, int row, int column);
  void solvePanel(double* panel, int columns) const;
  void fillPanel(const ContactProblem& problem);
  void fillReduced(const ContactProblem& problem, const ScalesBefore* before);
  void holdRow(const Block& block, int i, double rounding);
  void factorFree();
  void shareFree();

  ContactProblem reduced_;
  std::vector<int> kept_, kept_blocks_;        // rows and blocks of the full problem that stay
  std::vector<int> equations_, unknowns_;      // equal rows in the order of their pivots: as equations, as multipliers
  std::vector<double> row_scale_, col_scale_;  // in these orders; 0 where nothing can be moved
  std::vector<double> factors_;                // [equal × equal] L and U of the scaled W_EE
  std::vector<Pivot> largest_;                 // [equal] of each row that remains: its largest entry
  std::vector<double> panel_;                  // [rank × (kept, b, free)] scaled W_EE⁻¹ of these columns
  std::vector<double> multipliers_, right_;    // [equal] scaled λ; scratch
  DenseLu free_;                               // I + ZᵀZ with Z the responses of the pivots
  int rank_ = 0;
};

}  // namespace rigor
