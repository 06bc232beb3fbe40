// A contact with friction: K = {|λt| ≤ μ λn}, rows (normal, tangent, tangent), û = u + (ν + R λn + μ|ut|) n by Coulomb's law
// (PC eq. 6). Only the judge knows other laws; what solves or linearises is Coulomb's.
#pragma once

#include <cmath>

#include "contact/single_contact.h"
#include "contact/unit_rows.h"
#include "rigor/contact_problem.h"

namespace rigor {

/// √(a² + b²), also where the squares leave the range of doubles.
inline double lengthOf(double a, double b) {
  const double length = std::sqrt(a * a + b * b);
  return length > 1e-140 && length < 1e150 ? length : std::hypot(a, b);
}

/// Moves x = (n, t, t) to the nearest point of the cone {|t| ≤ μ n}. Without friction the cone is the half line n ≥ 0: a
/// pull (n < 0) is outside whatever μ is, also where μ n is −0.
inline void projectOnFrictionCone(double mu, double x[3]) {
  const double length = lengthOf(x[1], x[2]);
  if (x[0] >= 0.0 && length <= mu * x[0]) return;
  // Nearest point of the mantle: x along the ray (1, μ)/√(1 + μ²), divided by the larger entry so that nothing overflows.
  const bool flat = mu > 1.0;
  const double slope = flat ? 1.0 / mu : mu;
  const double along = (flat ? slope * x[0] + length : x[0] + slope * length) / (1.0 + slope * slope);
  if (along <= 0.0) {  // x lies in the polar cone: the apex is nearest
    x[0] = x[1] = x[2] = 0.0;
    return;
  }
  const double radius = flat ? along : slope * along;
  x[0] = flat ? slope * along : along;
  const double shrink = length > 0.0 ? radius / length : 0.0;
  x[1] *= shrink;
  x[2] *= shrink;
}

/// P_K(z) and its derivative there.
void projectWithDerivative(double mu, const double z[3], double p[3], double P[3][3]);

struct FrictionCone {
  static constexpr const char* kName = "contact";
  static constexpr int kRows = 3, kNormalRows = 1;
  static constexpr bool kEquation = false, kHasFriction = true, kHasBounds = false, kSlips = true;

  double mu, bias;
  double lift;        // û = u + (ν + R λn + lift |ut|) n: μ by Coulomb's law, 0 by the associated one (PC eq. 7)
  double compliance;  // R

  FrictionCone(const ContactProblem& problem, const Block& block, int row)
      : mu(block.mu),
        bias(problem.bias[row]),
        lift(problem.law == Law::kAssociated ? 0.0 : block.mu),
        compliance(problem.compliance[row]) {}
  FrictionCone(double friction, double scaled_bias, double scaled_compliance = 0.0)
      : mu(friction), bias(scaled_bias), lift(friction), compliance(scaled_compliance) {}

  static bool isSound(const Block& block) { return block.mu >= 0.0 && std::isfinite(block.mu); }
  /// Numbers of the rows that the judge must find finite.
  static double numbersOf(const ContactProblem& problem, int row) { return problem.bias[row]; }
  /// May f be part of a proof that there is no solution?
  bool mayProve(const double* f) const {
    return (compliance > 0.0 ? f[0] == 0.0 : !(f[0] < 0.0)) && f[1] == 0.0 && f[2] == 0.0;
  }

  // The law.

  /// û_n; the tangential rows are not shifted.
  double shift(const double* impulse, const double* u, double slip) const {
    return u[0] + (bias + compliance * impulse[0]) + lift * slip;
  }
  void project(double* x) const { projectOnFrictionCone(mu, x); }
  /// λt to the nearest point that this normal impulse allows.
  void limitFriction(double normal, double* t) const {
    const double length = lengthOf(t[0], t[1]), radius = mu * normal;
    if (length > radius) t[0] *= radius / length, t[1] *= radius / length;
  }
  /// Puts only what pulls back into the set; true if it did.
  bool removePull(double* x) const {
    if (!(x[0] < 0.0)) return false;
    project(x);
    return true;
  }
  /// r². K is a cone, so r = |wλ − P_K(wλ − û)| without a division.
  double residual(const double* impulse, const double* velocity, double w) const {
    const auto square = [](double x) { return x * x; };
    const double slip = std::sqrt(square(velocity[1]) + square(velocity[2]));
    const double shifted = shift(impulse, velocity, slip);
    double x[3] = {w * impulse[0] - shifted, w * impulse[1] - velocity[1], w * impulse[2] - velocity[2]};
    if (x[0] >= 0.0 && square(x[1]) + square(x[2]) <= square(mu * x[0])) return square(shifted) + square(slip);
    project(x);
    return square(w * impulse[0] - x[0]) + square(w * impulse[1] - x[1]) + square(w * impulse[2] - x[2]);
  }
  void report(const double* impulse, const double* u, double w, Residuals& out) const;
  ContactMode classify(const double* impulse, const double* u, double w) const {
    // The side of λ − û/w on which the law switches.
    const double pull = impulse[0] - (u[0] + (bias + compliance * impulse[0])) / w;
    const double reach = std::hypot(impulse[1] - u[1] / w, impulse[2] - u[2] / w);
    return pull <= 0.0 ? ContactMode::kOpen : reach < mu * pull ? ContactMode::kStick : ContactMode::kSlip;
  }
  /// u = W λ + free without bias; `next` is the answer.
  ContactMode solveAlone(const double W[3][3], const double* free, const double* impulse, double* next) const;

  // Open, stick and slip.

