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

/// Answers for any two shapes without a list of pairs. Shapes that were left out of the model count too, behind the others.
class CollisionRules {
 public:
  CollisionRules() = default;
  /// Throws Error for unknown names.
  CollisionRules(const std::vector<BodySpec>& bodies, const std::vector<BodyPlacement>& placements,
                 const std::vector<ModelShape>& shapes, const CollisionFilter& filter);

  int shapes() const { return static_cast<int>(shapes_.size()); }
  bool mayTouch(int i, int j) const;

 private:
  using ShapeSet = std::vector<bool>;  ///< [shapes]

  struct ShapePlace {
    int link = kWorld;
    int group = kWorld;         ///< of bodies that are fixed to each other
    int parent_group = kWorld;  ///< that the group hangs on
    int root = kWorld;          ///< of its tree
    bool collides = true;
  };
  std::vector<ShapePlace> shapes_;
  std::vector<std::pair<ShapeSet, ShapeSet>> excluded_;
  bool self_collision_ = true;
};

/// Pairs of shapes that may touch and have no contact code, the smaller index first. Fast where only few shapes lack it.
std::vector<std::pair<int, int>> findMissingPairs(const CollisionRules& rules, const std::vector<ModelShape>& shapes);

/// One warning that names the kinds of shapes that may touch and have no contact code.
void warnOfMissingKinds(const CollisionRules& rules, const std::vector<ModelShape>& shapes,
                        std::vector<Warning>& warnings);

/// Shapes that were left out of the model although something could meet them.
std::vector<MissingShape> findMissingShapes(const CollisionRules& rules, const std::vector<BodySpec>& bodies,
                                            int known_shapes);

}  // namespace rigor
