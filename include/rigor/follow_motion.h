// A simulator that follows a motion by torques of inverse dynamics, and what came of it: `rigor inverse`.
//
//   MotionFollower follower(simulator, loadMotion("walk.npz", scene.model));
//   run(simulator, steps, {}, {&follower, &recorder});       // the recording has the torques: rigor run --torques
//
// In every step the joints that follow are asked for (q(t + h) − q)/h, so that what one step misses the next one makes up for, and each
// node has the pose of the motion. What is not driven does what contact and gravity make of it.
#pragma once

#include <cstdint>
#include <vector>

#include "rigor/inverse.h"
#include "rigor/motion.h"
#include "rigor/run.h"

namespace rigor {

struct FollowSummary {
  std::int64_t steps = 0;
  std::int64_t solved = 0;       ///< by torques, of these:
  std::int64_t limited = 0;      ///< at limits of torque, so that the motion was missed
  std::int64_t certified = 0;    ///< not solved, and proved that no torques lead there
  std::int64_t failed = 0;       ///< neither
  double tracking_max = 0.0;     ///< [rad or m] largest miss of a joint at a node
  double torque_max = 0.0;       ///< [N m or N]
  double cone_margin_min = 1.0;  ///< of contacts that push (coneMargin)
  std::int64_t slipping = 0;     ///< steps in which some contact slips
  std::int64_t corrections = 0;  ///< steps that were taken besides, in all
};

/// Installs itself as the simulator's controller, which it must outlive in runs.
class MotionFollower final : public RunObserver {
 public:
  /// The freedoms that follow; empty: InverseDynamics::actuated. The motion is checked. Throws Error if nothing is driven, or if the
  /// simulator stands farther from the motion's start than 0.01 rad or m.
  MotionFollower(Simulator& simulator, MotionTable motion, std::vector<int> freedoms = {},
                 const InverseOptions& options = {});
  const FollowSummary& summary() const { return summary_; }
  const InverseResult& last() const { return *last_; }  ///< of the last step that was asked for

  ReportParts wants() const override { return {.contacts = true}; }
  void see(const Simulator& simulator, const RunStep& step) override;

 private:
  void drive(const State& state, Input& input);
  double missed(const State& state);

  const Simulator& simulator_;
  const MotionTable motion_;
  DesiredStep desired_;
  InverseDynamics inverse_;
  Eigen::VectorXd base_, way_;  // [nv] torques of the input before; difference of poses
  MotionState at_;
  const InverseResult* last_ = nullptr;
  FollowSummary summary_;
};

}  // namespace rigor
