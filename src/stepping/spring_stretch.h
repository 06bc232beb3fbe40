// How far a spring is stretched at a pose, and along which rows it and its damper push (coordinates: model/spring_parts.h).
#pragma once

#include "model/spring_parts.h"
#include "stepping/loop_opening.h"

namespace rigor {

struct SpringStretch {
  PairCoordinate spring;  ///< x and its derivative
  PairCoordinate damper;  ///< rate of what the damper resists; its value means nothing
  bool has_line = true;   ///< false: two points that coincide; there is no direction to push along
};

SpringStretch computeStretch(const SpringPart& part, const Topology& topology, const Kinematics<double>& kin);

/// ½ k x² of one spring at a pose [J].
double springEnergy(const SpringPart& part, const Topology& topology, const Kinematics<double>& kin);

inline constexpr double kNoLine = 1e-12;  ///< [m] points that are nearer have no line between them

}  // namespace rigor
