// Boxes that move, in a tree of boxes around boxes: who overlaps a box is found without looking at all of them.
//
// Every leaf has one item. A new leaf goes where it makes the boxes above it grow least, and subtrees whose heights differ by more
// than one are rotated, so that the height stays below 1.45 log₂ of their number.
#pragma once

#include <array>
#include <vector>

#include "collision/box.h"

namespace rigor {

class BoxTree {
 public:
  void clear();
  void reserve(int items) { nodes_.reserve(2 * static_cast<std::size_t>(items)); }

  /// The leaf of the new item.
  int insert(const Box& box, int item);
  void move(int leaf, const Box& box);

  const Box& boxOf(int leaf) const { return nodes_[leaf].box; }
  int height() const { return root_ < 0 ? 0 : nodes_[root_].height + 1; }

  /// Calls visit(item) for every item whose box overlaps, in no particular order.
  template <class Visit>
  void forEachIn(const Box& box, const Visit& visit) const {
    std::array<int, 96> stack;  // one per level, and no tree in memory has as many
    int size = 0;
    if (root_ >= 0) stack[size++] = root_;
    while (size > 0) {
      const Node& node = nodes_[stack[--size]];
      if (!overlap(node.box, box)) continue;
      if (node.isLeaf()) {
        visit(node.item);
        continue;
      }
      stack[size++] = node.child[0];
      stack[size++] = node.child[1];
    }
  }

 private:
  struct Node {
    Box box;
    int parent = -1;
    int child[2] = {-1, -1};
    int item = -1;
    int height = 0;  ///< of a leaf 0

    bool isLeaf() const { return child[0] < 0; }
  };

  int makeNode();
  int findSibling(const Box& box) const;
  void attach(int leaf);
  void detach(int leaf);
  void replaceChild(int parent, int before, int after);
  void refit(int node);
  void refitUpwards(int node);
  int balance(int node);
  int rotate(int node, int side);

  std::vector<Node> nodes_;
  int root_ = -1;
  int spare_ = -1;  ///< an inner node that is out of use between detach and attach
};

}  // namespace rigor
