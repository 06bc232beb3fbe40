#include "minimal/contact_work.h"

#include <algorithm>

#include "dynamics/energy.h"
#include "minimal/contact_rows.h"

namespace rigor {
namespace {

constexpr double kShare = 0.001;  // of the kinetic energy; a normal that turns by α in a step breathes by α²/4 of it

/// λ·½ J (v + v′) of a contact, less what it takes to push out what begins too deep.
double workOf(const Topology& topology, const FreeMotion& motion, const ConstraintSet& set, const Constraint& c,
              const double* v, const double* v_end) {
  const double* impulse = &set.impulse[c.first_row];
  double work = -impulse[0] * kTouching / motion.h;
  for (const Side& side : set.sidesOf(c)) {
    const int* chain = topology.chain.data() + topology.chain_start[side.link];
    for (int k = 0; k < side.length; ++k) {
      const double* entry = &set.force[side.offset + k * c.rows];
      const double mean = 0.5 * (v[chain[k]] + v_end[chain[k]]);
      for (int r = 0; r < c.rows; ++r) work += impulse[r] * entry[r] * mean;
    }
  }
  return work;
}

bool isPressedSolid(const ConstraintSet& set, const Constraint& c) {
  const ContactDetail* contact = contactOf(c, set);
  return contact && isOfSolids(contact->pair.kind) && set.impulse[c.first_row] > 0.0;
}

void findTrees(const Topology& topology, const ConstraintSet& set, const Island& island, std::vector<int>& trees) {
  trees.clear();
  for (const int slot : island.constraints)
    for (const Side& side : set.answeringSidesOf(set.slots[slot])) trees.push_back(topology.tree[side.link]);
  std::sort(trees.begin(), trees.end());
  trees.erase(std::unique(trees.begin(), trees.end()), trees.end());
}

}  // namespace

bool givesEnergy(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                 const ConstraintSet& set, const Islands& islands, const double* v_end, std::vector<int>& trees,
                 std::vector<Motion<double>>& V) {
  const Topology& topology = context.topology;
  for (int i = 0; i < islands.count; ++i) {
    double work = 0.0, kinetic = 0.0;
    for (const int slot : islands.list[i].constraints)
      if (const Constraint& c = set.slots[slot]; isPressedSolid(set, c))
        work += workOf(topology, motion, set, c, context.v, v_end);
    if (work <= 0.0) continue;
    findTrees(topology, set, islands.list[i], trees);
    for (const int tree : trees)
      kinetic +=
          computeEnergy(Trees(topology, tree, tree + 1), context.parameters, start, motion.inertias, v_end, V).kinetic;
    if (work > kShare * kinetic) return true;
  }
  return false;
}

bool leaveRunaways(const StepContext& context, const FreeMotion& motion, const double* v_end, ConstraintSet& set) {
  constexpr double kFar = 0.1;  // of the smaller solid
  const std::vector<SolidPlace>& solids = context.tables.collision.solids;
  const auto runsAway = [&](int slot) {
    const Constraint& c = set.slots[slot];
    if (!isPressedSolid(set, c) || workOf(context.topology, motion, set, c, context.v, v_end) <= 0.0) return false;
    const ContactDetail& contact = *contactOf(c, set);
    const auto [a, b] = contact.pair.shape;
    return norm(contact.end.point - contact.start.point) > kFar * std::min(solids[a].bound, solids[b].bound);
  };
  const auto gone =
      std::stable_partition(set.active.begin(), set.active.end(), [&](int slot) { return !runsAway(slot); });
  const bool any = gone != set.active.end();
  for (auto slot = gone; slot != set.active.end(); ++slot) {
    set.slots[*slot].active = false;
    std::fill_n(&set.impulse[set.slots[*slot].first_row], set.slots[*slot].rows, 0.0);
  }
  set.active.erase(gone, set.active.end());
  return any;
}

}  // namespace rigor
