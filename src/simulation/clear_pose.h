// A start pose in which a robot does not overlap itself.
//
// Collision shapes are larger than what they stand for: hulls fill hollows, cylinders stick out of housings. Some pairs of
// links then overlap whatever the joints do; contact between them means nothing. Others overlap at the reference pose and
// come free when a joint moves.
#pragma once

#include <string>
#include <vector>

#include "simulation/overlap_finder.h"

namespace rigor {

/// Overlaps at q between bodies of one tree that stay in 38 of 40 poses of the joints between them, spread over
/// their reach. Pairs that the user names to collide (Model::isExplicitPair) are not among them.
std::vector<ShapeOverlap> findLastingOverlaps(const Model& model, const Eigen::VectorXd& q);

/// Leaves such pairs out of contact. Returns one warning that names them, or none. Pairs that have no names to be excluded by
/// stay.
std::vector<Warning> excludeLastingOverlaps(const Model& model, const Eigen::VectorXd& q, ModelBuilder& builder);

struct MovedJoint {
  int joint = 0;  ///< in Model::joints()
  double from = 0.0, to = 0.0;
  ShapeOverlap cause;  ///< the deepest overlap that it removed
};

struct ClearPose {
  Eigen::VectorXd q;
  std::vector<MovedJoint> moved;   ///< in the order of joints; those that follow others are not named
  std::vector<ShapeOverlap> left;  ///< that no joint could remove
};

/// Moves joints, one after the other, until no two bodies of one tree overlap: each time the joint that frees most pairs
/// without making others overlap, and by the least part of its reach; one that carries more than a quarter of the mass only
/// where no other helps. Where no single joint helps, poses of the joints between
/// the deepest pair are tried. The same model gives the same pose.
ClearPose findClearPose(const Model& model, const Eigen::VectorXd& q);

}  // namespace rigor
