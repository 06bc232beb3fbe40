// The linear system that Newton-type stages share. In variables scaled by one number per block (x = √w λ, y = u/√w)
// each block contributes dF = A dy + B dx with dy = W̃ dx, so the matrix is A W̃ + B.
#pragma once

#include <vector>

#include "contact/unit_rows.h"
#include "rigor/contact_problem.h"
#include "solvers/dense_lu.h"
#include "solvers/gmres.h"
#include "solvers/node_system.h"

namespace rigor {

/// root[row] = √w of the row's block.
void computeRoots(const ContactProblem& problem, std::vector<double>& root);

/// Fills the rows of `lu` with A (W̃ + ε I) + B + δ I, the equations being those of the units at their rows.
void assembleScaled(const ContactProblem& problem, const std::vector<double>& root,
                    const std::vector<EquationRow>& equations, double epsilon, double delta, DenseLu& lu);

/// Diagonal δ where W has factors. In the freedoms of nodes a smaller one leaves little but rounding, and redundant rows
/// contradict each other by the error of b, which moves internal forces by that over δ. What it hides of weak directions,
/// solveExactly finds.
inline constexpr double kNodeDiagonal = 1e-6;

/// The same system in the form that W has: dense, or in the freedoms of the nodes, where it is A (W̃ + ε + δ) + B.
class ScaledSystem {
 public:
  /// Room for problems of up to this many rows: where W is dense; where it has factors.
  void reserve(int rows) { lu_.resize(rows); }
  void reserveFactored(int rows) {
    for (auto* vector : {&right_, &impulse_, &response_}) vector->reserve(rows);
    gmres_.reserve(rows);
  }
  DenseLu& dense() { return lu_; }

  /// Factorisations fail once this is raised.
  void heed(const StopFlag* stop) { lu_.heed(stop), nodes_.heed(stop); }

  /// The next problem is another one; until then orders of elimination may stay.
  void forget() { nodes_.forget(); }
  /// Before the first factorisation for a problem.
  void prepare(const ContactProblem& problem) {
    if (problem.W.isFactored()) nodes_.prepare(problem);
  }
  bool factor(const ContactProblem& problem, const std::vector<double>& root, const std::vector<EquationRow>& equations,
              double epsilon, double delta);
  /// x ← K⁻¹ x with the matrix that was factored.
  void solve(const ContactProblem& problem, const std::vector<double>& root, double* x);
  /// The same, and where W has factors without δ, to `goal` of the right-hand side; see Gmres::correct.
  bool solveExactly(const ContactProblem& problem, const std::vector<double>& root,
                    const std::vector<EquationRow>& equations, double goal, bool anyway, double* x, int rounds = 12);

 private:
  void multiply(const ContactProblem& problem, const std::vector<double>& root,
                const std::vector<EquationRow>& equations, const double* x, double* out);

  DenseLu lu_;
  NodeSystem nodes_;
  Gmres gmres_;
  std::vector<double> right_, impulse_, response_;  // [m] of solveExactly
};

}  // namespace rigor
