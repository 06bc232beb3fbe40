// Contact solver `lemke`: the friction pyramids of a problem as one complementarity problem, solved by Lemke's method. Loops are taken
// out before; judge and proof of a jam are those of all solvers.
#pragma once

#include "rigor/solver.h"
#include "solvers/iterate.h"
#include "solvers/lemke_path.h"
#include "solvers/pyramid_lcp.h"
#include "solvers/verdict.h"

namespace rigor {

class LemkeSolver final : public ContactSolver {
 public:
  std::string_view name() const override { return "lemke"; }
  bool solves(Law law) const override { return law == Law::kPyramid; }
  /// Stages: "basis", the sides and modes of the caller's impulse; "lemke", paths from there and from nothing.
  void solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) override;

 private:
  void reserve(const ContactProblem& problem);
  void climb(const ContactProblem& problem, const SolverOptions& options, bool sets_known, ContactSolution& solution);
  bool follow(const ContactProblem& problem, const SolverOptions& options, const std::vector<LcpPlace>& places,
              int cover);
  /// Hands z of the path to the judge; true if that is the answer. The best is kept.
  bool keep(const ContactProblem& problem, const SolverOptions& options, const char* stage);
  int pivotsLeft(const SolverOptions& options) const;

  int reserved_rows_ = 0, reserved_directions_ = 0;
  PyramidLcp pyramid_;
  LcpForm form_;
  LemkePath path_;
  SolverVerdict verdict_;
  Iterate now_, best_;
  std::vector<double> z_;
  std::vector<LcpPlace> start_, nothing_;
  const char* stage_ = "";
  int pivots_ = 0;
  bool has_best_ = false;
};

}  // namespace rigor
