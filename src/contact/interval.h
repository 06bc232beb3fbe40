// One row with K = [lo, hi]: dry friction of a joint, a motor that can saturate. û = u + bias + R λ, bias = −u*. The
// bounds may be infinite.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/unit_rows.h"
#include "rigor/contact_problem.h"

namespace rigor {

inline double projectOnInterval(double lo, double hi, double x) { return x < lo ? lo : (x > hi ? hi : x); }

/// One row with λ in [lo, hi]: 0 = w λ + b + R λ where the bounds allow it. Where nothing moves the row (w + R = 0)
/// the bound that û pushes to is the answer, and `keep` where û is 0 or that bound is infinite.
inline double solveBox(double w, double b, double compliance, double lo, double hi, double keep) {
  const double stiffness = w + compliance;
  const double bound = b > 0.0 ? lo : hi;
  if (stiffness > 0.0) return std::min(std::max(-b / stiffness, lo), hi);
  return b != 0.0 && std::isfinite(bound) ? bound : std::min(std::max(keep, lo), hi);
}

struct Interval {
  static constexpr const char* kName = "box";
  static constexpr int kRows = 1, kNormalRows = 0;
  static constexpr bool kEquation = false, kHasFriction = false, kHasBounds = true, kSlips = false;

  double lo, hi, bias, compliance;

  Interval(const ContactProblem& problem, const Block& block, int row)
      : lo(block.lo), hi(block.hi), bias(problem.bias[row]), compliance(problem.compliance[row]) {}
  Interval(double lower, double upper, double scaled_bias, double scaled_compliance)
      : lo(lower), hi(upper), bias(scaled_bias), compliance(scaled_compliance) {}

  /// Both bounds at the same infinity would leave no finite impulse.
  static bool isSound(const Block& block) {
    return block.lo <= block.hi && block.lo < INFINITY && block.hi > -INFINITY;
  }
  static double numbersOf(const ContactProblem& problem, int row) {
    return problem.bias[row] + problem.compliance[row];
  }
  static bool mayProve(const double* f) { return f[0] == 0.0; }

  // The law.

  double shift(double impulse, double u) const { return u + bias + compliance * impulse; }
  void project(double* x) const { x[0] = projectOnInterval(lo, hi, x[0]); }
  bool removePull(double* x) const {
    const double before = x[0];
    project(x);
    return x[0] != before;
  }
  double residual(const double* impulse, const double* velocity, double w) const {
    if (!(lo <= hi)) return std::numeric_limits<double>::quiet_NaN();
    const double pushed = w * impulse[0], shifted = velocity[0] + bias;
    const double target = pushed - (shifted + compliance * impulse[0]);
    const double r = pushed - projectOnInterval(w * lo, w * hi, target);
    return r * r;
  }
  void report(const double* impulse, const double* u, double, Residuals& out) const {
    const double shifted = u[0] + (bias + compliance * impulse[0]);
    out.primal = std::max({out.primal, lo - impulse[0], impulse[0] - hi});
    const double bound = shifted > 0.0 ? lo : hi;  // û > 0 pulls down, û < 0 up
    const double partner = std::isfinite(bound) ? impulse[0] - bound : 0.0;
    if (!std::isfinite(bound)) out.dual = std::max(out.dual, std::abs(shifted));
    out.complementarity = std::max(out.complementarity, std::abs(partner * shifted));
  }
  ContactMode classify(const double* impulse, const double* u, double w) const {
    const double target = impulse[0] - shift(impulse[0], u[0]) / w;
    return target > lo && target < hi ? ContactMode::kStick : ContactMode::kSlip;
  }
  ContactMode solveAlone(const double W[1][1], const double* free, const double* impulse, double* next) const {
    next[0] = solveBox(W[0][0], free[0] + bias, compliance, lo, hi, impulse[0]);
    return next[0] > lo && next[0] < hi ? ContactMode::kStick : ContactMode::kSlip;
  }

  // Inside (stick) and at a bound (slip).

  static ContactMode modeInBlock(ContactMode of_block, int, const double*) { return of_block; }
  void conform(const double*, double* impulse, ContactMode& mode) const {
    if (mode == ContactMode::kStick) return;
    const double bound = std::abs(impulse[0] - lo) <= std::abs(impulse[0] - hi) ? lo : hi;
    if (std::isfinite(bound))
      impulse[0] = bound;
    else
      mode = ContactMode::kStick;
  }
  bool correct(const double* impulse, const double* u, double slack, ContactMode& mode) const {
    if (mode != ContactMode::kSlip) {
      if (impulse[0] < lo || impulse[0] > hi) mode = ContactMode::kSlip;
    } else {
      const double pull = shift(impulse[0], u[0]);
      const bool at_low = impulse[0] <= lo, at_high = impulse[0] >= hi;
      if (!(at_low && pull >= -slack) && !(at_high && pull <= slack)) mode = ContactMode::kStick;
    }
    return false;
  }
  UnitEdge findEdge(ContactMode mode, const double* x, const double* d) const {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    if (mode != ContactMode::kStick || d[0] == 0.0) return {kNever, ContactMode::kSlip};
    const double length = ((d[0] < 0.0 ? lo : hi) - x[0]) / d[0];
    return {length > 0.0 ? length : kNever, ContactMode::kSlip};
  }
  bool reduce(ContactMode mode, const double*, const double*, double, Piece& piece) const {
    piece.count = 1;
    piece.compliance = compliance;
    return mode == ContactMode::kStick;
  }
  template <class Uniform>
  void scatter(Uniform&, double, const double*, double*) const {}

  // The nonsmooth maps, in scaled variables; both are the natural map of the interval.

  Interval scaled(double root) const {
    const double inverse = 1.0 / root;
    return {root * lo, root * hi, inverse * bias, inverse * inverse * compliance};
  }
  void linearizeNaturalMap(const double* x, const double* y, EquationRow* out) const {
    const double shifted = y[0] + (bias + compliance * x[0]), z = x[0] - shifted;
    const bool free = z > lo && z < hi;
    out->F = free ? shifted : x[0] - (z <= lo ? lo : hi);
    out->A[0] = free ? 1.0 : 0.0;
    out->B[0] = free ? compliance : 1.0;
  }
  void linearizeAlartCurnier(const double* x, const double* y, EquationRow* out) const {
    linearizeNaturalMap(x, y, out);
  }

  // The path y − m_lo + m_hi + R x = 0 with m_lo = τ/(x − lo), m_hi = τ/(hi − x); one product per finite bound.

  int startPath(double push, double speed, const PathRows& at) const;
  int startNear(const double* impulse, const double*, double push, double speed, const PathRows& at) const;
  void computeGap(const double* velocity, const PathRows& at) const;
  void addProducts(double length, const PathRows& at, double& sum) const;
  void linearizePath(const PathRows& at) const;
  void formRight(double tau, const PathRows& at) const;
  void recoverPath(double tau, const PathRows& at) const;
  double longestStep(const PathRows& at) const;
};

}  // namespace rigor
