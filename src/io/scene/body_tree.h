// [[joint]]: which [[body]] hangs on which.
#pragma once

#include <string>
#include <vector>

#include "io/scene/table_reader.h"
#include "rigor/model.h"

namespace rigor {

/// What a [[body]] hangs on.
struct BodyTie {
  int joint = -1;   ///< index of its [[joint]]; −1: none
  int parent = -1;  ///< index of a [[body]]; −1: the world
  std::string parent_name;
};

/// For every [[body]] the one [[joint]] that has it as child. Throws Error for unknown bodies and for two joints of one child.
std::vector<BodyTie> readTies(std::vector<TableReader>& joints, const std::vector<std::string>& bodies);

/// Indices of all [[body]]: parents before children, trees together, else in the order of the file. Throws Error for joints
/// that lead around in a circle.
std::vector<int> orderBodies(const std::vector<BodyTie>& ties, const std::vector<TableReader>& joints,
                             const std::vector<std::string>& bodies);

/// Gives the child the joint: its frame is that of the child at the joint's point, for parent and child where they start.
void placeJoint(TableReader& reader, const Pose& X_WP, const Pose& X_WC, BodySpec& child);

}  // namespace rigor
