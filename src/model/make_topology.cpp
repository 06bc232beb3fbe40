#include "model/make_topology.h"

#include <cassert>

#include "model/joint_motion.h"

namespace rigor {
namespace {

/// Indices, chains and trees, one link after the other: a link's chain is its parent's, then its own freedoms.
void addLink(int link, Topology& top) {
  const int parent = top.parent[link];
  if (parent < 0) {
    top.tree_root.push_back(link);
    ++top.trees;
  }
  const int dofs = velocityCount(top.joint[link]);
  const int ancestors = parent < 0 ? 0 : top.chain_length[parent];
  top.q_index.push_back(top.nq);
  top.v_index.push_back(top.nv);
  top.dofs.push_back(dofs);
  top.parent_columns.push_back(parentColumns(top.joint[link]));
  top.tree.push_back(top.trees - 1);
  assert((parent < 0 || top.tree[parent] == top.trees - 1) && "links of one tree come together");

  top.free_base.push_back(parent < 0 ? top.joint[link] == kFree : top.free_base[parent]);
  top.chain_length.push_back(ancestors + dofs);
  const int end = static_cast<int>(top.chain.size());
  const bool extends = parent >= 0 && top.chain_start[parent] + ancestors == end;
  top.chain_start.push_back(extends ? top.chain_start[parent] : end);
  for (int k = 0; k < ancestors && !extends; ++k) top.chain.push_back(top.chain[top.chain_start[parent] + k]);
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

/// Same joint, as many freedoms above, both or neither on a free base.
bool areAlike(const Topology& top, int a, int b) {
  return top.joint[a] == top.joint[b] && top.chain_length[a] == top.chain_length[b] &&
         top.free_base[a] == top.free_base[b];
}

/// Generation by generation, neighbours that are alike together.
std::vector<LinkVisit> pairLinks(const Topology& top) {
  std::vector<std::vector<int>> generations;
  std::vector<int> generation(top.links);
  for (int link = 0; link < top.links; ++link) {
    generation[link] = top.parent[link] < 0 ? 0 : generation[top.parent[link]] + 1;
    if (generation[link] == static_cast<int>(generations.size())) generations.emplace_back();
    generations[generation[link]].push_back(link);
  }
  std::vector<LinkVisit> visits;
  for (const std::vector<int>& links : generations)
    for (std::size_t k = 0; k < links.size(); ++k) {
      const bool together = k + 1 < links.size() && areAlike(top, links[k], links[k + 1]);
      visits.push_back({links[k], together ? links[k + 1] : -1});
      k += together;
    }
  return visits;
}

}  // namespace

Topology makeTopology(std::vector<int> parent, std::vector<JointType> joint) {
  Topology top;
  top.links = static_cast<int>(parent.size());
  top.parent = std::move(parent);
  top.joint = std::move(joint);
  for (int link = 0; link < top.links; ++link) addLink(link, top);
  top.visits = pairLinks(top);
  return top;
}

}  // namespace rigor
