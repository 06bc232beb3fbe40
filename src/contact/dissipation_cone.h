// A contact by law dissipation (PC eq. 8): of all impulses of the friction cone that end the approach, the one that
// leaves the least kinetic energy E at the contact while all others are held.
//
// Where the contact is closed, un + ν = 0, so dE = ut·dλt along λn = λn0 − k·λt, k = Wnt/Wnn of its own block. On the edge
// g(λt) = |λt| + μ k·λt − μ λn0 = 0 of what is left to λt, E is least where ut = −s ∇g with s ≥ 0:
//
//   ut = −s (d + μ k),  d = λt/|λt|
//
// So friction opposes not ut but ũ = ut + μs k, s = |ũ|, and in Coulomb's form the law is K ∋ λ ⟂ û ∈ K*,
// û = (un + ν + μs, ũ). With k = 0 it is Coulomb's. Where μ|k| ≥ 1 (the Painlevé range) some velocities have no such s: no
// pushed contact slips with them.
//
// Of a soft contact, un + ν + R λn = 0, the energy that its spring stores, ½R λn², counts as well. Then dE = ut·dλt again, and all
// of this holds with R added to Wnn and û_n = un + ν + R λn + μs.
#pragma once

#include "contact/friction_cone.h"
#include "contact/unit_rows.h"

namespace rigor {

struct DissipationCone {
  static constexpr int kRows = 3;
  static constexpr bool kEquation = false;

  double mu, bias, compliance;  // compliance: R
  double k[2];                  // Wnt/(Wnn + R); 0 where nothing moves the normal

  DissipationCone(const ContactProblem& problem, const Block& block, int row)
      : mu(block.mu), bias(problem.bias[row]), compliance(problem.compliance[row]) {
    double W[3][3];
    problem.W.copyBlock<3>(row, W);
    const double normal = W[0][0] + compliance;
    for (int r = 0; r < 2; ++r) k[r] = normal > 0.0 ? W[0][1 + r] / normal : 0.0;
  }
  DissipationCone(double friction, double scaled_bias, double k1, double k2, double scaled_compliance = 0.0)
      : mu(friction), bias(scaled_bias), compliance(scaled_compliance), k{k1, k2} {}

  static double numbersOf(const ContactProblem& problem, int row) {
    return problem.bias[row] + problem.compliance[row];
  }

  // The law.

  double normalShift(double impulse, double u) const { return u + bias + compliance * impulse; }
  /// s = |ut + μs k|, infinite where there is none.
  double slip(const double* u) const;
  void project(double* x) const { projectOnFrictionCone(mu, x); }
  bool removePull(double* x) const {
    if (!(x[0] < 0.0)) return false;
    project(x);
    return true;
  }
  double residual(const double* impulse, const double* velocity, double w) const;  ///< r²
  void report(const double* impulse, const double* u, double w, Residuals& out) const;
  ContactMode classify(const double* impulse, const double* u, double w) const;
  /// u = W λ + free without bias; `next` is the answer.
  ContactMode solveAlone(const double W[3][3], const double* free, const double* impulse, double* next) const;

  // The natural map in scaled variables.

  DissipationCone scaled(double root) const {
    return {mu, 1.0 / root * bias, k[0], k[1], 1.0 / (root * root) * compliance};
  }
  void linearizeNaturalMap(const double* x, const double* y, EquationRow* out) const;
};

}  // namespace rigor
