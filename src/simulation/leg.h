// A leg of a walking robot: where its foot is, and how its joints must stand to put it somewhere else.
#pragma once

#include <vector>

#include "math/vec3.h"
#include "rigor/scene.h"

namespace rigor {

/// One driven joint of a leg as a screw in the axes of the base, at the start of the scene.
struct LegJoint {
  Vec3<double> axis;      ///< of its rotation, of length 1; zero for a slide
  Vec3<double> velocity;  ///< per unit of its speed, of the point of the leg that is at the origin of the base [m]
  double start = 0.0;     ///< coordinate in the scene's start [rad or m]
  double lower, upper;    ///< its range
  int drive = 0;          ///< in listDrives
};

/// Product of exponentials: with the screws s_1 … s_n of the joints from the base to the foot, the foot is at
///
///     p(q) = exp(s_1 (q_1 − q_1⁰)) … exp(s_n (q_n − q_n⁰)) p⁰
///
/// and the column of joint k is the velocity that its screw gives that point, turned by the exponentials before it.
class Leg {
 public:
  static constexpr int kMostJoints = 12;

  /// Of a body of a free robot. The foot is the middle of the shape of the body that reaches lowest. Throws Error.
  Leg(const Scene& scene, const std::vector<HoldSpec>& drives, int foot);

  const Vec3<double>& place() const { return place_; }  ///< p⁰ in the frame of the base
  int base() const { return base_; }                    ///< body that hangs on the world by a free joint
  const std::vector<LegJoint>& joints() const { return joints_; }

  /// Joint coordinates [kMostJoints] that bring the foot to p: Gauss–Newton on |p(q) − p|² from those given, in moves that are not
  /// too long, within the ranges. Returns the distance that is left [m].
  double reach(const Vec3<double>& p, double* q) const;

 private:
  Vec3<double> footAt(const double* q, Vec3<double>* columns) const;

  std::vector<LegJoint> joints_;
  Vec3<double> place_;
  int base_ = 0;
};

}  // namespace rigor
