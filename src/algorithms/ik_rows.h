// Errors of the tasks of inverse kinematics, and their derivatives by the unknowns.
//
// Position: e = w (p − p*). Orientation: e = w c θ with exp(θ) R* = R, world axes, whose derivative is w c Jl(θ)⁻¹ ω.
// Centre of mass: e = w (c − c*), ċ = linear momentum/mass.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "algorithms/centroidal.h"
#include "algorithms/ik_unknowns.h"
#include "rigor/inverse_kinematics.h"

namespace rigor {

class IkRows {
 public:
  /// The tasks lie in the order of their levels.
  IkRows(const Model& model, const std::vector<IkTask>& tasks, const IkUnknowns& unknowns);

  int count() const { return rows_; }
  int firstRow(int task) const { return placed_[task].row; }

  /// Kinematics at q and the errors there.
  void evaluate(const Model& model, const std::vector<IkTask>& tasks, const Eigen::VectorXd& q,
                Eigen::VectorXd& errors);
  /// Derivatives at the q of the last evaluate, of the tasks from `first` to the one before `end`, into their rows of J.
  void differentiate(const Model& model, const std::vector<IkTask>& tasks, int first, int end, Eigen::MatrixXd& J);
  /// JᵀJ (lower triangle) and Jᵀe of these tasks.
  void square(int first, int end, const Eigen::MatrixXd& J, const Eigen::VectorXd& errors, Eigen::MatrixXd& H,
              Eigen::VectorXd& gradient) const;
  /// What is left of a task at the last evaluate, without weights, and the rounding that nobody can beat.
  const IkReport::Miss& miss(int task) const { return placed_[task].miss; }
  const std::vector<int>& unknownsOf(int task) const { return placed_[task].unknowns; }
  double rounding(int task) const { return placed_[task].rounding; }

 private:
  struct Placed {
    int row, rows, link;
    Transform<double> X_LF;
    std::vector<int> dofs;      ///< that move it
    std::vector<int> unknowns;  ///< that move it, each once
    Vec3<double> p, theta;      ///< of the last evaluate: the frame about O, its turn from the target
    IkReport::Miss miss;
    double rounding = 0.0;
  };
  Vec3<double> placeFrame(const Topology& topology, const Placed& task, Mat3<double>& R) const;

  IkUnknowns unknowns_;
  int rows_ = 0;
  bool wants_mass_ = false;
  std::vector<Placed> placed_;  ///< [tasks]
  Kinematics<double> kin_;
  std::vector<Inertia<double>> inertias_;  ///< [links] of bodies, then of subtrees
  std::vector<Force<double>> momentum_;    ///< [nv]
  MassCentre<double> centre_;
};

}  // namespace rigor
