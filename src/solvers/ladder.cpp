#include "solvers/ladder.h"

#include <algorithm>
#include <cstdint>

#include "contact/visit_block.h"

namespace rigor {

void BisectionSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool) {
  const int limit = options.max_iterations > 0 ? options.max_iterations : 2000;
  const Relaxation under{.first = 0.7, .least = 0.7};
  const auto go = [&](int share, Relaxation relaxation, bool extrapolate) {
    const int sweeps = std::min(std::max(1, static_cast<int>(std::int64_t{limit} * share / 100)), limit - iterations_);
    return sweeps < 1 || (iterations_ > 0 && isRaised(options.stop)) ||
           sweepOn({}, problem, options, sweeps, relaxation, extrapolate);
  };
  if (problem.law == Law::kPyramid) {  // solved singly it goes from corner to corner: nothing to extrapolate
    if (sweepBy({}, problem, options, std::max(1, limit / 4), {}) || exhausted(options)) return;
    sweepBy({}, problem, options, limit - limit / 4, under);
    return;
  }
  // Extrapolation may lead in circles where plain sweeps get through.
  if (go(3, {}, true) || go(22, under, true)) return;
  goToStart();
  if (go(25, {}, false)) return;
  go(100, under, false);
}

void PerContactSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool) {
  constexpr double kWithin = 0.1;  // of what the judge lets pass
  const ContactRule rule{.kind = ContactRule::Kind::kSingle,
                         .single = solve_.solve,
                         .accuracy = kWithin * std::min(options.aim, options.tolerance)};
  const Relaxation relaxation{.first = 1.0, .least = 0.7, .decay = 0.99};
  const int limit = options.max_iterations > 0 ? options.max_iterations : 2000, first = std::max(1, limit / 4);
  if (sweepOn(rule, problem, options, first, relaxation) || first == limit) return;
  goToStart();
  sweepOn(rule, problem, options, limit - first, relaxation, false);
}

void PgsSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool) {
  const int limit = options.max_iterations > 0 ? options.max_iterations : 20000;
  sweepOn({.kind = ContactRule::Kind::kGradient}, problem, options, limit, {}, false);
}

void NewtonSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) {
  if (hasOtherCones(problem.law)) return runNaturalMap(problem, options);
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
  // along the links of a forest one contact moves all others: sweeps are not linear there
  if (!problem.W.hasForest() && (sweepAndSolve(problem, options, 100) || exhausted(options))) return;
  restart(problem, options);
}

void LadderSolver::runOtherLaw(const ContactProblem& problem, const SolverOptions& options) {
  runNaturalMap(problem, options);
  if (isSolved(options) || exhausted(options) || proveJam(options)) return;
  if (problem.law == Law::kPyramid && (followPath(problem, options) || exhausted(options))) return;
  if (restart(problem, options) || exhausted(options)) return;
  goToStart();
  if (sweep(problem, options, 500, 1.0) || solveNaturalMap(problem, options, "newton") || exhausted(options)) return;
  sweep(problem, options, 1500, 0.7);
}

void LadderSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) {
  if (hasOtherCones(problem.law)) return runOtherLaw(problem, options);
  if (problem.W.isFactored()) return runFactored(problem, options, sets_known);
  if (sets_known && (solveFromSets(problem, options) || isEnough(options))) return;
  if (sweep(problem, options, 3, 1.0) || polish(problem, options) || exhausted(options) || isEnough(options)) return;
  if (proveJam(options)) return;
  if (followPath(problem, options) || exhausted(options) || isEnough(options)) return;
  if (solveFromRest(problem, options) || exhausted(options)) return;
  if (sweep(problem, options, 150, 1.0) || polish(problem, options) || exhausted(options)) return;
  if (restart(problem, options) || exhausted(options)) return;
  if (continueProximally(problem, options) || exhausted(options)) return;
  if (followClosely(problem, options) || exhausted(options)) return;
  if (walkProximally(problem, options, 200) || exhausted(options)) return;
  refineBest(problem, options);
}

}  // namespace rigor
