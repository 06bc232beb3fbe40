// Before the first step of `run`: what was chosen, what will run, what cannot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rigor/scene.h"

namespace rigor::app {

/// What will run of a bare model, whoever chose it; nothing for a scene. `torques` is the file that drives, or empty.
void tellChoices(const Scene& scene, const std::string& torques);

/// Says so if the time is not a whole number of steps.
void tellRounding(const Scene& scene, std::int64_t steps);

/// Throws Error if time cannot go on from here: at 1e17 s a step of 1 ms is lost in rounding.
void checkClock(double time, const Scene& scene, const std::string& file);

/// What overlaps in the state that a snapshot has set, deepest first: nothing moves it apart, and no step makes it deeper.
struct SnapshotOverlap {
  std::vector<Warning> warnings;
  double depth = 0.0;  ///< [m] the deepest
};
SnapshotOverlap findSnapshotOverlap(const Scene& scene, const Eigen::VectorXd& q, const std::string& snapshot);

/// Springs that swing faster than steps can show are integrated without growing, but what is seen of them is not their
/// motion: a warning of the scene says so.
void warnOfFastSprings(Scene& scene);

}  // namespace rigor::app
