// Newton's method on what the sets leave over (reduced_newton.h), for problems whose W has factors: the same equations,
// one row of them per row of the problem, solved in the freedoms of the nodes. A part of each block's scale stands on the
// diagonal of the Jacobian only, so hyperstatic sets are regular and the answer stays unbiased.
#pragma once

#include <vector>

#include "contact/unit_rows.h"
#include "rigor/contact_problem.h"
#include "solvers/iterate.h"
#include "solvers/scaled_system.h"

namespace rigor {

class NodeNewton {
 public:
  /// The next problem is another one.
  void forget() { system_.forget(); }
  void heed(const StopFlag* stop) { system_.heed(stop); }  ///< once it is raised, the best so far will do

  /// Trusts iterate.modes: one factorisation, a few solves with it. True if the judge accepts.
  bool trySets(const ContactProblem& problem, double tolerance, Iterate& iterate);

  /// Starts from iterate (judged, modes set) and corrects the sets after each iteration. Leaves the best iterate that
  /// the judge saw; returns the number of iterations.
  int polish(const ContactProblem& problem, double tolerance, int max_iterations, Iterate& iterate);

 private:
  void prepare(const ContactProblem& problem);
  bool factorSets(const ContactProblem& problem, double diagonal, const Iterate& iterate);
  bool solveStep(const ContactProblem& problem, bool exactly, const Iterate& iterate);
  void move(Iterate& iterate) const;
  bool stopAtEdge(const ContactProblem& problem, double furthest, Iterate& iterate);
  bool goesRound(const Iterate& iterate, int iterations);

  std::vector<double> root_, right_;        // [m]
  std::vector<double> before_, direction_;  // [m] the impulse before the last step, and that step
  std::vector<EquationRow> equations_;      // [m]
  std::vector<Piece> pieces_;               // of the units that are not open
  ScaledSystem system_;
  Iterate best_;
  struct Visit {
    std::vector<ContactMode> modes;
    double law;
  };
  Visit visits_[2];  // where the last two iterations ended
};

}  // namespace rigor
