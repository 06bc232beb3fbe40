// From bodies to links: bodies that cannot move against each other become one, joint axes become z.
#pragma once

#include <vector>

#include "model/parameters.h"
#include "rigor/model.h"

namespace rigor {

struct Links {
  Topology topology;
  Parameters<double> parameters;          ///< gravity left at zero
  std::vector<BodyPlacement> placements;  ///< [bodies]
  std::vector<ModelJoint> joints;         ///< [links] the joint that moves the link
};

/// Throws Error if the bodies of a tree are not contiguous or a free joint hangs on a moving body.
Links mergeLinks(const std::vector<BodySpec>& bodies);

/// Axes of the link frame in the joint frame, R_JL: the third is the axis, the first is the axis of the joint frame
/// that follows the largest component of `axis` (x → y → z → x), made perpendicular to it. An axis along ±x, ±y, ±z
/// gives an exact permutation, +z the identity; so does a joint that has no axis.
Mat3<double> linkAxes(JointType type, const Eigen::Vector3d& axis);

/// Zero, and no turn where there is a quaternion.
Eigen::VectorXd neutralCoordinates(JointType type);

}  // namespace rigor
