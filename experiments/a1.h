// Unitree A1 as LT and VG have it: feet are points, nothing else touches, joints have no limits and motors are as strong as asked.
#pragma once

#include <array>

#include "experiments/experiment.h"
#include "rigor/simulator.h"

namespace rigor::experiments {

inline constexpr std::array<const char*, 4> kA1Legs = {"FR", "FL", "RR", "RL"};

/// In the air at the reference, on a ground with μ 0.2, every joint driven by the papers' PD gains (hip, thigh, calf 100/5, 80/4, 60/3)
/// at the end of a step of 1 ms.
Scene makeA1(const Request& request);

/// Where targets of a gait go: thighs and calves of the legs that move together, in the order of listDrives.
class A1Targets {
 public:
  explicit A1Targets(const Scene& scene);
  /// Targets of hip, thigh and calf of FR and RL, then of FL and RR [rad].
  void set(const std::array<double, 3>& right_front, const std::array<double, 3>& left_front,
           Eigen::VectorXd& ctrl) const;

 private:
  struct Drive {
    int part;         ///< 0 hip, 1 thigh, 2 calf
    bool left_front;  ///< moves with FL
  };
  std::vector<Drive> drives_;
};

/// Height of the four foot points above the ground [m], in the order of kA1Legs.
std::array<double, 4> footHeights(const Simulator& simulator);

/// Puts hip, thigh and calf of a leg into q.
void setLeg(const Model& model, const std::string& leg, const std::array<double, 3>& angles, Eigen::VectorXd& q);

}  // namespace rigor::experiments
