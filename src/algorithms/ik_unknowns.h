// What inverse kinematics may move: the freedoms of a model without those that are held, mimicking joints tied to theirs.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "rigor/model.h"

namespace rigor {

struct IkUnknowns {
  /// `limits`: joints stay within their ranges. Throws Error for joints that there are not.
  IkUnknowns(const Model& model, const std::vector<int>& held, bool limits);

  int count = 0;
  std::vector<int> of_dof;       ///< [nv] unknown that moves it, −1: held
  std::vector<double> factor;    ///< [nv] how far it moves with its unknown
  std::vector<int> q_index;      ///< [count] coordinate that adds, −1: part of a quaternion
  Eigen::VectorXd lower, upper;  ///< [count] of that coordinate, infinite without range
  std::vector<char> turns;       ///< [count] an angle without range may be anywhere in a turn

  /// Puts q into the ranges, and mimicking joints where theirs want them.
  void tidy(Eigen::VectorXd& q) const;
  /// Motion of all freedoms for one of the unknowns.
  void expand(const Eigen::VectorXd& step, Eigen::VectorXd& v) const;

 private:
  struct Follower {
    int q_index, unknown_q_index;
    double factor, offset;
  };
  std::vector<Follower> followers_;
};

}  // namespace rigor