  static ContactMode modeInBlock(ContactMode of_block, int, const double*) { return of_block; }
  /// Open: λ = 0; slip: on the mantle, against `velocity` where λ has no direction yet.
  void conform(const double* velocity, double* impulse, ContactMode& mode) const;
  /// Moves the mode to the one that λ and u ask for. True if it is open and wants to close: solved alone it says how.
  bool correct(const double* impulse, const double* u, double slack, ContactMode& mode) const;
  UnitEdge findEdge(ContactMode mode, const double* x, const double* d) const;
  /// What the mode leaves unknown; false if nothing. `trace` of the block of W.
  bool reduce(ContactMode mode, const double* impulse, const double* u, double trace, Piece& piece) const {
    piece.count = kRows;
    piece.compliance = compliance;
    if (mode == ContactMode::kSlip) reduceSlip(impulse, u, trace, piece);
    return mode != ContactMode::kOpen;
  }
  void reduceSlip(const double* impulse, const double* u, double trace, Piece& piece) const;
  /// One of: open, pressed as if alone and slipping against its free velocity b, a part of the impulse.
  template <class Uniform>
  void scatter(Uniform& uniform, double w, const double* b, double* impulse) const {
    const double kind = uniform(), part = uniform();
    if (kind < 0.25) {
      impulse[0] = impulse[1] = impulse[2] = 0.0;
    } else if (kind < 0.6) {
      const double slip = std::sqrt(b[1] * b[1] + b[2] * b[2]);
      impulse[0] = w > 0.0 ? 2.0 * part * std::abs(b[0] + bias) / w : impulse[0];
      for (int r = 1; r < 3; ++r) impulse[r] = slip > 0.0 ? -mu * impulse[0] * b[r] / slip : 0.0;
    } else {
      for (int r = 0; r < 3; ++r) impulse[r] *= 2.0 * part;
    }
  }

  // A slipping contact in reduced Newton: unknowns (λn, s) with λ = λn (n + μ d) + s d⊥, rows n and d⊥.

  /// One row of W seen by the unknowns.
  static void combineColumns(const SlipFrame& frame, const double* from, double* target) {
    target[0] = from[0] + frame.mu * (frame.d1 * from[1] + frame.d2 * from[2]);
    target[1] = frame.d1 * from[2] - frame.d2 * from[1];
  }
  /// The rows of all unknowns but the first, of `columns` entries; `rows` are those of W. The first unknown has the first of them.
  static void combineRows(const SlipFrame& frame, const double* rows, int columns, double* combined) {
    const double *first = rows + columns, *second = first + columns;
    for (int j = 0; j < columns; ++j) combined[j] = frame.d1 * second[j] - frame.d2 * first[j];
  }
  /// −u of the combined rows, the first without its bias.
  static void combineVelocity(const SlipFrame& frame, const double* u, double* right) {
    right[0] = -u[0];
    right[1] = frame.d2 * u[1] - frame.d1 * u[2];
  }
  /// Adds the step and puts λt back to the length μ λn.
  static void moveSlip(const SlipFrame& frame, const double* step, double* impulse) {
    impulse[0] += step[0];
    const double radius = frame.mu * impulse[0];
    const double t1 = radius * frame.d1 - step[1] * frame.d2, t2 = radius * frame.d2 + step[1] * frame.d1;
    const double length = std::sqrt(t1 * t1 + t2 * t2);
    const double rescale = length > 0.0 && radius > 0.0 ? radius / length : 0.0;
    impulse[1] = rescale * t1;
    impulse[2] = rescale * t2;
  }
  /// The frame along the impulse; false if that has no direction.
  static bool aimSlip(const double* impulse, SlipFrame& frame) {
    const double length = std::sqrt(impulse[1] * impulse[1] + impulse[2] * impulse[2]);
    if (!(length > 0.0)) return false;
    frame.d1 = impulse[1] / length;
    frame.d2 = impulse[2] / length;
    return true;
  }
  /// Equations of a slipping contact in scaled variables, one per row: un + R λn = 0, d⊥·ut + turn s = 0, and λ stays on the
  /// mantle: λt = μ λn d + s d⊥.
  static void writeSlip(const SlipFrame& frame, double w, double compliance, EquationRow* out);
  /// The unknowns' part of a step of the impulse.
  static void alongSlip(const SlipFrame& frame, const double* step, double* along) {
    along[0] = step[0];
    along[1] = frame.d1 * step[2] - frame.d2 * step[1];
  }

  // The nonsmooth maps, in scaled variables (x impulse, y velocity, w = 1).

  FrictionCone scaled(double root) const { return {mu, 1.0 / root * bias, 1.0 / (root * root) * compliance}; }
  /// x − P_K(x − ŷ).
  void linearizeNaturalMap(const double* x, const double* y, EquationRow* out) const;
  /// Alart and Curnier's augmented equation of the same law.
  void linearizeAlartCurnier(const double* x, const double* y, EquationRow* out) const;

  // The path γ s = τ, μγ u + ψ β = 0 with ψ = (τ − β·u)/(μγ): two cones, (γ, s) and ((μγ, β), (ψ, ut)). x = (γ, β),
  // y = (s, u), z = ψ.

  int startPath(double push, double speed, const PathRows& at) const;
  /// The same near an impulse and its velocity, no closer to the edges than `push` and `speed` [scaled].
  int startNear(const double* impulse, const double* velocity, double push, double speed, const PathRows& at) const;
  void computeGap(const double* velocity, const PathRows& at) const;
  void addProducts(double length, const PathRows& at, double& sum) const;
  void linearizePath(const PathRows& at) const;
  void formRight(double tau, const PathRows& at) const;
  /// dy, dz of the equations that were eliminated; dy holds the answer of the rows' velocities to dx on entry.
  void recoverPath(double tau, const PathRows& at) const;
  double longestStep(const PathRows& at) const;
};

}  // namespace rigor
