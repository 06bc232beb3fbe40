// What a scene may leave unsaid: the gains of held joints, and where joints start that follow others.
#pragma once

#include <set>
#include <string>

#include "rigor/scene.h"

namespace rigor {

/// PD gains kp = I ω², kd = 2 I ω that make a joint of the inertia I critically damped at ω = 2π·5 Hz.
HoldSpec makeDefaultHold(const Model& model, int joint, const Eigen::VectorXd& q, double inertia);
/// [nv] M_jj(q), the inertia of the limb behind a freedom, or what a leg carries if that is more: (m/n)·|∂p/∂q_j|², m the mass of
/// the robot, n its feet and p the foot. So a leg gives by no more than g/(r ω²), 2 degrees at r = 0.3 m. Feet are the bodies of a
/// free robot that reach down to a tenth of its height above its lowest point.
Eigen::VectorXd carriedInertias(const Model& model, const Eigen::VectorXd& q);

/// Puts joints that follow others where their leaders ask them to be, unless they were named.
void followCouplings(const Model& model, const std::set<std::string>& named, Eigen::VectorXd& q, Eigen::VectorXd& v);

}  // namespace rigor
