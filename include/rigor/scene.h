// A scene: a model, where it starts, who drives it, how long.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "rigor/controllers.h"
#include "rigor/model.h"
#include "rigor/own_terms.h"

namespace rigor {

/// Holds joints with τ = kp (q* − q) − kd v at the end of the step, within ±effort.
struct HoldSpec {
  int joint = 0;  ///< in Model::joints(), with one freedom
  double kp = 0.0, kd = 0.0;
  double target = 0.0;  ///< q*, unless a controller (controllers.h) or Input::ctrl says otherwise
  double effort = std::numeric_limits<double>::infinity();
};

/// Prescribed generalised forces: row i acts from time_i until time_{i+1}.
struct TorqueTable {
  std::vector<double> time;
  std::vector<Eigen::VectorXd> tau;  ///< [nv] each
};

struct WrenchSpec {
  int body = 0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
  bool in_world = true;
  double from = 0.0, until = std::numeric_limits<double>::infinity();
};

/// The way of a kinematic body, whatever pushes it (BodySpec::kinematic). A kinematic body without one stays where it starts.
///
/// With times: the body is at poses[i] at time[i], at rest before the first and after the last; in between it moves smoothly,
/// on cubic Hermite curves of position and of the rotation vector from row to row. Velocities at the rows are those of
/// monotone interpolation (the weighted harmonic mean of the neighbouring slopes, zero where one of them is zero or they have
/// different signs), coordinate by coordinate: no way leads beyond its rows, and equal rows mean standing still.
/// Without times: from poses[0] at time 0 on with constant velocities. Times count from the start of the scene, and anew after
/// each reset.
struct MotionSpec {
  int body = 0;
  std::vector<double> time;                            ///< [s] rising, two at least; or none
  std::vector<Pose> poses;                             ///< of the body's frame in the world; as many as times, or one
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s] in world axes
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< [rad/s] in body axes
};

/// Puts the scene back to its start, by the clock or when everything rests.
struct ResetSpec {
  double every = 0.0;        ///< [s]; 0: never
  double rest_energy = 0.0;  ///< [J]; 0: never
  double rest_for = 0.2;     ///< [s]
};

inline constexpr double kUsualStepAccuracy = 1e-6;  ///< [per second] of stepper event

struct Scene {
  std::string name;
  std::string file;  ///< where it came from, for messages
  Model model;
  Eigen::VectorXd q, v;          ///< start; node velocities
  double dt = 1e-3, time = 5.0;  ///< [s]
  std::string stepper = "minimal", solver = "auto", law = "coulomb";
  int directions = 8;       ///< corners of the polygon of law "pyramid", even, 4 to 64
  double accuracy = 1e-10;  ///< ε of the judge
  /// [per second] Of stepper event: how much its pieces may add to the error of positions [m or rad] and, relative to 1 + the fastest one,
  /// of velocities; chooses their length, up to dt. 0: kUsualStepAccuracy.
  double step_accuracy = 0.0;
  int impact_stops = 4;  ///< impacts without restitution that a step stops for; what closes after these closes with it
  /// What touches at the time of an impact: "simultaneous" all of it strikes at once; "sequential" one contact after the other, the
  /// fastest first, until none approaches (docs/step.md).
  std::string impacts = "simultaneous";
  /// What v means to stepper maximal: "legendre" the velocity at the start; "first_order" the mean velocity of a first step that
  /// nothing acts in, as VG prints it: the run begins at dt, where that step leads (docs/maximal.md).
  std::string start = "legendre";
  std::string integrator = "leapfrog";  ///< of steps in which no constraint is near (integrator.h)
  std::vector<HoldSpec> holds;
  std::vector<TargetTable> target_tables;  ///< these three move targets of holds; a joint follows at most one of them
  std::vector<RandomTargets> random_targets;
  std::vector<GaitSpec> gaits;
  std::vector<std::vector<int>>
      feet;  ///< bodies that the robots walk on, in the order of WalkSpec; one list per robot that names some
  std::optional<TorqueTable> torques;
  std::vector<WrenchSpec> wrenches;
  std::vector<OwnPotential> potentials;    ///< functions of your own (own_terms.h); no file has them
  std::vector<OwnConstraint> constraints;  ///< the same
  std::vector<MotionSpec> motions;         ///< of kinematic bodies, at most one each; q and v begin as they say
  ResetSpec reset;
  std::vector<Warning> warnings;
  std::vector<std::string> defaults;  ///< lines that say which surroundings were chosen for the user

  void releaseJoints();  ///< drops the holds and whatever moves their targets
  /// Throws Error for sizes, NaN, non-positive steps, unknown steppers, integrators, solvers and laws.
  void check() const;
};

/// The drives of a scene: the holds that have a gain, in the order of their joints; where a joint is held twice, the last
/// one. Input::ctrl and Recording::ctrl have one number for each.
std::vector<HoldSpec> listDrives(const Scene& scene);

/// What stepper event works with; 0 of other steppers.
inline double stepAccuracyOf(const Scene& scene) {
  if (scene.stepper != "event") return 0.0;
  return scene.step_accuracy > 0.0 ? scene.step_accuracy : kUsualStepAccuracy;
}

struct ModelSceneOptions {
  bool limp = false;        ///< nothing is held
  double clearance = 0.05;  ///< lowest point above the floor [m]
};
/// A scene around a bare model, as `rigor run robot.urdf` makes it: the reference configuration with joints moved into
/// their ranges and so that no links overlap (Scene::warnings names them, and pairs that always do and are excluded), a floor (μ 0.8, no bounce) under the lowest point, and PD at
/// 5 Hz on every joint of one freedom, with the inertia of its limb or of what a leg has to carry of the robot. Free
/// robots are lifted to stand above z = 0; if one is fixed to the world, the floor is put below them instead. What was
/// chosen is in Scene::defaults.
Scene makeModelScene(ModelBuilder builder, const ModelSceneOptions& options = {});

}  // namespace rigor
