#include "solvers/sets.h"

#include <cmath>

#include "contact/judge.h"
#include "solvers/block_sor.h"

namespace rigor {
namespace {

void putOnMantle(double mu, const double* velocity, double* impulse) {
  if (!(impulse[0] > 0.0)) impulse[0] = 0.0;
  const double length = std::sqrt(impulse[1] * impulse[1] + impulse[2] * impulse[2]);
  if (length > 0.0) {
    impulse[1] *= mu * impulse[0] / length;
    impulse[2] *= mu * impulse[0] / length;
    return;
  }
  const double slip = std::sqrt(velocity[1] * velocity[1] + velocity[2] * velocity[2]);
  if (!(slip > 0.0)) return;
  impulse[1] = -mu * impulse[0] * velocity[1] / slip;
  impulse[2] = -mu * impulse[0] * velocity[2] / slip;
}

bool correctContact(const ContactProblem& problem, const Block& block, double slack, Iterate& iterate) {
  double* impulse = iterate.impulse.data() + block.row;
  const double* u = iterate.velocity.data() + block.row;
  ContactMode& mode = iterate.modes[block.row];
  if (mode == ContactMode::kOpen) {
    if (u[0] + problem.bias[block.row] >= -slack) return false;
    solveBlockAlone(problem, block, iterate);
    return mode != ContactMode::kOpen;
  }
  if (!(impulse[0] > 0.0)) {
    mode = ContactMode::kOpen;
    return true;
  }
  const double length = std::sqrt(impulse[1] * impulse[1] + impulse[2] * impulse[2]);
  if (mode == ContactMode::kStick && length > block.mu * impulse[0]) {
    mode = ContactMode::kSlip;
    return true;
  }
  // Friction that helps the slip on: it wants to stick.
  if (mode == ContactMode::kSlip && block.mu > 0.0 && impulse[1] * u[1] + impulse[2] * u[2] > slack * length) {
    mode = ContactMode::kStick;
    return true;
  }
  return false;
}

bool correctRow(const ContactProblem& problem, const Block& block, int row, double slack, Iterate& iterate) {
  const double impulse = iterate.impulse[row];
  ContactMode& mode = iterate.modes[row];
  const ContactMode before = mode;
  const double shifted = iterate.velocity[row] + problem.bias[row];
  if (block.kind == BlockKind::kAtLeast) {
    if (mode != ContactMode::kOpen && impulse < 0.0)
      mode = ContactMode::kOpen;
    else if (mode == ContactMode::kOpen && shifted < -slack)
      mode = ContactMode::kStick;
  } else if (mode != ContactMode::kSlip) {
    if (impulse < block.lo || impulse > block.hi) mode = ContactMode::kSlip;
  } else {
    const double pull = shifted + problem.compliance[row] * impulse;
    const bool at_low = impulse <= block.lo, at_high = impulse >= block.hi;
    if (!(at_low && pull >= -slack) && !(at_high && pull <= slack)) mode = ContactMode::kStick;
  }
  return mode != before;
}

}  // namespace

void conformToModes(const ContactProblem& problem, Iterate& iterate) {
  for (const Block& block : problem.blocks) {
    double* impulse = iterate.impulse.data() + block.row;
    if (block.kind == BlockKind::kContact) {
      const ContactMode mode = iterate.modes[block.row];
      if (mode == ContactMode::kOpen)
        impulse[0] = impulse[1] = impulse[2] = 0.0;
      else if (mode == ContactMode::kSlip)
        putOnMantle(block.mu, iterate.velocity.data() + block.row, impulse);
    } else if (block.kind != BlockKind::kEqual) {
      for (int r = 0; r < block.size; ++r) {
        const ContactMode mode = iterate.modes[block.row + r];
        if (mode == ContactMode::kStick) continue;
        const double bound = block.kind == BlockKind::kAtLeast                                    ? 0.0
                             : std::abs(impulse[r] - block.lo) <= std::abs(impulse[r] - block.hi) ? block.lo
                                                                                                  : block.hi;
        if (std::isfinite(bound))
          impulse[r] = bound;
        else
          iterate.modes[block.row + r] = ContactMode::kStick;
      }
    }
  }
}

bool correctSets(const ContactProblem& problem, double tolerance, Iterate& iterate) {
  const double slack = 0.1 * tolerance * leastScale(problem);
  bool changed = false;
  for (const Block& block : problem.blocks) {
    if (block.kind == BlockKind::kContact) {
      changed = correctContact(problem, block, slack, iterate) || changed;
    } else if (block.kind != BlockKind::kEqual) {
      for (int row = block.row; row < block.row + block.size; ++row)
        changed = correctRow(problem, block, row, slack, iterate) || changed;
    }
  }
  return changed;
}

}  // namespace rigor
