// The broad phase: pairs of shapes that are near each other, kept from step to step.
//
// Every shape has a wide box around it. A pair is listed if its wide boxes overlap and the model lets it touch; a plane has no
// box, and is near a box that reaches below it. Before anything is searched, `cover…` sees to it that where shapes are and may
// come to lies within their wide boxes: a pair that is not listed cannot meet then. As long as nobody leaves its box, which a
// resting robot does not, the list is what it was.
//
// What is listed besides depends on the past. Searches decide by what they measure, in the order of the list, which is that of
// the ids, so that their answers do not. Within a step boxes only grow and pairs only join.
#pragma once

#include <span>
#include <vector>

#include "collision/box_tree.h"
#include "collision/near_pairs.h"

namespace rigor {

/// The shapes of a table at one pose.
struct PlacedShapes {
  const FeatureCentres& centres;
  const std::vector<PlacedSolid>& solids;
};

/// The smallest box around a shape, which is no plane.
Box boxOf(const CollisionTable& table, int shape, const PlacedShapes& placed);

/// How far any point of a shape may move in the time τ: a third faster than now, and what 3 g adds. Never less than what
/// searches among pairs reckon with.
double wayIn(const CollisionTable& table, int shape, const PlacedShapes& placed, const std::vector<Motion<double>>& V,
             double time);

class Neighbours {
 public:
  void prepare(const CollisionTable& table, const PlacedShapes& placed);
  /// Boxes that had to grow in the last step, or are too wide for how slow a shape is now, are made anew.
  void beginStep() { fresh_ = true; }

  // All return true if the lists changed.

  /// Whatever shapes of these trees may reach within `time`.
  bool coverSweep(std::span<const int> trees, const PlacedShapes& start, const std::vector<Motion<double>>& V,
                  double time);
  /// The way from one pose to another.
  bool coverWay(std::span<const int> trees, const PlacedShapes& start, const PlacedShapes& end);
  /// Whatever is not farther from the shapes than way(shape).
  template <class Way>
  bool coverReach(std::span<const int> trees, const PlacedShapes& placed, const Way& way) {
    forEachShape(trees, [&](int shape) { require(shape, grown(boxOf(*table_, shape, placed), way(shape))); });
    return update();
  }

  const PairLists& lists() const { return lists_; }
  /// [solid pairs] where a pair was in the list before the last change; −1: nowhere.
  std::span<const int> solidsBefore() const { return solids_before_; }
  /// Indices of listed pairs whose shapes belong to these trees, which `has` [all trees] marks, or to the world; ascending.
  void select(std::span<const int> trees, const std::vector<char>& has, std::vector<int>& pairs,
              std::vector<int>& solid_pairs);

 private:
  /// Two shapes that are near each other, in the order of an id.
  struct Pair {
    int first, second;

    friend auto operator<=>(const Pair&, const Pair&) = default;
  };
  /// Pairs by the later of their trees: those of tree t are of[start[t]] … of[start[t + 1] − 1].
  struct ByTree {
    std::vector<int> start, of;
  };

  template <class Visit>
  void forEachShape(std::span<const int> trees, const Visit& visit) const {
    for (const int tree : trees)
      for (const int shape : table_->shapesOf(tree)) visit(shape);
  }
  void require(int shape, const Box& needed);  ///< the shape may be anywhere in it
  void widen(int shape, const Box& needed, double room);
  bool update();
  void findPairsOf(int shape);
  void add(int shape_1, int shape_2);
  bool mergePairs(bool keep_all);
  void makeLists();
  void sortByTree();

  const CollisionTable* table_ = nullptr;
  BoxTree tree_;
  std::vector<int> leaf_;     ///< [shapes] −1: a plane
  std::vector<double> room_;  ///< [shapes] that its box had around it when it was made; infinite: it has grown since
  std::vector<char> moved_;   ///< [shapes] its box is about to change
  std::vector<int> moving_;   ///< those shapes
  std::vector<Pair> pairs_;   ///< ascending
  std::vector<Pair> found_, next_;  ///< scratch
  PairLists lists_, next_lists_;
  std::vector<int> solids_before_;
  ByTree by_tree_, solids_by_tree_;
  bool sorted_by_tree_ = false;
  bool fresh_ = true;
};

}  // namespace rigor
