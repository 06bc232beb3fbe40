// Which joints of a model become loops, and which bodies free ones, in redundant coordinates.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "rigor/model.h"

namespace rigor {

/// Of the bodies that are meant (none given: all), those that a joint moves which is not free already.
class RedundantJoints {
 public:
  RedundantJoints(const Model& model, const std::vector<bool>& bodies);

  bool becomesFree(int body) const { return free_[body]; }
  bool becomesLoop(int joint) const { return joint >= 0 && loop_[joint]; }

 private:
  std::vector<bool> free_, loop_;
};

/// Those of a free joint: position, quaternion.
Eigen::VectorXd coordinatesOf(const Pose& pose);

}  // namespace rigor
