// Interior point for exact Coulomb friction. Each contact is two cones, smooth and without the shift μ|ut| n:
//
//   γ ≥ 0 ⟂ s ≥ 0           s = un + ν                      (γ = λn)
//   (μγ, β) ∈ Q ⟂ (ψ, ut) ∈ Q                               (β = λt, ψ the slip speed)
//
// The products are relaxed (LT eq. 26g–i, there for the sides of a pyramid) to γ s = τ and
// (μγ, β) ∘ (ψ, ut) = (τ, 0, 0) with the Jordan product of the second-order cone, and τ is driven to 0 with Mehrotra's
// predictor and corrector; limits are γ s = τ, box rows have one such pair per finite bound. Follows one smooth path
// from the middle of the cones, so it hardly cares how redundant the contacts are or where the sets end. Stalls near
// 1e-8: a polish finishes.
#pragma once

#include <vector>

#include "rigor/contact_problem.h"
#include "solvers/dense_lu.h"
#include "solvers/iterate.h"
#include "solvers/scaled_system.h"

namespace rigor {

class InteriorPoint {
 public:
  /// Makes room for problems of up to this many rows, before the first of them.
  void reserve(int rows);

  /// Ignores where iterate.impulse is: starts with normal impulses of `size` times the impulse that would stop every row.
  /// Leaves the end of the path there, judged, with its sets. Stops early when the judge accepts. Returns the number of
  /// iterations.
  int solve(const ContactProblem& problem, double tolerance, int max_iterations, double size, Iterate& iterate);

 private:
  void start(const ContactProblem& problem, double size);
  void computeGaps(const ContactProblem& problem);
  void linearize(const ContactProblem& problem);
  void solveFor(const ContactProblem& problem, double tau);
  double longestStep(const ContactProblem& problem);
  double measureAfter(const ContactProblem& problem, double length);
  PathRows rowsAt(int row);
  void take(double length);
  void leave(const ContactProblem& problem, Iterate& iterate) const;

  int pairs_ = 0;  // complementarity pairs
  std::vector<double> root_, x_, dx_, px_, y_, dy_, py_, z_, dz_, pz_, gap_, first_product_,
      right_;  // [m] see PathRows
  std::vector<EquationRow> equations_;
  DenseLu lu_;
};

}  // namespace rigor
