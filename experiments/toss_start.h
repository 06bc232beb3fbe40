// How a measured toss began.
#pragma once

#include "experiments/toss_data.h"

namespace rigor::experiments {

struct TossStart {
  Eigen::Vector3d position, velocity;
  Eigen::Quaterniond orientation;
  Eigen::Vector3d angular_velocity;  ///< in the cube's axes
};

/// The first frame alone. The file's velocities are backward differences, those of half a period before the frame: gravity has
/// half a period to act on them.
TossStart startFromFirstFrame(const Toss& toss, double gravity);

/// Least squares over the first frames of the flight, while the lowest corner is higher than 4 mm above the board; at most
/// `most`, at least three. A cube has the same moment of inertia about every axis, so that it turns at a constant rate:
///
///     p_k = p + v t_k − ½ g t_k² ẑ        R_k = R exp(ω t_k)
///
/// The first is linear in p and v; the second is solved by Gauss–Newton, with the rotation that is left over in each frame,
/// turned back to the axes of the start.
TossStart startFromFlight(const Toss& toss, double edge, double gravity, int most);

/// Frames of the flight as above.
int countFlight(const Toss& toss, double edge, int most);

/// Rotation vector of a rotation [rad], at most half a turn.
Eigen::Vector3d rotationVector(const Eigen::Quaterniond& turn);

}  // namespace rigor::experiments
