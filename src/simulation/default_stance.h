// Where the joints of a robot start that nobody gave a place: within their ranges, with the feet where they were, and so that
// the robot does not overlap itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulation/clear_pose.h"

namespace rigor {

/// The bodies of robots whose joints nobody gave a place.
using RobotBodies = std::function<bool(int body)>;

/// Puts joints that q has outside of their ranges into these, and brings the feet of free robots back over where they were;
/// `told` says which.
void putIntoRanges(const Model& model, const RobotBodies& chosen, Eigen::VectorXd& q, std::vector<std::string>& told);

/// Moves joints until no robot overlaps itself. One warning tells which were moved and how far; what overlaps all the same is
/// left out of contact in the builder that the model was made of, and another warning tells so.
void clearOverlaps(const Model& model, const RobotBodies& chosen, Eigen::VectorXd& q, ModelBuilder& builder,
                   std::vector<Warning>& warnings);

}  // namespace rigor
