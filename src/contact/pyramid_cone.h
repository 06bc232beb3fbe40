// A contact by law pyramid: K = {λt ∈ μ λn P} over a polygon P, û = u + (ν + R λn + μ max_j(−d_j·ut)) n. What judge, sweeps and
// nonsmooth maps ask of a contact; other stages know Coulomb's cone only.
#pragma once

#include "contact/friction_polygon.h"
#include "contact/unit_rows.h"

namespace rigor {

struct PyramidCone {
  static constexpr int kRows = 3;
  static constexpr bool kEquation = false;

  double mu, bias, compliance;  // compliance: R
  const FrictionPolygon* polygon;

  PyramidCone(const ContactProblem& problem, const Block& block, int row)
      : mu(block.mu),
        bias(problem.bias[row]),
        compliance(problem.compliance[row]),
        polygon(&polygonOf(problem.directions)) {}
  PyramidCone(double friction, double scaled_bias, const FrictionPolygon& shape, double scaled_compliance = 0.0)
      : mu(friction), bias(scaled_bias), compliance(scaled_compliance), polygon(&shape) {}

  static double numbersOf(const ContactProblem& problem, int row) {
    return problem.bias[row] + problem.compliance[row];
  }

  // The law.

  /// max_j(−d_j·ut): the speed that friction can work against.
  double slip(const double* u) const {
    const double* d = polygon->corner[polygon->farthest(-u[1], -u[2])];
    return -(d[0] * u[1] + d[1] * u[2]);
  }
  double normalShift(double impulse, double u) const { return u + bias + compliance * impulse; }
  double shift(double impulse, const double* u) const { return normalShift(impulse, u[0]) + mu * slip(u); }
  void project(double* x) const {
    int index;
    projectOnPyramid(*polygon, mu, x, index);
  }
  /// λt to the nearest point that this normal impulse allows.
  void limitFriction(double normal, double* t) const { projectOnPolygon(*polygon, mu * normal, t); }
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

  PyramidCone scaled(double root) const { return {mu, 1.0 / root * bias, *polygon, 1.0 / (root * root) * compliance}; }
  void linearizeNaturalMap(const double* x, const double* y, EquationRow* out) const;

  // The path (pyramid_path.cpp), as in friction_cone.h.

  int startPath(double push, double speed, const PathRows& at) const;
  void computeGap(const double* velocity, const PathRows& at) const;
  void addProducts(double length, const PathRows& at, double& total) const;
  void linearizePath(const PathRows& at) const;
  void formRight(double tau, const PathRows& at) const;
  void recoverPath(double tau, const PathRows& at) const;
  double longestStep(const PathRows& at) const;
};

}  // namespace rigor
