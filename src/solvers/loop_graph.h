// Takes equal rows (loops, welds) out of a problem whose W has factors, along the graph that loops make of the trees that they tie:
// robots of free bodies, many mechanisms on one floor. With S the equal rows that LoopLu has a pivot for,
//
//   W′ = A_Rᵀ (B_R − B_S S⁻¹ A_Sᵀ B_R),   b′ = b_R − A_Rᵀ B_S S⁻¹ b_S
//
// The rest R has all other rows, and those equal rows whose pivot was too small: redundant ones, or such as are only regular together
// with rows of later blocks. It is dense, as small as they are few, and goes to Elimination, which tells the rank.
#pragma once

#include <vector>

#include "rigor/solver.h"
#include "solvers/dense_lu.h"
#include "solvers/eliminate.h"
#include "solvers/loop_lu.h"

namespace rigor {

class LoopGraph {
 public:
  /// Factors what it can of W_EE and writes the rest. False, and nothing is reduced, once `stop` is raised. Does not allocate once it
  /// has seen problems of this size with loops between the same trees.
  bool reduce(const ContactProblem& problem, const StopFlag* stop = nullptr);

  /// Rows that are not equal, in their order, then the equal rows that are left.
  const ContactProblem& rest() const { return rest_; }
  const ScalesBefore& scales() const { return scales_; }
  int rank() const { return lu_.rows() - static_cast<int>(left_.size()); }  ///< of S

  /// Start of the rest.
  void restrict(const ContactSolution& full, ContactSolution& rest) const;
  /// Impulses of all rows from those of the rest; modes of all blocks. Of all multipliers that give the same motion these have the
  /// least Σ (c_j λ_j)² of Elimination, which took the rest apart.
  void recover(const ContactProblem& problem, const Elimination& elimination, const ContactSolution& rest,
               ContactSolution& full);

 private:
  void answer(const double* velocity, double sign, double* impulse);
  void findRest(const ContactProblem& problem);
  void fillRest(const ContactProblem& problem);
  void copyRest(const ContactProblem& problem);
  void shareFree(const Elimination& elimination, std::vector<double>& impulse);

  LoopLu lu_;
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
