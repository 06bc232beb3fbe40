// Which shapes overlap where a run begins, and what is said of it.
#pragma once

#include <string>
#include <vector>

#include "rigor/error.h"
#include "stepping/placed_model.h"

namespace rigor {

inline constexpr double kIgnoredOverlap = 1e-10;  ///< [m] rounding of a pose given in decimal digits

struct Overlap {
  std::string pair;
  double depth = 0.0;  ///< [m]
  int bodies[2] = {kWorld, kWorld};
};

/// Pairs of shapes that overlap, deepest feature each.
std::vector<Overlap> listStartOverlaps(const Model& model, const CollisionTable& table, const PairLists& near,
                                       const PlacedModel& pose);

/// A run may not begin with shapes inside each other: every number after that would be about another world.
void refuseOverlaps(const std::vector<Overlap>& overlaps);

/// Throws Error if a shape is wholly in a closed mesh or under a height field at q. Other overlap that somebody asks for in the
/// middle of a run does not get deeper, or the step is refused; here nothing would push.
void refuseSwallowed(const Model& model, const CollisionTable& table, const Eigen::VectorXd& q);

}  // namespace rigor
