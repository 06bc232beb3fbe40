#include "solvers/scaled_system.h"

#include <cmath>

#include "contact/judge.h"
#include "contact/visit_block.h"

namespace rigor {

void computeRoots(const ContactProblem& problem, std::vector<double>& root) {
  root.resize(problem.rows());
  double substitute = 0.0;
  for (const Block& block : problem.blocks) {
    double scale = blockScale(problem, block);
    if (!(scale > 0.0)) {
      if (substitute == 0.0) substitute = substituteScale(problem);
      scale = substitute;
    }
    for (int r = 0; r < block.size; ++r) root[block.row + r] = std::sqrt(scale);
  }
}

void assembleScaled(const ContactProblem& problem, const std::vector<double>& root,
                    const std::vector<EquationRow>& equations, double epsilon, double delta, DenseLu& lu) {
  const int m = problem.rows();
  lu.resize(m);
  forEachInequality(problem, [&]<class Unit>(const Unit&, int row) {
    const double scale = 1.0 / root[row];
    const double* W[Unit::kRows];
    for (int c = 0; c < Unit::kRows; ++c) W[c] = problem.W.row(row + c);
    for (int r = 0; r < Unit::kRows; ++r) {
      const EquationRow& equation = equations[row + r];
      double* target = lu.row(row + r);
      double a[Unit::kRows];
      for (int c = 0; c < Unit::kRows; ++c) a[c] = scale * equation.A[c];
      for (int j = 0; j < m; ++j) {
        double sum = a[0] * W[0][j];
        for (int c = 1; c < Unit::kRows; ++c) sum += a[c] * W[c][j];
        target[j] = sum / root[j];
      }
      for (int c = 0; c < Unit::kRows; ++c) target[row + c] += equation.B[c] + epsilon * equation.A[c];
      target[row + r] += delta;
    }
  });
}

}  // namespace rigor
