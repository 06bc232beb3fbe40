// A leg that walks: the cycle of its joints in the axes of a base that moves evenly.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "rigor/algorithms.h"
#include "rigor/inverse_kinematics.h"

namespace rigor {

/// What all legs of a walk share.
struct WalkCycle {
  Eigen::VectorXd pose;        ///< [nq] the base in its place, legs in the stance
  Eigen::Vector3d forward;     ///< unit vector
  Eigen::Vector3d centre;      ///< origin of the base
  double ground = 0.0;         ///< height [m]
  double speed = 0.0;          ///< [m/s]
  double dt = 0.0;             ///< [s]
  double lift = 0.0;           ///< [m]
  int rows = 0, standing = 0;  ///< of a period, and of its part on the ground
};

/// The frame F of a foot: the centre of its sphere, or its lowest point.
struct WalkingFoot {
  int body = 0;
  Pose X_BF;
  double radius = 0.0;  ///< of the sphere; 0: does not roll
};

/// The lowest shape of the body decides. Throws Error if it has none.
WalkingFoot findWalkingFoot(const Model& model, const Eigen::VectorXd& stance, int body);

class WalkingLeg {
 public:
  /// `dofs`: the freedoms of the leg, `held`: all other joints.
  WalkingLeg(const Model& model, const WalkingFoot& foot, std::vector<int> dofs, std::vector<int> held);

  /// Fills the rows of a cycle, which begins as the foot lands. False if the leg cannot do it; then `trouble` says why.
  bool plan(const WalkCycle& cycle);

  const WalkingFoot& foot() const { return foot_; }
  const std::vector<int>& dofs() const { return dofs_; }
  const Eigen::VectorXd& q(int row) const { return q_[row]; }  ///< [nq], of which the leg's coordinates count
  const Eigen::VectorXd& v(int row) const { return v_[row]; }  ///< [nv], the same
  const std::string& trouble() const { return trouble_; }

 private:
  struct Place {
    Eigen::Vector3d p, rate, acceleration;
  };
  bool reach(const Eigen::Vector3d& p, Eigen::VectorXd& q);
  bool findStance(const WalkCycle& cycle, const Eigen::Vector3d& p, Eigen::VectorXd& q);
  bool roll(const WalkCycle& cycle, Eigen::Vector3d& p, Eigen::VectorXd& q);
  Eigen::VectorXd rates(const Eigen::VectorXd& q, const Eigen::Vector3d& point, const Eigen::Vector3d& velocity);
  Eigen::VectorXd standingRates(const WalkCycle& cycle, const Eigen::VectorXd& q);
  Place standingPlace(const WalkCycle& cycle, const Eigen::VectorXd& q);
  bool addRow(int row, const Eigen::VectorXd& q, Eigen::VectorXd v);

  Model model_;
  Data data_;
  WalkingFoot foot_;
  std::vector<int> dofs_;
  std::vector<int> held_;
  bool keeps_turn_ = false;
  Eigen::Quaterniond turn_;  ///< of F in the stance
  std::unique_ptr<InverseKinematics> ik_;
  std::vector<Eigen::VectorXd> q_, v_;  ///< [rows]
  std::string trouble_;
};

}  // namespace rigor
