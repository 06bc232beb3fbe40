#include "solvers/sets.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/judge.h"
#include "solvers/block_sor.h"

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

// Least t > 0 with x + t d = bound, moving outwards; infinite if it moves the other way.
double lengthToBound(double x, double d, double bound) {
  const double length = (bound - x) / d;
  return d != 0.0 && length > 0.0 ? length : kInfinity;
}

// Least t > 0 at which |λt| = μ λn on the line λ + t d, from inside the cone.
double lengthToMantle(double mu, const double* x, const double* d) {
  // (μ(xn + t dn))² − |xt + t dt|² = a t² + 2 b t + c
  const double a = mu * mu * d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
  const double b = mu * mu * x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
  const double c = mu * mu * x[0] * x[0] - x[1] * x[1] - x[2] * x[2];
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0.0)) return kInfinity;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  double length = kInfinity;
  if (a != 0.0 && q / a > 0.0) length = q / a;
  if (q != 0.0 && c / q > 0.0) length = std::min(length, c / q);
  return length;
}

}  // namespace

Edge findEdge(const ContactProblem& problem, const ContactMode* modes, const double* impulse, const double* direction) {
  Edge nearest{kInfinity, -1, ContactMode::kOpen};
  const auto offer = [&](double length, int row, ContactMode mode) {
    if (length < nearest.length) nearest = {length, row, mode};
  };
  for (const Block& block : problem.blocks) {
    const double* x = impulse + block.row;
    const double* d = direction + block.row;
    if (block.kind == BlockKind::kContact) {
      const ContactMode mode = modes[block.row];
      if (mode == ContactMode::kOpen) continue;
      if (d[0] < 0.0) offer(-x[0] / d[0], block.row, ContactMode::kOpen);
      if (mode == ContactMode::kStick) offer(lengthToMantle(block.mu, x, d), block.row, ContactMode::kSlip);
    } else {
      const bool box = block.kind == BlockKind::kBox;
      for (int r = 0; r < block.size; ++r) {
        if (modes[block.row + r] != ContactMode::kStick) continue;
        const double bound = !box ? 0.0 : d[r] < 0.0 ? block.lo : block.hi;
        if (box || d[r] < 0.0)
          offer(lengthToBound(x[r], d[r], bound), block.row + r, box ? ContactMode::kSlip : ContactMode::kOpen);
      }
    }
  }
  return nearest;
}

void conformToModes(const ContactProblem& problem, Iterate& iterate) {
  for (const Block& block : problem.blocks) {
    double* impulse = iterate.impulse.data() + block.row;
    if (block.kind == BlockKind::kContact) {
      const ContactMode mode = iterate.modes[block.row];
      if (mode == ContactMode::kOpen)
        impulse[0] = impulse[1] = impulse[2] = 0.0;
      else if (mode == ContactMode::kSlip)
        putOnMantle(block.mu, iterate.velocity.data() + block.row, impulse);
    } else {
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
  const double least = 0.1 * tolerance * leastScale(problem);
  bool changed = false;
  for (const Block& block : problem.blocks) {
    // A velocity within its own error contradicts no mode.
    const double slack = least + (problem.row_error.empty() ? 0.0 : problem.row_error[block.row]);
    if (block.kind == BlockKind::kContact) {
      changed = correctContact(problem, block, slack, iterate) || changed;
    } else {
      for (int row = block.row; row < block.row + block.size; ++row)
        changed = correctRow(problem, block, row, slack, iterate) || changed;
    }
  }
  return changed;
}

}  // namespace rigor
