#include "minimal/decompression.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigor {
namespace {

constexpr int kIterations = 60;    // of Stronge's shares; most impacts need one to four
constexpr double kMet = 1e-9;      // of the work asked for: what may be missed
constexpr int kUndamped = 12;      // of them before they are damped
constexpr double kPressed = 1e-9;  // of the speed: what less than that was pressed with is rounding
constexpr double kFarthest = 4.0;  // by which factor a share may change at once
constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Λn (un_c + un⁺) that Stronge's law asks for, twice the work [J]. Not negative: compression does not open what it presses.
double askedWork(const Recovered& block) {
  return std::max(0.0, -block.e * block.e * block.impulse * (block.approach + block.rate));
}

bool givesBack(const Recovered& block) {
  return block.law != ImpactLaw::kNewton && block.e > 0.0 && block.impulse > 0.0 && block.approach < 0.0;
}

bool isStronge(const Recovered& block) { return givesBack(block) && block.law == ImpactLaw::kStronge; }

/// Nobody moves the row, and it moves nobody; its own impulse meets the resistance w.
void decouple(ContactProblem& problem, std::size_t block, double w) {
  const int row = problem.blocks[block].row, size = problem.blocks[block].size;
  DelassusMatrix& W = problem.W;
  if (!W.isFactored()) {
    for (int j = 0; j < W.rows(); ++j) W(row, j) = W(j, row) = 0.0;
    W(row, row) = w;
    return;
  }
  DelassusFactors& factors = W.editFactors();
  for (int s = factors.first_side[block]; s < factors.first_side[block + 1]; ++s)
    for (int k = 0; k < factors.sides[s].length; ++k)
      factors.A[factors.sides[s].offset + k * size] = factors.B[factors.sides[s].offset + k * size] = 0.0;
  problem.compliance[row] = w;
}

}  // namespace

void Decompression::writeProblem(const ContactProblem& problem) {
  problem_ = problem;
  velocity_.assign(problem.rows(), 0.0);
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    if (given_[i]) velocity_[problem.blocks[i].row] = returned_[i];
  problem.W.multiplyAdd(velocity_.data(), problem.b.data(), problem_.b.data());
  bool any = false;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const int row = problem.blocks[i].row;
    if (given_[i]) {
      const double w = problem.W(row, row);
      decouple(problem_, i, w);
      problem_.b[row] = -w * returned_[i];
      any = true;
    } else if (blocks_[i].law == ImpactLaw::kNewton) {
      problem_.bias[row] = blocks_[i].e * std::min(blocks_[i].approach, 0.0);
    }
  }
  if (any && problem_.W.isFactored()) problem_.W.finishFactors();
}

/// Who approaches is pressed, who is pressed by less than f has f. True if anybody changed.
bool Decompression::changeSides(const ContactProblem& problem, const SolverOptions& options,
                                const ContactSolution& solution) {
  bool changed = false;
  problem.W.multiply(solution.impulse.data(), velocity_.data(), size_.data());
  for (std::size_t i = 0; i < returned_.size(); ++i) {
    if (returned_[i] == 0.0) continue;
    const int row = problem.blocks[i].row;
    const double scale = std::max({std::fabs(problem.b[row]), size_[row], problem.velocity_scale});
    const double rounding = (options.tolerance + 8.0 * kEps) * scale, w = problem.W(row, row);
    const double rate = velocity_[row] + problem.b[row];
    const bool given = given_[i] ? rate >= -rounding : w * (solution.impulse[row] - returned_[i]) < -rounding;
    changed = changed || given != static_cast<bool>(given_[i]);
    given_[i] = given;
  }
  for (int row = 0; row < problem.rows(); ++row) velocity_[row] += problem.b[row];
  return changed;
}

bool Decompression::solvePhase(const ContactProblem& problem, ContactSolver& solver, const SolverOptions& options,
                               ContactSolution& solution) {
  const int most = 8 + 2 * static_cast<int>(blocks_.size());
  for (int solves = 0; solves < most; ++solves) {
    writeProblem(problem);
    solver.solve(problem_, options, solution);
    if (!accepts(solution.residuals, options.tolerance)) return false;
    if (!changeSides(problem, options, solution)) return true;
  }
  return false;
}

