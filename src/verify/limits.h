// How much a recording may miss. The simulator accepts a step at ε = 1e-10 of its own measures; this is a second opinion
// with other measures, so each limit is a small multiple of what the simulator promises, plus the rounding of doubles.
#pragma once

#include "verify/real.h"

namespace rigor::verify {

/// Deeper than at the start of the sub-step, openings of loops, joints beyond their range [m or rad].
inline constexpr Real kDeeper = 1e-11L;
/// Times the floor of a gap: where two edges that are nearly parallel are nearest is known less well by 1/sine, at most this.
inline constexpr Real kMostShift = 10;
/// Gaps below this are closed: what is open farther takes no impulse of velocity level [m].
inline constexpr Real kTouching = 1e-9L;
/// [m/s] slower slip is rest: the static coefficient may act.
inline constexpr Real kStaticSpeed = 1e-3L;
/// Share of a step that is not resolved: what closes within it after an impact takes part in the impact, and what is left
/// of a step, or of each of its parts, after its last impact may be left out.
inline constexpr Real kUnresolved = 2e-5L;
/// Times eps and the size of the numbers: a position is a sum over a chain of bodies, each of which rounds a few times.
inline constexpr Real kPositionFloor = 32;
/// Times eps, the freedoms of a chain and |J||v| of both sides: rates at a node, where no time passes, are sums of products with
/// velocities that are doubles. The simulator reckons with 4, in rows of its own.
inline constexpr Real kRateFloor = 16;
/// The law of a block holds to this times ε: the simulator bounds the length of the natural map, which mixes what is
/// looked at here one by one, and its scale has the rows at the end of the step where these have them at its start.
inline constexpr Real kLaw = 4;
/// Times eps times Σ|W||λ|: the impulses of a jam are known no better.
inline constexpr Real kImpulseFloor = 64;
inline constexpr Real kFloorCeiling = 1e-6L;  ///< no floor may excuse more than this share of the scale
/// The balance of a kick, as a velocity relative to the fastest freedom: times ε. The simulator divides the balance by
/// the pivots of the mass matrix; here it goes through its inverse, which feels the light end of a chain more.
inline constexpr Real kBalance = 30;
/// Times eps: q ⊕ h v of a recorded sub-step against the q of the next.
inline constexpr Real kMoveFloor = 16;
/// Energy and momentum of a node against the recorded ones, relative to the sum of sizes.
inline constexpr Real kNodeSums = 1e-12L;
/// |v̄ − (v + v′)/2| in units of the largest increment of this sub-step and the three before, each at its rate over the length
/// of this kick: extrapolation with the weights 3, −3, 1 cannot miss the half increment by more than ½(3 + 3 + 1) + ½.
inline constexpr Real kMeanVelocity = 4;
inline constexpr Real kIteratedMean = 1e-9L;  ///< of the speed: where v̄ is iterated, the simulator ends there
/// Share of the kinetic energy that contact of solids may give in a sub-step, where a curved surface turns under it: the
/// simulator halves steps above 1e-3; rounding and the trees of other islands are all that may differ.
inline constexpr Real kContactWork = 1.01e-3L;
/// Times as much of stepper maximal: the simulator reckons with a factor of its Newton matrix, which belongs to two poses, where this has
/// the mass matrix of the first; 1.5 at most in the scenes of this project (rims that roll by 0.2 rad in a step).
inline constexpr Real kContactWorkOfTwoPoses = 2;
inline constexpr Real kStill = 1e-10L;  ///< [m/s] slower is called stick, however small the scale of the contact

/// Energy that a passive system may show more than before, in units of Σ (h ω)² T (breathing.h): the leapfrog keeps a neighbour of the
/// energy exactly, and the energy itself swings around it: by 0.85 at most in the scenes of this project (a loop at 10 ms), that of stepper maximal by 0.65
/// (the same loop).
inline constexpr Real kBreathing = 2;

/// [m/s or rad/s] stepper event: slower is rest, by its law.
inline constexpr Real kSmoothRest = 1e-9L;
/// [m/s] By law pyramid: slip within this of the border between two corners is on it.
inline constexpr Real kOnBorder = 2 * kSmoothRest;
/// Times eps and the terms of a rate: what doubles leave of it.
inline constexpr Real kRateRounding = 64;
/// Accelerations of what is held, in units of ε of the terms that they are a sum of: the stepper knows how rows turn by differences.
inline constexpr Real kHeldAcceleration = 10;
/// Times the difference that one step of fourth order makes: methods of this order differ in how they go.
inline constexpr Real kFourthOrder = 10;
/// What doubles leave of the way of a smooth sub-step: a velocity relative to the fastest freedom of its tree.
inline constexpr Real kWayRounding = 1e-11L;
inline constexpr Real kEventTime = 1e-11L;      ///< [s] to which the time of an event is known
inline constexpr Real kDependentRows = 1e-11L;  ///< relative: rows that are nearer to each other share their force

}  // namespace rigor::verify
