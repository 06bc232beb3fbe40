#include "solvers/semismooth_newton.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "contact/visit_block.h"
#include "rigor/solver.h"

namespace rigor {
namespace {

constexpr int kMemory = 6;  // values of |F|² that a step may climb back to
constexpr int kMostHalvings = 8;
constexpr double kExactly = 1e-3;  // of F, where a step is asked for without the diagonal

// A proximal problem has its own diagonal.
double nodeDiagonal(const Proximal& proximal) { return proximal.epsilon > 1e-2 * kNodeDiagonal ? 0.0 : kNodeDiagonal; }

}  // namespace

void SemismoothNewton::reserve(int rows) {
  for (auto* vector : {&root_, &step_, &trial_, &trial_velocity_}) vector->reserve(rows + 1);
  equations_.reserve(rows);
  best_.resize(rows);
  system_.reserve(rows);
}

void SemismoothNewton::prepare(const ContactProblem& problem) {
  const int m = problem.rows();
  computeRoots(problem, root_);
  equations_.resize(m);
  step_.resize(m + 1);
  trial_.resize(m);
  trial_velocity_.resize(m);
  system_.prepare(problem);
}

// Velocity and equations at an impulse; returns |F|².
double SemismoothNewton::evaluate(const ContactProblem& problem, NonsmoothMap map, const Proximal& proximal,
                                  const double* impulse, double* velocity) {
  const int m = problem.rows();
  problem.W.multiply(impulse, velocity);
  for (int row = 0; row < m; ++row) {
    velocity[row] += problem.b[row];
    if (proximal.epsilon > 0.0)
      velocity[row] += proximal.epsilon * root_[row] * root_[row] * (impulse[row] - proximal.centre[row]);
  }
  double merit = 0.0;
  forEachUnitByLaw(problem, [&]<class Unit>(const Unit& unit, int row) {
    const double root = root_[row], inverse = 1.0 / root;
    double x[Unit::kRows], y[Unit::kRows];
    for (int r = 0; r < Unit::kRows; ++r) {
      x[r] = root * impulse[row + r];
      y[r] = inverse * velocity[row + r];
    }
    EquationRow* equations = &equations_[row];
    const auto scaled = unit.scaled(root);
    if constexpr (requires { scaled.linearizeAlartCurnier(x, y, equations); }) {
      if (map == NonsmoothMap::kNatural)
        scaled.linearizeNaturalMap(x, y, equations);
      else
        scaled.linearizeAlartCurnier(x, y, equations);
    } else {
      assert(map == NonsmoothMap::kNatural && "laws other than Coulomb's have no other map");
      scaled.linearizeNaturalMap(x, y, equations);
    }
    for (int r = 0; r < Unit::kRows; ++r) merit += equations[r].F * equations[r].F;
  });
  return merit;
}

// Fills step_ with −(A (W̃ + ε) + B + δ)⁻¹ F in unscaled impulse.
bool SemismoothNewton::computeStep(const ContactProblem& problem, double regularisation, const Proximal& proximal,
                                   bool exactly) {
  for (int row = 0; row < problem.rows(); ++row) step_[row] = -equations_[row].F;
  if (!system_.factor(problem, root_, equations_, proximal.epsilon, regularisation)) return false;
  if (exactly)
    system_.solveExactly(problem, root_, equations_, kExactly, false, step_.data());
  else
    system_.solve(problem, root_, step_.data());
  for (int row = 0; row < problem.rows(); ++row) step_[row] /= root_[row];
  return true;
}

int SemismoothNewton::solve(const ContactProblem& problem, NonsmoothMap map, double tolerance, int max_iterations,
                            Iterate& iterate, Proximal proximal) {
  const int m = problem.rows();
  const bool judged = proximal.epsilon == 0.0;
  prepare(problem);
  best_ = iterate;
  double merit = evaluate(problem, map, proximal, iterate.impulse.data(), iterate.velocity.data());
  const double start = merit;
  double history[kMemory];
  std::fill(history, history + kMemory, merit);
  int iteration = 0, shortened = 0;
  bool exactly = false;  // the diagonal alone makes it slow
  while (iteration < max_iterations && std::isfinite(merit)) {
    if (!judged && merit <= proximal.fall * proximal.fall * start) break;
    // Far away a firmer diagonal keeps steps along nearly free directions short; near the answer it must not slow down.
    const double regularisation = problem.W.isFactored() ? nodeDiagonal(proximal)
                                  : iteration < 12       ? 1e-8
                                  : iteration < 24       ? 1e-10
                                                         : 1e-13;
    if (!computeStep(problem, regularisation, proximal, exactly)) break;
    const double before = merit;
    ++iteration;
    const double reference = *std::max_element(history, history + kMemory);
    double length = 1.0;
    for (int halving = 0;; ++halving, length *= 0.5) {
      for (int row = 0; row < m; ++row) trial_[row] = iterate.impulse[row] + length * step_[row];
      merit = evaluate(problem, map, proximal, trial_.data(), trial_velocity_.data());
      if (merit <= (1.0 - 1e-4 * length) * reference) break;
      if (halving == kMostHalvings) {
        ++shortened;
        break;
      }
    }
    if (!std::isfinite(merit)) break;
    std::copy(trial_.begin(), trial_.begin() + m, iterate.impulse.begin());
    history[iteration % kMemory] = merit;
    exactly = problem.W.isFactored() && proximal.epsilon == 0.0 && merit > 1e-2 * before;
    if (judged) {
      judgeIterate(problem, iterate);
      if (iterate.residuals.finite && (!best_.residuals.finite || iterate.residuals.law < best_.residuals.law))
        best_ = iterate;
      if (accepts(iterate.residuals, tolerance)) break;
    }
    if (shortened > 3) break;
  }
  reached_ = merit <= proximal.fall * proximal.fall * start;
  if (judged) {
    iterate = best_;
    classifyModes(problem, iterate);
  }
  return iteration;
}

// Fills the system with every row at rest, W̃ + δ, and factors it.
bool SemismoothNewton::factorRest(const ContactProblem& problem) {
  constexpr double kLeastNorm = 1e-9;
  const int m = problem.rows();
  if (problem.W.isFactored()) {
    forEachUnit(problem, [&]<class Unit>(const Unit&, int first) {
      for (int r = 0; r < Unit::kRows; ++r) equations_[first + r] = EquationRow{}, equations_[first + r].A[r] = 1.0;
    });
    return system_.factor(problem, root_, equations_, 0.0, kNodeDiagonal);
  }
  DenseLu& lu = system_.dense();
  lu.resize(m);
  for (int i = 0; i < m; ++i) {
    double* target = lu.row(i);
    const double* W = problem.W.row(i);
    for (int j = 0; j < m; ++j) target[j] = W[j] / (root_[i] * root_[j]);
    target[i] += kLeastNorm;
  }
  return lu.factor();
}

bool SemismoothNewton::startAtRest(const ContactProblem& problem, Iterate& iterate) {
  const int m = problem.rows();
  prepare(problem);
  for (int i = 0; i < m; ++i) step_[i] = -(problem.b[i] + problem.bias[i]) / root_[i];
  if (!factorRest(problem)) return false;
  system_.solve(problem, root_, step_.data());
  for (int i = 0; i < m; ++i) iterate.impulse[i] = step_[i] / root_[i];
  projectImpulse(problem, iterate.impulse);
  judgeIterate(problem, iterate);
  classifyModes(problem, iterate);
  return iterate.residuals.finite;
}

}  // namespace rigor
