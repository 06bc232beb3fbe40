// Any solver, with loops taken out of its problems first, along their graph where W has factors. The inner solver sees the Schur
// complement of the other rows; the recovered answer is judged on all of them.
#pragma once

#include <memory>

#include "rigor/solver.h"
#include "solvers/eliminate.h"
#include "solvers/loop_graph.h"
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
  bool reduce(const ContactProblem& problem, const StopFlag* stop);
  void restrict(const ContactProblem& problem, const ContactSolution& full);
  void recover(const ContactProblem& problem, ContactSolution& full);
  void solveReduced(const ContactProblem& problem, const SolverOptions& options, bool sets_known,
                    ContactSolution& solution);
  void solveDense(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution);

  std::unique_ptr<ContactSolver> inner_;
  LoopGraph graph_;
  Elimination elimination_;
  ContactSolution rest_;  // of the problem that the graph leaves
  ContactSolution free_;  // of the problem without equal rows
  ContactProblem dense_;  // one that the graph had no answer for
  SolverVerdict verdict_;
};

}  // namespace rigor
