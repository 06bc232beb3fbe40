// Removes overlap that a start pose already has, before the first step.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "collision/contact_pair.h"
#include "rigor/error.h"
#include "rigor/solver.h"

namespace rigor {

/// Moves q by the least mass-weighted distance until no pair overlaps: 0 ≤ λ ⟂ φ(q ⊕ M⁻¹Jᵀλ) ≥ 0, by Newton.
/// Returns one warning per pair that overlapped, naming the pair and its depth; pairs that could not be separated
/// (nothing can move them) are named too.
std::vector<Warning> removeOverlap(const Model& model, const ContactPairs& contacts, ContactSolver& solver,
                                   Eigen::VectorXd& q);

}  // namespace rigor
