#include "model/make_topology.h"

#include <algorithm>
#include <cassert>

namespace rigor {
namespace {

/// Indices, chains and trees, one link after the other: a link's chain is its parent's, then its own freedoms.
void addLink(int link, Topology& top) {
  const int parent = top.parent[link];
  if (parent < 0) {
    top.tree_root.push_back(link);
    top.tree_first_dof.push_back(top.nv);
    top.tree_dofs.push_back(0);
    ++top.trees;
  }
  const int dofs = velocityCount(top.joint[link]);
  const int ancestors = parent < 0 ? 0 : top.chain_length[parent];
  top.q_index.push_back(top.nq);
  top.v_index.push_back(top.nv);
  top.dofs.push_back(dofs);
  top.tree.push_back(top.trees - 1);
  assert(parent < 0 || top.tree[parent] == top.trees - 1);
  top.tree_dofs.back() += dofs;

  top.free_base.push_back(parent < 0 ? top.joint[link] == kFree : top.free_base[parent]);
  top.chain_length.push_back(ancestors + dofs);
  top.chain_start.push_back(static_cast<int>(top.chain.size()));
  for (int k = 0; k < ancestors; ++k) top.chain.push_back(top.chain[top.chain_start[parent] + k]);
  for (int k = 0; k < dofs; ++k) {
    top.chain.push_back(top.nv + k);
    top.dof_link.push_back(link);
    top.dof_depth.push_back(ancestors + k);
    top.row_start.push_back(top.packed_size);
    top.packed_size += ancestors + k + 1;
  }
  top.nq += positionCount(top.joint[link]);
  top.nv += dofs;
}

/// Row by row: a link and an earlier one meet where the parent of the later one and the earlier one meet.
void fillCommonPrefixes(Topology& top) {
  const int n = top.links;
  top.common.assign(static_cast<std::size_t>(n) * n, 0);
  for (int later = 0; later < n; ++later) {
    const int parent = top.parent[later];
    for (int earlier = top.tree_root[top.tree[later]]; earlier < later; ++earlier) {
      const int shared = parent < 0 ? 0 : top.commonPrefix(parent, earlier);
      top.common[later * n + earlier] = top.common[earlier * n + later] = shared;
    }
    top.common[later * n + later] = top.chain_length[later];
  }
}

}  // namespace

Topology makeTopology(std::vector<int> parent, std::vector<JointType> joint) {
  Topology top;
  top.links = static_cast<int>(parent.size());
  top.parent = std::move(parent);
  top.joint = std::move(joint);
  for (int link = 0; link < top.links; ++link) addLink(link, top);
  fillCommonPrefixes(top);
  return top;
}

}  // namespace rigor
