// Which shapes may touch.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/parameters.h"
#include "rigor/model.h"

namespace rigor {

struct CollisionFilter {
  std::vector<std::pair<std::string, std::string>> excluded;  ///< names of bodies or shapes, or "world"
  std::vector<std::string> only;                              ///< empty: all collide
};

/// Pairs of shapes that may touch, see Model::collisionPairs. Pairs of kinds that have no contact code yet are left out;
/// one warning names them. Throws Error for unknown names.
std::vector<std::pair<int, int>> findCollisionPairs(const std::vector<BodySpec>& bodies,
                                                    const std::vector<BodyPlacement>& placements,
                                                    const std::vector<ModelShape>& shapes,
                                                    const CollisionFilter& filter, std::vector<Warning>& warnings);

}  // namespace rigor
