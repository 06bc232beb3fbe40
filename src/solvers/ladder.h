// The solvers behind the names of solver.h: which stages they climb, in which order. All solve the coulomb law.
#pragma once

#include "solvers/staged_solver.h"

namespace rigor {

/// Block SOR alone (PC Alg. 2), each contact solved exactly. Relaxation 1 is fastest where it converges; 0.7 also
/// converges on heaps.
class BisectionSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "bisection"; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;
};

/// Sets from the last step or from a few sweeps, reduced Newton to rounding.
class NewtonSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "newton"; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;
};

/// Always the path from the middle of the cones, then Newton: no warm start, hardly any failure.
class InteriorPointSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "interior_point"; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;
};

/// All stages from cheap to stubborn, judged after each.
class LadderSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "auto"; }
  int mostDenseRows() const override { return kMostDenseRows; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;

 private:
  static constexpr int kMostDenseRows = 60;

  void runFactored(const ContactProblem& problem, const SolverOptions& options, bool sets_known);
};

}  // namespace rigor
