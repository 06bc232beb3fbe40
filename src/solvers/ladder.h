// The solvers behind the names of solver.h. `auto` is a ladder of stages from cheap to stubborn, judged after each:
//
//   sets         the last step's sets are right: one factorisation
//   block_sor    three alternating sweeps, reduced Newton with the sets they found; then up to 150 sweeps and again
//   natural_map  semismooth Newton on the natural map, from the best point so far
//   alart_curnier the same on Alart and Curnier's equation
//   at_rest      the same from the least impulse that would stop every row, put into the cones
//   proximal     W + ε w I, b − ε w λ_k: a chain of regular problems with ε from 1 to 1e-12
#pragma once

#include "rigor/solver.h"
#include "solvers/iterate.h"
#include "solvers/reduced_newton.h"
#include "solvers/semismooth_newton.h"

namespace rigor {

/// What every solver here does around its stages: check the blocks, start from the caller's impulse, keep the best
/// iterate, and hand it back judged.
class StagedSolver : public ContactSolver {
 public:
  void solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) final;

 protected:
  virtual void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) = 0;

  /// Makes `now_` the answer if the judge likes it better than what was best; true if it is accepted.
  bool keep(const SolverOptions& options, const char* stage);
  bool sweepAndPolish(const ContactProblem& problem, const SolverOptions& options, int sweeps);

  Iterate now_, best_;
  const Iterate* answer_ = nullptr;  // best_, or now_ once that is accepted
  const char* stage_ = "";
  int iterations_ = 0;
  ReducedNewton reduced_;
};

class BisectionSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "bisection"; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;
};

class NewtonSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "newton"; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;
};

class LadderSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "auto"; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;

 private:
  bool continueProximally(const ContactProblem& problem, const SolverOptions& options);

  SemismoothNewton semismooth_;
  std::vector<double> centre_;
};

}  // namespace rigor
