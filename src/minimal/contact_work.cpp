#include "minimal/contact_work.h"

#include <algorithm>

#include "dynamics/energy.h"
#include "minimal/contact_rows.h"
#include "minimal/surface_rows.h"

namespace rigor {
namespace {

/// Of the kinetic energy: a normal that turns by α in a step breathes by up to α²/4 of it.
constexpr double kShare = 1e-3;

/// λ·J v of a contact, over some of its sides; v as the rows meet it.
double powerOf(const ConstraintSet& set, const Constraint& c, std::span<const Side> sides, const double* v) {
  double work = 0.0;
  for (int r = 0; r < c.rows; ++r) work += set.impulse[c.first_row + r] * rateOfRow(set, c, sides, r, v);
  return work;
}

/// The same with the motion of belts: they give energy, not the contact.
double workOf(const ConstraintSet& set, const Constraint& c, const double* v) {
  return (c.runs ? workOfBelt(c, set) : 0.0) + powerOf(set, c, set.sidesOf(c), v);
}

bool isPressedSolid(const ConstraintSet& set, const Constraint& c) {
  const ContactDetail* contact = contactOf(c, set);
  return contact && isOfSolids(contact->pair.kind) && set.impulse[c.first_row] > 0.0;
}

/// λ·J M̂⁻¹ Jᵀλ = Σ D (Zλ)² of an island's contacts.
double squareOf(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set, const Island& island,
                ContactWorkScratch& scratch) {
  const Topology& topology = context.topology;
  clearResponse(topology, scratch);
  for (const int slot : island.constraints)
    if (const Constraint& c = set.slots[slot]; contactOf(c, set)) addResponse(set, c, scratch.response.data());
  double sum = 0.0;
  if (motion.isDiscrete()) {  // LᵀDU: no sum of squares
    for (const int tree : scratch.trees) {
      const Trees one(topology, tree, tree + 1);
      addLinkResponses(one, motion, set, scratch.response.data());
      motion.mass.solveU(one, scratch.response.data());
    }
    const double* response = set.meetsRows(context.part, scratch.response.data());
    for (const int slot : island.constraints)
      if (const Constraint& c = set.slots[slot]; contactOf(c, set))
        sum += powerOf(set, c, set.answeringSidesOf(c), response);
    return sum;
  }
  for (const int tree : scratch.trees) {
    const Trees one(topology, tree, tree + 1);
    for (int j = one.first_dof; j < one.end_dof; ++j)
      sum += motion.mass.pivot(topology, j) * scratch.response[j] * scratch.response[j];
  }
  return sum;
}

}  // namespace

void findTrees(const Topology& topology, const ConstraintSet& set, const Island& island, ContactWorkScratch& scratch) {
  for (const int tree : scratch.trees) scratch.has_tree[tree] = 0;
  scratch.trees.clear();
  for (const int slot : island.constraints)
    for (const Side& side : set.answeringSidesOf(set.slots[slot])) {
      const int tree = topology.tree[side.link];
      if (!scratch.has_tree[tree]) scratch.trees.push_back(tree);
      scratch.has_tree[tree] = 1;
    }
}

void clearResponse(const Topology& topology, ContactWorkScratch& scratch) {
  for (const int tree : scratch.trees) {
    const Trees one(topology, tree, tree + 1);
    std::fill(scratch.response.begin() + one.first_dof, scratch.response.begin() + one.end_dof, 0.0);
  }
}

bool givesEnergy(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                 const ConstraintSet& set, const Island& island, const double* v_end, ContactWorkScratch& scratch) {
  const Topology& topology = context.topology;
  const double* v = set.meetsRows(context.part, v_end);
  double work = 0.0, kinetic = 0.0;
  bool solids = false;
  for (const int slot : island.constraints) {
    const Constraint& c = set.slots[slot];
    if (!contactOf(c, set)) continue;
    solids = solids || isPressedSolid(set, c);
    // what begins too deep is pushed out, and positions round
    double out = std::clamp(-c.gap, 0.0, kTouching) / motion.h + set.floor[c.first_row];
    if (c.softness > 0.0) out = std::max(out, set.velocity[c.first_row]);  // and what is soft gives back what it stored
    work += workOf(set, c, v) - set.impulse[c.first_row] * out;
  }
  if (!solids || work <= 0.0) return false;
  findTrees(topology, set, island, scratch);
  work -= 0.5 * squareOf(context, motion, set, island, scratch);
  if (work <= 0.0) return false;
  for (const int tree : scratch.trees)
    kinetic +=
        computeEnergy(Trees(topology, tree, tree + 1), context.parameters, start, motion.inertias, v_end, scratch.V)
            .kinetic;
  return work > kShare * kinetic;
}

bool leaveRunaways(const StepContext& context, const double* v_end, ConstraintSet& set) {
  constexpr double kFar = 0.1, kSame = 1e-3;  // of the smaller solid
  const std::vector<SolidPlace>& solids = context.tables.collision.solids;
  const double* v = set.meetsRows(context.part, v_end);
  const auto holdsThere = [&](const ContactDetail& runaway, double near) {
    return std::any_of(set.active.begin(), set.active.end(), [&](int slot) {
      const ContactDetail* other = contactOf(set.slots[slot], set);
      return other && other != &runaway && other->pair.shape[0] == runaway.pair.shape[0] &&
             other->pair.shape[1] == runaway.pair.shape[1] && norm(other->end.point - runaway.end.point) <= near;
    });
  };
  const auto runsAway = [&](int slot) {
    const Constraint& c = set.slots[slot];
    if (!isPressedSolid(set, c) || workOf(set, c, v) <= 0.0) return false;
    const ContactDetail& contact = *contactOf(c, set);
    const auto [a, b] = contact.pair.shape;
    const double size = std::min(solids[a].bound, solids[b].bound);
    return norm(contact.end.point - contact.start.point) > kFar * size && holdsThere(contact, kSame * size);
  };
  const auto runaway = std::find_if(set.active.begin(), set.active.end(), runsAway);
  if (runaway == set.active.end()) return false;
  Constraint& c = set.slots[*runaway];
  c.active = false;
  std::fill_n(&set.impulse[c.first_row], c.rows, 0.0);
  set.active.erase(runaway);
  return true;
}

}  // namespace rigor
