#include "algorithms/aba_derivatives.h"

namespace rigor {

/// Neighbours with the same nonzero rows: freedoms of one link, or of a link and its only child.
void ColumnGroups::resize(const Topology& topology) {
  groups.clear();
  rows.clear();
  std::vector<int> children(topology.links, 0);
  for (int link = 0; link < topology.links; ++link)
    if (topology.parent[link] >= 0) ++children[topology.parent[link]];
  for (int j = 0; j < topology.nv; ++j) {
    const int link = topology.dof_link[j], parent = topology.parent[link];
    if (topology.joint[link] == kFree && j < topology.v_index[link] + 3) continue;
    const int before = j > 0 ? topology.dof_link[j - 1] : -1;
    const bool same_rows = before == link || (before >= 0 && before == parent && children[parent] == 1);
    const bool follows = !groups.empty() && groups.back().first + groups.back().count == j;
    if (follows && same_rows && groups.back().count < ColumnGroup::kMost)
      ++groups.back().count;
    else
      groups.push_back({j, 1, 0, 0, 0, 0});
  }
  for (ColumnGroup& group : groups) collectRows(topology, group);
}

/// Chain of the group, then everything below it.
void ColumnGroups::collectRows(const Topology& topology, ColumnGroup& group) {
  const int own = topology.dof_link[group.first + group.count - 1];
  const int* chain = topology.chain.data() + topology.chain_start[own];
  group.rows_begin = static_cast<int>(rows.size());
  rows.insert(rows.end(), chain, chain + topology.chain_length[own]);
  group.tree_begin = group.tree_end = topology.v_index[topology.tree_root[topology.tree[own]]];
  for (int link = topology.tree_root[topology.tree[own]]; link < topology.links; ++link) {
    if (topology.tree[link] != topology.tree[own]) break;
    group.tree_end += topology.dofs[link];
    int above = topology.parent[link];
    while (above > own) above = topology.parent[above];
    if (above != own) continue;
    for (int k = 0; k < topology.dofs[link]; ++k) rows.push_back(topology.v_index[link] + k);
  }
  group.rows_end = static_cast<int>(rows.size());
}

}  // namespace rigor
