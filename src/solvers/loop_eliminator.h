// Any solver, with loops taken out of its problems first. The inner solver sees the Schur complement of the other rows;
// the recovered answer is judged on all of them.
#pragma once

#include <memory>

#include "rigor/solver.h"
#include "solvers/eliminate.h"
#include "solvers/verdict.h"

namespace rigor {

class LoopEliminator final : public ContactSolver {
 public:
  explicit LoopEliminator(std::unique_ptr<ContactSolver> inner) : inner_(std::move(inner)) {}

  std::string_view name() const override { return inner_->name(); }
  bool solves(Law law) const override { return inner_->solves(law); }
  int mostDenseRows() const override { return inner_->mostDenseRows(); }
  /// Without equal rows this is the inner solver itself. With nothing but equal rows it is not asked, and the stage that
  /// won is called "loops".
  void solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) override;

 private:
  std::unique_ptr<ContactSolver> inner_;
  Elimination elimination_;
  ContactSolution free_;  // of the problem without equal rows
  SolverVerdict verdict_;
};

}  // namespace rigor
