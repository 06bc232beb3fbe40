// The slow twin of the broad phase: all pairs of shapes that may touch, near or not.
#pragma once

#include <algorithm>
#include <numeric>

#include "collision/collision_table.h"

namespace rigor {

inline PairLists listAllPairs(const CollisionTable& table) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < static_cast<int>(table.solids.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(table.solids.size()); ++j)
      if (table.mayCollide(i, j)) pairs.push_back(table.inOrder(i, j));
  std::sort(pairs.begin(), pairs.end());
  PairLists lists;
  for (const auto& [first, second] : pairs) appendPairs(table, first, second, lists);
  return lists;
}

/// 0, 1, …: everybody is a candidate.
inline std::vector<int> allIndices(std::size_t count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace rigor
