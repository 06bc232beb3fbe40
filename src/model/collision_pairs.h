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
  bool self_collision = true;                                 ///< false: bodies of one tree do not meet
};

struct CollisionPairs {
  std::vector<std::pair<int, int>> colliding;  ///< see Model::collisionPairs
  std::vector<std::pair<int, int>> missing;    ///< see Model::missingPairs
  std::vector<MissingShape> missing_shapes;    ///< see Model::missingShapes
};

/// Pairs of shapes that may touch, parted by whether there is contact code for their kinds; one warning names the kinds
/// without. Throws Error for unknown names.
CollisionPairs findCollisionPairs(const std::vector<BodySpec>& bodies, const std::vector<BodyPlacement>& placements,
                                  const std::vector<ModelShape>& shapes, const CollisionFilter& filter,
                                  std::vector<Warning>& warnings);

}  // namespace rigor
