// Stops, dry friction and motors on the one freedom of a loop, as the dynamics sees them.
//
//   coordinate  x = middle + stretch of `along` (spring_parts.h); of a hinge within half a turn of the middle
//   stops       lower ≤ x ≤ upper
//   friction    |f| ≤ dry_friction
//   motor       f = torque + kp (target − x′) − kd ẋ, |f| ≤ effort
#pragma once

#include "model/spring_parts.h"

namespace rigor {

struct LoopFreedom {
  SpringPart along;     ///< the coordinate, less the middle
  int loop = 0;         ///< index into Model::loops
  double middle = 0.0;  ///< where a hinge counts from; 0 of others
  bool limited = false;
  double lower = 0.0, upper = 0.0;
  double dry_friction = 0.0;
  LoopMotor motor;

  /// Its angle tells no turns: it jumps at half a turn from the middle.
  bool wraps() const { return along.along == SpringAlong::kAngle && along.pitch == 0.0; }
};

/// A hinge counts its angle from the middle of its range; from its motor's target if it has no range.
double middleOf(const LoopSpec& loop);

/// Throws Error for stops, friction and motors that have no meaning or no freedom to act on.
void checkLoopFreedom(const LoopSpec& loop, const Place& where);

/// Of all loops that have any of them, in order.
std::vector<LoopFreedom> makeLoopFreedoms(const Model& model);

/// [rad] by which the range of a hinge is less than a turn at least.
inline constexpr double kLeastRest = 0.01;

}  // namespace rigor
