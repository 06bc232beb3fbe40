#include "collision/box_tree.h"

#include <cassert>
#include <utility>

namespace rigor {

void BoxTree::clear() {
  nodes_.clear();
  root_ = spare_ = -1;
}

int BoxTree::makeNode() {
  if (spare_ >= 0) return std::exchange(spare_, -1);
  nodes_.emplace_back();
  return static_cast<int>(nodes_.size()) - 1;
}

int BoxTree::insert(const Box& box, int item) {
  nodes_.emplace_back();
  const int leaf = static_cast<int>(nodes_.size()) - 1;
  nodes_[leaf].box = box;
  nodes_[leaf].item = item;
  attach(leaf);
  return leaf;
}

void BoxTree::move(int leaf, const Box& box) {
  assert(nodes_[leaf].isLeaf() && "only leaves move by themselves");
  detach(leaf);
  nodes_[leaf].box = box;
  attach(leaf);
}

/// The node that a new leaf stands beside: the cost is the area of the parent that both need, and what those above grow by.
int BoxTree::findSibling(const Box& box) const {
  int best = root_;
  while (!nodes_[best].isLeaf()) {
    const Node& node = nodes_[best];
    const double together = areaOf(unite(node.box, box)), inherited = together - areaOf(node.box);
    const auto costBelow = [&](int child) {
      const Box& below = nodes_[child].box;
      return inherited + areaOf(unite(below, box)) - (nodes_[child].isLeaf() ? 0.0 : areaOf(below));
    };
    const double first = costBelow(node.child[0]), second = costBelow(node.child[1]);
    if (together < first && together < second) break;
    best = node.child[first <= second ? 0 : 1];
  }
  return best;
}

void BoxTree::attach(int leaf) {
  nodes_[leaf].parent = -1;
  if (root_ < 0) {
    root_ = leaf;
    return;
  }
  const int sibling = findSibling(nodes_[leaf].box), above = nodes_[sibling].parent;
  const int parent = makeNode();
  nodes_[parent].parent = above;
  nodes_[parent].child[0] = sibling, nodes_[parent].child[1] = leaf;
  replaceChild(above, sibling, parent);
  nodes_[sibling].parent = nodes_[leaf].parent = parent;
  refitUpwards(parent);
}

void BoxTree::detach(int leaf) {
  const int parent = nodes_[leaf].parent;
  if (parent < 0) {
    root_ = -1;
    return;
  }
  const int above = nodes_[parent].parent;
  const int sibling = nodes_[parent].child[nodes_[parent].child[0] == leaf ? 1 : 0];
  replaceChild(above, parent, sibling);
  nodes_[sibling].parent = above;
  spare_ = parent;
  refitUpwards(above);
}

void BoxTree::replaceChild(int parent, int before, int after) {
  if (parent < 0)
    root_ = after;
  else
    nodes_[parent].child[nodes_[parent].child[0] == before ? 0 : 1] = after;
}

void BoxTree::refit(int index) {
  Node& node = nodes_[index];
  const Node &first = nodes_[node.child[0]], &second = nodes_[node.child[1]];
  node.box = unite(first.box, second.box);
  node.height = 1 + std::max(first.height, second.height);
}

void BoxTree::refitUpwards(int index) {
  while (index >= 0) {
    refit(index);
    index = nodes_[balance(index)].parent;
  }
}

/// The node that stands where `index` stood.
int BoxTree::balance(int index) {
  const Node& node = nodes_[index];
  const int lean = nodes_[node.child[1]].height - nodes_[node.child[0]].height;
  if (lean > 1) return rotate(index, 1);
  if (lean < -1) return rotate(index, 0);
  return index;
}

/// The child on `side` takes the place of its parent, which gets the lower of the child's two in return.
int BoxTree::rotate(int index, int side) {
  const int child = nodes_[index].child[side], above = nodes_[index].parent;
  Node &node = nodes_[index], &up = nodes_[child];
  const int taller = nodes_[up.child[0]].height >= nodes_[up.child[1]].height ? 0 : 1;
  const int kept = up.child[taller], given = up.child[1 - taller];
  replaceChild(above, index, child);
  up.parent = above;
  up.child[0] = index, up.child[1] = kept;
  node.parent = child;
  node.child[side] = given;
  nodes_[given].parent = index;
  refit(index);
  refit(child);
  return child;
}

}  // namespace rigor
