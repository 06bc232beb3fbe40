#include "minimal/freedom_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "minimal/joint_rows.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

int& slotOf(int index, FreedomRow row, ConstraintSet& set) {
  return set.freedom_slot[kFreedomRows * index + static_cast<int>(row)];
}
double signOf(const Constraint& c) { return isUpperStop(c) ? -1.0 : 1.0; }

/// Writes ±∂x into one of the packed arrays, by the motion columns of its pose.
void writeRow(const StepContext& context, const FreedomAt& at, const Motion<double>* columns, const Constraint& c,
              const ConstraintSet& set, std::vector<double>& rows) {
  for (const Side& side : set.sidesOf(c)) {
    const Force<double> F = signOf(c) * at.F[side.end == 1 ? 0 : 1];
    writeRows<1>(set, context.topology, columns, side, &F, &rows[side.offset]);
  }
}

Constraint& findFreedomSlot(const StepContext& context, int index, FreedomRow row, ConstraintSet& set) {
  const LoopFreedom& freedom = context.tables.freedoms[index];
  int& slot = slotOf(index, row, set);
  if (findSlot({RowSource::kLoopFreedom, freedomRowId(freedom, row), index, 1}, slot, set)) {
    Constraint& c = set.slots[slot];
    c.can_open = row == FreedomRow::kLower || row == FreedomRow::kUpper;
    c.threshold = kLimitThreshold;
    c.block.kind = c.can_open ? BlockKind::kAtLeast : BlockKind::kBox;
    const int links[2] = {freedom.along.link_1, freedom.along.link_2};
    addSides(context.tables, links, c, set);
  }
  Constraint& c = set.slots[slot];
  writeRow(context, set.freedoms[index], set.S, c, set, set.force);
  return c;
}

void addFriction(const StepContext& context, int index, const FreeMotion& motion, ConstraintSet& set) {
  Constraint& c = findFreedomSlot(context, index, FreedomRow::kFriction, set);
  c.block.hi = meanKick(context, motion, set, c) * context.tables.freedoms[index].dry_friction;
  c.block.lo = -c.block.hi;
  c.touching = true;
  join(context, slotOf(index, FreedomRow::kFriction, set), set);
}

void addMotor(const StepContext& context, int index, const FreeMotion& motion, ConstraintSet& set) {
  const LoopMotor& motor = context.tables.freedoms[index].motor;
  Constraint& c = findFreedomSlot(context, index, FreedomRow::kMotor, set);
  const double kick = meanKick(context, motion, set, c), stiffness = motor.kd + motion.h * motor.kp;
  const double still = motor.torque + motor.kp * (motor.target - set.freedoms[index].x);
  c.touching = true;
  join(context, slotOf(index, FreedomRow::kMotor, set), set);
  if (stiffness > 0.0) {
    c.block.hi = kick * motor.effort;
    c.block.lo = -c.block.hi;
    c.compliance = 1.0 / (kick * stiffness);
    c.bias = -still / stiffness;
    return;
  }
  // no velocity changes the torque: a box of one number
  c.block.lo = c.block.hi = kick * std::clamp(still, -motor.effort, motor.effort);
  c.compliance = c.bias = 0.0;
  c.last.known = false;
}

}  // namespace

RowId freedomRowId(const LoopFreedom& freedom, FreedomRow row) {
  return rowId(RowSource::kLoopFreedom, kFreedomRows * freedom.loop + static_cast<int>(row));
}

bool takesPart(const StepContext& context, const LoopFreedom& freedom) {
  const auto steps = [&](int link) { return context.part.hasLink(context.topology, link); };
  return steps(freedom.along.link_1) && steps(freedom.along.link_2);
}

double rateOf(const LoopFreedom& freedom, const FreedomAt& at, const std::vector<Motion<double>>& V) {
  const int links[2] = {freedom.along.link_2, freedom.along.link_1};
  double rate = 0.0;
  for (int end = 0; end < 2; ++end)
    if (links[end] != kWorld) rate += dot(V[links[end]], at.F[end]);
  return rate;
}

