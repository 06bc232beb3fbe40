#include "solvers/scaled_system.h"

#include <cmath>
#include <functional>

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
  forEachUnit(problem, [&]<class Unit>(const Unit&, int row) {
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

bool ScaledSystem::factor(const ContactProblem& problem, const std::vector<double>& root,
                          const std::vector<EquationRow>& equations, double epsilon, double delta) {
  if (problem.W.isFactored()) return nodes_.factor(problem, root, equations, epsilon, delta);
  assembleScaled(problem, root, equations, epsilon, delta, lu_);
  return lu_.factor();
}

void ScaledSystem::solve(const ContactProblem& problem, const std::vector<double>& root, double* x) {
  if (problem.W.isFactored())
    nodes_.solve(problem, root, x);
  else
    lu_.solve(x);
}

// out = (A W̃ + B) x, without δ.
void ScaledSystem::multiply(const ContactProblem& problem, const std::vector<double>& root,
                            const std::vector<EquationRow>& equations, const double* x, double* out) {
  const int m = problem.rows();
  impulse_.resize(m), response_.resize(m);
  for (int row = 0; row < m; ++row) impulse_[row] = x[row] / root[row];
  problem.W.multiply(impulse_.data(), response_.data());
  forEachUnit(problem, [&]<class Unit>(const Unit&, int row) {
    for (int r = 0; r < Unit::kRows; ++r) {
      double sum = 0.0;
      for (int c = 0; c < Unit::kRows; ++c)
        sum += equations[row + r].A[c] * response_[row + c] / root[row] + equations[row + r].B[c] * x[row + c];
      out[row + r] = sum;
    }
  });
}

bool ScaledSystem::solveExactly(const ContactProblem& problem, const std::vector<double>& root,
                                const std::vector<EquationRow>& equations, double goal, bool anyway, double* x,
                                int rounds) {
  if (!problem.W.isFactored()) return lu_.solve(x), true;
  right_.assign(x, x + problem.rows());
  nodes_.solve(problem, root, x);
  const auto multiplies = [&](const double* in, double* out) { multiply(problem, root, equations, in, out); };
  const auto solves = [&](double* in_out) { nodes_.solve(problem, root, in_out); };
  // by reference: what they capture is more than a std::function holds without memory of its own
  return gmres_.correct(problem.rows(), std::cref(multiplies), std::cref(solves), right_.data(), goal, rounds, anyway,
                        x);
}

}  // namespace rigor
