// Poses of bodies for people and files.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/kinematics.h"
#include "rigor/model.h"

namespace rigor {

/// X_WB of all bodies at q, in model order.
std::vector<Pose> bodyPoses(const Model& model, const Eigen::VectorXd& q);

/// X_WB of one body from known kinematics.
Pose bodyPose(const Model& model, const Kinematics<double>& kin, int body);

/// Dense mass matrix with armature [nv × nv]; a convenience, not a kernel.
Eigen::MatrixXd massMatrix(const Model& model, const Eigen::VectorXd& q);

}  // namespace rigor
