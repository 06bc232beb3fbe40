// Drives: whatever holds a joint. PD with a limit today.
#pragma once

#include <limits>

namespace rigor {

/// PD of a joint with one freedom: kp (q* − q) − kd v, at most `effort`.
struct Drive {
  int dof = 0, q_index = 0;
  double kp = 0.0, kd = 0.0;  ///< [N m/rad], [N m s/rad], or per metre
  double target = 0.0;        ///< q*
  double effort = std::numeric_limits<double>::infinity();

  /// At a state.
  double torque(double position, double velocity) const { return kp * (target - position) - kd * velocity; }
  /// At the end of a step of length h that begins at `position` and ends with the velocity v′: stiff gains stay stable.
  double torqueAtEnd(double h, double position, double v_end) const {
    return kp * (target - position - h * v_end) - kd * v_end;
  }
  /// What it adds to the diagonal of M̂ per unit of kick.
  double stiffness(double h) const { return kd + h * kp; }
};

}  // namespace rigor
