// One step of inverse kinematics: the damped least squares step of a level, within bounds and without moving higher levels.
//
//     min ½ δᵀ(H + μ) δ + g·δ   with C δ = 0,  δ_j ≥ 0 at a lower bound, δ_j ≤ 0 at an upper one
//
// C are the rows of higher levels. Their span over the free unknowns has the orthonormal basis Q; with P = 1 − QᵀQ the step solves
// (P H P + μ) δ = −P g. The same combinations of rows, carried on into the columns of the fixed unknowns, make P g there the
// multipliers of the bounds: who pulls inward is released, and fixed again if the step then pushes outward.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace rigor {

enum class AtBound : signed char { kLower = -1, kNone = 0, kUpper = 1, kBoth = 2 };

class IkStep {
 public:
  IkStep(int unknowns, int rows);

  /// H [n × n] lower triangle, g [n]; the first `higher` rows of J are C.
  void solve(const Eigen::MatrixXd& H, const Eigen::VectorXd& g, const Eigen::MatrixXd& J, int higher,
             const std::vector<AtBound>& bounds, double damping);

  const Eigen::VectorXd& step() const { return step_; }  ///< δ
  double pull() const {
    return pull_;
  }  ///< |P g| of the unknowns that may move: zero where nothing can be had any more

 private:
  void buildBasis(const Eigen::MatrixXd& J, int higher);
  double product(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;
  void project(const Eigen::MatrixXd& H, const Eigen::VectorXd& g);
  void factorAndSolve(double damping);

  int n_, basis_size_ = 0;
  std::vector<char> fixed_;
  Eigen::MatrixXd basis_;  ///< [n × rows] columns q_k
  Eigen::MatrixXd A_;      ///< [n × n] P H P, then its factor
  Eigen::VectorXd pulled_, step_, scratch_;
  double pull_ = 0.0;
};

}  // namespace rigor
