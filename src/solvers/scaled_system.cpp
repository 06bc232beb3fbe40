#include "solvers/scaled_system.h"

#include <cmath>

#include "contact/judge.h"

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
                    const std::vector<BlockEquation>& equations, double epsilon, double delta, DenseLu& lu) {
  const int m = problem.rows();
  lu.resize(m);
  for (const Block& block : problem.blocks) {
    const bool contact = block.kind == BlockKind::kContact;
    const int size = contact ? 3 : 1;
    for (int row = block.row; row < block.row + block.size; row += size) {
      const BlockEquation& equation = equations[row];
      const double* W = problem.W.row(row);
      const double scale = 1.0 / root[row];
      for (int r = 0; r < size; ++r) {
        double* target = lu.row(row + r);
        const double a0 = scale * equation.A[r][0];
        if (contact) {
          const double a1 = scale * equation.A[r][1], a2 = scale * equation.A[r][2];
          for (int j = 0; j < m; ++j) target[j] = (a0 * W[j] + a1 * W[m + j] + a2 * W[2 * m + j]) / root[j];
        } else {
          for (int j = 0; j < m; ++j) target[j] = a0 * W[j] / root[j];
        }
        for (int c = 0; c < size; ++c) target[row + c] += equation.B[r][c] + epsilon * equation.A[r][c];
        target[row + r] += delta;
      }
    }
  }
}

}  // namespace rigor
