// Removes overlap that a start pose already has and closes its loops, before the first step.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "collision/near_pairs.h"
#include "model/loop_parts.h"
#include "rigor/error.h"
#include "rigor/solver.h"

namespace rigor {

/// Moves q by the least mass-weighted distance until no pair overlaps and every loop is closed:
/// 0 ≤ λ ⟂ φ(q ⊕ M⁻¹Jᵀλ) ≥ 0 and g(q ⊕ M⁻¹Jᵀλ) = 0, by Newton. Throws Error if a loop cannot be closed or a pair cannot
/// be separated, e.g. because nothing can move it. Returns one warning per pair that overlapped, naming the pair and
/// its depth, and one for loops that were open by more than the rounding of decimal digits.
std::vector<Warning> removeOverlap(const Model& model, const CollisionTable& table, const std::vector<LoopPart>& loops,
                                   ContactSolver& solver, Eigen::VectorXd& q);

}  // namespace rigor
