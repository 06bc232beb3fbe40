// Which shapes may touch.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/parameters.h"
#include "rigor/model.h"

namespace rigor {

/// What the user says about collisions; names are those of bodies or shapes, or "world".
struct CollisionFilter {
  struct Pair {
    std::string first, second;
    Place where;
  };
  struct Name {
    std::string name;
    Place where;
  };
  std::vector<Pair> excluded, paired;
  bool all = true;  ///< false: those of `only`
  std::vector<Name> only;
  bool self_collision = true;  ///< false: bodies of one tree do not meet
};

/// Answers for any two shapes without a list of pairs, in a time that does not grow with their number. Shapes that were left
/// out of the model count too, behind the others. The first of these that applies decides:
///
///   1. shapes of one link, and two that no force can move (world, fixed or kinematic bodies), do not touch;
///   2. an excluded pair does not;
///   3. an explicit pair does;
///   4. both must be among `only` or unmovable, want each other (group_1 & mask_2 and group_2 & mask_1 are not zero), be no
///      neighbours of one joint and, without self-collision, not belong to one tree.
class CollisionRules {
 public:
  CollisionRules() = default;
  /// Throws Error for unknown names.
  CollisionRules(const std::vector<BodySpec>& bodies, const std::vector<BodyPlacement>& placements,
                 const std::vector<ModelShape>& shapes, const CollisionFilter& filter);

  int shapes() const { return static_cast<int>(shapes_.size()); }
  bool mayTouch(int i, int j) const;
  /// Shapes behind i whose answer may differ from that of the shape before them, ascending: those of another sort (kind, mask,
  /// movable or not) than it, and those that i is related to or named with, and who follows these. Between two of them nothing
  /// has to be asked.
  class Borders;
  bool isExplicit(int i, int j) const { return isNamed(paired_, shapes_[i], shapes_[j]); }

 private:
  /// Sorted pairs of names, the smaller number first.
  using NamePairs = std::vector<std::pair<int, int>>;

  struct ShapePlace {
    int name = 0, body_name = 0;               ///< numbers of names; equal ones mean the same shapes
    std::uint32_t wanted_as = 1, wants = ~0u;  ///< ShapeSpec::group and mask
    bool movable = false;                      ///< by forces
    int link = kWorld;
    int group = kWorld;         ///< of bodies that are fixed to each other
    int parent_group = kWorld;  ///< that the group hangs on
    int root = kWorld;          ///< of its tree
    bool collides = true;
  };
  static bool isNamed(const NamePairs& pairs, const ShapePlace& a, const ShapePlace& b);

  std::vector<ShapePlace> shapes_;
  NamePairs excluded_, paired_;
  bool self_collision_ = true;
};

/// A shape and those from `first` to `last`, all behind it, that it may touch.
struct PairRange {
  int shape = 0, first = 0, last = 0;
};

/// All pairs that may touch and have contact code, by their smaller index. Takes a time that grows with the number of shapes,
/// of neighbours and of rules, not with the number of pairs; `asked`, if given, counts the questions.
std::vector<PairRange> listPairRanges(const CollisionRules& rules, const std::vector<ModelShape>& shapes,
                                      std::int64_t* asked = nullptr);

/// Pairs of shapes that may touch and have no contact code, the smaller index first. Fast where only few shapes lack it.
std::vector<std::pair<int, int>> findMissingPairs(const CollisionRules& rules, const std::vector<ModelShape>& shapes);

/// One warning that names the kinds of shapes that may touch and have no contact code.
void warnOfMissingKinds(const CollisionRules& rules, const std::vector<ModelShape>& shapes,
                        std::vector<Warning>& warnings);

/// Shapes that were left out of the model although something could meet them.
std::vector<MissingShape> findMissingShapes(const CollisionRules& rules, const std::vector<BodySpec>& bodies,
                                            int known_shapes);

}  // namespace rigor
