#include "solvers/lemke_solver.h"

#include <algorithm>
#include <utility>

#include "contact/judge.h"

namespace rigor {
namespace {

constexpr int kCovers = 8;
constexpr int kMostReserved = 600;  // rows of dense matrices; more are made room for when they are there

}  // namespace

void LemkeSolver::solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) {
  const Start start = prepareSolution(problem, solves(problem.law), solution);
  if (!start.sound) return;
  if (problem.W.isFactored()) {
    solution.modes_known = start.sets_known;
    return solve(makeDense(problem), options, solution);
  }
  verdict_.begin(problem);
  reserve(problem);
  climb(problem, options, start.sets_known, solution);
  verdict_.conclude(options, solution);
}

// Room for all paths: a basis holds no more than four variables of a contact at a time, and t.
void LemkeSolver::reserve(const ContactProblem& problem) {
  if (problem.rows() <= reserved_rows_ && problem.directions <= reserved_directions_) return;
  reserved_rows_ = std::max(reserved_rows_, problem.rows());
  reserved_directions_ = std::max(reserved_directions_, problem.directions);
  const int lines = (reserved_rows_ / 3 + 1) * (reserved_directions_ + 2) + reserved_rows_;
  pyramid_.reserve(reserved_rows_, reserved_directions_);
  form_.reserve(lines);
  path_.reserve(lines, std::min(2 * reserved_rows_, kMostReserved));
  for (Iterate* iterate : {&now_, &best_}) iterate->resize(reserved_rows_);
  z_.reserve(lines);
  start_.reserve(lines);
  verdict_.reserve(std::min(reserved_rows_, kMostReserved));
}

int LemkeSolver::pivotsLeft(const SolverOptions& options) const {
  const int most = 200 + 10 * pyramid_.rows();
  return options.max_iterations > 0 ? std::min(most, options.max_iterations - pivots_) : most;
}

void LemkeSolver::climb(const ContactProblem& problem, const SolverOptions& options, bool sets_known,
                        ContactSolution& solution) {
  pyramid_.assign(problem);
  form_.scale = pyramid_.scale();
  form_.assign(pyramid_, pyramid_.q().data(), pyramid_.lo().data(), pyramid_.hi().data());
  for (Iterate* iterate : {&now_, &best_}) iterate->resize(problem.rows());
  z_.resize(pyramid_.rows());
  pivots_ = 0;
  has_best_ = false;
  bool solved = false;
  if (sets_known) {
    pyramid_.guessPlaces(solution.impulse.data(), solution.modes, start_);
    solved = path_.tryBasis(form_, start_, options.stop) && keep(problem, options, "basis");
    if (!solved) solved = follow(problem, options, start_, 1);
  }
  for (int cover = 0; cover < kCovers && !solved; ++cover) {
    const bool enough = cover > 1 && has_best_ && best_.residuals.finite && best_.residuals.law <= options.enough;
    if (has_best_ && (enough || pivotsLeft(options) < 1 || isRaised(options.stop))) break;
    solved = follow(problem, options, nothing_, cover) || (cover == 1 && verdict_.proveJam(options));
  }
  classifyModes(problem, best_);
  std::copy(best_.impulse.begin(), best_.impulse.end(), solution.impulse.begin());
  std::copy(best_.velocity.begin(), best_.velocity.end(), solution.velocity.begin());
  exportModes(problem, best_, solution);
  solution.residuals = best_.residuals;
  solution.stage = stage_;
  solution.iterations = pivots_;
}

bool LemkeSolver::follow(const ContactProblem& problem, const SolverOptions& options,
                         const std::vector<LcpPlace>& places, int cover) {
  path_.follow(form_, places, cover, {pivotsLeft(options), options.stop});
  pivots_ += path_.pivots();
  return keep(problem, options, "lemke");
}

bool LemkeSolver::keep(const ContactProblem& problem, const SolverOptions& options, const char* stage) {
  for (int i = 0; i < pyramid_.rows(); ++i) {
    const double inside = std::min(std::max(path_.z()[i], form_.lo[i]), form_.hi[i]);
    z_[i] = form_.unit * form_.scale[i] * inside;
  }
  pyramid_.readImpulse(z_.data(), now_.impulse.data());
  removePulls(problem, now_.impulse);
  judgeIterate(problem, now_);
  const bool solved = accepts(now_.residuals, options.tolerance) &&
                      confirm(problem, options.tolerance, now_.impulse.data(), now_.velocity.data(), now_.residuals);
  const bool better = now_.residuals.finite && (!best_.residuals.finite || now_.residuals.law < best_.residuals.law);
  if (solved || better || !has_best_) {
    std::swap(now_, best_);
    stage_ = stage;
    has_best_ = true;
  }
  return solved;
}

}  // namespace rigor
