// One row with K = [0, ∞): a joint limit, a contact without friction. û = u + ν + R λ.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/unit_rows.h"
#include "rigor/contact_problem.h"

namespace rigor {

/// Not a number stays what it is, so that the judge sees it.
inline double projectOnHalfLine(double x) { return x < 0.0 ? 0.0 : x; }

/// λ ≥ 0 with u = w λ + b, b with its bias.
inline double solveAtLeast(double w, double b) { return b < 0.0 && w > 0.0 ? -b / w : 0.0; }

struct HalfLine {
  static constexpr const char* kName = "at_least";
  static constexpr int kRows = 1, kNormalRows = 1;
  static constexpr bool kEquation = false, kHasFriction = false, kHasBounds = false, kSlips = false;

  double bias, compliance;

  HalfLine(const ContactProblem& problem, const Block&, int row)
      : bias(problem.bias[row]), compliance(problem.compliance[row]) {}
  explicit HalfLine(double scaled_bias, double scaled_compliance = 0.0)
      : bias(scaled_bias), compliance(scaled_compliance) {}

  static bool isSound(const Block&) { return true; }
  /// Numbers of the row that the judge must find finite.
  static double numbersOf(const ContactProblem& problem, int row) {
    return problem.bias[row] + problem.compliance[row];
  }
  /// May f be part of a proof that there is no solution?
  bool mayProve(const double* f) const { return compliance > 0.0 ? f[0] == 0.0 : !(f[0] < 0.0); }

  // The law.

  double shift(double impulse, double u) const { return u + (bias + compliance * impulse); }
  void project(double* x) const { x[0] = projectOnHalfLine(x[0]); }
  bool removePull(double* x) const {
    const bool pulls = x[0] < 0.0;
    project(x);
    return pulls;
  }
  double residual(const double* impulse, const double* velocity, double w) const {
    const double pushed = w * impulse[0], shifted = shift(impulse[0], velocity[0]);
    const double r = pushed - projectOnHalfLine(pushed - shifted);
    return r * r;
  }
  void report(const double* impulse, const double* u, double w, Residuals& out) const {
    const double shifted = shift(impulse[0], u[0]);
    out.primal = std::max(out.primal, -impulse[0]);
    out.dual = std::max(out.dual, -shifted);
    out.signorini = std::max(out.signorini, std::abs(std::min(impulse[0] * w, shifted)));
    out.complementarity = std::max(out.complementarity, std::abs(impulse[0] * shifted));
  }
  ContactMode classify(const double* impulse, const double* u, double w) const {
    return impulse[0] - shift(impulse[0], u[0]) / w > 0.0 ? ContactMode::kStick : ContactMode::kOpen;
  }
  /// u = W λ + free without bias; `next` is the answer.
  ContactMode solveAlone(const double W[1][1], const double* free, const double*, double* next) const {
    next[0] = solveAtLeast(W[0][0] + compliance, free[0] + bias);
    return next[0] > 0.0 ? ContactMode::kStick : ContactMode::kOpen;
  }

  // Open and stick.

  /// One mode for several limits says only that one of them acts: the impulse says which.
  static ContactMode modeInBlock(ContactMode of_block, int block_rows, const double* impulse) {
    return block_rows > 1 && impulse[0] <= 0.0 ? ContactMode::kOpen : of_block;
  }
  void conform(const double*, double* impulse, ContactMode& mode) const {
    if (mode != ContactMode::kStick) impulse[0] = 0.0;
  }
  bool correct(const double* impulse, const double* u, double slack, ContactMode& mode) const {
    if (mode != ContactMode::kOpen && impulse[0] < 0.0)
      mode = ContactMode::kOpen;
    else if (mode == ContactMode::kOpen && u[0] + bias < -slack)
      mode = ContactMode::kStick;
    return false;
  }
  UnitEdge findEdge(ContactMode mode, const double* x, const double* d) const {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    if (mode != ContactMode::kStick || !(d[0] < 0.0)) return {kNever, ContactMode::kOpen};
    const double length = (0.0 - x[0]) / d[0];
    return {length > 0.0 ? length : kNever, ContactMode::kOpen};
  }
  bool reduce(ContactMode mode, const double*, const double*, double, Piece& piece) const {
    piece.count = 1;
    piece.compliance = compliance;
    return mode == ContactMode::kStick;
  }
  template <class Uniform>
  void scatter(Uniform&, double, const double*, double*) const {}

  // The nonsmooth maps, in scaled variables; both are the natural map of the half line.

  HalfLine scaled(double root) const { return HalfLine(1.0 / root * bias, 1.0 / (root * root) * compliance); }
  void linearizeNaturalMap(const double* x, const double* y, EquationRow* out) const {
    const double shifted = shift(x[0], y[0]);
    const bool free = x[0] - shifted > 0.0;
    out->F = free ? shifted : x[0] - 0.0;
    out->A[0] = free ? 1.0 : 0.0;
    out->B[0] = free ? compliance : 1.0;
  }
  void linearizeAlartCurnier(const double* x, const double* y, EquationRow* out) const {
    linearizeNaturalMap(x, y, out);
  }

  // The path γ s = τ, each row divided by γ + s.

  int startPath(double push, double speed, const PathRows& at) const {
    at.x[0] = push;
    at.y[0] = speed;
    return 1;
  }
  int startNear(const double* impulse, const double* velocity, double push, double speed, const PathRows& at) const {
    at.x[0] = std::max(at.root * impulse[0], push);
    at.y[0] = std::max((velocity[0] + bias) / at.root + compliance * at.x[0] / (at.root * at.root), speed);
    return 1;
  }
  void computeGap(const double* velocity, const PathRows& at) const {
    at.gap[0] = (velocity[0] + bias) / at.root - at.y[0] + compliance * at.x[0] / (at.root * at.root);
  }
  void addProducts(double length, const PathRows& at, double& sum) const {
    sum += (at.x[0] + length * at.dx[0]) * (at.y[0] + length * at.dy[0]);
  }
  void linearizePath(const PathRows& at) const {
    const double x = at.x[0], y = at.y[0];
    at.equations->A[0] = x / (x + y);
    at.equations->B[0] = (y + x * (compliance / (at.root * at.root))) / (x + y);
  }
  void formRight(double tau, const PathRows& at) const {
    const double x = at.x[0], y = at.y[0];
    at.right[0] = (tau - x * y - at.px[0] * at.py[0] - x * at.gap[0]) / (x + y);
  }
  /// dy, dz of the equations that were eliminated; dy holds the answer of the row's velocity to dx on entry.
  void recoverPath(double, const PathRows& at) const { at.dy[0] += compliance / (at.root * at.root) * at.dx[0]; }
  double longestStep(const PathRows& at) const {
    return std::min(stepOfLine(at.x[0], at.dx[0]), stepOfLine(at.y[0], at.dy[0]));
  }
};

}  // namespace rigor
