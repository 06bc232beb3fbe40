// One row of a loop, a weld or a coupling: K = R, the velocity is zero (OS eq. 32). Where W is dense such rows are eliminated before
// any stage of a solver sees them; in a forest, where they couple neighbours only, they are solved for like a contact that sticks.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/unit_rows.h"
#include "rigor/contact_problem.h"

namespace rigor {

struct EqualRow {
  static constexpr const char* kName = "equal";
  static constexpr int kRows = 1, kNormalRows = 0;
  static constexpr bool kEquation = true, kHasFriction = false, kHasBounds = false, kSlips = false;

  EqualRow() = default;
  EqualRow(const ContactProblem&, const Block&, int) {}

  static bool isSound(const Block&) { return true; }
  static double numbersOf(const ContactProblem& problem, int row) {
    return problem.bias[row] + problem.compliance[row];
  }
  static bool mayProve(const double*) { return true; }

  double residual(const double*, const double* velocity, double) const { return velocity[0] * velocity[0]; }
  void report(const double* impulse, const double* u, double, Residuals& out) const {
    out.dual = std::max(out.dual, std::abs(u[0]));
    out.complementarity = std::max(out.complementarity, std::abs(impulse[0] * u[0]));
  }
  void project(double*) const {}
  bool removePull(double*) const { return false; }
  ContactMode classify(const double*, const double*, double) const { return ContactMode::kStick; }
  ContactMode solveAlone(const double W[1][1], const double* free, const double* impulse, double* next) const {
    next[0] = W[0][0] > 0.0 ? -free[0] / W[0][0] : impulse[0];
    return ContactMode::kStick;
  }

  // It always sticks.

  static ContactMode modeInBlock(ContactMode, int, const double*) { return ContactMode::kStick; }
  void conform(const double*, double*, ContactMode&) const {}
  bool correct(const double*, const double*, double, ContactMode&) const { return false; }
  UnitEdge findEdge(ContactMode mode, const double*, const double*) const {
    return {std::numeric_limits<double>::infinity(), mode};
  }
  bool reduce(ContactMode, const double*, const double*, double, Piece& piece) const {
    piece.count = 1;
    piece.compliance = 0.0;
    return true;
  }
  template <class Uniform>
  void scatter(Uniform&, double, const double*, double*) const {}

  // An equation, y = 0, of every map and all along the path.

  EqualRow scaled(double) const { return {}; }
  void linearizeNaturalMap(const double*, const double* y, EquationRow* out) const {
    out->F = y[0];
    out->A[0] = 1.0;
    out->B[0] = 0.0;
  }
  void linearizeAlartCurnier(const double* x, const double* y, EquationRow* out) const {
    linearizeNaturalMap(x, y, out);
  }
  int startPath(double, double, const PathRows& at) const {
    at.x[0] = 0.0;
    return 0;
  }
  int startNear(const double* impulse, const double*, double, double, const PathRows& at) const {
    at.x[0] = at.root * impulse[0];
    return 0;
  }
  void computeGap(const double* velocity, const PathRows& at) const { at.gap[0] = velocity[0] / at.root; }
  void addProducts(double, const PathRows&, double&) const {}
  void linearizePath(const PathRows& at) const { at.equations->A[0] = 1.0, at.equations->B[0] = 0.0; }
  void formRight(double, const PathRows& at) const { at.right[0] = -at.gap[0]; }
  void recoverPath(double, const PathRows& at) const { at.dy[0] = 0.0; }
  double longestStep(const PathRows&) const { return 1.0; }
};

}  // namespace rigor
