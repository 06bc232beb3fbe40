// Rows of loops, and of constraints that a user wrote. A step imposes g(q′)/h = 0, VG eq. 29b (no drift: what an earlier step left is closed by the next);
// impulses act through the rows at q, VG eq. 29a, where the loop is closed, so that they push both bodies at one point
// (g: stepping/loop_opening.h).
#pragma once

#include "minimal/momentum_scratch.h"
#include "stepping/loop_opening.h"

namespace rigor {

struct LoopPartRows {
  /// Adds the rows of all loops to the step; a loop is always closed, so they are always there.
  static void addAll(const StepContext& context, const PlacedModel& start, ConstraintSet& set);
  /// u = g(q′)/h, its rounding floor, and the largest |g(q′)| as gap_end.
  static void secant(const StepContext& context, const PlacedModel& start, const StepEnd& end, Constraint& c,
                     ConstraintSet& set);
  /// J̃ at the end pose.
  static void rows(const StepContext& context, const PlacedModel& start, const StepEnd& end, const Constraint& c,
                   ConstraintSet& set);
  /// The impulses on the links, or taken from the balance of the joints.
  static void addImpulse(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                         const ConstraintSet& set, MomentumScratch& scratch);
  static void addImpulseSize(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                             double size, const ConstraintSet& set, MomentumScratch& scratch);
  /// |g(q′)| ≤ ConstraintSet::deeper, up to the floor.
  static bool held(const Constraint& c, const ConstraintSet& set, double h);
  static void stay(Constraint& c, ConstraintSet& set);  ///< the end pose of a step of length 0 is its start
};

/// How far the loops were open when the step began: g(q), or null if it is no loop.
inline const LoopDetail* loopOf(const Constraint& c, const ConstraintSet& set) {
  return c.source == RowSource::kLoop || c.source == RowSource::kOwn ? &set.loops[c.detail] : nullptr;
}

/// The largest gap_end of a loop.
double widestLoop(const ConstraintSet& set);

}  // namespace rigor
