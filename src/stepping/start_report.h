// What is said of joints, bodies and loops that were moved before the first step.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "rigor/error.h"
#include "stepping/close_loops.h"
#include "stepping/start_overlaps.h"

namespace rigor {

/// A loop or a constraint whose ends no pose brings together.
class UnclosableLoop final : public Error {
 public:
  using Error::Error;
};

/// One warning per pair: by how much it overlapped, who was moved and how far.
void tellOverlaps(const Model& model, const std::vector<Overlap>& overlaps, const Eigen::VectorXd& before,
                  const Eigen::VectorXd& after, std::vector<Warning>& warnings);

/// Joints that moved with the shapes, in one warning: whoever gave their start must know.
void tellMovedJoints(const Model& model, const Eigen::VectorXd& before, const Eigen::VectorXd& after,
                     std::vector<Warning>& warnings);

/// Loops that stay open cannot be simulated: throws UnclosableLoop. Those that were open are told.
void reportLoops(const Model& model, const WidestLoop& before, const WidestLoop& after, std::vector<Warning>& warnings);

}  // namespace rigor
