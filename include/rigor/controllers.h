// Controllers of a scene: whatever moves the targets of its drives.
//
// Gains and limits belong to the drives (HoldSpec); a controller says where they are to go. All of them are functions of the time
// and the state alone, so a snapshot needs nothing of them, and a run that is restored goes on with the same bits. A target that
// none of them moves stays where its hold says. Input::ctrl stands in for all of them.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace rigor {

/// Targets over time: linear between the rows, the first row before them and the last one after. Times count from the start of the
/// scene, and anew after each reset.
struct TargetTable {
  std::vector<int> joints;            ///< in Model::joints(), each with a drive
  std::vector<double> time;           ///< [s] rising
  std::vector<Eigen::VectorXd> rows;  ///< [joints] each, one per time [rad or m]
  /// [s] every row comes again after this time; between the last row and the first of the next round the targets are linear too.
  /// 0: they stay at the last row
  double period = 0.0;
};

/// Targets redrawn every so often: normally distributed about those of the holds, independent of each other, not limited to the
/// ranges of the joints. Draw k of joint i is a function of (seed, k, i), with k counted by the time of the run: draws go on after
/// a reset.
struct RandomTargets {
  std::vector<int> joints;  ///< in Model::joints(), each with a drive
  std::uint64_t seed = 1;
  double every = 0.1;  ///< [s]
  double sigma = 1.0;  ///< standard deviation [rad or m]
};

/// A free robot walks along the x axis of its base, on legs whose feet take turns: of feet listed in pairs, left and right, from the
/// front to the back, the first and the fourth move together, then the second and the third (a trot; two feet alternate, six are two
/// tripods). z of the base is up.
///
/// A foot is on the ground for the share `duty` of a period 1/f and is carried back under the base with the speed of the walk; for
/// the rest it swings forward on a cubic, lifted by `step_height` in the middle. Its place about the one that it has at the start
/// (p in base axes) is
///
///     p + (duty/f) s(φ) (v x̂ + ω ẑ × p) + h(φ) ẑ + w(φ) k (u − v x̂),     ω = −heading·(yaw − yaw at the start)
///
/// with the measured velocity u of the base in its axes: where the robot is too fast its feet land farther ahead (k: `placement`).
/// Joint targets follow by inverse kinematics; within a leg joints without a drive stay as they start.
struct GaitSpec {
  std::vector<int> feet;  ///< bodies with a shape; two at least, all on one free robot
  double speed = 0.5;     ///< v [m/s]; negative: backwards
  double ramp = 1.0;      ///< [s] the speed rises from 0 in this time, from the start of the scene and after each reset
  double duty = 0.5;      ///< share of the period on the ground, in (0, 1)
  double heading = 2.0;   ///< [1/s] how fast errors of yaw are turned back
  /// What depends on the size of the robot; 0: chosen from l, the mean height of the base above the feet, and g
  double frequency = 0.0;    ///< f [Hz]; 0.5·√(g/l)
  double step_height = 0.0;  ///< [m]; 0.17·l
  double placement = 0.0;    ///< k [s]; 0.37·√(l/g)
};

}  // namespace rigor
