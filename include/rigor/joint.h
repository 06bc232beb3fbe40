// Joints are data: which translations and which rotations a joint leaves free (VG table B.2).
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "rigor/shape.h"

namespace rigor {

/// Translations of the child against the parent, along axes fixed in the parent's joint frame.
enum class Translation : std::uint8_t { kNone, kAxis, kPlane, kAll };

/// Rotations of the child. The last two go with no translation.
enum class Rotation : std::uint8_t {
  kNone,
  kAxis,     ///< about the axis
  kAll,      ///< quaternion in q, angular velocity in the child's frame in v
  kHelix,    ///< about the axis, and `pitch` metres along it per radian
  kTwoAxes,  ///< about the axis, fixed in the parent, then about e1, fixed in the child (see JointType)
};

/// A joint: the child first translates, then rotates. q and v hold the translation first.
///
/// | translation \ rotation | none      | axis         | all   |
/// |------------------------|-----------|--------------|-------|
/// | none                   | fixed     | hinge        | ball  |
/// | axis                   | slide     | cylindrical  | point on line |
/// | plane (normal = axis)  | plane, no turn | planar  | point on plane |
/// | all                    | no turn   | all + axis   | free  |
///
/// and two that are no such pair: helical (a screw) and universal (two axes at right angles).
///
/// Coordinates run along the axes of the joint frame if its axis is z or the joint has none. Else they run along axes
/// (e1, e2, axis), where e1 is the joint frame's axis that follows the largest component of `axis` (x → y → z → x), made
/// perpendicular to it, and e2 = axis × e1: a plane with normal x has coordinates along y and z. The same axes, fixed in
/// the child, are used by a quaternion and an angular velocity of a joint with an axis.
struct JointType {
  Translation translation = Translation::kNone;
  Rotation rotation = Rotation::kNone;
  friend constexpr bool operator==(JointType, JointType) = default;
};

inline constexpr JointType kFixed{Translation::kNone, Rotation::kNone};
inline constexpr JointType kHinge{Translation::kNone, Rotation::kAxis};
inline constexpr JointType kSlide{Translation::kAxis, Rotation::kNone};
inline constexpr JointType kBall{Translation::kNone, Rotation::kAll};
inline constexpr JointType kCylindrical{Translation::kAxis, Rotation::kAxis};
inline constexpr JointType kPlanar{Translation::kPlane, Rotation::kAxis};
inline constexpr JointType kFree{Translation::kAll, Rotation::kAll};
inline constexpr JointType kHelical{Translation::kNone, Rotation::kHelix};
inline constexpr JointType kUniversal{Translation::kNone, Rotation::kTwoAxes};

constexpr int translationCount(JointType type) { return static_cast<int>(type.translation); }  ///< 0 … 3
constexpr int rotationCount(JointType type) {                                                  ///< 0 … 3
  constexpr int kCounts[] = {0, 1, 3, 1, 2};
  return kCounts[static_cast<int>(type.rotation)];
}
constexpr int velocityCount(JointType type) { return translationCount(type) + rotationCount(type); }
constexpr int positionCount(JointType type) {
  return translationCount(type) + (type.rotation == Rotation::kAll ? 4 : rotationCount(type));
}
std::string jointTypeName(JointType type);  ///< "fixed", "hinge", "slide", "ball", "planar", "free", "helical", …
std::optional<JointType> findJointType(const std::string& name);  ///< the type of this name
std::vector<std::string> jointTypeNames();                        ///< all of them

struct Range {
  double lower, upper;
};

/// What the user says about the joint between a body and its parent.
struct JointSpec {
  std::string name;
  JointType type = kFixed;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< in the joint frame; slide and turn axis, normal of a plane
  Pose X_PJ;                                        ///< joint frame in the parent body; the child's frame at q = 0
  std::optional<Range> range;                       ///< [rad] or [m]; only joints with one freedom
  double effort = std::numeric_limits<double>::infinity();  ///< largest actuator torque [N m] or force [N]
  double speed = std::numeric_limits<double>::infinity();   ///< stated by the file, not enforced
  double damping = 0.0;                                     ///< [N m s] or [N s/m], on every freedom
  double dry_friction = 0.0;                                ///< [N m] or [N], on every freedom
  double armature = 0.0;                                    ///< [kg m²] or [kg], on every freedom
  double rotor_inertia = 0.0;  ///< of the motor, felt by the joint as gear²·rotor_inertia besides the armature [kg m²]
  double gear = 1.0;           ///< turns of the motor per turn of the joint
  double stiffness = 0.0;      ///< spring on every freedom [N m/rad] or [N/m]; of a quaternion: on its rotation vector
  Eigen::VectorXd spring_reference;  ///< coordinates where the spring rests; empty: zero and no turn
  double pitch = 0.0;                ///< helical joints: metres along the axis per radian
  struct Mimic {
    std::string joint;
    double multiplier = 1.0, offset = 0.0;
  };
  std::optional<Mimic> mimic;
};

}  // namespace rigor
