// The work of contact: with w = v′ − M̂⁻¹Jᵀλ, the velocity without the impulses of contacts, A = λ·½ J (w + v′) ≤ 0 for all
// bodies that contacts and rows tie to each other.
#include <numeric>

#include "verify/limits.h"
#include "verify/substep.h"

namespace rigor::verify {
namespace {

/// Trees that pushes tie, each with the first of its group.
class Groups {
 public:
  explicit Groups(int trees) : first_(trees) { std::iota(first_.begin(), first_.end(), 0); }
  int of(int tree) const {
    while (first_[tree] != tree) tree = first_[tree];
    return tree;
  }
  void unite(int tree_1, int tree_2) {
    const int a = of(tree_1), b = of(tree_2);
    first_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> first_;
};

Real kineticEnergy(const World& world, const TreeMatrix& M, int tree, const Reals& v) {
  Real sum = 0;
  for (const int i : world.tree_freedoms[tree])
    for (const int j : world.tree_freedoms[tree]) sum += v[i] * M(i, j) * v[j] / 2;
  return sum;
}

}  // namespace

void SubstepJudge::judgeWork() {
  const SubstepData& d = *data_;
  if (!(d.h > 0)) return;  // the law of impacts has been asked
  struct Island {
    Real work = 0;
    bool solids = false;
  };
  Groups groups(world_.trees);
  Reals change(world_.nv, 0);
  const auto treeOf = [&](const Push& push) {  // one that forces move, or −1
    for (const auto& [j, value] : push.J[0])
      if (!world_.prescribed[world_.tree[j]]) return world_.tree[j];
    return -1;
  };
  for (const Push& push : pushes_) {
    const int tree = push.rows > 0 ? treeOf(push) : -1;
    for (const auto& [j, value] : push.J[0])
      if (tree >= 0 && !world_.prescribed[world_.tree[j]]) groups.unite(tree, world_.tree[j]);
    if (push.kind == Push::kContact)
      for (const auto& [j, value] : push.response) change[j] += value;
  }
  std::vector<Island> islands(world_.trees);
  for (const Push& push : pushes_) {
    if (push.kind != Push::kContact || push.impulse[0] == 0 || treeOf(push) < 0) continue;
    Island& island = islands[groups.of(treeOf(push))];
    island.solids = island.solids || !push.pair.ofBalls();
    // what begins too deep is pushed out, and positions round
    const Real out = std::min(std::max<Real>(-push.touch.gap, 0), kTouching) + kPositionFloor * kEps * push.touch.size;
    island.work -= push.impulse[0] * out / d.h;
    const Vec belt = beltOf(push);  // which gives energy, not the contact
    island.work += push.impulse[1] * dot(push.axes[1], belt) + push.impulse[2] * dot(push.axes[2], belt);
    // what a soft contact has stored it gives back
    if (push.pair.surface.compliance > 0)
      island.work -= push.impulse[0] * std::max<Real>(push.touch_end.gap - push.touch.gap, 0) / d.h;
    for (int k = 0; k < push.rows; ++k)
      island.work += push.impulse[k] * (dot(push.J[k], d.v_end) - dot(push.J[k], change) / 2);
  }
  if (std::none_of(islands.begin(), islands.end(), [](const Island& one) { return one.solids && one.work > 0; }))
    return;
  const TreeMatrix M = massMatrix(world_, d.start);
  Reals kinetic(world_.trees, 0);
  for (int tree = 0; tree < world_.trees; ++tree)
    if (!world_.prescribed[tree]) kinetic[groups.of(tree)] += kineticEnergy(world_, M, tree, d.v_end);
  for (int first = 0; first < world_.trees; ++first)
    if (islands[first].solids && islands[first].work > 0)
      findings_.check(islands[first].work / kinetic[first],
                      (world_.maximal ? kContactWorkOfTwoPoses : 1) * kContactWork, &VerifyWorst::contact_work,
                      [] { return std::string("contact gives energy"); });
}

}  // namespace rigor::verify
