#include "solvers/loop_eliminator.h"

#include <algorithm>

#include "contact/judge.h"
#include "contact/visit_block.h"

namespace rigor {

void LoopEliminator::solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) {
  if (!hasEqualRows(problem)) return inner_->solve(problem, options, solution);
  const Start start = prepareSolution(problem, solves(problem.law), solution);
  if (!start.sound) return;
  if (problem.W.hasForest() && !wantsDense(problem.W, mostDenseRows())) {
    solution.modes_known = start.sets_known;
    inner_->solve(problem, options, solution);
    if (accepts(solution.residuals, options.tolerance) || problem.rows() > kDenseAtLast || isRaised(options.stop))
      return;
    solution.modes_known = false;
  }
  if (problem.W.isFactored()) return solve(makeDense(problem), options, solution);
  verdict_.begin(problem);
  if (!elimination_.reduce(problem, options.stop)) {
    solution.residuals = judgeImpulse(problem, solution.impulse.data(), solution.velocity.data());
    return verdict_.conclude(options, solution);
  }
  elimination_.restrict(solution, free_);
  free_.modes_known = start.sets_known;
  free_.velocity.resize(elimination_.reduced().b.size());
  free_.stage = "loops";
  free_.iterations = 0;
  const bool loops_only = elimination_.reduced().blocks.empty();
  SolverOptions inner = options;
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (!loops_only) inner_->solve(elimination_.reduced(), inner, free_);
    solution.iterations += free_.iterations;
    elimination_.recover(problem, free_, solution);
    solution.residuals = judgeAnswer(problem, options.tolerance, solution.impulse.data(), solution.velocity.data());
    const Residuals& all = solution.residuals;
    if (loops_only || accepts(all, options.tolerance) || !all.finite || !accepts(free_.residuals, inner.tolerance))
      break;
    // the velocities of all rows are smaller than those that the loops leave, so their limits are too
    inner.tolerance *= 0.1 * options.tolerance / std::max(all.law, options.tolerance);
  }
  solution.stage = free_.stage;
  solution.complaint = free_.complaint;
  verdict_.conclude(options, solution);
}

std::unique_ptr<ContactSolver> eliminateLoops(std::unique_ptr<ContactSolver> solver) {
  return std::make_unique<LoopEliminator>(std::move(solver));
}

}  // namespace rigor
