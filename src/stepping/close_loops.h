// Loops at the start of a run: how far they are open, and velocities that keep them closed.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "rigor/error.h"
#include "stepping/loop_opening.h"

namespace rigor {

/// Freedoms of bodies that move as they are told.
std::vector<int> kinematicFreedoms(const Model& model);

/// All rows of all loops at one pose, dense.
struct LoopRowsAtPose {
  Eigen::VectorXd g;  ///< [rows] [m] or [rad]
  Eigen::MatrixXd J;  ///< [rows × nv]
};

LoopRowsAtPose computeLoopRowsAtPose(const std::vector<LoopPart>& loops, const Topology& topology,
                                     const Kinematics<double>& kin, const double* q);

/// The loop, or own constraint, that is open most.
struct WidestLoop {
  double gap = 0.0;
  int loop = 0;                        ///< index into Model::loops
  const OwnConstraint* own = nullptr;  ///< or this one
  const char* unit = "m";
};
WidestLoop findWidestLoop(const std::vector<LoopPart>& loops, const Topology& topology, const Kinematics<double>& kin,
                          const double* q);

/// Changes v by the least mass-weighted amount so that no loop opens: v ← v − M⁻¹Jᵀ(JM⁻¹Jᵀ)⁺ J v. Warns if that is more
/// than the rounding of decimal digits.
std::vector<Warning> matchLoopVelocities(const Model& model, const std::vector<LoopPart>& loops,
                                         const Eigen::VectorXd& q, Eigen::VectorXd& v);

}  // namespace rigor
