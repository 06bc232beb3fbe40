// Where a kinematic body is and how fast it moves at any time (rigor/scene.h: MotionSpec).
//
// Between two rows, s = (t − t₀)/Δ from 0 to 1, with velocities m and ω (body axes) at the rows:
//
//   p(s) = p₀ + H(s)(p₁ − p₀) + Δ (s³ − 2s² + s) m₀ + Δ (s³ − s²) m₁,   H(s) = 3s² − 2s³
//   R(s) = R₀ exp θ(s),  θ(s) = H(s) φ + Δ (s³ − 2s² + s) ω₀ + Δ (s³ − s²) Jr(φ)⁻¹ ω₁,  exp φ = R₀ᵀ R₁
//
// The angular velocity Jr(θ) θ̇ is ω₀ at the first row and ω₁ at the second: position and velocity are continuous.
#pragma once

#include <vector>

#include "math/rotation.h"
#include "rigor/scene.h"

namespace rigor {

/// Throws Error (without a place) for rows that define no motion: fewer than two, times that do not rise, numbers that are not
/// finite, turns between rows that could go either way round.
void checkMotion(const MotionSpec& motion);

class PrescribedMotion {
 public:
  /// `motion` was checked, and its body is kinematic.
  PrescribedMotion(const Model& model, const MotionSpec& motion);

  int tree() const { return tree_; }
  int dof() const { return dof_; }                ///< first of six
  int qIndex() const { return q_index_; }         ///< first of seven
  void poseAt(double time, double* q) const;      ///< [7] position and quaternion, as q of a free joint
  void velocityAt(double time, double* v) const;  ///< [6] as v of a free joint: d/dt of the above

 private:
  struct Row {
    double time;
    Vec3<double> position, slope;  ///< [m], [m/s] in the world
    Quat<double> turn;
    Vec3<double> rate;         ///< [rad/s] in body axes
    Vec3<double> way;          ///< φ to the next row, in body axes
    Vec3<double> rate_of_way;  ///< θ̇ at the next row
  };
  /// The row before a time, and how far it is to the next: below 0 before the first row, above 1 after the last.
  const Row& rowAt(double time, double& share) const;
  /// θ at a share of the way, and its derivative by time.
  struct Turning {
    Vec3<double> angle, rate;
  };
  Turning turningAt(const Row& row, double share, double length) const;

  int tree_, dof_, q_index_;
  std::vector<Row> rows_;  ///< one: constant velocities
};

/// One for each kinematic body of the model: as the scene says, or standing at its start pose.
std::vector<PrescribedMotion> listMotions(const Scene& scene);

/// Puts kinematic bodies where they are at a time.
void placeKinematic(const std::vector<PrescribedMotion>& motions, double time, Eigen::VectorXd& q, Eigen::VectorXd& v);

}  // namespace rigor
