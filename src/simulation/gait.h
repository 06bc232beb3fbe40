// Walking on legs: GaitSpec as targets of drives.
#pragma once

#include <vector>

#include "rigor/state.h"
#include "simulation/leg.h"

namespace rigor {

class Gait {
 public:
  /// Throws Error for feet that are none, and if a leg cannot follow its own path.
  Gait(const Scene& scene, const GaitSpec& spec, const std::vector<HoldSpec>& drives);

  /// `elapsed` since the walk began [s]. Allocates nothing.
  void updateTargets(const State& state, double elapsed, Eigen::VectorXd& targets) const;

  const std::vector<Leg>& legs() const { return legs_; }

 private:
  Vec3<double> pathAt(const Leg& leg, double phase, const Vec3<double>& walk, const Vec3<double>& too_fast) const;
  void findPaths(const Scene& scene);
  void guess(std::size_t foot, double phase, double share, double* q) const;

  static constexpr int kPoints = 64;

  GaitSpec spec_;
  std::vector<Leg> legs_;
  /// [legs] joint coordinates along the path at full speed, kPoints of them evenly over a cycle and the first once more: where
  /// inverse kinematics begins
  std::vector<std::vector<double>> paths_;
  int q_base_ = 0, v_base_ = 0;  ///< of the free joint
  double yaw_ = 0.0;             ///< at the start
};

}  // namespace rigor
