// Interior point for exact Coulomb friction. Each contact is two cones, smooth and without the shift μ|ut| n:
//
//   γ ≥ 0 ⟂ s ≥ 0           s = un + ν                      (γ = λn)
//   (μγ, β) ∈ Q ⟂ (ψ, ut) ∈ Q                               (β = λt, ψ the slip speed)
//
// The products are relaxed (LT eq. 26g–i, there for the sides of a pyramid) to γ s = τ and
// (μγ, β) ∘ (ψ, ut) = (τ, 0, 0) with the Jordan product of the second-order cone, and τ is driven to 0 with Mehrotra's
// predictor and corrector; limits are γ s = τ, box rows have one such pair per finite bound. Follows one smooth path
// from the middle of the cones, so it hardly cares how redundant the contacts are or where the sets end. Stalls near
// 1e-8: a polish finishes. Law pyramid has LT's own form, a product per side (pyramid_path.cpp).
#pragma once

#include <array>
#include <vector>

#include "rigor/contact_problem.h"
#include "rigor/solver.h"
#include "solvers/iterate.h"
#include "solvers/scaled_system.h"

namespace rigor {

/// Where a path begins.
struct PathStart {
  double size = 1.0;  ///< normal impulses: this times the impulse that would stop every row
  /// > 0: near the iterate instead, but no impulse and no velocity closer to the edge of its cone than this part of the
  /// largest. A path that begins so is short where the iterate is nearly right.
  double inside = 0.0;
  /// By its arc length and never far from it: many short steps, but round folds, where τ must rise before it falls on.
  bool closely = false;
};

class InteriorPoint {
 public:
  /// Makes room for problems of up to this many rows, before the first of them: where W is dense; where it has factors, and the
  /// path may be followed closely.
  void reserve(int rows);
  void forget() { system_.forget(); }                      ///< the next problem is another one
  void heed(const StopFlag* stop) { system_.heed(stop); }  ///< once it is raised, the best so far will do
  void reserveFactored(int rows);

  /// Leaves the end of the path in the iterate, judged, with its sets. Stops early when the judge accepts. Returns the
  /// number of iterations.
  int solve(const ContactProblem& problem, double tolerance, int max_iterations, PathStart start, Iterate& iterate);

  // The same in parts: somebody may look whether the sets can be read off already.

  void begin(const ContactProblem& problem, PathStart start, const Iterate& iterate);
  /// Goes on until the judge's law residual is below `law`, or the path ends.
  int goOn(const ContactProblem& problem, double law, int max_iterations, Iterate& iterate);
  bool ended() const { return ended_; }

 private:
  void reserveRows(int rows);
  void resize(const ContactProblem& problem);
  void start(const ContactProblem& problem, double size);
  void startNear(const ContactProblem& problem, double inside, const Iterate& iterate);
  void computeGaps(const ContactProblem& problem);
  void linearize(const ContactProblem& problem);
  void solveFor(const ContactProblem& problem, double tau);
  double longestStep(const ContactProblem& problem);
  double measureAfter(const ContactProblem& problem, double length);
  PathRows rowsAt(int row);
  void take(double length);
  void leave(const ContactProblem& problem, Iterate& iterate) const;

  bool step(const ContactProblem& problem);

  // Following closely (path_arc.cpp).

  using Triple = std::array<std::vector<double>, 3>;  // something of x, y and z, [m] each

  /// A point of the path and how it is left.
  struct ArcPoint {
    Triple at, tangent;
    double tau = 0.0;
    double slope = -1.0;   // d log τ of the tangent
    double length = 0.25;  // of the next step, in relative change
  };

  void beginArc();
  bool stepAlong(const ContactProblem& problem);
  bool retreat(const ContactProblem& problem);
  double findLength(const ContactProblem& problem, double along, double across, double& change);
  void weigh(const ContactProblem& problem);
  double product(const Triple& a, const Triple& b) const;

  int pairs_ = 0;                   // complementarity pairs
  double first_ = 0.0, now_ = 0.0;  // mean product where the path began, and where it is
  double last_step_ = 1.0;
  int stalled_ = 0;
  bool ended_ = false;
  bool closely_ = false;
  bool on_path_ = false;  // it has been near the path once
  double lowest_ = 0.0;   // τ so far
  ArcPoint now_at_, last_good_;
  Triple weight_, centring_, rate_;  // metric; step to the path at this τ; d/d log τ
  std::vector<double> root_, x_, dx_, px_, y_, dy_, py_, z_, dz_, pz_, gap_, first_product_,
      right_;                                 // [m] see PathRows
  std::vector<double> side_, dside_, pside_;  // [m × directions] of law pyramid, at the first row of each contact
  int corners_ = 0;
  std::vector<double> product_;  // [m] W times something
  std::vector<EquationRow> equations_;
  ScaledSystem system_;
};

}  // namespace rigor