Decompression::Works Decompression::compareWorks(const ContactProblem& problem, const ContactSolution& solution) const {
  Works works;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (!isStronge(blocks_[i])) continue;
    const int row = problem.blocks[i].row;
    const double asked = askedWork(blocks_[i]), work = solution.impulse[row] * (blocks_[i].rate + velocity_[row]);
    if (!(asked > 0.0)) continue;
    works.missed = std::max(works.missed, std::fabs(work - asked) / asked);
    works.share = std::min(works.share, std::sqrt(std::max(work, 0.0) / asked));
    if (work > asked) works.shortened = std::min(works.shortened, std::sqrt(asked / work));
  }
  return works;
}

/// The next ε of every contact, with un⁺ taken for a line in its own ε: as the last two iterations say, and at first as the contact alone
/// would answer. ε λc (un_c + un⁺ + slope (ε′ − ε)) is then what is asked for.
void Decompression::improveShares(const ContactProblem& problem, const ContactSolution& solution, bool damped) {
  const bool alone = std::count_if(blocks_.begin(), blocks_.end(), isStronge) == 1;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (!isStronge(blocks_[i])) continue;
    const int row = problem.blocks[i].row;
    const double share = given_[i] ? share_[i] : solution.impulse[row] / blocks_[i].impulse;
    const double rate = blocks_[i].rate + velocity_[row], asked = askedWork(blocks_[i]) / blocks_[i].impulse;
    auto& [low, high] = bracket_[i];
    (share * rate < asked ? low : high) = share_[i];
    double slope = problem.W(row, row) * blocks_[i].impulse;
    if (last_[i].known && share_[i] != last_[i].share) {
      const double found = (rate - last_[i].rate) / (share_[i] - last_[i].share);
      if (found > 1e-3 * slope && found < 1e3 * slope) slope = found;
    }
    last_[i] = {share_[i], rate, true};
    const double start = rate - slope * share;  // of the line, at ε = 0
    double next = 2.0 * asked / (start + std::sqrt(start * start + 4.0 * slope * asked));
    next = std::clamp(next, share / kFarthest, share * kFarthest);
    if (alone && low < high && !(next > low && next < high)) next = 0.5 * (low + std::min(high, kFarthest * low + 1.0));
    share_[i] = damped ? std::sqrt(next * share) : next;
  }
}

void Decompression::begin(const ContactProblem& problem, const std::vector<Recovered>& given) {
  const std::size_t count = given.size();
  blocks_ = given;
  returned_.assign(count, 0.0), given_.assign(count, 0), share_.assign(count, 0.0);
  last_.assign(count, {}), bracket_.assign(count, {0.0, std::numeric_limits<double>::infinity()});
  size_.assign(problem.rows(), 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const int row = problem.blocks[i].row;
    const double pressed = problem.W(row, row) * blocks_[i].impulse;
    if (!(pressed > kPressed * std::fabs(blocks_[i].approach))) blocks_[i].impulse = 0.0;
    if (givesBack(blocks_[i])) share_[i] = blocks_[i].e;
  }
}

DecompressionOutcome Decompression::solve(const ContactProblem& problem, const std::vector<Recovered>& blocks,
                                          ContactSolver& solver, const SolverOptions& options,
                                          ContactSolution& solution) {
  DecompressionOutcome outcome;
  begin(problem, blocks);
  const bool seeks = std::any_of(blocks_.begin(), blocks_.end(), isStronge);
  for (int i = 0; i < kIterations; ++i) {
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      returned_[k] = share_[k] * blocks_[k].impulse;
      given_[k] = returned_[k] > 0.0;
    }
    outcome.solved = solvePhase(problem, solver, options, solution);
    ++outcome.solves, outcome.iterations += solution.iterations;
    if (!outcome.solved || !seeks) return outcome;
    const Works works = compareWorks(problem, solution);
    if (works.missed <= std::max(kMet, 10.0 * options.tolerance)) return outcome;
    if (i + 1 < kIterations) {
      improveShares(problem, solution, i >= kUndamped);
      continue;
    }
    for (double& impulse : solution.impulse) impulse *= works.shortened;
    outcome.share = std::min({works.share, works.shortened, 1.0 - kMet});
  }
  return outcome;
}

}  // namespace rigor
