// The slow, obvious twin of the dynamics: school mechanics, body by body, straight from what the user wrote.
//
// No links, no merging, no spatial vectors, no recursion over forces: 4 × 4 matrices, classical velocities and
// accelerations of points, and the principle of virtual power. Uses the bodies of the model and where their
// coordinates are, nothing else of src/.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "rigor/model.h"

namespace rigor::slow {

/// A body in the world: pose, velocity and acceleration of its origin, angular velocity and acceleration.
struct BodyMotion {
  Eigen::Matrix4d X_WB = Eigen::Matrix4d::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), acceleration = Eigen::Vector3d::Zero();
  Eigen::Vector3d omega = Eigen::Vector3d::Zero(), alpha = Eigen::Vector3d::Zero();

  Eigen::Matrix3d R() const { return X_WB.topLeftCorner<3, 3>(); }
  Eigen::Vector3d p() const { return X_WB.topRightCorner<3, 1>(); }
  Eigen::Vector3d velocityAt(const Eigen::Vector3d& point_W) const { return velocity + omega.cross(point_W - p()); }
  Eigen::Vector3d accelerationAt(const Eigen::Vector3d& point_W) const {
    return acceleration + alpha.cross(point_W - p()) + omega.cross(omega.cross(point_W - p()));
  }
};

/// All bodies at q, v and the rates `vdot` of v.
std::vector<BodyMotion> computeMotions(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                       const Eigen::VectorXd& vdot);

/// Velocity of a world point fixed to `body`, then its angular velocity, per unit of v [6 × nv].
Eigen::MatrixXd computeJacobian(const Model& model, const Eigen::VectorXd& q, int body, const Eigen::Vector3d& point_W);

/// Σ m JvᵀJv + JωᵀIJω + armature.
Eigen::MatrixXd computeMassMatrix(const Model& model, const Eigen::VectorXd& q);

/// Generalised forces that make v change by vdot: Σ Jvᵀ m(a − g) + Jωᵀ(Iα + ω × Iω) + armature·vdot. No damping.
Eigen::VectorXd computeInverseDynamics(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                       const Eigen::VectorXd& vdot);

double computeKinetic(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v);  ///< with armature
/// −Σ m g·c over the bodies that can move; those fixed to the world would only add a constant.
double computePotential(const Model& model, const Eigen::VectorXd& q);
/// Linear momentum, angular momentum about the world's origin.
Eigen::Matrix<double, 6, 1> computeMomentum(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

/// q moved along v for a time h: quaternions are turned by the rotation h·ω in the child's frame.
Eigen::VectorXd moveAlong(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double h);

}  // namespace rigor::slow
