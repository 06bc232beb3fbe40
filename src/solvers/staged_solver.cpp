#include "solvers/staged_solver.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "contact/judge.h"
#include "contact/visit_block.h"
#include "solvers/block_sor.h"

namespace rigor {
namespace {

// Newton steps: from the last step's sets, from the sweeps' sets, at the end of a path, from a scattered start.
constexpr int kWarmIterations = 10, kSweptIterations = 12, kPolishIterations = 40, kScatteredIterations = 20;
constexpr int kNewtonIterations = 40, kPathIterations = 40;

// A stage never stops before the judge would accept.
double aim(const SolverOptions& options) { return std::min(options.aim, options.tolerance); }

}  // namespace

void StagedSolver::solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) {
  const Start start = prepareSolution(problem, solves(problem.law), solution);
  if (!start.sound) return;
  if (wantsDense(problem.W, mostDenseRows())) {
    solution.modes_known = start.sets_known;
    return solve(makeDense(problem), options, solution);
  }
  verdict_.begin(problem);
  climb(problem, options, start.sets_known, solution);
  verdict_.conclude(options, solution);
  const bool dense_too = problem.W.isFactored() && problem.rows() <= kDenseAtLast && !hasEqualRows(problem);
  if (!dense_too || accepts(solution.residuals, options.tolerance) || isRaised(options.stop)) return;
  ContactSolution dense = solution;
  dense.modes_known = false;
  solve(makeDense(problem), options, dense);
  if (dense.residuals.law < solution.residuals.law) solution = std::move(dense);
}

/// Room for every stage at once: the one that is needed for the first time in a late step allocates nothing then.
void StagedSolver::reserve(int rows) {
  reserved_ = rows;
  for (Iterate* iterate : {&now_, &best_, &trial_}) iterate->resize(rows);
  centre_.resize(rows);
  reduced_.reserve(rows);
  interior_.reserve(rows);
  semismooth_.reserve(rows);
  sweeper_.reserve(rows);
}

/// The same where W has factors, but for what depends on which nodes meet. An island that grows asks again and again: it gets a
/// quarter more.
void StagedSolver::reserveFactored(int rows) {
  reserved_factored_ = rows + rows / 4;
  for (Iterate* iterate : {&now_, &best_, &trial_}) iterate->resize(reserved_factored_);
  centre_.resize(reserved_factored_);
  interior_.reserveFactored(reserved_factored_);
}

/// Runs the stages and writes down the best that they found.
void StagedSolver::climb(const ContactProblem& problem, const SolverOptions& options, bool sets_known,
                         ContactSolution& solution) {
  assert(solution.impulse.size() == problem.b.size() && solution.velocity.size() == problem.b.size() &&
         solution.modes.size() == problem.blocks.size() && "prepareSolution made room for the answer");
  if (problem.W.isFactored()) {
    if (problem.rows() > reserved_factored_) reserveFactored(problem.rows());
  } else if (problem.rows() > reserved_) {
    reserve(problem.rows());
  }
  nodes_.forget(), interior_.forget(), semismooth_.forget();
  reduced_.heed(options.stop), nodes_.heed(options.stop);
  interior_.heed(options.stop), semismooth_.heed(options.stop);
  now_.resize(problem.rows());
  centre_.resize(problem.rows());
  std::copy(solution.impulse.begin(), solution.impulse.end(), now_.impulse.begin());
  std::copy(problem.b.begin(), problem.b.end(), now_.velocity.begin());
  start_ = &solution.impulse;
  if (sets_known) importModes(problem, solution, now_);
  best_.residuals.finite = false;
  answer_ = nullptr;
  iterations_ = 0;
  runStages(problem, options, sets_known);
  assert(answer_ && "a stage that runs keeps its best, however bad");

  std::copy(answer_->impulse.begin(), answer_->impulse.end(), solution.impulse.begin());
  std::copy(answer_->velocity.begin(), answer_->velocity.end(), solution.velocity.begin());
  exportModes(problem, *answer_, solution);
  solution.residuals = answer_->residuals;
  solution.stage = stage_;
  solution.iterations = iterations_;
}

