// The shape of the trees that the dynamics works on: links, degrees of freedom and their chains. Pure integers.
//
// A link is a body with all bodies fixed to it; bodies fixed to the world belong to no link (kWorld). Link frames are
// chosen so that every joint axis is z and every joint plane is x, y: kernels never multiply with an axis.
//
// Chain packing: row i of the mass matrix holds the degrees of freedom from the root of its tree to i contiguously.
// The ancestors of an ancestor are a prefix of that row, so factorisation, half solves and contact rows run over
// contiguous memory, and two rows meet exactly in their common prefix.
#pragma once

#include <vector>

#include "rigor/joint.h"

namespace rigor {

/// One stop of a walk over all links: a link, or two that are alike and do not meet on their way to the root before
/// their parents, so that a kernel may treat both in the lanes of one instruction (dynamics/side_by_side.h).
struct LinkVisit {
  int first, second;  ///< second > first, or −1
};

struct Topology {
  int nq = 0, nv = 0;
  int links = 0, trees = 0;
  int given = 0;  ///< kernels start after these first links, whose results the caller provides: 0 but in parts of trees

  // [links]; parents come before children, a tree's links are contiguous
  std::vector<int> parent;  ///< link, or −1 for the world
  std::vector<JointType> joint;
  std::vector<int> q_index;         ///< first coordinate
  std::vector<int> v_index;         ///< first degree of freedom
  std::vector<int> dofs;            ///< velocityCount(joint)
  std::vector<int> parent_columns;  ///< how many of the first freedoms turn with the parent, not with the link
  std::vector<int> tree;
  std::vector<int> chain_length;  ///< degrees of freedom from the root to this link, its own included
  std::vector<int> chain_start;   ///< into `chain`
  std::vector<char> free_base;    ///< the tree's root is free: the first six entries of the chain are its freedoms,
                                  ///< with columns (e_k, 0) and (0, axis_k of the root)

  std::vector<LinkVisit> visits;  ///< all links, parents before children; children of one parent ascending

  // [trees]
  std::vector<int> tree_root;  ///< first link

  // [nv]
  std::vector<int> dof_link;
  std::vector<int> dof_depth;  ///< number of ancestors; its row has depth + 1 entries
  std::vector<int> row_start;  ///< into the packed matrix

  std::vector<int> chain;  ///< degrees of freedom root → link; a link and its first child share a run
  int packed_size = 0;     ///< entries of the packed matrix

  /// Entries that the chains of two links have in common; 0 in different trees.
  int commonPrefix(int link_1, int link_2) const {
    while (link_1 != link_2) {
      int& later = link_1 > link_2 ? link_1 : link_2;  // parents come before children
      later = parent[later];
    }
    return link_1 < 0 ? 0 : chain_length[link_1];
  }
};

/// Neighbouring trees, whose links, freedoms and coordinates follow each other: what a kernel works on. A topology stands for
/// all of its trees.
struct Trees {
  const Topology& topology;
  int first_link, end_link, first_dof, end_dof, first_q, end_q;

  Trees(const Topology& all)
      : topology(all),
        first_link(all.given),
        end_link(all.links),
        first_dof(0),
        end_dof(all.nv),
        first_q(0),
        end_q(all.nq) {}
  /// From the tree `first` to the one before `end`.
  Trees(const Topology& all, int first, int end) : Trees(all) {
    first_link = all.tree_root[first], first_dof = all.v_index[first_link], first_q = all.q_index[first_link];
    if (end == all.trees) return;
    end_link = all.tree_root[end], end_dof = all.v_index[end_link], end_q = all.q_index[end_link];
  }

  bool all() const { return first_link == topology.given && end_link == topology.links; }
  /// Their entries of the packed matrix.
  int firstEntry() const { return first_dof < topology.nv ? topology.row_start[first_dof] : 0; }
  int endEntry() const { return end_dof < topology.nv ? topology.row_start[end_dof] : topology.packed_size; }
};

}  // namespace rigor
