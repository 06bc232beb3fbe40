#include "solvers/loop_eliminator.h"

#include <algorithm>

#include "contact/judge.h"
#include "contact/visit_block.h"

namespace rigor {

bool LoopEliminator::reduce(const ContactProblem& problem, const StopFlag* stop) {
  if (!problem.W.isFactored()) return elimination_.reduce(problem, stop);
  return graph_.reduce(problem, stop) && elimination_.reduce(graph_.rest(), stop, &graph_.scales());
}

void LoopEliminator::restrict(const ContactProblem& problem, const ContactSolution& full) {
  if (!problem.W.isFactored()) return elimination_.restrict(full, free_);
  graph_.restrict(full, rest_);
  elimination_.restrict(rest_, free_);
}

void LoopEliminator::recover(const ContactProblem& problem, ContactSolution& full) {
  if (!problem.W.isFactored()) return elimination_.recover(problem, free_, full);
  elimination_.recover(graph_.rest(), free_, rest_);
  graph_.recover(problem, elimination_, rest_, full);
}

void LoopEliminator::solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) {
  if (!hasEqualRows(problem)) return inner_->solve(problem, options, solution);
  const Start start = prepareSolution(problem, solves(problem.law), solution);
  if (!start.sound) return;
  if (problem.W.hasForest()) {
    if (wantsDense(problem.W, mostDenseRows())) return solveDense(problem, options, solution);
    solution.modes_known = start.sets_known;
    inner_->solve(problem, options, solution);
    if (accepts(solution.residuals, options.tolerance) || problem.rows() > kDenseAtLast || isRaised(options.stop))
      return;
    solution.modes_known = false;
    return solveDense(problem, options, solution);
  }
  solveReduced(problem, options, start.sets_known, solution);
  // what the graph cannot solve may have no solution: that is proved with a dense W
  const bool dense_too = problem.W.isFactored() && !isRaised(options.stop);
  if (dense_too && !accepts(solution.residuals, options.tolerance)) solveDense(problem, options, solution);
}

void LoopEliminator::solveDense(const ContactProblem& problem, const SolverOptions& options,
                                ContactSolution& solution) {
  dense_ = problem;
  dense_.W.becomeDense();
  solve(dense_, options, solution);
}

void LoopEliminator::solveReduced(const ContactProblem& problem, const SolverOptions& options, bool sets_known,
                                  ContactSolution& solution) {
  verdict_.begin(problem);
  if (!reduce(problem, options.stop)) {
    solution.residuals = judgeImpulse(problem, solution.impulse.data(), solution.velocity.data());
    return verdict_.conclude(options, solution);
  }
  restrict(problem, solution);
  free_.modes_known = sets_known;
  free_.velocity.resize(elimination_.reduced().b.size());
  free_.stage = "loops";
  free_.iterations = 0;
  const bool loops_only = elimination_.reduced().blocks.empty();
  SolverOptions inner = options;
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (!loops_only) inner_->solve(elimination_.reduced(), inner, free_);
    solution.iterations += free_.iterations;
    recover(problem, solution);
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
