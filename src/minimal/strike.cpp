#include "minimal/strike.h"

#include <algorithm>

#include "minimal/attempt.h"
#include "minimal/energy_guard.h"
#include "minimal/impact.h"
#include "minimal/passes.h"
#include "minimal/secant.h"

namespace rigor {
namespace {

bool bounces(const ConstraintSet& set, const Constraint& c) {
  return c.restitution > 0.0 && rateOfGap(set, c) < -c.threshold;
}

/// Something in the island bounces by another law than Newton's.
bool hasPhases(const ConstraintSet& set, const Island& island) {
  return std::any_of(island.constraints.begin(), island.constraints.end(), [&](int slot) {
    return set.slots[slot].impact != ImpactLaw::kNewton && bounces(set, set.slots[slot]);
  });
}

/// Asks an island's approaching contacts to leave again: ν = e u⁻. False if none does.
bool demandBounce(const ConstraintSet& set, Island& island) {
  bool any = false;
  for (std::size_t k = 0; k < island.constraints.size(); ++k) {
    const Constraint& c = set.slots[island.constraints[k]];
    if (!bounces(set, c)) continue;
    island.problem.bias[island.problem.blocks[k].row] = c.restitution * rateOfGap(set, c);
    any = true;
  }
  return any;
}

SolverOptions solverOptions(const StepTask& task) {
  const double tolerance = task.options.tolerance;
  return {.tolerance = tolerance, .aim = 0.1 * tolerance, .stop = task.options.stop};
}

/// The impulses without a bounce are kept: an island whose bounce has no solution (a ball that fits its slot) goes back to them.
void keepPlastic(Island& island) {
  island.plastic.assign(island.solution.impulse.begin(), island.solution.impulse.end());
  island.plastic_modes = island.solution.modes;
}

/// Takes what was solved, no more than energy allows; returns the share θ.
double takeBounce(const StepTask& task, bool solved, double lost, double share, Island& island) {
  StepWork& work = task.work;
  double theta = 0.0;
  if (solved) {
    theta = std::min(share, guardEnergy(island.problem, island.plastic.data(), island.solution.impulse.data(), lost));
    work.verdict.add(island.solution.residuals, task.options.tolerance);
  } else {
    island.solution.impulse = island.plastic;
    island.solution.modes = island.plastic_modes;
  }
  work.verdict.theta = std::min(work.verdict.theta, theta);
  takeImpulses(island, island.solution.impulse, work.set);
  return theta;
}

/// Newton's law: an island bounces at once. True if anything does.
bool bounceByNewton(const StepTask& task, Island& island) {
  if (!demandBounce(task.work.set, island)) return false;
  keepPlastic(island);
  task.crew.first().solve(island.problem, solverOptions(task), island.solution);
  ++task.report.solves;
  task.report.iterations += island.solution.iterations;
  return takeBounce(task, accepts(island.solution.residuals, task.options.tolerance), 0.0, 1.0, island) > 0.0;
}

/// What the first phase did to the rows of an island, for the second.
void noteCompression(const Island& island, ConstraintSet& set) {
  for (std::size_t k = 0; k < island.constraints.size(); ++k) {
    Constraint& c = set.slots[island.constraints[k]];
    const double *impulse = &set.impulse[c.first_row], *after = &set.velocity[c.first_row];
    const double* before = &island.problem.b[island.problem.blocks[k].row];
    c.compression = {.known = true};
    if (c.can_open) c.compression.approach = rateOfGap(set, c);
    c.compression.rate = after[0], c.compression.impulse = impulse[0];
    for (int r = 0; r < c.rows; ++r) c.compression.lost -= 0.5 * impulse[r] * (before[r] + after[r]);
  }
}

/// Poisson's and Stronge's laws: the second phase of an island. True if anything bounces.
bool decompress(const StepTask& task, Island& island) {
  StepWork& work = task.work;
  double lost = 0.0;
  std::vector<Recovered>& blocks = work.decompression.blocks;
  blocks.clear();
  for (const int slot : island.constraints) {
    const Constraint& c = work.set.slots[slot];
    if (!c.compression.known) return false;
    const bool strikes = c.compression.approach < -c.threshold;
    blocks.push_back(
        {c.impact, strikes ? c.restitution : 0.0, c.compression.approach, c.compression.rate, c.compression.impulse});
    lost += c.compression.lost;
  }
  keepPlastic(island);
  const DecompressionOutcome outcome =
      work.decompression.solve(island.problem, blocks, task.crew.first(), solverOptions(task), island.solution);
  task.report.solves += outcome.solves;
  task.report.iterations += outcome.iterations;
  if (outcome.solved && outcome.share < 1.0) ++task.report.unmet_bounces;
  return takeBounce(task, outcome.solved, std::max(lost, 0.0), outcome.share, island) > 0.0;
}

/// Velocities after the impulses of the set, and their momentum judged.
StepStatus applyBounce(const StepTask& task, const StepContext& context, Snapshot& to) {
  applyToVelocity(task, context, ImpulseChoice::kAll, to.state.v.data());
  computeNodeRates(context, to.state.v.data(), task.work.set);
  return judgeNode(task, context, to.state.v.data());
}

/// Compression, and bounces of islands in which all is Newton's. `phases`: a decompression follows.
StepStatus compress(const StepTask& task, const Snapshot& from, Snapshot& to, PhaseClock& clock, bool& phases) {
  StepWork& work = task.work;
  const StepContext context = task.from(from);
  StepStatus status = solveAtNode(task, context, to, clock);
  phases = false;
  bool any = false;
  for (int i = 0; status == StepStatus::kAccepted && i < work.islands.count; ++i) {
    Island& island = work.islands.list[i];
    if (hasPhases(work.set, island)) {
      noteCompression(island, work.set);
      phases = true;
    } else if (bounceByNewton(task, island)) {
      any = true;
    }
  }
  if (any) status = applyBounce(task, context, to);
  if (isRaised(task.options.stop)) return StepStatus::kInterrupted;  // a bounce that was given up is none
  if (status == StepStatus::kAccepted) accept(task, from, 0.0, to);
  return status;
}

/// The second phase, a sub-step of its own. Where it has no solution the impact ends with the first.
StepStatus decompressAll(const StepTask& task, const Snapshot& from, Snapshot& to, PhaseClock& clock) {
  StepWork& work = task.work;
  startNode(task, from, to, clock);
  const StepContext context = task.from(from);
  StepStatus status = solveAtNode(task, context, to, clock);
  bool any = false;
  for (int i = 0; status == StepStatus::kAccepted && i < work.islands.count; ++i)
    if (decompress(task, work.islands.list[i])) any = true;
  if (any) status = applyBounce(task, context, to);
  for (Constraint& c : work.set.slots) c.compression = {};
  if (isRaised(task.options.stop)) return StepStatus::kInterrupted;
  if (status == StepStatus::kAccepted) accept(task, from, 0.0, to);
  return status;
}

/// An impact of all that takes part: startNode has been called.
StepStatus strikeOnce(const StepTask& task, const Snapshot& from, HalvingLevel& level, Snapshot& to,
                      PhaseClock& clock) {
  bool phases = false;
  const StepStatus status = compress(task, from, to, clock, phases);
  if (status == StepStatus::kAccepted) ++task.report.impacts;
  if (status != StepStatus::kAccepted || !phases) return status;
  level.compressed = to;
  const StepStatus second = decompressAll(task, level.compressed, to, clock);
  if (second == StepStatus::kInterrupted || second == StepStatus::kAccepted) return second;
  to = level.compressed;
  task.report.theta = 0.0;
  return StepStatus::kAccepted;
}

/// Slot of the gap that closes fastest of those that strike, or −1; `gaps`: how many there are.
int findFastest(const ConstraintSet& set, int& gaps) {
  int fastest = -1;
  double least = 0.0;
  gaps = 0;
  for (const int slot : set.active) {
    const Constraint& c = set.slots[slot];
    if (!c.can_open) continue;
    ++gaps;
    const double rate = rateOfGap(set, c);
    if (rate < -c.threshold && rate < least) fastest = slot, least = rate;
  }
  return fastest;
}

/// All other gaps push nothing, unless forces press them and they do not strike.
void awaitOthers(int chosen, StepWork& work) {
  ConstraintSet& set = work.set;
  for (const int slot : set.active) {
    Constraint& c = set.slots[slot];
    const bool sustained = c.rested && rateOfGap(set, c) >= -c.threshold;
    if (!c.can_open || slot == chosen || sustained) continue;
    c.awaited = true;
    set.awaited.push_back(slot);
    std::fill_n(&set.impulse[c.first_row], c.rows, 0.0);
  }
  work.islands.made_of.clear(), work.islands.found = 0;
}

void awaitNobody(StepWork& work) {
  for (const int slot : work.set.awaited) work.set.slots[slot].awaited = false;
  work.set.awaited.clear();
  work.islands.made_of.clear(), work.islands.found = 0;
}

StepStatus strikeInOrder(const StepTask& task, const Snapshot& from, HalvingLevel& level, Snapshot& to,
                         PhaseClock& clock) {
  constexpr int kFew = 16, kPerGap = 8;  // blows before what is left strikes at once: twenty balls in a row need 19
  const Snapshot* at = &from;
  for (int blows = 0;; ++blows) {
    Snapshot& next = level.blows[blows % 2];
    startNode(task, *at, next, clock);
    int gaps = 0;
    const int fastest = findFastest(task.work.set, gaps);
    if (blows > 0 && fastest < 0) break;
    const bool last = fastest < 0 || blows >= kFew + kPerGap * gaps;
    if (!last) awaitOthers(fastest, task.work);
    const StepStatus status = strikeOnce(task, *at, level, next, clock);
    awaitNobody(task.work);
    if (status != StepStatus::kAccepted && (blows == 0 || status == StepStatus::kInterrupted)) return status;
    if (last && blows > 0) ++task.report.impacts_cut;
    if (status == StepStatus::kAccepted) at = &next;
    if (last || status != StepStatus::kAccepted) break;
  }
  to = *at;
  return StepStatus::kAccepted;
}

}  // namespace

StepStatus strike(const StepTask& task, const Snapshot& from, HalvingLevel& level, Snapshot& to) {
  PhaseClock clock(task.report);
  if (task.options.sequential_impacts) return strikeInOrder(task, from, level, to, clock);
  startNode(task, from, to, clock);
  return strikeOnce(task, from, level, to, clock);
}

void noteRested(ConstraintSet& set, bool known) {
  for (Constraint& c : set.slots) c.rested = false;
  if (!known) return;
  for (const int slot : set.active) {
    Constraint& c = set.slots[slot];
    c.rested = c.can_open && set.impulse[c.first_row] > 0.0;
  }
}

}  // namespace rigor
