// What measured tosses say about the cube: the scale of the measurement, friction, restitution.
#pragma once

#include <functional>

#include "experiments/toss_rollout.h"

namespace rigor::experiments {

/// Two measurements of one number that need no simulation: lengths as measured over true ones.
struct MeasuredScale {
  double of_rest = 1.0;  ///< twice the height of the centre of cubes that lie flat over their true width, the median
  double of_fall =
      1.0;  ///< acceleration of the flights over 9.81 m/s², the median; flights too short to tell are left out
};
MeasuredScale measureScale(const std::vector<Toss>& tosses);

/// Friction and restitution for which the mean error of position is least. A toss is chaotic: what one parameter more or less does
/// to a single one looks like noise. So the error is sampled on a grid, a quadratic in both is laid through it by least squares,
/// and its lowest point taken; then once more on a grid a third as wide about that point. `watch` is called before every sample.
CubeModel fitContact(const std::vector<Toss>& tosses, const CubeModel& guess, const RolloutSettings& settings,
                     const std::function<void()>& watch);
inline constexpr int kFitSamples = 84;  ///< calls of `watch`

}  // namespace rigor::experiments
