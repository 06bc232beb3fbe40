// Rows of stops, dry friction and motors on the one freedom of a loop, with the laws of joint_rows.h. J is the derivative of the
// coordinate x at q, J̃ that at q′ (stepping/freedom_coordinate.h).
//
//   stop      u = (φ(x′) − φ(x))/h, φ = ±(x − bound)
//   friction  u = (x′ − x)/h,  |λ| ≤ κ τ_f
//   motor     u = (x′ − x)/h,  λ = κ (τ + kp (x* − x − h u) − kd u) inside the bounds:  u − u* + R λ = 0
//
// A step of length 0 has u = J v. A motor is a row whether it is at its bounds or not: M̂ knows no loops.
#pragma once

#include "minimal/momentum_scratch.h"
#include "stepping/freedom_coordinate.h"

namespace rigor {

struct LoopFreedomRows {
  /// Coordinates at the start pose, of all freedoms that step.
  static void begin(const StepContext& context, const PlacedModel& start, ConstraintSet& set);
  static void addStop(const StepContext& context, int index, bool upper, double h, ConstraintSet& set);
  /// Friction and motors of all freedoms that step; without a kick there are none.
  static void addForces(const StepContext& context, const FreeMotion& motion, ConstraintSet& set);

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

RowId freedomRowId(const LoopFreedom& freedom, FreedomRow row);
inline RowId stopId(const LoopFreedom& freedom, bool upper) {
  return freedomRowId(freedom, upper ? FreedomRow::kUpper : FreedomRow::kLower);
}
inline bool isOnLoop(const Constraint& c) { return c.source == RowSource::kLoopFreedom; }
inline FreedomRow freedomRowOf(const Constraint& c) { return static_cast<FreedomRow>(c.id.low % kFreedomRows); }
inline bool isUpperStop(const Constraint& c) { return freedomRowOf(c) == FreedomRow::kUpper; }
bool takesPart(const StepContext& context, const LoopFreedom& freedom);
/// Gap of a stop at a coordinate.
inline double stopGap(const LoopFreedom& freedom, bool upper, double x) {
  return upper ? freedom.upper - x : x - freedom.lower;
}
/// Rate of a coordinate at the velocities V of links, about O of their trees.
double rateOf(const LoopFreedom& freedom, const FreedomAt& at, const std::vector<Motion<double>>& V);

/// Calls visit(index, upper, gap, rate) for both stops of every freedom that steps, at the start pose and the mean velocity.
template <class Visit>
void forEachStop(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set, const Visit& visit) {
  const std::vector<LoopFreedom>& freedoms = context.tables.freedoms;
  for (int i = 0; i < static_cast<int>(freedoms.size()); ++i) {
    if (!freedoms[i].limited || !takesPart(context, freedoms[i])) continue;
    const FreedomAt& at = set.freedoms[i];
    const double rate = rateOf(freedoms[i], at, motion.rnea.V);
    visit(i, false, stopGap(freedoms[i], false, at.x), rate);
    visit(i, true, stopGap(freedoms[i], true, at.x), -rate);
  }
}

}  // namespace rigor
