#include "solvers/ladder.h"

#include <algorithm>
#include <cmath>

#include "contact/check_problem.h"
#include "contact/judge.h"
#include "solvers/block_sor.h"

namespace rigor {
namespace {

constexpr int kPolishIterations = 12;

bool allFinite(const std::vector<double>& values) {
  for (double value : values)
    if (!std::isfinite(value)) return false;
  return true;
}

}  // namespace

void StagedSolver::solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) {
  const std::size_t m = problem.b.size();
  solution.status = SolveStatus::kBadInput;
  solution.stage = "";
  solution.iterations = 0;
  solution.velocity.resize(m);
  if (!hasSoundBlocks(problem)) {
    solution.residuals = judge(problem, solution);
    return;
  }
  const bool warm = solution.impulse.size() == m && allFinite(solution.impulse);
  solution.impulse.resize(m);
  const bool sets_known = solution.modes_known && warm && solution.modes.size() == problem.blocks.size();
  solution.modes.resize(problem.blocks.size(), ContactMode::kOpen);

  now_.resize(static_cast<int>(m));
  if (warm)
    std::copy(solution.impulse.begin(), solution.impulse.end(), now_.impulse.begin());
  else
    std::fill(now_.impulse.begin(), now_.impulse.end(), 0.0);
  std::copy(problem.b.begin(), problem.b.end(), now_.velocity.begin());
  if (sets_known) importModes(problem, solution, now_);
  best_.residuals.finite = false;
  answer_ = nullptr;
  iterations_ = 0;
  stage_ = "";
  runStages(problem, options, sets_known);

  std::copy(answer_->impulse.begin(), answer_->impulse.end(), solution.impulse.begin());
  std::copy(answer_->velocity.begin(), answer_->velocity.end(), solution.velocity.begin());
  exportModes(problem, *answer_, solution);
  solution.modes_known = true;
  solution.residuals = answer_->residuals;
  solution.stage = stage_;
  solution.iterations = iterations_;
  if (accepts(solution.residuals, options.tolerance))
    solution.status = SolveStatus::kSolved;
  else if (!hasSoundNumbers(problem))
    solution.status = SolveStatus::kBadInput;
  else
    solution.status =
        accepts(solution.residuals, 1e3 * options.tolerance) ? SolveStatus::kInaccurate : SolveStatus::kUnsolved;
}

bool StagedSolver::keep(const SolverOptions& options, const char* stage) {
  if (accepts(now_.residuals, options.tolerance)) {
    answer_ = &now_;
    stage_ = stage;
    return true;
  }
  const bool better = now_.residuals.finite && (!best_.residuals.finite || now_.residuals.law < best_.residuals.law);
  if (better || answer_ == nullptr) {
    best_ = now_;
    answer_ = &best_;
    stage_ = stage;
  }
  return false;
}

bool StagedSolver::sweepAndPolish(const ContactProblem& problem, const SolverOptions& options, int sweeps) {
  iterations_ += relaxBlocks(problem, options.tolerance, sweeps, 1.0, now_);
  if (keep(options, "block_sor")) return true;
  iterations_ += reduced_.polish(problem, options.tolerance, kPolishIterations, now_);
  return keep(options, "newton");
}

void BisectionSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool) {
  // Relaxation 1 is fastest where it converges; 0.7 also converges on heaps.
  const int limit = options.max_iterations > 0 ? options.max_iterations : 2000;
  projectImpulse(problem, now_.impulse);
  iterations_ += relaxBlocks(problem, options.tolerance, std::max(1, limit / 4), 1.0, now_);
  if (keep(options, "block_sor") || iterations_ >= limit) return;
  iterations_ += relaxBlocks(problem, options.tolerance, limit - iterations_, 0.7, now_);
  keep(options, "block_sor");
}

void NewtonSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) {
  if (sets_known) {
    ++iterations_;
    if (reduced_.trySets(problem, options.tolerance, now_)) {
      keep(options, "sets");
      return;
    }
    judgeIterate(problem, now_);
    keep(options, "sets");
    projectImpulse(problem, now_.impulse);
  }
  const int limit = options.max_iterations > 0 ? options.max_iterations : 150;
  if (sweepAndPolish(problem, options, std::min(3, limit)) || iterations_ >= limit) return;
  sweepAndPolish(problem, options, limit);
}

bool LadderSolver::continueProximally(const ContactProblem& problem, const SolverOptions& options) {
  centre_.resize(problem.rows());
  for (double epsilon = 1.0; epsilon >= 1e-12; epsilon *= 0.1) {
    // Two solves per ε let the centre follow before the problem becomes stiffer.
    for (int repeat = 0; repeat < 2; ++repeat) {
      std::copy(now_.impulse.begin(), now_.impulse.end(), centre_.begin());
      iterations_ += semismooth_.solve(problem, NonsmoothMap::kAlartCurnier, options.tolerance, 12, now_,
                                       {epsilon, centre_.data()});
      judgeIterate(problem, now_);
      if (!now_.residuals.finite) return false;
      classifyModes(problem, now_);
      if (keep(options, "proximal")) return true;
    }
    if (now_.residuals.law > 1e-2) continue;
    const double before = now_.residuals.law;
    iterations_ += reduced_.polish(problem, options.tolerance, 4, now_);
    if (keep(options, "proximal")) return true;
    if (now_.residuals.law > before) now_ = best_;
  }
  return false;
}

void LadderSolver::runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) {
  if (sets_known) {
    ++iterations_;
    const bool solved = reduced_.trySets(problem, options.tolerance, now_);
    keep(options, "sets");
    if (solved) return;
    projectImpulse(problem, now_.impulse);
  }
  if (sweepAndPolish(problem, options, 3) || sweepAndPolish(problem, options, 150)) return;

  constexpr int kNewtonIterations = 40;
  now_ = best_;
  iterations_ += semismooth_.solve(problem, NonsmoothMap::kNatural, options.tolerance, kNewtonIterations, now_);
  if (keep(options, "natural_map")) return;
  now_ = best_;
  iterations_ += semismooth_.solve(problem, NonsmoothMap::kAlartCurnier, options.tolerance, kNewtonIterations, now_);
  if (keep(options, "alart_curnier")) return;
  if (semismooth_.startAtRest(problem, now_)) {
    iterations_ += semismooth_.solve(problem, NonsmoothMap::kAlartCurnier, options.tolerance, kNewtonIterations, now_);
    if (keep(options, "at_rest")) return;
  }
  continueProximally(problem, options);
}

}  // namespace rigor
