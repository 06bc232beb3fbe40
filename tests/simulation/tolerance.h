// All tolerances of the physics tests, each with its reason.
#pragma once

namespace rigor::tolerance {

// Positions of a metre are known to 1e-16, and a thousand steps of a body that rests may all round the same way.
inline constexpr double kRest = 1e-12;  // [m] drift of something that rests for a second

// A millionth from slipping, frictions that deviate by 1.4e-3 rad from the slip use that millionth up: a slip of
// (floor 1e-12 m/s)/1.4e-3 is then within rounding of an exact answer. Measured: 2.1e-11 m.
inline constexpr double kRestAtTheLimit = 1e-10;  // [m] in a second

// A hundred thousand steps may each leave 1e-16 m (rounding) in a gap; they add like a random walk or worse.
inline constexpr double kPenetration = 1e-12;        // [m] standing robot
inline constexpr double kPenetrationMoving = 1e-11;  // [m] robot that swings from its feet
inline constexpr double kPenetrationCoarse = 1e-10;  // [m] the same with steps of 20 ms

// Leapfrog is exact for constant acceleration; what is left is rounding of 1e3 additions and the judge's ε.
inline constexpr double kConstantAcceleration = 1e-11;  // relative

// Node energies of a bouncing ball are exact: rounding only, about 1e-16 of 10 J per step and 1e4 steps.
inline constexpr double kBounceEnergy = 1e-10;  // relative

// Asked of the slope: a millionth of a millimetre per second. Rounding gives about 1e-14.
inline constexpr double kCreep = 1e-9;  // [m/s]

// Asked of a held rod: nothing to see in a minute. What rounding leaves of 60 000 steps is far below (docs/results.md).
inline constexpr double kGripCreep = 1e-9;  // [m] or [rad] in 60 s

// Asked of balls on a box that slides: a mean error of 1e-10 m/s over 4 s and all bodies.
inline constexpr double kRolling = 1e-20;  // [(m/s)²] mean square

// The slip of a cube that does not turn has one direction at all corners; the judge lets each step miss it by 1e-10 of
// its speed, and 255 steps of 1 mm or less add up to this at most.
inline constexpr double kStraight = 3e-11;  // [m] or [rad] off the line

// Node energies of 49 balls, 24 034.5 J: rounding, 1e-16 of that per bounce, each of which may add.
inline constexpr double kBouncingSet = 1e-18;  // [J²] mean square

// Elastic impacts of many balls at once keep their energy to the residual of the solver, 1e-10 of 20 kJ each at most.
inline constexpr double kElasticSixCubed = 1e-6;  // [J²] mean square

// (h ω)² of limp legs at up to 3 rad/s, 1 ms; measured 2.5e-4.
inline constexpr double kMomentumOfARobot = 1e-3;  // [kg m/s]

// Normal impulses of a hundred legs add up to the weight: rounding of a hundred terms.
inline constexpr double kWeight = 1e-12;  // relative

}  // namespace rigor::tolerance
