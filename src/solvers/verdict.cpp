#include "solvers/verdict.h"

#include "contact/certificate.h"
#include "contact/check_problem.h"
#include "contact/judge.h"
#include "contact/visit_block.h"
#include "math/finite.h"

namespace rigor {
namespace {

constexpr double kInaccurate = 1e-6;  // of the scale: a worse answer is none

}  // namespace

Start prepareSolution(const ContactProblem& problem, bool knows_law, ContactSolution& solution) {
  const std::size_t m = problem.b.size();
  solution.status = SolveStatus::kBadInput;
  solution.stage = "";
  solution.iterations = 0;
  solution.certificate.clear();
  solution.complaint.clear();
  solution.velocity.resize(m);
  if (!hasSoundBlocks(problem) || !knows_law) {
    solution.residuals = judge(problem, solution);
    if (!knows_law) solution.stage = "unknown law";
    return {};
  }
  const bool warm = solution.impulse.size() == m && allFinite(solution.impulse);
  const bool sets_known = solution.modes_known && warm && solution.modes.size() == problem.blocks.size();
  if (!warm) solution.impulse.assign(m, 0.0);
  solution.modes.resize(problem.blocks.size(), ContactMode::kOpen);
  return {true, sets_known};
}

ContactProblem makeDense(const ContactProblem& problem) {
  ContactProblem dense = problem;
  dense.W = problem.W.toDense();
  return dense;
}

void SolverVerdict::begin(const ContactProblem& problem) {
  problem_ = &problem;
  // The search is dense: what has too many rows for that is not proved, only refused.
  jam_ = problem.W.isFactored() ? Jam::kNotFound : Jam::kNotAsked;
}

bool SolverVerdict::proveJam(const SolverOptions& options) {
  if (jam_ == Jam::kNotAsked) {
    const bool found = jam_finder_.find(*problem_, options.tolerance, ray_, options.stop);
    bool proved = found && provesNoSolution(*problem_, ray_);
    if (found && !proved && !isRaised(options.stop))
      jam_finder_.sharpen(*problem_, ray_), proved = provesNoSolution(*problem_, ray_);
    jam_ = proved ? Jam::kProved : Jam::kNotFound;
  }
  return jam_ == Jam::kProved;
}

SolveStatus SolverVerdict::decide(const SolverOptions& options, const Residuals& residuals) {
  const bool accepted = accepts(residuals, options.tolerance);
  // Large impulses may have hidden a slow jam in rounding; loops alone are often only known to their floor.
  const bool doubtful = needsFloor(residuals, options.tolerance) && hasNormalRows(*problem_);
  if (accepted && !doubtful) return SolveStatus::kSolved;
  if (!hasSoundNumbers(*problem_)) return SolveStatus::kBadInput;
  if (proveJam(options)) return SolveStatus::kNoSolution;
  if (accepted) return SolveStatus::kSolved;
  return accepts(residuals, kInaccurate) ? SolveStatus::kInaccurate : SolveStatus::kUnsolved;
}

void SolverVerdict::conclude(const SolverOptions& options, ContactSolution& solution) {
  solution.modes_known = true;
  solution.status = decide(options, solution.residuals);
  if (solution.status == SolveStatus::kNoSolution) solution.certificate = ray_;
  solution.residuals.by_floor = needsFloor(solution.residuals, options.tolerance);
}

}  // namespace rigor
