// What inverse dynamics works in: a fork of the simulator, whose steps it asks and replays, and the answer in the making.
#pragma once

#include "inverse/servo_torques.h"
#include "inverse/step_share.h"
#include "rigor/inverse.h"
#include "simulation/simulator_data.h"

namespace rigor {

struct InverseDynamics::Work {
  Work(const Simulator& simulator, const InverseOptions& o);

  /// The state, the memory and the forces of the simulator as it stands.
  void begin(const Simulator& at);
  /// The step with servos, or with soft ones, and the torques that they stand for. False if it was refused.
  enum class Servos : unsigned char { kHard, kWithoutLimits, kSoft };
  bool ask(const DesiredStep& desired, Servos servos);
  /// Torques with the forces that `choice` wants instead of those that the step with servos ended with. False if none of them
  /// keep the limits.
  bool rechoose(const std::vector<int>& freedoms, ForceChoice choice);
  /// The ordinary step with the torques.
  bool replay();
  /// What the last step missed, of freedoms that are not at their limits; all of it goes to the result.
  double measure(const DesiredStep& desired);
  /// Asks, with the forces that were chosen and within limits if that can be.
  bool find(const DesiredStep& desired);
  void follow(const DesiredStep& desired);
  /// What the step with these torques misses, as measure; and the torques that miss no more than `enough`, or as little as was found.
  double fire(const DesiredStep& desired, const Eigen::VectorXd& torque);
  double shoot(const DesiredStep& desired, double enough);
  /// What can be said where no step leads there: the proof, and the nearest step.
  void yield(const DesiredStep& desired);
  /// Pose, rows and required impulse of a known motion; the forces that make it.
  void pose(const Eigen::VectorXd& velocity, const MotionOptions& how);
  void comeNear(const Eigen::VectorXd& velocity, const std::vector<int>& driven);
  void describe();

  double limitOf(int dof) const {
    return options.limits.size() > 0 ? options.limits[dof] : std::numeric_limits<double>::infinity();
  }
  double weightOf(int dof) const { return options.weights.size() > 0 ? options.weights[dof] : 1.0; }

  Simulator fork;
  Simulator::Data& data;
  InverseOptions options;
  std::vector<char> drivable;  // [nv]
  ServoTorques torques;
  StepShare shared;
  ForceSharer sharer;
  Eigen::VectorXd shifted;          // [P] what the servos are asked for
  Eigen::VectorXd given, missed;    // [nv] torques of the input; [P] v*_P − v_P
  Eigen::VectorXd reached, before;  // [nv] mean velocity of the step; torques of the last answer
  std::vector<double> increment;    // [nv] v′ − v that the velocity terms of the replay were taken for
  Eigen::VectorXd best;             // [nv] torques of the replay that missed least
  Eigen::VectorXd wanted;           // [nv] impulse that forces must make
  InverseResult result;
};

}  // namespace rigor
