// Free bodies as mechanisms: velocity = (v, ω) in world axes, six entries each.
#pragma once

#include <algorithm>
#include <cmath>

#include "reference/mechanism.h"

namespace rigor::reference {

inline const Eigen::Vector3d kUp = Eigen::Vector3d::UnitZ();
constexpr double kGravity = 9.81;
constexpr double kPi = 3.14159265358979323846;

/// A solid box with these half edges, under gravity.
inline void setBody(Mechanism& mechanism, int body, double mass, const Eigen::Vector3d& half) {
  const Eigen::Vector3d inertia(mass / 3.0 * (half.y() * half.y() + half.z() * half.z()),
                                mass / 3.0 * (half.x() * half.x() + half.z() * half.z()),
                                mass / 3.0 * (half.x() * half.x() + half.y() * half.y()));
  mechanism.M.block<3, 3>(6 * body, 6 * body).diagonal().setConstant(mass);
  mechanism.M.block<3, 3>(6 * body + 3, 6 * body + 3).diagonal() = inertia;
  mechanism.force[6 * body + 2] = -mass * kGravity;
}

/// Velocity of a point at `arm` from the centre of a body.
inline Eigen::MatrixXd pointRows(const Mechanism& mechanism, int body, const Eigen::Vector3d& arm) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, mechanism.M.rows());
  J.block<3, 3>(0, 6 * body).setIdentity();
  J.block<3, 3>(0, 6 * body + 3) = -cross(arm);
  return J;
}

/// n points on the rim of a box's bottom face, all coplanar.
inline Eigen::Vector3d rimPoint(const Eigen::Vector3d& half, int i, int n) {
  const double angle = 2.0 * kPi * (i + 0.5) / n;
  const double stretch = 1.0 / std::max(std::abs(std::cos(angle)), std::abs(std::sin(angle)));
  return {half.x() * stretch * std::cos(angle), half.y() * stretch * std::sin(angle), -half.z()};
}

}  // namespace rigor::reference
