// What a scene may leave unsaid: the gains of held joints, and where joints start that follow others.
#pragma once

#include <set>
#include <string>

#include "rigor/scene.h"

namespace rigor {

/// PD gains that make a joint of the inertia M_jj(q) critically damped at 5 Hz.
HoldSpec makeDefaultHold(const Model& model, int joint, const Eigen::VectorXd& q, double inertia);
/// Diagonal of M(q) [nv].
Eigen::VectorXd jointInertias(const Model& model, const Eigen::VectorXd& q);

/// Puts joints that follow others where their leaders ask them to be, unless they were named.
void followCouplings(const Model& model, const std::set<std::string>& named, Eigen::VectorXd& q, Eigen::VectorXd& v);

}  // namespace rigor