void LoopFreedomRows::begin(const StepContext& context, const PlacedModel& start, ConstraintSet& set) {
  const std::vector<LoopFreedom>& freedoms = context.tables.freedoms;
  for (std::size_t i = 0; i < freedoms.size(); ++i)
    if (takesPart(context, freedoms[i])) set.freedoms[i] = computeFreedom(freedoms[i], context.topology, start.kin);
}

void LoopFreedomRows::addStop(const StepContext& context, int index, bool upper, double h, ConstraintSet& set) {
  const FreedomRow row = upper ? FreedomRow::kUpper : FreedomRow::kLower;
  Constraint& c = findFreedomSlot(context, index, row, set);
  c.gap = stopGap(context.tables.freedoms[index], upper, set.freedoms[index].x);
  c.touching = c.gap <= kTouching;
  c.bias = openBias(c.gap, h);
  join(context, slotOf(index, row, set), set);
}

void LoopFreedomRows::addForces(const StepContext& context, const FreeMotion& motion, ConstraintSet& set) {
  for (int i = 0; i < static_cast<int>(context.tables.freedoms.size()); ++i) {
    const LoopFreedom& freedom = context.tables.freedoms[i];
    if (!takesPart(context, freedom)) continue;
    const int link = context.tables.answers(freedom.along.link_2) ? freedom.along.link_2 : freedom.along.link_1;
    if (!(motion.kick[context.topology.v_index[link]] > 0.0)) continue;
    if (freedom.dry_friction > 0.0) addFriction(context, i, motion, set);
    if (freedom.motor.acts()) addMotor(context, i, motion, set);
  }
}

void LoopFreedomRows::secant(const StepContext& context, const PlacedModel&, const StepEnd& end, Constraint& c,
                             ConstraintSet& set) {
  const LoopFreedom& freedom = context.tables.freedoms[c.index];
  const FreedomAt& from = set.freedoms[c.index];
  const FreedomAt to = computeFreedom(freedom, context.topology, end.pose.kin);
  const double way = signOf(c) * wayBetween(freedom, from.x, to.x);
  c.gap_end = c.gap + way;
  set.velocity[c.first_row] = way / end.h;
  set.floor[c.first_row] = 4.0 * kEps * set.winding * (from.size + to.size) / end.h;
}

void LoopFreedomRows::rows(const StepContext& context, const PlacedModel&, const StepEnd& end, const Constraint& c,
                           ConstraintSet& set) {
  const FreedomAt at = computeFreedom(context.tables.freedoms[c.index], context.topology, end.pose.kin);
  writeRow(context, at, set.columns.data(), c, set, set.constraint);
}

void LoopFreedomRows::addImpulse(const StepContext&, const Kinematics<double>&, const Constraint& c,
                                 const ConstraintSet& set, MomentumScratch& scratch) {
  const FreedomAt& at = set.freedoms[c.index];
  for (const Side& side : set.sidesOf(c))
    scratch.impulse[side.link] += signOf(c) * set.impulse[c.first_row] * at.F[side.end == 1 ? 0 : 1];
}

void LoopFreedomRows::addImpulseSize(const StepContext&, const Kinematics<double>&, const Constraint& c, double size,
                                     const ConstraintSet& set, MomentumScratch& scratch) {
  for (const Side& side : set.sidesOf(c)) {
    const Force<double>& F = set.freedoms[c.index].F[side.end == 1 ? 0 : 1];
    scratch.size[side.link] += {size * absoluteSum(F.linear), size * absoluteSum(F.angular)};
  }
}

void LoopFreedomRows::stay(Constraint& c, ConstraintSet&) { c.gap_end = c.gap; }

bool LoopFreedomRows::held(const Constraint& c, const ConstraintSet& set, double h) {
  return !c.can_open || keepsGap(c, set, h * set.floor[c.first_row]);
}

}  // namespace rigor
