#pragma once

#include "model/topology.h"

namespace rigor {

/// Fills every field from `parent` and `joint` of the links. Parents must come before children and the links of a
/// tree must be contiguous; the caller has checked both.
Topology makeTopology(std::vector<int> parent, std::vector<JointType> joint);

}  // namespace rigor
