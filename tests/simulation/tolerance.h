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

}  // namespace rigor::tolerance
