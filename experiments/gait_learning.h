// How A1 learns to walk in VG (algorithms 6 and 7): five numbers of a gait, drawn at random and kept where they lead farther.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "rigor/simulator.h"

namespace rigor::experiments {

/// Angles over time: a·cos(20π b t + φ) + d, of thighs with φ 0 or π and of calves with φ ∓π/2.
struct Gait {
  std::array<double, 5> numbers = {0.1, 0.0, 1.0, 0.0, -1.5};  ///< b, a and d of thighs, a and d of calves

  std::array<double, 3> anglesAt(double time, bool left_front) const;  ///< hip, thigh, calf [rad]
};

struct LearningOptions {
  int episodes = 100;
  double seconds = 10.0;  ///< of an episode
  std::uint64_t seed = 1;
};

struct Learned {
  std::uint64_t seed = 0;
  Gait best;
  std::vector<double> distance;  ///< [m] that each episode walked along x; NaN if it fell or a step was refused
  std::vector<double> farthest;  ///< [m] so far
  int fell = 0, refused = 0;     ///< episodes
  std::string complaint;         ///< of the first refused step
};

/// Puts the robot into the gait's middle pose with its right front foot 1 cm above the ground.
Scene startOf(const Scene& robot, const Gait& gait);

/// Draws from one seed. Counts steps in `done`; gives up, with what it has, once `stop` is raised.
Learned learnGait(const Scene& robot, const LearningOptions& options, const StopFlag& stop,
                  std::atomic<std::int64_t>& done);

}  // namespace rigor::experiments
