// One row of a loop, a weld or a coupling: K = R, the velocity is zero (OS eq. 32). Only the judge, the proofs and the
// elimination ask it; no stage of a solver sees one.
#pragma once

#include <algorithm>
#include <cmath>

#include "contact/unit_rows.h"
#include "rigor/contact_problem.h"

namespace rigor {

struct EqualRow {
  static constexpr const char* kName = "equal";
  static constexpr int kRows = 1, kNormalRows = 0;
  static constexpr bool kEquation = true, kHasFriction = false, kHasBounds = false, kSlips = false;

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
};

}  // namespace rigor
