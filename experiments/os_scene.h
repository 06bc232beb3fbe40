// The multi-link pendulum of OS §V.E.
#pragma once

#include <string>

#include "rigor/scene.h"

namespace rigor::experiments {

struct OsPendulum {
  int links = 3;
  double friction = 0.0;   ///< the paper does not print it
  bool redundant = false;  ///< every link a free body, every hinge a loop
  double dt = 1e-4;        ///< [s]
  bool walls = true;       ///< a floor at z = 0 and a wall at x = 4 m
  std::string stepper = "minimal";
  double accuracy = 0.0;  ///< [per second] of stepper event, whose dt is only how often the motion is told
};

inline constexpr double kOsLength = 12.0;  ///< [m] of all links together

/// n balls of 1 kg and 12/n m on pin hinges at their poles, from (0, 0, 10) straight to the left, all turning downwards as one at
/// 1 rad/s. Balls that share a hinge do not meet.
Scene makeOsPendulum(const OsPendulum& wanted);

/// Centre of the last ball, from its body's frame in the hinge [m].
Eigen::Vector3d tipCentre(int links);

}  // namespace rigor::experiments
