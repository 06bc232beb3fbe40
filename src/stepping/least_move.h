// The least move, in the metric of the masses, that opens or closes given gaps: tree by tree, island by island.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "dynamics/kinematics.h"
#include "rigor/model.h"
#include "rigor/solver.h"

namespace rigor {

/// A gap and how the freedoms change it.
struct GapRow {
  double gap = 0.0;                       ///< [m] or [rad]
  bool equal = false;                     ///< has to be zero, not only at least zero
  std::vector<std::pair<int, double>> J;  ///< freedom and derivative; every freedom once
};

/// x = M⁻¹Jᵀλ with 0 ≤ λ ⟂ φ + J (x − moved) ≥ 0, or = 0 for equal rows: the least total move from where everything was before it
/// moved by `moved` to where φ is measured. Kinematic bodies do not move, nor do `held` freedoms. May be not finite where there is none.
Eigen::VectorXd findLeastMove(const Model& model, const Kinematics<double>& kin, const Eigen::VectorXd& moved,
                              std::vector<GapRow> rows, ContactSolver& solver, const std::vector<int>& held = {});

}  // namespace rigor
