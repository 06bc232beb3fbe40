// Who takes part in a step.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "minimal/row_kinds.h"

namespace rigor {
namespace {

/// max(1, |q|/8) over the hinges: what 4·eps of the sizes of positions does not cover any more.
double computeWinding(const StepContext& context) {
  double most = 8.0;  // [rad]
  for (const Run& run : context.part.runs)
    for (const Hinge& hinge : within(context.tables.hinges, run.trees))
      most = std::max(most, std::fabs(context.q[hinge.q_index]));
  return most / 8.0;
}

double limitRate(const FreeMotion& motion, int dof, bool upper) {
  return upper ? -motion.mean_velocity[dof] : motion.mean_velocity[dof];
}

/// Dry friction, the motors that are rows already, and servos; without a kick there is none of them.
void addJointForces(const StepContext& context, const FreeMotion& motion, ConstraintSet& set) {
  for (const Servo& servo : context.input.servos)
    if (context.part.has[context.topology.tree[context.topology.dof_link[servo.dof]]] && motion.kick[servo.dof] > 0.0)
      JointRows::addServo(context, servo, motion, set);
  if (!context.tables.rubs && motion.saturations == 0) return;
  context.part.forEachDof([&](int j) {
    if (!(motion.kick[j] > 0.0)) return;
    if (context.parameters.dry_friction[j] > 0.0) JointRows::addFriction(context, j, motion, set);
    if (motion.saturated[j]) JointRows::addMotor(context, context.input.drives[context.input.drive_of[j]], motion, set);
  });
}

void addContact(const StepContext& context, const FeaturePair& pair, const GapAtPose<double>& at,
                const PlacedModel& start, const FreeMotion& motion, ConstraintSet& set) {
  ContactRows::add(context, pair, set.contact_slot[pair.id], at, start, motion, set);
}

/// At a shorter length others may not bring together what strikes at a longer one.
void addAwaited(const StepContext& context, const PlacedModel& start, const FreeMotion& motion, ConstraintSet& set) {
  for (const int slot : set.awaited) {
    const Constraint& c = set.slots[slot];
    if (c.active) continue;
    if (const ContactDetail* contact = contactOf(c, set)) {
      const FeaturePair pair = contact->pair;
      addContact(context, pair, gapOf(context.tables.collision, pair, start.centres), start, motion, set);
    } else if (isOnLoop(c)) {
      LoopFreedomRows::addStop(context, c.index, isUpperStop(c), motion.h, set);
    } else {
      const JointDetail& limit = set.joints[c.detail];
      JointRows::addLimit(context, c.index, limit.sign < 0.0, limit.bound, c.gap, motion.h, set);
    }
  }
}

/// Stops of loops that the end passes and that took no part.
void addPassedStops(const StepContext& context, const StepEnd& end, const FreeMotion& motion, ConstraintSet& set) {
  const std::vector<LoopFreedom>& freedoms = context.tables.freedoms;
  for (int i = 0; i < static_cast<int>(freedoms.size()); ++i) {
    const LoopFreedom& freedom = freedoms[i];
    if (!freedom.limited || !takesPart(context, freedom)) continue;
    const double x = set.freedoms[i].x, x_end = computeFreedom(freedom, context.topology, end.pose.kin).x;
    for (const bool upper : {false, true}) {
      const int slot = set.freedom_slot[kFreedomRows * i + (upper ? 1 : 0)];
      const bool active = slot >= 0 && set.slots[slot].active;
      if (!active && stopGap(freedom, upper, x + wayBetween(freedom, x, x_end)) < 0.0)
        LoopFreedomRows::addStop(context, i, upper, motion.h, set);
    }
  }
}

SolidStep solidStep(const StepContext& context, const PlacedModel& start, const FreeMotion& motion,
                    const ConstraintSet& set) {
  return {context.tables.collision,
          set.neighbours.lists(),
          set.solid_candidates,
          start.solids,
          motion.rnea.V,
          motion.h,
          context.memory};
}

/// Tells the search how the last pass pushed: where the rim of a cylinder or cone needs another point depends on it.
void tellPushes(ConstraintSet& set) {
  for (SolidSearch::Taken& taken : set.solids.taken) {
    if (!taken.is_point) continue;
    const int slot = set.contact_slot.find(taken.id);
    taken.push = slot >= 0 && set.slots[slot].active ? set.impulse[set.slots[slot].first_row] : 0.0;
  }
}

/// The pairs of the list that the part may touch with.
void selectCandidates(const Part& part, ConstraintSet& set) {
  if (!part.whole) {
    set.neighbours.select(part.trees, part.has, set.candidates, set.solid_candidates);
    return;
  }
  const auto all = [](std::size_t count, std::vector<int>& indices) {
    indices.resize(count);
    std::iota(indices.begin(), indices.end(), 0);
  };
  all(set.neighbours.lists().pairs.size(), set.candidates);
  all(set.neighbours.lists().solid_pairs.size(), set.solid_candidates);
}

/// Lists whom the part may meet, wherever it gets in this step.
void lookAround(const StepContext& context, const PlacedModel& start, const FreeMotion& motion, ConstraintSet& set) {
  const double time = std::max(motion.h, motion.least);
  if (set.neighbours.coverSweep(context.part.trees, start.shapes(), motion.rnea.V, time)) set.followList();
  selectCandidates(context.part, set);
}

}  // namespace

void searchNear(const StepContext& context, const PlacedModel& start, const FreeMotion& motion, ConstraintSet& set) {
  lookAround(context, start, motion, set);
  findNear(context.tables.collision, set.neighbours.lists().pairs, set.candidates, start.centres, motion.rnea.V,
           motion.h, set.near);
  findSolidContacts(solidStep(context, start, motion, set), set.solids);
}

void addConstraints(const StepContext& context, const PlacedModel& start, const FreeMotion& motion,
                    ConstraintSet& set) {
  set.clear();
  set.begin(context.part, start.kin, motion, context.v);
  set.winding = computeWinding(context);
  for (const NearPair& near : set.near)
    addContact(context, set.neighbours.lists().pairs[near.pair], near.at, start, motion, set);
  for (const SolidContact& found : set.solids.contacts) addContact(context, found.pair, found.at, start, motion, set);
  forEachLimit(context, context.q, [&](int dof, bool upper, double bound, double gap) {
    if (mayClose(gap, limitRate(motion, dof, upper), motion.h))
      JointRows::addLimit(context, dof, upper, bound, gap, motion.h, set);
  });
  LoopFreedomRows::begin(context, start, set);
  forEachStop(context, motion, set, [&](int index, bool upper, double gap, double rate) {
    if (mayClose(gap, rate, motion.h)) LoopFreedomRows::addStop(context, index, upper, motion.h, set);
  });
  addAwaited(context, start, motion, set);
  addJointForces(context, motion, set);
  LoopFreedomRows::addForces(context, motion, set);
  LoopPartRows::addAll(context, start, set);
  SpringRows::addAll(context, start, motion, set);
}

void findTouching(const StepContext& context, const PlacedModel& start, const FreeMotion& motion, ConstraintSet& set) {
  set.clear();
  set.begin(context.part, start.kin, motion, context.v);
  const bool half_kick = hasKick(context.part, motion.h);
  const auto takesPart = [&](double rate, double threshold, const RowId& id) {
    const BlockMemory* last = findBlock(context.memory, id);
    return !half_kick || rate >= -threshold || (last && last->impulse[0] > 0.0);
  };
  const CollisionTable& collision = context.tables.collision;
  // springs push in a half kick, and not where no time passes
  const auto touchMatters = [&](const FeaturePair& pair, double rate) {
    const bool soft = collision.complianceOf(pair) > 0.0;
    return soft ? half_kick : takesPart(rate, collision.surfaceOf(pair).threshold, pair.id);
  };
  const std::vector<FeaturePair>& pairs = set.neighbours.lists().pairs;
  lookAround(context, start, motion, set);
  findTouching(collision, pairs, set.candidates, start.centres, motion.rnea.V, motion.least, set.near);
  for (const NearPair& near : set.near) {
    const FeaturePair& pair = pairs[near.pair];
    if (touchMatters(pair, near.rate)) addContact(context, pair, near.at, start, motion, set);
  }
  findTouchingSolids(solidStep(context, start, motion, set), motion.least, set.solids);
  for (const SolidContact& found : set.solids.contacts)
    if (touchMatters(found.pair, found.rate)) addContact(context, found.pair, found.at, start, motion, set);
  const auto limitMatters = [&](double gap, double rate, const RowId& id) {
    const bool touches = gap + motion.least * std::min(rate, 0.0) < kTouching;
    return touches && takesPart(rate, kLimitThreshold, id);
  };
  forEachLimit(context, context.q, [&](int dof, bool upper, double bound, double gap) {
    if (limitMatters(gap, limitRate(motion, dof, upper), limitId(dof, upper)))
      JointRows::addLimit(context, dof, upper, bound, gap, motion.h, set);
  });
  LoopFreedomRows::begin(context, start, set);
  forEachStop(context, motion, set, [&](int index, bool upper, double gap, double rate) {
    if (limitMatters(gap, rate, stopId(context.tables.freedoms[index], upper)))
      LoopFreedomRows::addStop(context, index, upper, motion.h, set);
  });
  addJointForces(context, motion, set);
  LoopFreedomRows::addForces(context, motion, set);
  LoopPartRows::addAll(context, start, set);
  SpringRows::addAll(context, start, motion, set);
}

bool appendViolated(const StepContext& context, const PlacedModel& start, const StepEnd& end, const FreeMotion& motion,
                    ConstraintSet& set) {
  const int before = set.size();
  const CollisionTable& table = context.tables.collision;
  const auto takesPart = [&](int slot) { return slot >= 0 && set.slots[slot].active; };
  if (set.neighbours.coverWay(context.part.trees, start.shapes(), end.pose.shapes())) {
    set.followList();
    selectCandidates(context.part, set);
  }
  const std::vector<FeaturePair>& pairs = set.neighbours.lists().pairs;
  findViolated(table, pairs, set.candidates, start.centres, end.pose.centres, set.violated);
  for (const int i : set.violated)
    if (!takesPart(set.contact_slot[pairs[i].id]))
      addContact(context, pairs[i], gapOf(table, pairs[i], start.centres), start, motion, set);
  tellPushes(set);
  findViolatedSolids(solidStep(context, start, motion, set), end.pose.solids, set.solids);
  for (const SolidContact& found : set.solids.contacts) addContact(context, found.pair, found.at, start, motion, set);
  forEachLimit(context, end.q, [&](int dof, bool upper, double bound, double gap_end) {
    if (gap_end >= 0.0 || takesPart(set.limit_slot[2 * dof + (upper ? 1 : 0)])) return;
    const double position = context.q[context.topology.q_index[context.topology.dof_link[dof]]];
    JointRows::addLimit(context, dof, upper, bound, upper ? bound - position : position - bound, motion.h, set);
  });
  addPassedStops(context, end, motion, set);
  computeResponses(context.topology, motion, before, set);
  return set.size() > before;
}

}  // namespace rigor
