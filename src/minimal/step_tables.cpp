#include "minimal/step_tables.h"

#include <algorithm>

namespace rigor {
namespace {

/// Indices 0 … count − 1 by the tree that each belongs to; those of the world, −1, by none.
template <class TreeOf>
void sortByTree(int trees, int count, const TreeOf& tree_of, std::vector<int>& start, std::vector<int>& sorted) {
  start.assign(trees + 1, 0);
  for (int i = 0; i < count; ++i)
    if (const int tree = tree_of(i); tree >= 0) ++start[tree + 1];
  for (int tree = 0; tree < trees; ++tree) start[tree + 1] += start[tree];
  sorted.resize(start[trees]);
  std::vector<int> next(start.begin(), start.end() - 1);
  for (int i = 0; i < count; ++i)
    if (const int tree = tree_of(i); tree >= 0) sorted[next[tree]++] = i;
}

}  // namespace

StepTables::StepTables(const Model& m)
    : model(m),
      topology(model.topology()),
      parameters(model.parameters()),
      collision(makeCollisionTable(m)),
      loops(makeLoopParts(m)) {
  for (const ModelJoint& joint : model.joints())
    if (const auto& range = joint.spec.range)
      limits.push_back({joint.v_index, joint.q_index, range->lower, range->upper});
  for (int link = 0; link < topology.links; ++link) {
    const int count = rotationCount(topology.joint[link]);
    if (count > 0 && !collision.round[link])
      turns.push_back({topology.v_index[link] + topology.dofs[link] - count, count});
  }
  for (int link = 0; link < topology.links; ++link)
    if (topology.dofs[link] == 1 && rotationCount(topology.joint[link]) == 1)
      hinges.push_back({topology.v_index[link], topology.q_index[link]});
  rubs = std::any_of(parameters.dry_friction.begin(), parameters.dry_friction.end(), [](double f) { return f > 0.0; });
  std::sort(limits.begin(), limits.end(), [](const JointLimit& a, const JointLimit& b) { return a.dof < b.dof; });
  const auto tree = [&](int link) { return link < 0 ? -1 : topology.tree[link]; };
  sortByTree(
      topology.trees, static_cast<int>(collision.ball_link.size()), [&](int i) { return tree(collision.ball_link[i]); },
      balls_start, balls_of_tree);
}

}  // namespace rigor
