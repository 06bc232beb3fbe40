#include "minimal/closing.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

/// What the constraint's own impulse adds to the rate of its gap.
double ownResponse(const ContactProblem& problem, const Block& block, const double* impulse) {
  const double* row = problem.W.row(block.row) + block.row;
  double sum = 0.0;
  for (int r = 0; r < block.size; ++r) sum += row[r] * impulse[r];
  return sum;
}

}  // namespace

double rateAt(const Topology& topology, const ConstraintSet& set, const Constraint& c, const double* v) {
  double sum = 0.0;
  for (const Side& side : set.sidesOf(c)) {
    const int* chain = topology.chain.data() + topology.chain_start[side.link];
    for (int k = 0; k < side.length; ++k) sum += set.force[side.offset + k * c.rows] * v[chain[k]];
  }
  return sum;
}

Closing findFirstClosing(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set,
                         const Islands& islands, double horizon) {
  Closing first;
  for (int i = 0; i < islands.count; ++i) {
    const Island& island = islands.list[i];
    for (std::size_t k = 0; k < island.constraints.size(); ++k) {
      const Constraint& c = set.slots[island.constraints[k]];
      const double* impulse = &set.impulse[c.first_row];
      const bool pressed = impulse[0] > 0.0;
      if (!c.can_open || c.touching || (!pressed && horizon <= motion.h)) continue;
      const double own = pressed ? ownResponse(island.problem, island.problem.blocks[k], impulse) : 0.0;
      const double rate = set.velocity[c.first_row] - own;
      const double bend = (rate - rateAt(context.topology, set, c, context.v)) / motion.kick;
      const double begin = rate - 0.5 * bend * motion.h;  // φ(t) = φ + begin·t + ½ bend·t²
      const double way = c.gap - 0.5 * kTouching;
      const double square = begin * begin - 2.0 * bend * way;  // of the speed at the closing
      if (!(square > c.threshold * c.threshold)) continue;
      const double denominator = std::sqrt(square) - begin;
      if (!(denominator > 0.0)) continue;
      double time = 2.0 * way / denominator;
      if (pressed) time = std::min(time, motion.h);
      if (time <= horizon && time < first.time) first = {time, pressed, c.gap_end};
    }
  }
  return first;
}

bool strikesAtNode(const StepContext& context, const ConstraintSet& set) {
  return std::any_of(set.active.begin(), set.active.end(), [&](int slot) {
    const Constraint& c = set.slots[slot];
    const bool rested = c.last.pressed && !c.last.impact;
    if (!c.can_open || !c.touching || rested) return false;
    return rateAt(context.topology, set, c, context.v) < -c.threshold;
  });
}

}  // namespace rigor
