// Where joints can be put, and which of them move two bodies against each other.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "rigor/model.h"

namespace rigor {

/// Joints with one freedom that are led by no other, on the way from one body to another: they alone change how the two
/// lie to each other. Indices into Model::joints().
std::vector<int> jointsBetween(const Model& model, int body_1, int body_2);
/// True if there are others between them, with more freedoms than one, whose poses are not looked through.
bool haveWideJoints(const Model& model, int body_1, int body_2);

/// The range of a joint, at most one turn to either side of zero; without a range a whole turn, or 1 m to either side for a
/// slide. Joints that follow it stay within their ranges too, where that is possible.
Range reachOf(const Model& model, int joint);

/// Puts joints somewhere in their reach, by a number: the same number is the same place. Those that follow others follow.
void scatterJoints(const Model& model, const std::vector<int>& joints, std::uint64_t number, Eigen::VectorXd& q);

/// Joints that follow others go where these ask them to be.
void followLeaders(const Model& model, Eigen::VectorXd& q);

}  // namespace rigor
