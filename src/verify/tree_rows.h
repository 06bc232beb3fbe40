// Numbers on the freedoms of whole trees, and the mass matrix tree by tree: nothing here grows with the square of the world.
#pragma once

#include <utility>

#include "verify/cholesky.h"
#include "verify/world.h"

namespace rigor::verify {

/// A row on the freedoms of some trees, all of each, by ascending freedoms; everywhere else it is zero.
using Row = std::vector<std::pair<int, Real>>;

inline Real dot(const Row& a, const Reals& b) {
  Real sum = 0;
  for (const auto& [j, value] : a) sum += value * b[j];
  return sum;
}
inline Real dot(const Row& a, const Row& b) {
  Real sum = 0;
  auto other = b.begin();
  for (const auto& [j, value] : a) {
    while (other != b.end() && other->first < j) ++other;
    if (other != b.end() && other->first == j) sum += value * other->second;
  }
  return sum;
}

/// One square block per tree; entries between trees are zero and have no place.
class TreeMatrix {
 public:
  explicit TreeMatrix(const World& world) : world_(&world) {
    for (const std::vector<int>& freedoms : world.tree_freedoms)
      blocks_.emplace_back(freedoms.size() * freedoms.size(), 0);
  }
  /// Both freedoms belong to one tree.
  Real& operator()(int i, int j) { return blocks_[world_->tree[i]][place(i, j)]; }
  Real operator()(int i, int j) const { return blocks_[world_->tree[i]][place(i, j)]; }
  const Reals& block(int tree) const { return blocks_[tree]; }

 private:
  std::size_t place(int i, int j) const {
    return world_->place_in_tree[i] * world_->tree_freedoms[world_->tree[i]].size() + world_->place_in_tree[j];
  }
  const World* world_;
  std::vector<Reals> blocks_;
};

class TreeCholesky {
 public:
  TreeCholesky(const World& world, const TreeMatrix& M) : world_(&world) {
    for (int tree = 0; tree < world.trees; ++tree)
      trees_.emplace_back(M.block(tree), static_cast<int>(world.tree_freedoms[tree].size()));
  }
  Reals solve(const Reals& b) const {
    Reals x(b.size(), 0);
    for (int tree = 0; tree < world_->trees; ++tree) solveTree(tree, b, x);
    return x;
  }
  Row solve(const Row& b) const {
    Row x = b;
    for (std::size_t begin = 0; begin < b.size(); ++begin) {  // each tree where its first freedom is
      const int tree = world_->tree[b[begin].first];
      if (world_->place_in_tree[b[begin].first] != 0) continue;
      Reals part;
      for (const auto& [j, value] : b)
        if (world_->tree[j] == tree) part.push_back(value);
      part = trees_[tree].solve(std::move(part));
      for (auto& [j, value] : x)
        if (world_->tree[j] == tree) value = part[world_->place_in_tree[j]];
    }
    return x;
  }

 private:
  void solveTree(int tree, const Reals& b, Reals& x) const {
    Reals part;
    for (const int j : world_->tree_freedoms[tree]) part.push_back(b[j]);
    part = trees_[tree].solve(std::move(part));
    for (std::size_t k = 0; k < part.size(); ++k) x[world_->tree_freedoms[tree][k]] = part[k];
  }
  const World* world_;
  std::vector<Cholesky> trees_;
};

}  // namespace rigor::verify
