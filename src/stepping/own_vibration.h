// Potentials of a user that are too stiff for the steps of a scene: they act explicitly, and what vibrates with hω > 2 explodes.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "rigor/error.h"
#include "stepping/own_terms.h"

namespace rigor {

/// The fastest vibration of a potential at q [rad/s]: ω² the largest eigenvalue of M⁻¹ ∂²V, from a Krylov space of at most 30
/// directions. 0 if it has none.
double findVibration(const Model& model, const PotentialPart& part, const Eigen::VectorXd& q);

/// One for every potential whose vibration at q steps of h cannot follow.
std::vector<Warning> warnOfVibrations(const Model& model, const OwnTerms& terms, const Eigen::VectorXd& q, double h);

}  // namespace rigor
