#include "minimal/constraints.h"

#include <algorithm>

namespace rigor {
namespace {

/// The same as findBlock, for constraints that ask in nearly the same order in every step.
const BlockMemory* recall(const Memory& memory, const RowId& id, std::size_t& next) {
  const std::vector<BlockMemory>& blocks = memory.blocks;
  if (next < blocks.size() && blocks[next].id == id) return &blocks[next++];
  const BlockMemory* found = findBlock(memory, id);
  if (found) next = static_cast<std::size_t>(found - blocks.data()) + 1;
  return found;
}

/// Z ← D⁻¹ Z on the chain of a side.
void divideByD(const int* chain, const std::vector<double>& inverse_D, int rows, int length, double* Z) {
  if (rows == 3) {
    for (int k = 0; k < length; ++k, Z += 3) {
      const double inverse = inverse_D[chain[k]];
      Z[0] *= inverse, Z[1] *= inverse, Z[2] *= inverse;
    }
    return;
  }
  for (int k = 0; k < length; ++k)
    for (int r = 0; r < rows; ++r) *Z++ *= inverse_D[chain[k]];
}

constexpr std::size_t kManySlots = 1024;

}  // namespace

const BlockMemory* findBlock(const Memory& memory, const RowId& id) {
  const auto found = std::lower_bound(memory.blocks.begin(), memory.blocks.end(), id,
                                      [](const BlockMemory& block, const RowId& key) { return block.id < key; });
  return found != memory.blocks.end() && found->id == id ? &*found : nullptr;
}

void ConstraintSet::prepare(const StepTables& tables, const PlacedModel& placed, double link_rows_from) {
  const int nv = tables.topology.nv;
  space.prepare(tables, link_rows_from);
  if (space.extended()) link_forces.assign(space.size, 0.0), torques.assign(nv, 0.0);
  limit_slot.assign(2 * static_cast<std::size_t>(nv), -1);
  motor_slot.assign(nv, -1);
  friction_slot.assign(nv, -1);
  servo_slot.assign(nv, -1);
  loop_slot.assign(tables.loops.size(), -1);
  spring_slot.assign(2 * tables.springs.size(), -1);
  freedom_slot.assign(kFreedomRows * tables.freedoms.size(), -1);
  freedoms.resize(tables.freedoms.size());
  tree_stiffness.assign(tables.springs.empty() ? 0 : tables.topology.trees, 0.0);
  neighbours.prepare(tables.collision, placed.shapes());
  solids.pairs.assign(neighbours.lists().solid_pairs.size(), {});
  columns.resize(nv);
  // room for most robots from the first step on, so that a landing on one more foot allocates nothing; solids that roll meet ever
  // new features
  const int few = tables.collision.solids.size() > 1 ? 16 : 0;
  const int contact_room = tables.collision.has_solids ? static_cast<int>(kManySlots) : few, room = contact_room + 16;
  contact_slot.reserve(contact_room);
  active.reserve(room);
  slots.reserve(room);
  awaited.reserve(room);
  sides.reserve(2 * room);
  contacts.reserve(contact_room);
  near.reserve(contact_room);
  violated.reserve(contact_room);
  for (auto* array : {&force, &response, &constraint, &half})
    array->reserve(3 * static_cast<std::size_t>(contact_room) * std::min(nv, 64));
  for (auto* array : {&impulse, &velocity, &floor}) array->reserve(3 * static_cast<std::size_t>(room));
}

void ConstraintSet::clear() {
  for (const int slot : active) slots[slot].active = false;
  active.clear();
  may_rest = false;
  next_memory = 0;
}

void ConstraintSet::beginStep() {
  solids.beginStep();
  neighbours.beginStep();
  if (slots.size() < kManySlots + 8 * active.size()) return;
  for (auto* list : {&limit_slot, &motor_slot, &friction_slot, &servo_slot, &loop_slot, &spring_slot, &freedom_slot})
    std::fill(list->begin(), list->end(), -1);
  contact_slot.clear();
  active.clear();
  slots.clear(), sides.clear(), contacts.clear(), joints.clear(), loops.clear(), springs.clear();
  for (auto* array : {&force, &response, &constraint, &half, &impulse, &velocity, &floor}) array->clear();
}

bool findSlot(const SlotRequest& request, int& slot, ConstraintSet& set) {
  if (slot >= 0) return false;
  slot = static_cast<int>(set.slots.size());
  Constraint& c = set.slots.emplace_back();
  c.source = request.source;
  c.id = request.id;
  c.index = request.index;
  c.rows = request.rows;
  c.first_row = static_cast<int>(set.impulse.size());
  c.first_side = static_cast<int>(set.sides.size());
  for (auto* array : {&set.impulse, &set.velocity, &set.floor}) array->resize(array->size() + c.rows, 0.0);
  return true;
}

namespace {

/// On the link as a whole, or with `dof` ≥ 0 on one of its freedoms.
void addSide(const Topology& topology, int link, int dof, int end, Constraint& c, ConstraintSet& set) {
  const RowSpace& space = set.space;
  Side side{.link = link, .offset = static_cast<int>(set.force.size()), .end = end, .sign = end == 1 ? 1.0 : -1.0};
  side.on_link = space.isOnLinks(topology, link);
  side.length = !side.on_link ? topology.chain_length[link] : dof < 0 ? RowSpace::kSpace : 1;
  side.list = !side.on_link ? topology.chain_start[link] : space.first_freedom + (dof < 0 ? space.motion[link] : dof);
  set.sides.push_back(side);
  ++c.sides;
  const std::size_t size = set.force.size() + static_cast<std::size_t>(c.rows) * side.length;
  for (auto* array : {&set.force, &set.response, &set.constraint, &set.half}) array->resize(size);
}

/// Those that answer first, of them the second end.
template <class LinkOf>
void addBothSides(const StepTables& tables, const LinkOf& linkOf, const int* dof, Constraint& c, ConstraintSet& set) {
  for (const bool answering : {true, false})
    for (const int end : {1, 0})
      if (const int link = linkOf(end); link >= 0 && tables.answers(link) == answering) {
        addSide(tables.topology, link, dof ? dof[end] : -1, end, c, set);
        c.answering += answering;
      }
}

}  // namespace

void addSides(const StepTables& tables, const int link[2], Constraint& c, ConstraintSet& set) {
  addBothSides(tables, [&](int end) { return link[end]; }, nullptr, c, set);
}

void addFreedoms(const StepTables& tables, const int dof[2], Constraint& c, ConstraintSet& set) {
  addBothSides(tables, [&](int end) { return dof[end] < 0 ? -1 : tables.topology.dof_link[dof[end]]; }, dof, c, set);
}

int entryOf(const Topology& topology, const Side& side, int dof) { return side.on_link ? 0 : topology.dof_depth[dof]; }

double rateOfRow(const ConstraintSet& set, const Constraint& c, std::span<const Side> sides, int row, const double* v) {
  double sum = 0.0;
  for (const Side& side : sides) {
    const int* entries = set.entriesOf(side);
    for (int k = 0; k < side.length; ++k) sum += set.force[side.offset + k * c.rows + row] * v[entries[k]];
  }
  return sum;
}

void join(const StepContext& context, int slot, ConstraintSet& set) {
  Constraint& c = set.slots[slot];
  const BlockMemory* memory = recall(context.memory, c.id, set.next_memory);
  c.last = {};
  if (memory) c.last = {true, memory->impulse[0] > 0.0, memory->impact, memory->mode};
  c.closed = c.touching && !c.last.impact;
  c.crowded = c.rolls = false;
  const bool tried = set.trying && c.tried == set.tries;
  if (tried) c.last.known = true, c.last.mode = c.tried_mode;
  static constexpr double kNone[kMostRows] = {};
  const double* guess = c.awaited ? kNone : tried ? &set.impulse[c.first_row] : memory ? memory->impulse : kNone;
  for (int r = 0; r < c.rows; ++r) {
    set.impulse[c.first_row + r] = guess[r];
    set.velocity[c.first_row + r] = set.floor[c.first_row + r] = 0.0;
  }
  c.active = true;
  set.active.push_back(slot);
}

double openBias(double gap, double h) { return h > 0.0 ? std::max(gap, 0.0) / h : 0.0; }

double meanKick(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set, const Constraint& c) {
  double sum = 0.0;
  for (const Side& side : set.answeringSidesOf(c)) sum += motion.kick[context.topology.v_index[side.link]];
  return sum / c.answering;
}

bool keepsGap(const Constraint& c, const ConstraintSet& set, double rounding) {
  if (c.awaited) return true;
  const double before = c.gap < -set.deeper ? c.gap : 0.0;  // what is not as deep as that may not add up to more
  return !(c.gap_end < before - set.deeper - rounding);
}

void halfSolve(const Topology& topology, const FreeMotion& motion, const Constraint& c, const Side& side,
               double* rows) {
  motion.mass.solveChainLTranspose(topology, side.link, c.rows, rows);
}

void addResponse(const ConstraintSet& set, const Constraint& c, double* change) {
  const double* impulse = &set.impulse[c.first_row];
  for (const Side& side : set.answeringSidesOf(c)) {
    const int* entries = set.entriesOf(side);
    const double* Z = side.on_link ? &set.force[side.offset] : &set.response[side.offset];
    double* to = side.on_link ? set.link_forces.data() : change;
    if (c.rows == 3) {
      for (int k = 0; k < side.length; ++k, Z += 3)
        to[entries[k]] += Z[0] * impulse[0] + Z[1] * impulse[1] + Z[2] * impulse[2];
      continue;
    }
    for (int k = 0; k < side.length; ++k)
      for (int r = 0; r < c.rows; ++r) to[entries[k]] += *Z++ * impulse[r];
  }
}

void addLinkResponses(const Trees& trees, const FreeMotion& motion, const ConstraintSet& set, double* change) {
  if (!set.space.extended() || set.empty()) return;
  const Topology& topology = trees.topology;
  const TwoPoseMass<double>& mass = motion.mass.twoPoses();
  for (int tree = topology.tree[trees.first_link]; tree <= topology.tree[trees.end_link - 1]; ++tree) {
    if (!set.space.on_links[tree]) continue;
    const Trees one(topology, tree, tree + 1);
    for (int link = one.first_link; link < one.end_link; ++link) {
      double* f = &set.link_forces[set.space.motion[link]];
      mass.passed[link] = {{-f[0], -f[1], -f[2]}, {-f[3], -f[4], -f[5]}};
      std::fill_n(f, RowSpace::kSpace, 0.0);
    }
    mass.passLinkForces(one, set.link_forces.data());
    for (int j = one.first_dof; j < one.end_dof; ++j) {
      change[j] += mass.inverse_d[j] * set.link_forces[j];
      set.link_forces[j] = 0.0;
    }
  }
}

void computeResponses(const Topology& topology, const FreeMotion& motion, int first, ConstraintSet& set) {
  for (int i = first; i < set.size(); ++i) {
    const Constraint& c = set.at(i);
    for (const Side& side : set.answeringSidesOf(c)) {
      if (side.on_link) continue;
      const int* chain = set.entriesOf(side);
      double* Z = &set.response[side.offset];
      std::copy_n(&set.force[side.offset], c.rows * side.length, Z);
      halfSolve(topology, motion, c, side, Z);
      divideByD(chain, motion.mass.inverseD(), c.rows, side.length, Z);
    }
  }
}

}  // namespace rigor
