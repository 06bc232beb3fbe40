// The solvers behind the names of solver.h: which stages they climb, in which order.
#pragma once

#include "solvers/staged_solver.h"

namespace rigor {

/// Block SOR alone (PC Alg. 2), each contact solved exactly by the law of the problem. Relaxation 1 is fastest where it
/// converges; 0.7 also converges on heaps.
class BisectionSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "bisection"; }
  bool solves(Law law) const override { return law != Law::kAssociated; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;
};

/// The same with one of PC's ways to solve a contact, and with PC's relaxation: 1, falling to 0.7. Law dissipation.
class PerContactSolver final : public StagedSolver {
 public:
  PerContactSolver(std::string_view name, std::string_view single) : name_(name), solve_(findSingleSolve(single)) {}

  std::string_view name() const override { return name_; }
  bool solves(Law law) const override { return law == solve_.law; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;

 private:
  std::string_view name_;
  const SingleSolve& solve_;
};

/// Projected Gauss–Seidel (PC eq. 17–18): each contact takes a step against its velocity and is put back into its set.
class PgsSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "pgs"; }
  bool solves(Law law) const override { return law == Law::kCoulomb || law == Law::kPyramid; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;
};

/// Sets from the last step or from a few sweeps, reduced Newton to rounding; by other laws than Coulomb's Newton on the
/// natural map.
class NewtonSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "newton"; }
  bool solves(Law law) const override { return law != Law::kAssociated; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;
};

/// Always the path from the middle of the cones, then Newton: no warm start, hardly any failure.
class InteriorPointSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "interior_point"; }
  bool solves(Law law) const override { return law == Law::kCoulomb || law == Law::kPyramid; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;
};

/// All stages from cheap to stubborn, judged after each; for other laws than Coulomb's, those that know them.
class LadderSolver final : public StagedSolver {
 public:
  std::string_view name() const override { return "auto"; }
  bool solves(Law law) const override { return law != Law::kAssociated; }
  int mostDenseRows() const override { return kMostDenseRows; }

 protected:
  void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) override;

 private:
  static constexpr int kMostDenseRows = 60;

  void runFactored(const ContactProblem& problem, const SolverOptions& options, bool sets_known);
  void runOtherLaw(const ContactProblem& problem, const SolverOptions& options);
};

}  // namespace rigor
