// Walking motions by foot placement: the base moves evenly, feet stay where they stand, joints follow by inverse kinematics.
//
// The base goes forward, along its x axis seen from above, at the speed V, at one height and without turning. Every foot repeats
// one cycle of the period T: for the share `duty` of it, it stands, from half a stride before the place that it has under the
// base in the stance to half a stride behind it; for the rest it swings forward on a curve with continuous accelerations, lifted
// by `step_height` in the middle,
//
//     p(s) = quintic between lift-off and landing, with the velocities and accelerations of standing at both,  + 64 s³(1 − s)³ ẑ
//
// Feet are listed in pairs, left and right, from the front to the back: the first and the fourth move together, then the second
// and the third; two feet take turns.
//
// A round foot (a sphere) rolls while the leg turns over it, without slip: from row to row its centre moves by θ × r ẑ, θ the turn
// of the foot; its place between two rows is that of contact in a simulation with steps of the rows. Other feet keep their place
// and, if the leg can, their orientation.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "rigor/motion.h"

namespace rigor {

struct WalkSpec {
  std::vector<int> feet;     ///< bodies, two at least
  double speed = 0.5;        ///< V [m/s]; negative: backwards
  double duty = 0.6;         ///< share of the period that a foot stands, in [0.5, 1)
  double dt = 1e-3;          ///< [s] between rows
  double time = 5.0;         ///< [s]
  double ground = 0.0;       ///< height of the ground [m]
  double period = 0.0;       ///< T [s]; 0: 2 √(l/g), l the height of the base above the ground
  double step_height = 0.0;  ///< [m]; 0: l/10
};

/// A motion, and what was chosen and measured. Period and duty are those of whole rows.
struct Walk {
  MotionTable motion;
  double period = 0.0, duty = 0.0, step_height = 0.0;
  double height = 0.0;       ///< of the base above the ground [m]
  double stride = 0.0;       ///< way of the base in a period [m]
  double slip = 0.0;         ///< how far a standing foot slides in all, at most [m]
  double depth = 0.0;        ///< how far a foot is below the ground, or a standing one above it, at most [m]
  double joint_speed = 0.0;  ///< the largest share of a joint's stated speed that is asked for; 0 where none is stated
  std::string fastest;       ///< that joint
};

/// The model walks from the configuration `stance`, whose feet need not touch the ground: the base is brought down to it, and
/// lower if the legs are too straight for the strides. Throws Error for robots that cannot walk, and for speeds that the legs
/// cannot keep up with, with the largest that they can.
Walk planWalk(const Model& model, const Eigen::VectorXd& stance, const WalkSpec& spec);

/// Links that a robot stands on in a configuration, for robots that name none: those that reach down to its lowest tenth, in the
/// order that WalkSpec::feet asks for.
std::vector<int> findWalkingFeet(const Model& model, const Eigen::VectorXd& stance);

}  // namespace rigor
