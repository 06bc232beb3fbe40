// Newton's method on what the sets leave over. With every contact declared open, stick or slip the law is a square
// system without inequalities, in few unknowns:
//
//   open    none: λ = 0                              stick    λ (3 unknowns), un + ν = 0, ut = 0
//   slip    (λn, s): λ = λn (n + μ d) + s d⊥ with d = λt/|λt|; rows un + ν = 0 and d⊥·ut = 0; turning d by s/(μ λn)
//           adds −(d·ut)/(μ λn) on (d⊥, s); λt is rescaled to μ λn afterwards
//   limit   open or stick (1 unknown)                 box      inside (1 unknown, û = 0) or at a bound (none)
//
// A part of the block's trace is added to the diagonal of the Jacobian only: hyperstatic sets become regular and the
// answer stays unbiased, because the residual is exact. Regular sets get 1e-9. Redundant sets get 1e-6: their rows come
// from positions and contradict each other by rounding ρ, which moves internal forces by ρ/(diagonal), and with 1e-9 that
// is their own size. Where rows contradict each other by more than rounding (points of one body cannot all stand still
// while it turns) some contact must slip or open: internal forces then go to the edge of the first set that ends.
#pragma once

#include <vector>

#include "contact/unit_rows.h"
#include "rigor/contact_problem.h"
#include "solvers/dense_lu.h"
#include "solvers/iterate.h"
#include "solvers/least_norm.h"

namespace rigor {

class ReducedNewton {
 public:
  /// Makes room for problems of up to this many rows, before the first of them.
  void reserve(int rows);
  void heed(const StopFlag* stop) {
    lu_.heed(stop), shortest_.heed(stop);
  }  ///< once it is raised, the best so far will do

  /// Trusts iterate.modes: one factorisation, up to six solves with it. True if the judge accepts.
  bool trySets(const ContactProblem& problem, double tolerance, Iterate& iterate);

  /// Starts from iterate (judged, modes set) and corrects the sets after each iteration. Leaves the best iterate that
  /// the judge saw; returns the number of iterations.
  int polish(const ContactProblem& problem, double tolerance, int max_iterations, Iterate& iterate);

  /// Newton without a diagonal, for sets that are found: of all steps the one that changes impulses least, each relative to
  /// its own size, with rows relative to what the judge allows them. Where the heavy stands on the light, some directions
  /// are 1e-9 of others and yet decide; a diagonal either hides them or lets rounding move internal forces out of the cones
  /// of contacts that carry next to nothing. Sets stay, or are corrected after each iteration. As above.
  int refine(const ContactProblem& problem, double tolerance, int max_iterations, bool correct_sets, Iterate& iterate);

 private:
  bool factorSets(const ContactProblem& problem, const Iterate& iterate);
  bool factorFinely(const ContactProblem& problem, const Iterate& iterate);
  void collectPieces(const ContactProblem& problem, const Iterate& iterate);
  void assemble(const ContactProblem& problem);
  void load(const ContactProblem& problem, double diagonal);
  void collectRows(const ContactProblem& problem);
  template <int kCount>
  void copyColumns(int from, double* target) const;
  void formRight(const ContactProblem& problem, const Iterate& iterate);
  void solveStep(const ContactProblem& problem, const Iterate& iterate);
  int solveShortestStep(const ContactProblem& problem, double tolerance, const Iterate& iterate);
  void move(Iterate& iterate) const;
  bool stopAtEdge(const ContactProblem& problem, double furthest, Iterate& iterate);
  bool goesRound(const Iterate& iterate, int iterations);

  std::vector<Piece> pieces_;
  int unknowns_ = 0;
  bool any_slip_ = false;
  bool all_plain_ = false;  // every row of W is an unknown of its own: the matrix is copied as it is
  bool regular_ = false;    // the fine diagonal was enough
  DenseLu lu_;
  std::vector<double> jacobian_;     // [unknowns × stride of lu_] without the diagonal part
  std::vector<const double*> rows_;  // [unknowns] of W, or of combined_
  std::vector<double> combined_;     // [unknowns of slips but the first × m]
  std::vector<double> right_, before_, direction_;
  LeastNorm shortest_;
  std::vector<double> response_, magnitude_;  // [m] Wλ and Σ|W||λ|
  std::vector<double> unit_;                  // [unknowns] size of an impulse
  Iterate best_;
  struct Visit {
    std::vector<ContactMode> modes;
    double law;
  };
  Visit visits_[2];  // where the last two iterations ended
};

}  // namespace rigor
