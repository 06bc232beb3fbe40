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

std::vector<int> listPrescribed(const Model& model) {
  std::vector<int> trees;
  for (int body = 0; body < model.bodyCount(); ++body)
    if (model.body(body).kinematic) trees.push_back(model.topology().tree[model.placements()[body].link]);
  std::sort(trees.begin(), trees.end());
  return trees;
}

/// Energy and momentum of what moves as it is told are nobody's.
Parameters<double> weighNothing(const Model& model, const std::vector<int>& trees) {
  Parameters<double> parameters = model.parameters();
  for (const int tree : trees) {
    const Trees one(model.topology(), tree, tree + 1);
    for (int link = one.first_link; link < one.end_link; ++link) parameters.inertia[link] = {};
    for (int j = one.first_dof; j < one.end_dof; ++j)
      parameters.armature[j] = parameters.damping[j] = parameters.dry_friction[j] = parameters.stiffness[j] = 0.0;
  }
  return parameters;
}

}  // namespace

StepTables::StepTables(const Model& m, const OwnTerms& own_terms, bool bounces_always)
    : model(m),
      topology(model.topology()),
      prescribed(listPrescribed(model)),
      is_prescribed(topology.trees, 0),
      without_masses(prescribed.empty() ? Parameters<double>{} : weighNothing(model, prescribed)),
      parameters(prescribed.empty() ? model.parameters() : without_masses),
      collision(makeCollisionTable(m)),
      loops(makeLoopParts(m)),
      springs(makeSpringParts(m)),
      freedoms(makeLoopFreedoms(m)),
      own(own_terms) {
  loops.insert(loops.end(), own.constraints.begin(), own.constraints.end());
  for (const int tree : prescribed) is_prescribed[tree] = 1;
  for (ContactMaterial& surface : collision.surfaces)
    if (bounces_always) surface.threshold = kSlowestBounce;
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
