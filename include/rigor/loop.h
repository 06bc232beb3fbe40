// Loops: what holds besides the joints of the trees. A loop closes a chain of bodies or ties two joints together. Springs and
// dampers: on what a loop leaves free, and between two points.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "rigor/error.h"
#include "rigor/joint.h"
#include "rigor/shape.h"

namespace rigor {

enum class LoopKind : std::uint8_t {
  kConnect,  ///< the two points coincide: a ball joint, 3 rows
  kHinge,    ///< the two points coincide and the two axes lie on one line, whichever way: 5 rows
  kWeld,     ///< the two frames coincide: 6 rows
  kJoint,    ///< q_1 = c0 + c1 q_2 + c2 q_2² + …: gears, mimicked joints, 1 row
  kOfType,   ///< frame 2 moves against frame 1 as the child of a joint of LoopSpec::type does: 6 rows less its freedoms
};
const char* loopKindName(LoopKind kind);  ///< "connect", "hinge", "weld", "joint", "of_type"

/// Drives the one freedom of a loop with torque + kp (target − x) − kd ẋ at the end of the step, at most `effort` either way.
/// Its target is that of the model throughout a run: Input::ctrl has none for it. No StepReport has its torque: recordings do, as an
/// impulse in `row_impulse`.
struct LoopMotor {
  double kp = 0.0, kd = 0.0;                                ///< [N m/rad], [N m s/rad], or per metre
  double target = 0.0;                                      ///< of the coordinate x [rad or m]
  double torque = 0.0;                                      ///< constant [N m or N]
  double effort = std::numeric_limits<double>::infinity();  ///< [N m or N]

  bool acts() const { return kp > 0.0 || kd > 0.0 || torque != 0.0; }
};

/// Bilateral constraint, held at every node to rounding: no softness, no drift. More rows than freedoms are fine as
/// long as they agree (a planar four-bar closed in space); the multipliers of redundant rows are then shared so that
/// their weighted sum of squares is least.
///
/// Loops between frames are joints (VG table B.2): a connect is a ball joint, a weld a fixed one. What such a joint leaves free
/// has the coordinates of JointType, of frame 2 against frame 1, and may carry a spring and a damper on each of them. An angle is
/// measured from where its spring rests, by at most half a turn either way; that of a helical joint goes on beyond, because its
/// advance tells the turns. The thread of a helical loop is the one nearest to where it starts.
///
/// Loops with one freedom (hinge, slide, helical) may have hard stops, dry friction and a motor on it, with the laws that joints of
/// trees have. An angle of a hinge is measured within half a turn of the middle of its range, without a range of the motor's target:
/// between stops less than a turn apart it never gets farther. A motor without stops pushes the nearest way round.
struct LoopSpec {
  std::string name;
  LoopKind kind = LoopKind::kConnect;
  JointType type = kBall;  ///< kOfType: any but kFree, which closes nothing

  // all but joint: frame F on both bodies
  int body_1 = -1, body_2 = -1;                     ///< kWorld: the world; at least one of them moves
  Pose X_1F, X_2F;                                  ///< connect uses the position alone, unless it has a spring
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< of types that have one: in frame F of both bodies
  double pitch = 0.0;                               ///< kHelical: metres along the axis per radian
  double stiffness = 0.0;                           ///< spring on every freedom [N m/rad] or [N/m]
  double damping = 0.0;                             ///< on every freedom [N m s] or [N s/m]
  Eigen::VectorXd spring_reference;  ///< coordinates where the spring rests, as of a joint; empty: zero and no turn
  std::optional<Range> range;        ///< one freedom: its stops [rad or m]; of a hinge less than a turn apart
  double dry_friction = 0.0;         ///< one freedom [N m or N]
  LoopMotor motor;                   ///< one freedom

  // joint: two joints with one freedom each
  std::string joint_1, joint_2;
  std::array<double, 5> coefficients{0.0, 1.0, 0.0, 0.0, 0.0};  ///< c0 … c4 [rad or m]

  Place where;  ///< for messages
};

/// The joint that a loop is; kFree of a coupling of joints, which has no frames.
JointType jointTypeOf(const LoopSpec& loop);
/// As in scene files and recordings: "connect", "hinge", "weld", "joint", or the name of the type: "slide", "universal", …
std::string loopName(const LoopSpec& loop);

/// A spring and a damper on the line between two points, which push and pull along it with stiffness·(distance − length) +
/// damping·(rate of the distance). Points that coincide have no line: then there is no force.
struct SpringSpec {
  std::string name;
  int body_1 = -1, body_2 = -1;  ///< kWorld: the world; at least one of them moves
  Eigen::Vector3d point_1 = Eigen::Vector3d::Zero(), point_2 = Eigen::Vector3d::Zero();  ///< in the bodies
  double stiffness = 0.0;                                                                ///< [N/m]
  double damping = 0.0;                                                                  ///< [N s/m]
  double length = 0.0;                                                                   ///< where it rests [m]
  Place where;                                                                           ///< for messages
};

}  // namespace rigor
