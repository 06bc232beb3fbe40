// Springs and dampers on what loops leave free and between points, one row each (coordinates x: model/spring_parts.h).
//
//   spring  λ = −κ k x                                  as long as the leapfrog follows it: a box of one number
//           λ = −k (κ x + ¼ (h² u − h_last² u₋))        the mean stretch of each half of the kick, where it is too stiff
//   damper  λ = −½ κ c (u₋ + u)                         at the mean velocity
//
// with u = J v′ and u₋ = J v, J = ∂x/∂q at q: linear in v′, so that a row is the same at every pass. The last two are rows of a box
// without bounds, u − u* + R λ = 0; M̂ does not change. Too stiff is h² Σ k W > 1 over the springs of either of its trees, W = J M̂⁻¹ Jᵀ:
// an upper bound of (h ω)². (With j = M̂^-½ Jᵀ in two parts a, b the energy of a spring k (j·y)² is at most k W (|a·y|²/|a|² + |b·y|²/|b|²).)
#pragma once

#include "minimal/momentum_scratch.h"
#include "stepping/spring_stretch.h"

namespace rigor {

struct SpringRows {
  /// True if all links that the spring pulls at step now.
  static bool takesPart(const StepContext& context, const SpringPart& part);
  /// Adds all springs and dampers that step; without a kick there are none.
  static void addAll(const StepContext& context, const PlacedModel& start, const FreeMotion& motion,
                     ConstraintSet& set);
  /// u = J v′ and its rounding.
  static void secant(const StepContext& context, const PlacedModel& start, const StepEnd& end, Constraint& c,
                     ConstraintSet& set);
  /// J̃ = J.
  static void rows(const StepContext& context, const PlacedModel& start, const StepEnd& end, const Constraint& c,
                   ConstraintSet& set);
  static void addImpulse(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                         const ConstraintSet& set, MomentumScratch& scratch);
  static void addImpulseSize(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                             double size, const ConstraintSet& set, MomentumScratch& scratch);
  static bool held(const Constraint&, const ConstraintSet&, double) { return true; }  ///< it holds nothing
  static void stay(Constraint&, ConstraintSet&) {}
};

}  // namespace rigor
