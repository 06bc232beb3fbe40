// Rows of single joints: limits, motors at their bounds, dry friction. J = ±e_j, at every pose.
//
//   limit     u = (φ(q′) − φ(q))/h, φ = ±(q_j − bound)
//   motor     u = v′_j,  u − u* + R λ = 0 inside the bounds
//   friction  u = v′_j,  |λ| ≤ κ τ_f
//   servo     u = v′_j − v*_j = 0, λ = κ τ the torque that this takes; with a limit |λ| ≤ κ τ_max (RP eq. 5, 6: P has these rows)
#pragma once

#include <utility>

#include "minimal/momentum_scratch.h"

namespace rigor {

struct JointRows {
  static void addLimit(const StepContext& context, int dof, bool upper, double bound, double gap, double h,
                       ConstraintSet& set);
  static void addFriction(const StepContext& context, int dof, const FreeMotion& motion, ConstraintSet& set);
  /// Turns a drive into a box row.
  static void addMotor(const StepContext& context, const Drive& drive, const FreeMotion& motion, ConstraintSet& set);
  static void addServo(const StepContext& context, const Servo& servo, const FreeMotion& motion, ConstraintSet& set);

  static void secant(const StepContext& context, const PlacedModel& start, const StepEnd& end, Constraint& c,
                     ConstraintSet& set);
  static void rows(const StepContext& context, const PlacedModel& start, const StepEnd& end, const Constraint& c,
                   ConstraintSet& set);
  static void addImpulse(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                         const ConstraintSet& set, MomentumScratch& scratch);
  static void addImpulseSize(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                             double size, const ConstraintSet& set, MomentumScratch& scratch);
  static bool held(const Constraint& c, const ConstraintSet& set, double h);
  static void stay(Constraint& c, ConstraintSet& set);  ///< the end pose of a step of length 0 is its start
};

RowId limitId(int dof, bool upper);

/// Calls visit(dof, upper, bound, gap) for both ends of every limited joint of the part, at the coordinates q.
template <class Visit>
void forEachLimit(const StepContext& context, const double* q, const Visit& visit) {
  for (const Run& run : context.part.runs)
    for (const JointLimit& limit : within(context.tables.limits, run.trees)) {
      const double position = q[limit.q_index];
      visit(limit.dof, false, limit.lower, position - limit.lower);
      visit(limit.dof, true, limit.upper, limit.upper - position);
    }
}

/// Adds the mean torque of every motor and servo that is a row of the step.
void addMotorTorques(const ConstraintSet& set, const FreeMotion& motion, Eigen::VectorXd& tau);

/// Calls visit(dof, impulse) for every servo of the step.
template <class Visit>
void forEachServo(const ConstraintSet& set, const Visit& visit) {
  for (std::size_t dof = 0; dof < set.servo_slot.size(); ++dof) {
    const int slot = set.servo_slot[dof];
    if (slot >= 0 && set.slots[slot].active) visit(static_cast<int>(dof), set.impulse[set.slots[slot].first_row]);
  }
}

inline constexpr double kLimitThreshold = 0.01;  ///< [rad/s or m/s] joints that reach their end faster strike it

}  // namespace rigor
