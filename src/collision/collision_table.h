// All that can touch in a model: features, pairs of them with names that persist, and how their surfaces behave.
#pragma once

#include <vector>

#include "geometry/gap.h"
#include "rigor/model.h"

namespace rigor {

/// How two surfaces behave.
struct Surface {
  double friction = 0.0, friction_static = 0.0, restitution = 0.0;
  double threshold = 0.0;  ///< [m/s] slower impacts do not bounce

  bool operator==(const Surface&) const = default;
};

/// Made once per model and never changed.
struct CollisionTable {
  ShapeTable shapes;
  std::vector<int> ball_link;      ///< [balls] −1: the world
  std::vector<FeaturePair> pairs;  ///< in the order of their ids
  std::vector<Surface> surfaces;   ///< FeaturePair::material
  /// [links] free bodies that look and weigh the same from all sides: a ball around its centre, or nothing at all. Only
  /// friction feels how they turn, and they may turn however fast.
  std::vector<char> round;

  const Surface& surfaceOf(const FeaturePair& pair) const { return surfaces[pair.material]; }
};

/// Throws Error for more shapes than ids have room for.
CollisionTable makeCollisionTable(const Model& model);

}  // namespace rigor
