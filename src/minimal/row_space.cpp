#include "minimal/row_space.h"

#include <algorithm>
#include <numeric>

namespace rigor {
namespace {

bool isDeep(const StepTables& tables, int tree, double from_depth) {
  const Trees one(tables.topology, tree, tree + 1);
  double depths = 0.0;
  for (int j = one.first_dof; j < one.end_dof; ++j) depths += tables.topology.dof_depth[j] + 1.0;
  // what is round turns by a rule of its own, on its freedoms
  return !tables.is_prescribed[tree] && !tables.collision.round[one.first_link] &&
         depths > from_depth * (one.end_dof - one.first_dof);
}

Motion<double> readMotion(const double* at) { return {{at[0], at[1], at[2]}, {at[3], at[4], at[5]}}; }
void writeMotion(const Motion<double>& V, double* at) {
  at[0] = V.linear.x, at[1] = V.linear.y, at[2] = V.linear.z;
  at[3] = V.angular.x, at[4] = V.angular.y, at[5] = V.angular.z;
}

}  // namespace

void RowSpace::prepare(const StepTables& tables, double from_depth) {
  const Topology& topology = tables.topology;
  on_links.assign(topology.trees, 0);
  motion.assign(topology.links, -1);
  lists = topology.chain;
  size = topology.nv;
  first_freedom = 0;
  for (int tree = 0; tree < topology.trees; ++tree) on_links[tree] = isDeep(tables, tree, from_depth);
  if (std::none_of(on_links.begin(), on_links.end(), [](char one) { return one; })) return;
  for (int link = 0; link < topology.links; ++link) {
    if (!on_links[topology.tree[link]]) continue;
    motion[link] = size;
    size += kSpace;
  }
  lists.resize(lists.size() + size);
  first_freedom = static_cast<int>(lists.size()) - size;
  std::iota(lists.end() - size, lists.end(), 0);  // freedoms, and behind them the links in their order
}

const double* RowSpace::extend(const Part& part, const Motion<double>* S, const Vec3<double>* shift, const double* v,
                               std::vector<double>& out) const {
  if (!extended()) return v;
  out.resize(size);
  for (const Run& run : part.runs) {
    const Topology& topology = run.trees.topology;
    std::copy(v + run.trees.first_dof, v + run.trees.end_dof, out.begin() + run.trees.first_dof);
    for (int link = run.trees.first_link; link < run.trees.end_link; ++link) {
      if (motion[link] < 0) continue;
      Motion<double> V = topology.parent[link] < 0 ? Motion<double>{} : readMotion(&out[motion[topology.parent[link]]]);
      V.linear += cross(V.angular, shift[link]);
      for (int j = topology.v_index[link]; j < topology.v_index[link] + topology.dofs[link]; ++j) V += v[j] * S[j];
      writeMotion(V, &out[motion[link]]);
    }
  }
  return out.data();
}

}  // namespace rigor
