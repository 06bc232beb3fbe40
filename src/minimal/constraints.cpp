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

void ConstraintSet::prepare(const StepTables& tables, const PlacedModel& placed) {
  const int nv = tables.topology.nv;
  limit_slot.assign(2 * static_cast<std::size_t>(nv), -1);
  motor_slot.assign(nv, -1);
  friction_slot.assign(nv, -1);
  loop_slot.assign(tables.loops.size(), -1);
  spring_slot.assign(2 * tables.springs.size(), -1);
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
  for (auto* list : {&limit_slot, &motor_slot, &friction_slot, &loop_slot, &spring_slot})
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

void addSide(const Topology& topology, int link, int end, Constraint& c, ConstraintSet& set) {
  const int length = topology.chain_length[link];
  set.sides.push_back({link, static_cast<int>(set.force.size()), length, end, end == 1 ? 1.0 : -1.0});
  ++c.sides;
  const std::size_t size = set.force.size() + static_cast<std::size_t>(c.rows) * length;
  for (auto* array : {&set.force, &set.response, &set.constraint, &set.half}) array->resize(size);
}

}  // namespace

void addSides(const StepTables& tables, const int link[2], Constraint& c, ConstraintSet& set) {
  for (const bool answering : {true, false})
    for (const int end : {1, 0})
      if (link[end] >= 0 && tables.answers(link[end]) == answering) {
        addSide(tables.topology, link[end], end, c, set);
        c.answering += answering;
      }
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

void computeResponses(const Topology& topology, const FreeMotion& motion, int first, ConstraintSet& set) {
  for (int i = first; i < set.size(); ++i) {
    const Constraint& c = set.at(i);
    for (const Side& side : set.answeringSidesOf(c)) {
      const int* chain = topology.chain.data() + topology.chain_start[side.link];
      double* Z = &set.response[side.offset];
      std::copy_n(&set.force[side.offset], c.rows * side.length, Z);
      halfSolve(topology, motion, c, side, Z);
      divideByD(chain, motion.mass.inverseD(), c.rows, side.length, Z);
    }
  }
}

}  // namespace rigor