bool StagedSolver::keep(const ContactProblem& problem, const SolverOptions& options, const char* stage) {
  // The judge measures a pull like any error; an answer has none at all.
  if (accepts(now_.residuals, options.tolerance) && removePulls(problem, now_.impulse)) judgeIterate(problem, now_);
  if (accepts(now_.residuals, options.tolerance) &&
      confirm(problem, options.tolerance, now_.impulse.data(), now_.velocity.data(), now_.residuals)) {
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

bool StagedSolver::solveFromSets(const ContactProblem& problem, const SolverOptions& options) {
  ++iterations_;
  reduced_.trySets(problem, aim(options), now_);
  if (keep(problem, options, "sets")) return true;
  // One or two contacts changed: correct the sets from the caller's impulse, without sweeps that move all others.
  std::copy(start_->begin(), start_->end(), now_.impulse.begin());
  judgeIterate(problem, now_);
  iterations_ += reduced_.polish(problem, aim(options), kWarmIterations, now_);
  if (keep(problem, options, "newton")) return true;
  std::copy(start_->begin(), start_->end(), now_.impulse.begin());
  return false;
}

void StagedSolver::goToStart() { std::copy(start_->begin(), start_->end(), now_.impulse.begin()); }

bool StagedSolver::restsFromNothing(const ContactProblem& problem) const {
  constexpr double kKick = 20.0;  // velocity scales, two weights: what moves faster strikes, and its sets will not stay
  return std::all_of(start_->begin(), start_->end(), [](double impulse) { return impulse == 0.0; }) &&
         std::all_of(problem.b.begin(), problem.b.end(),
                     [&](double b) { return std::abs(b) <= kKick * problem.velocity_scale; });
}

// The multiple of the impulse that comes nearest to stopping what it acts on, s = −λ·(b + ν)/λ·Wλ. At rest impulses grow with
// the time that they act for; internal forces that do not grow with them would end up outside their cones.
void StagedSolver::stretchStart(const ContactProblem& problem) {
  constexpr double kSame = 1e-2;
  problem.W.multiply(now_.impulse.data(), now_.velocity.data());
  double asked = 0.0, given = 0.0;
  for (int row = 0; row < problem.rows(); ++row) {
    asked -= now_.impulse[row] * (problem.b[row] + problem.bias[row]);
    given += now_.impulse[row] * (now_.velocity[row] + problem.compliance[row] * now_.impulse[row]);
  }
  const double stretch = asked / given;
  if (!(stretch > 0.0 && stretch < 1e6) || std::abs(stretch - 1.0) < kSame) return;
  for (double& impulse : now_.impulse) impulse *= stretch;
}

bool StagedSolver::tryFactoredSets(const ContactProblem& problem, const SolverOptions& options) {
  constexpr double kNear = 1e-2;  // a start that breaks the law by no more than this is of a problem like this one
  judgeIterate(problem, now_);
  ++iterations_;
  if (!(now_.residuals.law <= kNear)) stretchStart(problem);
  nodes_.trySets(problem, aim(options), now_);
  if (keep(problem, options, "sets")) return true;
  // Where those sets lead tells better which of them are wrong than where the last step ended.
  iterations_ += nodes_.polish(problem, aim(options), kWarmIterations, now_);
  if (keep(problem, options, "newton")) return true;
  goToStart();
  return false;
}

bool StagedSolver::solveSemismooth(const ContactProblem& problem, const SolverOptions& options, int iterations,
                                   const char* stage) {
  constexpr double kNearSets = 1e-4;  // its sets may be right but for rows that contradict each other
  judgeIterate(problem, now_);
  iterations_ += semismooth_.solve(problem, NonsmoothMap::kAlartCurnier, aim(options), iterations, now_);
  if (keep(problem, options, stage)) return true;
  if (now_.residuals.law > kNearSets) return false;
  iterations_ += nodes_.polish(problem, aim(options), kScatteredIterations, now_);
  return keep(problem, options, stage);
}

bool StagedSolver::followPathFrom(const ContactProblem& problem, const SolverOptions& options, PathStart start) {
  constexpr int kPolishSteps = 6;
  // half again as many as the longest of the recorded paths that end (folded_jam_of_balls, 403): others crawl on and on
  constexpr int kArcSteps = 600;
  const int most_steps = start.closely ? kArcSteps : 60;
  judgeIterate(problem, now_);
  interior_.begin(problem, start, now_);
  int steps = 0;
  for (double law = 1e-4; law >= 1e-9 && steps < most_steps && !interior_.ended(); law *= 1e-2) {
    steps += interior_.goOn(problem, law, most_steps - steps, now_);
    trial_ = now_;
    iterations_ += nodes_.polish(problem, aim(options), kPolishSteps, now_);
    if (keep(problem, options, "interior_point")) break;
    now_ = trial_;
  }
  iterations_ += steps;
  if (accepts(now_.residuals, options.tolerance)) return true;
  return solveSemismooth(problem, options, 15, "interior_point");
}

bool StagedSolver::sweepAndSolve(const ContactProblem& problem, const SolverOptions& options, int sweeps) {
  goToStart();
  return sweep(problem, options, sweeps, 1.0) || solveSemismooth(problem, options, kNewtonIterations, "block_sor");
}

bool StagedSolver::sweep(const ContactProblem& problem, const SolverOptions& options, int sweeps, double relaxation) {
  return sweepBy({}, problem, options, sweeps, {relaxation, relaxation, 1.0});
}

bool StagedSolver::sweepBy(const ContactRule& rule, const ContactProblem& problem, const SolverOptions& options,
                           int sweeps, Relaxation relaxation) {
  projectImpulse(problem, now_.impulse);
  const int used = relaxBlocks(problem, aim(options), sweeps, relaxation, now_, rule, options.stop);
  iterations_ += used;
  if (keep(problem, options, "block_sor")) return true;
  if (used == sweeps || isRaised(options.stop)) return false;
  // Sweeps creep up to the limit; what reached it by rounding alone goes on.
  iterations_ += relaxBlocks(problem, 0.5 * aim(options), sweeps - used, relaxation, now_, rule, options.stop);
  return keep(problem, options, "block_sor");
}

bool StagedSolver::sweepOn(const ContactRule& rule, const ContactProblem& problem, const SolverOptions& options,
                           int sweeps, Relaxation relaxation, bool extrapolate) {
  if (problem.W.isFactored()) return sweepBy(rule, problem, options, sweeps, relaxation);
  projectImpulse(problem, now_.impulse);
  const SweepLimits limits{.tolerance = aim(options),
                           .enough = options.enough,
                           .max_sweeps = sweeps,
                           .extrapolate = extrapolate,
                           .stop = options.stop};
  iterations_ += sweeper_.relax(problem, limits, relaxation, rule, now_);
  return keep(problem, options, "block_sor") || isEnough(options);
}

bool StagedSolver::isSolved(const SolverOptions& options) const {
  return answer_ && accepts(answer_->residuals, options.tolerance);
}

void StagedSolver::runNaturalMap(const ContactProblem& problem, const SolverOptions& options) {
  if (solveNaturalMap(problem, options, "newton") || exhausted(options)) return;
  goToStart();
  for (const int sweeps : {3, 150, 10})
    if (sweep(problem, options, sweeps, 1.0) || solveNaturalMap(problem, options, "newton") || exhausted(options))
      return;
}

bool StagedSolver::solveNaturalMap(const ContactProblem& problem, const SolverOptions& options, const char* stage) {
  judgeIterate(problem, now_);
  for (const double part : {1.0, 0.1}) {
    iterations_ += semismooth_.solve(problem, NonsmoothMap::kNatural, part * aim(options), kNewtonIterations, now_);
    const bool reached = accepts(now_.residuals, options.tolerance);
    if (keep(problem, options, stage)) return true;
    if (!reached) break;  // else it was by rounding alone, and Newton goes on
  }
  return false;
}

// Newton on the sets, in the form that W has.
int StagedSolver::polishSets(const ContactProblem& problem, const SolverOptions& options, int iterations) {
  return problem.W.isFactored() ? nodes_.polish(problem, aim(options), iterations, now_)
                                : reduced_.polish(problem, aim(options), iterations, now_);
}

bool StagedSolver::polish(const ContactProblem& problem, const SolverOptions& options) {
  iterations_ += reduced_.polish(problem, aim(options), kSweptIterations, now_);
  return keep(problem, options, "newton");
}

bool StagedSolver::followPyramid(const ContactProblem& problem, const SolverOptions& options) {
  for (const double size : {1.0, 100.0}) {
    iterations_ += interior_.solve(problem, aim(options), kPathIterations, {.size = size}, now_);
    if (keep(problem, options, "interior_point")) return true;
    if (solveNaturalMap(problem, options, "interior_point") || exhausted(options)) break;
  }
  return isSolved(options);
}

bool StagedSolver::followPath(const ContactProblem& problem, const SolverOptions& options) {
  if (problem.law == Law::kPyramid) return followPyramid(problem, options);
  constexpr double kNearEnd = 1e-5;  // the path was right, only its end is not found: another one ends there too
  // A path that folds back from one start is often straight from far inside the cones.
  for (const double size : {1.0, 100.0}) {
    iterations_ += interior_.solve(problem, aim(options), kPathIterations, {.size = size}, now_);
    if (keep(problem, options, "interior_point")) return true;
    if (isEnough(options)) return false;
    iterations_ += reduced_.polish(problem, aim(options), kPolishIterations, now_);
    if (keep(problem, options, "interior_point")) return true;
    iterations_ += semismooth_.solve(problem, NonsmoothMap::kAlartCurnier, aim(options), kNewtonIterations, now_);
    if (keep(problem, options, "interior_point") || exhausted(options) || best_.residuals.law < kNearEnd) break;
  }
  if (accepts(now_.residuals, options.tolerance)) return true;
  return !exhausted(options) && best_.residuals.law < kNearEnd && refineBest(problem, options);
}

bool StagedSolver::refine(const ContactProblem& problem, const SolverOptions& options) {
  constexpr int kRefinements = 12;
  trial_ = now_;
  for (const bool correct_sets : {false, true}) {
    iterations_ += reduced_.refine(problem, aim(options), kRefinements, correct_sets, now_);
    if (accepts(now_.residuals, options.tolerance) && keep(problem, options, "refine")) return true;
    now_ = trial_;
  }
  return false;
}

bool StagedSolver::refineBest(const ContactProblem& problem, const SolverOptions& options) {
  now_ = best_;
  return refine(problem, options);
}

bool StagedSolver::followClosely(const ContactProblem& problem, const SolverOptions& options) {
  constexpr int kArcSteps = 600, kPolishSteps = 20;
  interior_.begin(problem, {.size = 1.0, .closely = true}, now_);
  int steps = 0;
  for (double law = 1e-2; law >= 1e-10 && steps < kArcSteps && !interior_.ended() && !exhausted(options); law *= 0.1) {
    steps += interior_.goOn(problem, law, kArcSteps - steps, now_);
    const Iterate& here = trial_ = now_;
    iterations_ += reduced_.polish(problem, aim(options), kPolishSteps, now_);
    if (keep(problem, options, "closely")) break;
    now_ = here;
  }
  iterations_ += steps;
  return accepts(now_.residuals, options.tolerance);
}

bool StagedSolver::solveFromRest(const ContactProblem& problem, const SolverOptions& options) {
  if (!semismooth_.startAtRest(problem, now_)) return false;
  iterations_ += semismooth_.solve(problem, NonsmoothMap::kAlartCurnier, aim(options), kNewtonIterations, now_);
  return keep(problem, options, "at_rest");
}

bool StagedSolver::restart(const ContactProblem& problem, const SolverOptions& options) {
  constexpr int kRestarts = 40;
  std::uint64_t state = 0x9e3779b97f4a7c15ull;  // fixed: equal problems give equal bits
  const auto uniform = [&] {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (int k = 0; k < kRestarts; ++k) {
    now_ = best_;
    forEachUnit(problem, [&](const auto& unit, int row) {
      double w[1][1];
      problem.W.copyBlock<1>(row, w);
      unit.scatter(uniform, w[0][0], &problem.b[row], &now_.impulse[row]);
    });
    if (problem.W.isFactored()) judgeIterate(problem, now_);
    const bool natural = k % 2 == 0 || hasOtherCones(problem.law);
    const NonsmoothMap map = natural ? NonsmoothMap::kNatural : NonsmoothMap::kAlartCurnier;
    iterations_ += semismooth_.solve(problem, map, aim(options), kNewtonIterations, now_);
    if (keep(problem, options, "restart")) return true;
    if (now_.residuals.finite && now_.residuals.law < 1e-3 && !hasOtherCones(problem.law)) {
      iterations_ += polishSets(problem, options, kScatteredIterations);
      if (keep(problem, options, "restart")) return true;
    }
    if (exhausted(options)) return false;
  }
  return false;
}

bool StagedSolver::continueFromBest(const ContactProblem& problem, const SolverOptions& options) {
  now_ = best_;
  return continueFromHere(problem, options);
}

bool StagedSolver::continueProximally(const ContactProblem& problem, const SolverOptions& options) {
  if (continueFromBest(problem, options)) return true;
  return sweepFromNothing(problem, options) || (!exhausted(options) && continueFromHere(problem, options));
}

// The best so far may be a dead end; a few sweeps from nothing are none.
bool StagedSolver::sweepFromNothing(const ContactProblem& problem, const SolverOptions& options) {
  std::fill(now_.impulse.begin(), now_.impulse.end(), 0.0);
  return sweep(problem, options, 3, 1.0);
}

bool StagedSolver::walkProximally(const ContactProblem& problem, const SolverOptions& options, int steps) {
  constexpr int kInner = 12, kEasy = 6;  // Newton steps of one proximal problem; so few that the next may be stiffer
  constexpr double kFall = 1e-3, kFirm = 1e2, kSoft = 1e-9, kNear = 1e-3, kSetsKnown = 1e-5;
  now_ = best_;
  double epsilon = 1.0;
  for (int step = 1; step <= steps && !isRaised(options.stop); ++step) {
    std::copy(now_.impulse.begin(), now_.impulse.end(), centre_.begin());
    const int inner = semismooth_.solve(problem, NonsmoothMap::kAlartCurnier, aim(options), kInner, now_,
                                        {epsilon, centre_.data(), kFall});
    iterations_ += inner;
    const bool reached = semismooth_.reached();
    if (!reached) std::copy(centre_.begin(), centre_.end(), now_.impulse.begin());
    judgeIterate(problem, now_);
    if (!now_.residuals.finite) return false;
    classifyModes(problem, now_);
    if (keep(problem, options, "proximal")) return true;
    if (step % 10 == 0 && now_.residuals.law < kNear) {
      trial_ = now_;
      iterations_ += polishSets(problem, options, now_.residuals.law < kSetsKnown ? 60 : 10);
      if (keep(problem, options, "proximal")) return true;
      now_ = trial_;
    }
    if (!reached)
      epsilon = std::min(kFirm, 4.0 * epsilon);
    else if (inner <= kEasy)
      epsilon = std::max(kSoft, 0.25 * epsilon);
  }
  return false;
}

bool StagedSolver::continueFromHere(const ContactProblem& problem, const SolverOptions& options) {
  for (double epsilon = 1.0; epsilon >= 1e-12 && !isRaised(options.stop); epsilon *= 0.1) {
    // Two solves per ε let the centre follow before the problem becomes stiffer.
    for (int repeat = 0; repeat < 2; ++repeat) {
      std::copy(now_.impulse.begin(), now_.impulse.end(), centre_.begin());
      iterations_ +=
          semismooth_.solve(problem, NonsmoothMap::kAlartCurnier, aim(options), 12, now_, {epsilon, centre_.data()});
      judgeIterate(problem, now_);
      if (!now_.residuals.finite) return false;
      classifyModes(problem, now_);
      if (keep(problem, options, "proximal")) return true;
    }
    if (now_.residuals.law > 1e-2) continue;
    const double before = now_.residuals.law;
    iterations_ += polishSets(problem, options, 4);
    if (keep(problem, options, "proximal")) return true;
    if (now_.residuals.law > before) now_ = best_;
  }
  return false;
}

}  // namespace rigor
