// The coordinate of a loop's freedom at a pose, and its exact derivative (model/loop_freedoms.h).
#pragma once

#include "model/loop_freedoms.h"
#include "stepping/spring_stretch.h"

namespace rigor {

/// What acts on a freedom has a row each; their numbers in ids.
enum class FreedomRow : std::uint8_t { kLower, kUpper, kFriction, kMotor };
inline constexpr int kFreedomRows = 4;

struct FreedomAt {
  double x = 0.0;      ///< [rad] or [m]
  double size = 0.0;   ///< of the numbers that x is a difference of: its rounding is 4·eps·size
  Force<double> F[2];  ///< ∂x as a force on link 2 and on link 1, about O of their trees
};

FreedomAt computeFreedom(const LoopFreedom& freedom, const Topology& topology, const Kinematics<double>& kin);

/// A freedom that is outside its range at q by more than angles of poses are rounded.
struct OutsideFreedom {
  LoopFreedom freedom;
  double x = 0.0;
};
std::vector<OutsideFreedom> findOutside(const Model& model, const Eigen::VectorXd& q);

/// The way from one coordinate to another, within half a turn if poses tell no turns: no step turns farther.
double wayBetween(const LoopFreedom& freedom, double from, double to);

}  // namespace rigor
