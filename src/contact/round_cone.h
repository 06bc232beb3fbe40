// A contact with friction of turning: K = {|λt| ≤ μ λn} with three or five tangential rows, û = u + (ν + R λn + μ|ut|) n. The same
// verbs and the same law as friction_cone.h, which is the frequent case of two. Rows of different kinds (sliding, torsion,
// rolling) come multiplied by their coefficients, so that an ellipsoid of friction is a round cone.
#pragma once

#include "contact/friction_cone.h"
#include "contact/round_contact.h"

namespace rigor {

/// Coordinates across a direction d of R^N: the reflection H = I − 2 v vᵀ/v·v, v = d ± e₀, takes e₀ to ∓d; its other columns are
/// an orthonormal basis of what is across d.
template <int kTangents>
struct Reflection {
  double v[kTangents], factor;

  explicit Reflection(const double* d) {
    double square = 0.0;
    for (int i = 0; i < kTangents; ++i) v[i] = d[i];
    v[0] += d[0] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < kTangents; ++i) square += v[i] * v[i];
    factor = 2.0 / square;
  }
  void apply(const double* x, double* out) const {
    double along = 0.0;
    for (int i = 0; i < kTangents; ++i) along += v[i] * x[i];
    for (int i = 0; i < kTangents; ++i) out[i] = x[i] - factor * along * v[i];
  }
};

template <int kTangents>
struct RoundCone {
  static constexpr const char* kName = FrictionCone::kName;
  static constexpr int kRows = 1 + kTangents, kNormalRows = 1;
  static constexpr bool kEquation = false, kHasFriction = true, kHasBounds = false, kSlips = true;

  double mu, bias, lift, compliance;

  RoundCone(const ContactProblem& problem, const Block& block, int row)
      : mu(block.mu),
        bias(problem.bias[row]),
        lift(problem.law == Law::kCoulomb ? block.mu : 0.0),
        compliance(problem.compliance[row]) {}
  RoundCone(double friction, double scaled_bias, double scaled_compliance)
      : mu(friction), bias(scaled_bias), lift(friction), compliance(scaled_compliance) {}

  static bool isSound(const Block& block) { return FrictionCone::isSound(block); }
  static double numbersOf(const ContactProblem& problem, int row) { return FrictionCone::numbersOf(problem, row); }
  bool mayProve(const double* f) const {
    bool turns = false;
    for (int r = 1; r < kRows; ++r) turns = turns || f[r] != 0.0;
    return !turns && (compliance > 0.0 ? f[0] == 0.0 : !(f[0] < 0.0));
  }

  // The law.

  double shift(const double* impulse, const double* u, double slip) const {
    return u[0] + (bias + compliance * impulse[0]) + lift * slip;
  }
  void project(double* x) const;
  bool removePull(double* x) const {
    if (!(x[0] < 0.0)) return false;
    project(x);
    return true;
  }
  double residual(const double* impulse, const double* velocity, double w) const;
  void report(const double* impulse, const double* u, double w, Residuals& out) const;
  ContactMode classify(const double* impulse, const double* u, double w) const;
  ContactMode solveAlone(const double W[kRows][kRows], const double* free, const double* impulse, double* next) const {
    return solveRoundContact<kTangents>(W, free, bias, compliance, mu, impulse, next);
  }

  // Open, stick and slip.

  static ContactMode modeInBlock(ContactMode of_block, int, const double*) { return of_block; }
  void conform(const double* velocity, double* impulse, ContactMode& mode) const;
  bool correct(const double* impulse, const double* u, double slack, ContactMode& mode) const;
  UnitEdge findEdge(ContactMode mode, const double* x, const double* d) const;
  bool reduce(ContactMode mode, const double* impulse, const double* u, double trace, Piece& piece) const;
  template <class Uniform>
  void scatter(Uniform& uniform, double w, const double* b, double* impulse) const {
    const double kind = uniform(), part = uniform(), slip = lengthOfTangents(b);
    if (kind < 0.25) {
      for (int r = 0; r < kRows; ++r) impulse[r] = 0.0;
    } else if (kind < 0.6) {
      impulse[0] = w > 0.0 ? 2.0 * part * std::abs(b[0] + bias) / w : impulse[0];
      for (int r = 1; r < kRows; ++r) impulse[r] = slip > 0.0 ? -mu * impulse[0] * b[r] / slip : 0.0;
    } else {
      for (int r = 0; r < kRows; ++r) impulse[r] *= 2.0 * part;
    }
  }

  // A slipping contact in reduced Newton: unknowns (λn, s) with λt = μ λn d + (0, s) reflected; rows n and those across d.

  static void combineColumns(const SlipFrame& frame, const double* from, double* target);
  static void combineRows(const SlipFrame& frame, const double* rows, int columns, double* combined);
  static void combineVelocity(const SlipFrame& frame, const double* u, double* right);
  static void moveSlip(const SlipFrame& frame, const double* step, double* impulse);
  static bool aimSlip(const double* impulse, SlipFrame& frame);
  static void writeSlip(const SlipFrame& frame, double w, double compliance, EquationRow* out);
  static void alongSlip(const SlipFrame& frame, const double* step, double* along);

  // The nonsmooth maps, in scaled variables.

  RoundCone scaled(double root) const { return {mu, 1.0 / root * bias, 1.0 / (root * root) * compliance}; }
  void linearizeNaturalMap(const double* x, const double* y, EquationRow* out) const;
  void linearizeAlartCurnier(const double* x, const double* y, EquationRow* out) const;

  // The path, as of friction_cone.h: (γ, s) and ((μγ, β), (ψ, ut)).

  int startPath(double push, double speed, const PathRows& at) const;
  int startNear(const double* impulse, const double* velocity, double push, double speed, const PathRows& at) const;
  void computeGap(const double* velocity, const PathRows& at) const;
  void addProducts(double length, const PathRows& at, double& sum) const;
  void linearizePath(const PathRows& at) const;
  void formRight(double tau, const PathRows& at) const;
  void recoverPath(double tau, const PathRows& at) const;
  double longestStep(const PathRows& at) const;

  /// |xt|, also where the squares leave the range of doubles.
  static double lengthOfTangents(const double* x) {
    double square = 0.0, largest = 0.0;
    for (int r = 1; r < kRows; ++r) square += x[r] * x[r], largest = std::max(largest, std::abs(x[r]));
    const double length = std::sqrt(square);
    if (length > 1e-140 && length < 1e150) return length;
    if (!(largest > 0.0) || !std::isfinite(largest)) return largest;
    square = 0.0;
    for (int r = 1; r < kRows; ++r) square += (x[r] / largest) * (x[r] / largest);
    return largest * std::sqrt(square);
  }
};

extern template struct RoundCone<3>;
extern template struct RoundCone<5>;

using TorsionCone = RoundCone<3>;  ///< rows (normal, tangent, tangent, torsion)
using RollingCone = RoundCone<5>;  ///< rows (normal, tangent, tangent, torsion, rolling, rolling)

}  // namespace rigor
