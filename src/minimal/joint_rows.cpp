#include "minimal/joint_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

double positionOf(const StepContext& context, const double* q, int dof) {
  return q[context.topology.q_index[context.topology.dof_link[dof]]];
}

/// The slot of a row that is one degree of freedom itself.
Constraint& findJointSlot(const StepContext& context, RowSource source, const RowId& id, int dof, double sign,
                          int& slot, ConstraintSet& set) {
  if (findSlot({source, id, dof, 1}, slot, set)) {
    Constraint& c = set.slots[slot];
    c.can_open = source == RowSource::kLimit;
    c.threshold = kLimitThreshold;
    if (source == RowSource::kMotor) c.first_mode = ContactMode::kSlip;
    c.block.kind = c.can_open ? BlockKind::kAtLeast : BlockKind::kBox;
    c.detail = static_cast<int>(set.joints.size());
    set.joints.push_back({.sign = sign});
    const int freedoms[2] = {-1, dof};
    addFreedoms(context.tables, freedoms, c, set);
    const Side& side = set.sides[c.first_side];
    std::fill_n(set.force.begin() + side.offset, side.length, 0.0);
    set.force[side.offset + entryOf(context.topology, side, dof)] = sign;
  }
  return set.slots[slot];
}

}  // namespace

RowId limitId(int dof, bool upper) { return rowId(RowSource::kLimit, 2 * dof + (upper ? 1 : 0)); }

void JointRows::addLimit(const StepContext& context, int dof, bool upper, double bound, double gap, double h,
                         ConstraintSet& set) {
  int& slot = set.limit_slot[2 * dof + (upper ? 1 : 0)];
  Constraint& c = findJointSlot(context, RowSource::kLimit, limitId(dof, upper), dof, upper ? -1.0 : 1.0, slot, set);
  set.joints[c.detail].bound = bound;
  c.gap = gap;
  c.touching = gap <= kTouching;
  c.bias = openBias(gap, h);
  join(context, slot, set);
}

void JointRows::addFriction(const StepContext& context, int dof, const FreeMotion& motion, ConstraintSet& set) {
  int& slot = set.friction_slot[dof];
  Constraint& c =
      findJointSlot(context, RowSource::kDryFriction, rowId(RowSource::kDryFriction, dof), dof, 1.0, slot, set);
  c.block.hi = motion.kick[dof] * context.parameters.dry_friction[dof];
  c.block.lo = -c.block.hi;
  c.touching = true;
  join(context, slot, set);
}

void JointRows::addMotor(const StepContext& context, const Drive& drive, const FreeMotion& motion, ConstraintSet& set) {
  const int dof = drive.dof;
  int& slot = set.motor_slot[dof];
  Constraint& c = findJointSlot(context, RowSource::kMotor, rowId(RowSource::kMotor, dof), dof, 1.0, slot, set);
  c.block.hi = motion.kick[dof] * drive.effort;
  c.block.lo = -c.block.hi;
  // λ = k (kp (q* − q − h u) − kd u) inside the bounds:  u − u* + R λ = 0
  const double stiffness = drive.stiffness(motion.h);
  const double spring = drive.kp * (drive.target - context.q[drive.q_index]);
  c.compliance = c.bias = 0.0;
  if (stiffness > 0.0) {
    c.compliance = 1.0 / (motion.kick[dof] * stiffness);
    c.bias = -spring / stiffness;
  } else {  // at a node, without damping: no velocity changes the torque
    c.block.lo = c.block.hi = motion.kick[dof] * std::clamp(spring, -drive.effort, drive.effort);
  }
  c.touching = true;
  join(context, slot, set);
}

void JointRows::addServo(const StepContext& context, const Servo& servo, const FreeMotion& motion, ConstraintSet& set) {
  int& slot = set.servo_slot[servo.dof];
  Constraint& c =
      findJointSlot(context, RowSource::kServo, rowId(RowSource::kServo, servo.dof), servo.dof, 1.0, slot, set);
  const bool bounded = std::isfinite(servo.effort) || servo.softness > 0.0;
  c.block.kind = bounded ? BlockKind::kBox : BlockKind::kEqual;
  c.block.hi = bounded ? motion.kick[servo.dof] * servo.effort : 0.0;
  c.block.lo = -c.block.hi;
  c.compliance = servo.softness;
  c.touching = true;
  set.joints[c.detail].asked = servo.velocity;
  join(context, slot, set);
}

void JointRows::secant(const StepContext& context, const PlacedModel&, const StepEnd& end, Constraint& c,
                       ConstraintSet& set) {
  const JointDetail& limit = set.joints[c.detail];
  if (!c.can_open) {
    set.velocity[c.first_row] = end.v[c.index] - limit.asked;
    return;
  }
  c.gap_end = limit.sign * (positionOf(context, end.q, c.index) - limit.bound);
  set.velocity[c.first_row] = (c.gap_end - c.gap) / end.h;
  // the rounding of the positions that it is read from
  const double size = std::fabs(positionOf(context, context.q, c.index)) + std::fabs(limit.bound);
  set.floor[c.first_row] = 4.0 * kEps * set.winding * size / end.h;
}

void JointRows::rows(const StepContext&, const PlacedModel&, const StepEnd&, const Constraint& c, ConstraintSet& set) {
  const Side& side = set.sides[c.first_side];
  std::copy_n(&set.force[side.offset], side.length, &set.constraint[side.offset]);
}

void JointRows::addImpulse(const StepContext&, const Kinematics<double>&, const Constraint& c, const ConstraintSet& set,
                           MomentumScratch& scratch) {
  scratch.balance[c.index] -= set.joints[c.detail].sign * set.impulse[c.first_row];
}

void JointRows::addImpulseSize(const StepContext&, const Kinematics<double>&, const Constraint& c, double size,
                               const ConstraintSet&, MomentumScratch& scratch) {
  scratch.terms[c.index] += size;
}

void JointRows::stay(Constraint& c, ConstraintSet&) { c.gap_end = c.gap; }

bool JointRows::held(const Constraint& c, const ConstraintSet& set, double h) {
  return !c.can_open || keepsGap(c, set, h * set.floor[c.first_row]);
}

void addMotorTorques(const ConstraintSet& set, const FreeMotion& motion, Eigen::VectorXd& tau) {
  for (const int slot : set.active) {
    const Constraint& c = set.slots[slot];
    if (c.source == RowSource::kMotor || c.source == RowSource::kServo)
      tau[c.index] += set.impulse[c.first_row] / motion.kick[c.index];
  }
}

}  // namespace rigor
