// Limbs of a tree that are built alike: two legs, two arms, the four legs of a quadruped as two pairs.
#pragma once

#include <array>
#include <vector>

#include "model/topology.h"

namespace rigor {

/// Two branches that hang on one link and have the same joints in the same order; their numbers differ.
struct LimbPair {
  int parent;                             ///< link of the trunk
  std::vector<std::array<int, 2>> links;  ///< counterparts; parents before children
};

/// Every link belongs either to the trunk or to one limb.
struct LimbSplit {
  std::vector<int> trunk;  ///< ascending
  std::vector<LimbPair> pairs;
};

/// Pairs as many branches as there are, the largest first; what has no counterpart is trunk.
LimbSplit splitLimbs(const Topology& topology);

}  // namespace rigor
