// Pairs of shapes that may touch as ranges. Most shapes of a world are of one sort and know nothing of each other, so one answer
// serves for all of them.
#include <algorithm>
#include <map>

#include "geometry/features.h"
#include "model/collision_rules.h"

namespace rigor {

class CollisionRules::Borders {
 public:
  Borders(const CollisionRules& rules, const std::vector<ModelShape>& shapes)
      : rules_(rules), count_(static_cast<int>(shapes.size())) {
    for (int i = 0; i < count_; ++i) {
      const ShapePlace& place = rules.shapes_[i];
      if (i > 0 && !isSameSort(shapes, i - 1, i)) sorts_.push_back(i);
      of_group_[place.group].push_back(i);
      of_parent_[place.parent_group].push_back(i);
      of_root_[place.root].push_back(i);
      of_name_[place.name].push_back(i);
      of_name_[place.body_name].push_back(i);
    }
    for (const NamePairs* pairs : {&rules.excluded_, &rules.paired_})
      for (const auto& [a, b] : *pairs) {
        partners_[a].push_back(b);
        partners_[b].push_back(a);
      }
  }

  void find(int shape, std::vector<int>& borders) const {
    borders.assign(std::upper_bound(sorts_.begin(), sorts_.end(), shape), sorts_.end());
    borders.push_back(shape + 1);
    const ShapePlace& place = rules_.shapes_[shape];
    if (place.group != kWorld) {
      addRuns(of_group_, place.group, borders);
      addRuns(of_group_, place.parent_group, borders);
      addRuns(of_parent_, place.group, borders);
      if (!rules_.self_collision_) addRuns(of_root_, place.root, borders);
    }
    for (const int name : {place.name, place.body_name})
      if (const auto named = partners_.find(name); named != partners_.end())
        for (const int partner : named->second) addRuns(of_name_, partner, borders);
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    borders.erase(borders.begin(), std::upper_bound(borders.begin(), borders.end(), shape));
    borders.erase(std::lower_bound(borders.begin(), borders.end(), count_), borders.end());
  }

 private:
  using ShapeLists = std::map<int, std::vector<int>>;  ///< ascending

  /// Whether strangers answer to both alike.
  bool isSameSort(const std::vector<ModelShape>& shapes, int i, int j) const {
    const ShapePlace &a = rules_.shapes_[i], &b = rules_.shapes_[j];
    return shapes[i].shape.kind == shapes[j].shape.kind && a.movable == b.movable && a.collides == b.collides &&
           a.wanted_as == b.wanted_as && a.wants == b.wants && (a.group == kWorld) == (b.group == kWorld);
  }
  /// Where runs of consecutive shapes of a list begin, and where they have ended: all of a list answer alike.
  static void addRuns(const ShapeLists& lists, int key, std::vector<int>& borders) {
    const auto list = lists.find(key);
    if (list == lists.end()) return;
    const std::vector<int>& shapes = list->second;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      if (k == 0 || shapes[k - 1] + 1 < shapes[k]) borders.push_back(shapes[k]);
      if (k + 1 == shapes.size() || shapes[k] + 1 < shapes[k + 1]) borders.push_back(shapes[k] + 1);
    }
  }

  const CollisionRules& rules_;
  const int count_;
  std::vector<int> sorts_;                               ///< where another sort begins
  ShapeLists of_group_, of_parent_, of_root_, of_name_;  ///< by group, group that they hang on, root, name
  std::map<int, std::vector<int>> partners_;             ///< names
};

std::vector<PairRange> listPairRanges(const CollisionRules& rules, const std::vector<ModelShape>& shapes,
                                      std::int64_t* asked) {
  const int count = static_cast<int>(shapes.size());
  const CollisionRules::Borders borders(rules, shapes);
  std::vector<PairRange> ranges;
  std::vector<int> begins;
  for (int a = 0; a < count; ++a) {
    borders.find(a, begins);
    for (std::size_t k = 0; k < begins.size(); ++k) {
      const int first = begins[k], last = (k + 1 < begins.size() ? begins[k + 1] : count) - 1;
      if (asked) ++*asked;
      if (!haveContactCode(shapes[a].shape.kind, shapes[first].shape.kind) || !rules.mayTouch(a, first)) continue;
      if (!ranges.empty() && ranges.back().shape == a && ranges.back().last + 1 == first)
        ranges.back().last = last;
      else
        ranges.push_back({a, first, last});
    }
  }
  return ranges;
}

}  // namespace rigor
