#include "solvers/ladder.h"

#include <algorithm>

namespace rigor {

void BisectionSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool) {
  const int limit = options.max_iterations > 0 ? options.max_iterations : 2000;
  const int first = std::max(1, limit / 4);
  if (sweep(problem, options, first, 1.0) || first == limit) return;
  sweep(problem, options, limit - first, 0.7);
}

void NewtonSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) {
  if (sets_known && solveFromSets(problem, options)) return;
  const int limit = options.max_iterations > 0 ? options.max_iterations : 150;
  if (sweep(problem, options, std::min(3, limit), 1.0) || polish(problem, options) || exhausted(options)) return;
  if (sweep(problem, options, limit, 1.0)) return;
  polish(problem, options);
}

void InteriorPointSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool) {
  followPath(problem, options);
}

void LadderSolver::runFactored(const ContactProblem& problem, const SolverOptions& options, bool sets_known) {
  // The first answer of an island should be in the middle of what redundant contacts leave open: sets read off there stay
  // what they are, those of an impulse at the edge of its cones flicker from step to step.
  if (restsFromNothing(problem)) {
    if (followPathFrom(problem, options, {.size = 1.0}) || exhausted(options)) return;
    goToStart();
  } else if (sets_known && (tryFactoredSets(problem, options) || exhausted(options))) {
    return;
  }
  if (solveSemismooth(problem, options, 15, "newton") || exhausted(options)) return;
  if (followPathFrom(problem, options, {.inside = 1e-2}) || exhausted(options)) return;
  goToStart();
  if (followPathFrom(problem, options, {.inside = 1e-1}) || exhausted(options)) return;
  if (sets_known && (walkProximally(problem, options, 40) || exhausted(options))) return;
  if (followPathFrom(problem, options, {.size = 1.0}) || exhausted(options)) return;
  if (walkProximally(problem, options, 100) || exhausted(options)) return;
  if (followPathFrom(problem, options, {.size = 1.0, .closely = true}) || exhausted(options)) return;
  if (continueFromBest(problem, options) || exhausted(options)) return;
  if (sweepAndSolve(problem, options, 100) || exhausted(options)) return;
  restart(problem, options);
}

void LadderSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) {
  if (problem.W.isFactored()) return runFactored(problem, options, sets_known);
  if (sets_known && solveFromSets(problem, options)) return;
  if (sweep(problem, options, 3, 1.0) || polish(problem, options) || exhausted(options)) return;
  if (proveJam(options)) return;
  if (followPath(problem, options) || exhausted(options) || isEnough(options)) return;
  if (solveFromRest(problem, options) || exhausted(options)) return;
  if (sweep(problem, options, 150, 1.0) || polish(problem, options) || exhausted(options)) return;
  if (restart(problem, options) || exhausted(options)) return;
  continueProximally(problem, options);
}

}  // namespace rigor
