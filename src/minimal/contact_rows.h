// Rows of contacts: normal, tangent, tangent.
//
//   un = (φ(q′) − φ(q))/h     ut = t · Δ/h,  Δ the way of the centre of curvature plus the turn of the surface under it;
//                                          of two balls their arc (ball_slip.h)
//
// An impulse attacks both bodies at one point of the start pose, so angular momentum is kept.
#pragma once

#include "minimal/momentum_scratch.h"

namespace rigor {

struct ContactRows {
  /// `slot` remembers where, −1 for a pair that is new.
  static void add(const StepContext& context, const FeaturePair& pair, int& slot, const GapAtPose<double>& at,
                  const PlacedModel& start, const FreeMotion& motion, ConstraintSet& set);
  /// Rounding floors of all contacts, for a solve before any secant was read: gaps, too, are known to them only.
  static void writeFloors(const StepContext& context, const PlacedModel& start, double h, ConstraintSet& set);
  /// u, its rounding floor, and the gap at the end.
  static void secant(const StepContext& context, const PlacedModel& start, const StepEnd& end, Constraint& c,
                     ConstraintSet& set);
  /// J̃ at the end pose; after secant at the same pose.
  static void rows(const StepContext& context, const PlacedModel& start, const StepEnd& end, const Constraint& c,
                   ConstraintSet& set);
  static void addImpulse(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                         const ConstraintSet& set, MomentumScratch& scratch);
  static void addImpulseSize(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                             double size, const ConstraintSet& set, MomentumScratch& scratch);
  /// Contacts that slid when the step began and rest at its end, or slide back: gives them the coefficient of rest; to those that
  /// slide all the same, the kinetic one again. Returns whether any changed.
  static bool comeToRest(const StepContext& context, const PlacedModel& start, const FreeMotion& motion,
                         ConstraintSet& set);
  static bool held(const Constraint& c, const ConstraintSet& set, double h);
  static void stay(Constraint& c, ConstraintSet& set);  ///< the end pose of a step of length 0 is its start
};

/// How deep the deepest contact is at the end, beyond what forces press soft ones in by [m]; not positive: none is.
double deepestContact(const ConstraintSet& set);

/// The contact's geometry, or null if it is no contact.
inline const ContactDetail* contactOf(const Constraint& c, const ConstraintSet& set) {
  return c.source == RowSource::kContact ? &set.contacts[c.detail] : nullptr;
}

}  // namespace rigor
