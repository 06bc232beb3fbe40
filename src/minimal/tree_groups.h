// Which trees belong together: sets that only grow, each known by its first tree.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace rigor {

struct TreeGroups {
  std::vector<int> parent;  ///< [trees] towards the first tree of the group, which is its own

  /// Every tree alone.
  void reset(int trees) {
    parent.resize(trees);
    std::iota(parent.begin(), parent.end(), 0);
  }
  int size() const { return static_cast<int>(parent.size()); }
  /// Its first tree.
  int groupOf(int tree) {
    while (parent[tree] != tree) tree = parent[tree] = parent[parent[tree]];
    return tree;
  }
  void unite(int tree_1, int tree_2) {
    const int a = groupOf(tree_1), b = groupOf(tree_2);
    parent[std::max(a, b)] = std::min(a, b);
  }
};

}  // namespace rigor
