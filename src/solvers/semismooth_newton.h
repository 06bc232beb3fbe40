// Newton's method on a nonsmooth equation F(λ) = 0 that holds exactly where the law does. No sets are kept: each block
// is linearised where it stands, so one iteration may change all of them. In variables scaled by one number per block
// (x = √w λ, y = u/√w, W̃ with unit trace per row; the cones keep their shape) two equations are offered:
//
//   natural map      F = x − P_K(x − ŷ),  ŷ = y + (ν + μ|yt|) n
//   Alart–Curnier    Fn = xn − (xn − yn − ν)⁺,  Ft = xt − P_D(xt − yt), D the disc of radius μ (xn − yn − ν)⁺
//
// The other kinds have the natural map of their interval. A step is shortened until |F|² is below the largest of the
// last six values (nonmonotone: strict descent crawls along kinks).
#pragma once

#include <vector>

#include "rigor/contact_problem.h"
#include "solvers/iterate.h"
#include "solvers/scaled_system.h"

namespace rigor {

enum class NonsmoothMap { kNatural, kAlartCurnier };

/// ε > 0 solves the proximal problem instead: W + ε w_i I, b − ε w_i λ_centre, regular however singular W is.
struct Proximal {
  double epsilon = 0.0;
  const double* centre = nullptr;  ///< [m]
  double fall = 1e-10;             ///< of |F| that counts as solved
};

class SemismoothNewton {
 public:
  /// Makes room for problems of up to this many rows, before the first of them.
  void reserve(int rows);
  void forget() { system_.forget(); }                      ///< the next problem is another one
  void heed(const StopFlag* stop) { system_.heed(stop); }  ///< once it is raised, the best so far will do

  /// Starts at iterate.impulse; stops when the judge accepts (proximal: when |F| has fallen as far as asked).
  /// Leaves the last iterate (proximal) or the best that the judge saw. Returns the number of iterations.
  int solve(const ContactProblem& problem, NonsmoothMap map, double tolerance, int max_iterations, Iterate& iterate,
            Proximal proximal = {});

  /// λ = −(W + δ)⁻¹ b: the impulse that would stop every row, of least norm where W is singular, put into the cones.
  bool startAtRest(const ContactProblem& problem, Iterate& iterate);

  /// True if |F| of the last proximal problem has fallen as far as asked.
  bool reached() const { return reached_; }

 private:
  void prepare(const ContactProblem& problem);
  double evaluate(const ContactProblem& problem, NonsmoothMap map, const Proximal& proximal, const double* impulse,
                  double* velocity);
  bool factorRest(const ContactProblem& problem);
  bool computeStep(const ContactProblem& problem, double regularisation, const Proximal& proximal, bool exactly);

  std::vector<double> root_;            // [m] √w of each row's block
  std::vector<EquationRow> equations_;  // [m]
  std::vector<double> step_, trial_, trial_velocity_;
  ScaledSystem system_;
  Iterate best_;
  bool reached_ = false;
};

}  // namespace rigor
