// What `rigor eval` says of a model at one state.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <vector>

#include "rigor/model.h"

namespace rigor::app {

/// Keys and meaning as in the contract of the command line; SI units, world axes.
struct Evaluation {
  Eigen::MatrixXd M;  ///< empty if left out
  Eigen::VectorXd v, Mv, bias, gravity, spring, damper, acceleration;
  Eigen::Vector3d com, momentum, angular_momentum;  ///< angular about the world's origin
  double kinetic = 0.0, gravity_energy = 0.0, spring_energy = 0.0;
  std::vector<Eigen::Isometry3d> bodies;
};

struct EvalArguments;
/// `rigor eval --step-derivatives` (eval_step.cpp).
int evaluateStep(const EvalArguments& arguments);

}  // namespace rigor::app
