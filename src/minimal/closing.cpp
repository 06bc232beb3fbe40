#include "minimal/closing.h"

#include <algorithm>
#include <cmath>

#include "collision/rim_search.h"
#include "minimal/contact_rows.h"

namespace rigor {
namespace {

/// What the constraint's own impulse adds to the rate of its gap.
double ownResponse(const ContactProblem& problem, const Block& block, const double* impulse) {
  double sum = 0.0;
  for (int r = 0; r < block.size; ++r) sum += problem.W(block.row, block.row + r) * impulse[r];
  return sum;
}

/// From the rate of the gap without the constraint's own impulse; nothing if it closes more slowly than `threshold`.
Closing closingAt(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set, const Constraint& c,
                  double rate, double threshold) {
  const double bend = (rate - rateOfGap(set, c)) / meanKick(context, motion, set, c);
  const double begin = rate - 0.5 * bend * motion.h;  // φ(t) = φ + begin·t + ½ bend·t²
  const double way = c.gap - 0.5 * kTouching;
  const double square = begin * begin - 2.0 * bend * way;  // of the speed at the closing
  if (!(square > threshold * threshold)) return {};
  const double denominator = std::sqrt(square) - begin;
  if (!(denominator > 0.0)) return {};
  return {2.0 * way / denominator, false, c.gap_end};
}

}  // namespace

double rateOfGap(const ConstraintSet& set, const Constraint& c) {
  return rateOfRow(set, c, set.sidesOf(c), 0, set.startVelocity());
}

Closing closingOf(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set, const Constraint& c) {
  return closingAt(context, motion, set, c, set.velocity[c.first_row], 0.0);
}

Closing closingOf(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set, const Island& island,
                  std::size_t index, double horizon) {
  const Constraint& c = set.slots[island.constraints[index]];
  const double* impulse = &set.impulse[c.first_row];
  const bool pressed = impulse[0] > 0.0;
  if (!c.can_open || c.touching || c.crowded || c.rolls || (!pressed && horizon <= motion.h)) return {};
  const double own = pressed ? ownResponse(island.problem, island.problem.blocks[index], impulse) : 0.0;
  Closing closing = closingAt(context, motion, set, c, set.velocity[c.first_row] - own, c.threshold);
  closing.pressed = pressed;
  if (pressed && closing.found()) closing.time = std::min(closing.time, motion.h);
  return closing.time <= horizon ? closing : Closing{};
}

void findCrowds(const StepContext& context, Crowds& crowds, ConstraintSet& set) {
  constexpr int kCrowd = 5;
  if (crowds.stops >= crowds.most_stops) {
    for (const int slot : set.active) set.slots[slot].crowded = set.slots[slot].restitution == 0.0;
    return;
  }
  if (static_cast<int>(context.part.trees.size()) <= kCrowd || set.empty()) return;
  const Topology& topology = context.topology;
  crowds.prepare(topology.trees);
  const auto forEachTree = [&](const auto& visit) {  // of those that constraints tie; nobody else is asked for
    for (const int slot : set.active)
      for (const Side& side : set.answeringSidesOf(set.slots[slot])) visit(topology.tree[side.link]);
  };
  forEachTree([&](int tree) { crowds.groups.parent[tree] = tree, crowds.size[tree] = crowds.counted[tree] = 0; });
  uniteConnected(topology, set, crowds.groups);
  forEachTree([&](int tree) {
    if (!crowds.counted[tree]) ++crowds.size[crowds.groups.groupOf(tree)];
    crowds.counted[tree] = 1;
  });
  const auto isCrowd = [&](int tree) {
    return crowds.size[crowds.groups.groupOf(tree)] > kCrowd || (crowds.tried && crowds.met[tree] > kCrowd);
  };
  for (const int slot : set.active) {
    Constraint& c = set.slots[slot];
    c.crowded = c.restitution == 0.0 && isCrowd(treeOf(topology, set, c));
  }
}

void findRolling(ConstraintSet& set) {
  if (set.solids.taken.empty()) return;
  for (const int slot : set.active) {
    Constraint& c = set.slots[slot];
    const ContactDetail* contact = contactOf(c, set);
    if (!contact || c.touching || c.restitution > 0.0 || !isOfSolids(contact->pair.kind)) continue;
    const int pair = set.neighbours.lists().findSolidPair(contact->pair.shape[0], contact->pair.shape[1]);
    c.rolls = pair >= 0 && rollsOnRim(set.solids, set.solids.pairs[pair], contact->pair, contact->start.normal);
  }
}

Closing findFirstClosing(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set,
                         const Islands& islands, double horizon) {
  Closing first;
  forEachClosing(context, motion, set, islands, horizon, [&](const Constraint&, const Closing& closing) {
    if (closing.time < first.time) first = closing;
  });
  return first;
}

bool strikesAtNode(const ConstraintSet& set, const Constraint& c) {
  const bool rested = c.last.pressed && !c.last.impact;
  if (!c.can_open || !c.touching || c.crowded || rested) return false;
  return rateOfGap(set, c) < -c.threshold;
}

bool strikesAtNode(const ConstraintSet& set) {
  return std::any_of(set.active.begin(), set.active.end(),
                     [&](int slot) { return strikesAtNode(set, set.slots[slot]); });
}

}  // namespace rigor
