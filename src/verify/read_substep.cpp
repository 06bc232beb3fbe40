#include "verify/read_substep.h"

#include "verify/nodes.h"

namespace rigor::verify {

SubstepData readSubstep(const World& world, const Recording& r, std::int64_t step, std::int64_t s, Findings& findings) {
  SubstepData data;
  data.step = step, data.index = s;
  data.h = r.substep_h[s], data.theta = r.substep_theta[s];
  data.takes.resize(world.trees);
  data.first.assign(world.trees, 0);
  data.kick.assign(r.nv, 0);
  data.q = rowOf(r.substep_q, s, r.nq);
  data.v = rowOf(r.substep_v, s, r.nv);
  data.v_mean = rowOf(r.substep_v_mean, s, r.nv);
  data.v_end = rowOf(r.substep_v_end, s, r.nv);
  data.impact = data.h == 0;
  for (int tree = 0; tree < world.trees; ++tree) {
    data.takes[tree] = kickOf(r, s, tree) >= 0;
    if (data.takes[tree] && kickOf(r, s, tree) > 0) data.impact = false;
  }
  bool empty = true;  // of numbers, where trees take no part
  for (int tree = 0; tree < world.trees; ++tree) empty = empty && (data.takes[tree] || kickOf(r, s, tree) == -1);
  for (int j = 0; j < r.nq; ++j) {
    if (data.takes[world.coordinate_tree[j]]) continue;
    empty = empty && data.q[j] == 0;
    data.q[j] = r.q[step * r.nq + j];
  }
  for (int j = 0; j < r.nv; ++j) {
    if (data.takes[world.tree[j]])
      data.kick[j] = kickOf(r, s, world.tree[j]);
    else
      empty = empty && data.v[j] == 0 && data.v_mean[j] == 0 && data.v_end[j] == 0;
  }
  if (world.maximal)  // it has no velocity that forces are taken at: whatever is recorded there decides nothing
    for (int j = 0; j < r.nv; ++j) data.v_mean[j] = (data.v[j] + data.v_end[j]) / 2;
  findings.require(empty, "a tree that takes no part has numbers");
  findings.require(data.h >= 0 && data.theta >= 0 && data.theta <= 1, "h or theta are out of range");
  return data;
}

}  // namespace rigor::verify
