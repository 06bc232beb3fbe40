// What of a robot will stand on the ground.
#pragma once

#include <vector>

#include "rigor/model.h"

namespace rigor {

struct Foot {
  int body = 0, tree = 0;
  Eigen::Vector3d p_B = Eigen::Vector3d::Zero();  ///< its lowest point, in the frame of the body
};

/// Bodies of free robots that reach down to a tenth of the robot's height above its lowest point, without those that only
/// carry another of them.
std::vector<Foot> findFeet(const Model& model, const Eigen::VectorXd& q);

/// Where joints of a leg had to leave the reference, because their ranges do not hold it, the others bring its foot back over the
/// place where it was: a robot whose knees cannot be straight bends its hips as well, and does not fall over.
void keepFeetBelow(const Model& model, const Eigen::VectorXd& reference, Eigen::VectorXd& q);

}  // namespace rigor
