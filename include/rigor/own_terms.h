// Physics of your own: a potential or a constraint that you write as a function of the poses of one or two bodies. Derivatives
// come from dual numbers (dual.h); nothing has to be differentiated by hand.
//
//   scene.potentials.push_back({.name = "tether", .body_1 = kWorld, .body_2 = scene.model.findBody("kite"),
//                               .energy = [](const OwnPose&, const OwnPose& kite) {
//                                 return 50.0 * pow(norm(kite.position) - 2.0, 2.0);
//                               }});
//
// Functions are called many times per step, by forks of the simulator too, and must depend on the two poses alone: no time, no
// velocity, no memory. They may not allocate if steps shall not. What one throws leaves the step; the state stays as it was.
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <initializer_list>
#include <string>

#include "rigor/dual.h"

namespace rigor {

/// A number that depends on the poses of two bodies. Directions: shift (in world axes) and turn (about the origin of the body,
/// in world axes) of body 1, then of body 2.
using PoseNumber = Dual<12>;

/// Three of them. Eigen vectors of doubles become one by themselves.
struct PoseVector {
  PoseNumber x, y, z;

  PoseVector() = default;
  PoseVector(const PoseNumber& a, const PoseNumber& b, const PoseNumber& c) : x(a), y(b), z(c) {}
  template <class Derived>  // implicit: points and axes are constants
  PoseVector(const Eigen::MatrixBase<Derived>& a) : x(a[0]), y(a[1]), z(a[2]) {
    EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(Derived, 3);
  }

  friend PoseVector operator+(const PoseVector& a, const PoseVector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend PoseVector operator-(const PoseVector& a, const PoseVector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend PoseVector operator-(const PoseVector& a) { return {-a.x, -a.y, -a.z}; }
  friend PoseVector operator*(const PoseNumber& s, const PoseVector& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend PoseVector operator*(const PoseVector& a, const PoseNumber& s) { return s * a; }
  friend PoseNumber dot(const PoseVector& a, const PoseVector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend PoseVector cross(const PoseVector& a, const PoseVector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  friend PoseNumber norm(const PoseVector& a) { return sqrt(dot(a, a)); }
};

/// A number along a constant direction.
template <class Derived>
PoseVector operator*(const PoseNumber& s, const Eigen::MatrixBase<Derived>& a) {
  return s * PoseVector(a);
}

/// Where a body is. The world is at the origin, unturned.
struct OwnPose {
  PoseVector position;                ///< of the origin of its frame
  PoseVector axis_x, axis_y, axis_z;  ///< axes of its frame in the world: the columns of its rotation matrix

  /// What is fixed in the body, in the world: a direction, a point.
  PoseVector direction(const PoseVector& a) const { return a.x * axis_x + a.y * axis_y + a.z * axis_z; }
  PoseVector point(const PoseVector& a) const { return position + direction(a); }
  /// And back: a direction or a point of the world as the body sees it.
  PoseVector seenDirection(const PoseVector& a) const { return {dot(axis_x, a), dot(axis_y, a), dot(axis_z, a)}; }
  PoseVector seenPoint(const PoseVector& a) const { return seenDirection(a - position); }
};

/// One to six numbers: `return distance - 2.0;`, `return {a, b};`, `return body_2.point(p) - body_1.position;`
struct OwnValues {
  int count = 0;                      ///< as many as were given; more than six are refused
  std::array<PoseNumber, 6> numbers;  ///< the first `count`

  OwnValues(std::initializer_list<PoseNumber> values) : count(static_cast<int>(values.size())) {
    int k = 0;
    for (const PoseNumber& value : values)
      if (k < 6) numbers[k++] = value;
  }
  OwnValues(const PoseNumber& value) : count(1) { numbers[0] = value; }
  OwnValues(const PoseVector& vector) : count(3) { numbers = {vector.x, vector.y, vector.z}; }
};

/// Forces from an energy V [J]: −∂V at the pose of the node, over the kick, as gravity and weak springs act. Second order, no drift
/// of energy; momentum is kept where V depends on the two bodies alone. Explicit: a vibration ω of it needs steps with hω < 2,
/// and hω < 0.3 to be followed well.
struct OwnPotential {
  std::string name;              ///< for messages and recordings; different from other own terms
  int body_1 = -1, body_2 = -1;  ///< kWorld: the world; at least one of them moves
  std::function<PoseNumber(const OwnPose& body_1, const OwnPose& body_2)> energy;
};

/// A bilateral constraint g = 0, held like a loop (loop.h): |g| ≤ 1e-11 at every node, no drift, no softness. Write g in metres
/// or radians, so that this means something. It must be independent where it is zero: g = d² − L² and g = d − L both do,
/// g = (d − L)² has no slope there and holds nothing. What is open at the start is closed first, with a warning; what cannot
/// be is refused.
struct OwnConstraint {
  std::string name;              ///< as of a potential
  int body_1 = -1, body_2 = -1;  ///< kWorld: the world; at least one of them moves
  std::function<OwnValues(const OwnPose& body_1, const OwnPose& body_2)> opening;  ///< always as many numbers
};

}  // namespace rigor
