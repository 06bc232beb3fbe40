#include "verify/breathing.h"

#include <algorithm>
#include <numeric>

#include "verify/cholesky.h"
#include "verify/nodes.h"
#include "verify/ties.h"

namespace rigor::verify {
namespace {

/// [trees] the first tree of the island of each.
std::vector<int> findEverTied(const World& world, const Recording& r) {
  std::vector<int> leader(world.trees);
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int tree) {
    while (leader[tree] != tree) tree = leader[tree] = leader[leader[tree]];
    return tree;
  };
  const auto unite = [&](int a, int b) {
    if (a < 0 || b < 0) return;
    const auto [first, second] = std::minmax({find(a), find(b)});
    leader[second] = first;
  };
  const auto treeOfBody = [&](std::int64_t body) {  // −1: nothing moves it, or a damaged recording names nobody
    if (body < 0 || body >= static_cast<std::int64_t>(world.bodies.size())) return -1;
    const int tree = world.bodies[body].tree;
    return tree < 0 || world.prescribed[tree] ? -1 : tree;
  };
  for (std::size_t c = 0; 2 * c < r.contact_body.size(); ++c)
    unite(treeOfBody(r.contact_body[2 * c]), treeOfBody(r.contact_body[2 * c + 1]));
  for (const Loop& loop : world.loops)
    if (loop.couples)
      unite(world.tree[loop.v_1], world.tree[loop.v_2]);
    else
      unite(treeOfBody(loop.body_1), treeOfBody(loop.body_2));
  for (const PointSpring& spring : world.springs) unite(treeOfBody(spring.body_1), treeOfBody(spring.body_2));
  for (int tree = 0; tree < world.trees; ++tree) leader[tree] = find(tree);
  return leader;
}

/// Of one island.
struct Breath {
  Real turning = 0, swinging = 0, springs = 0;  ///< [1/s²] largest squares
  Real kinetic = 0;                             ///< [J] largest of all nodes
};

/// [trees] single free bodies that no contact or loop ever holds: stepper maximal keeps the energy of their turning to rounding.
std::vector<char> findTopsInFlight(const World& world, const Recording& r) {
  std::vector<char> alone(world.trees, world.maximal ? 1 : 0);
  const auto hold = [&](std::int64_t body) {
    if (body < 0 || body >= static_cast<std::int64_t>(world.bodies.size())) return;
    if (world.bodies[body].tree >= 0) alone[world.bodies[body].tree] = 0;
  };
  for (const std::int64_t body : r.contact_body) hold(body);
  for (const Loop& loop : world.loops) hold(loop.body_1), hold(loop.body_2);
  for (const PointSpring& spring : world.springs) hold(spring.body_1), hold(spring.body_2);
  for (const Body& body : world.bodies) {
    const bool moves =
        std::any_of(body.joints.begin(), body.joints.end(), [](const Joint& j) { return j.nv > 0 && !j.free; });
    if (body.tree >= 0 && moves) alone[body.tree] = 0;
  }
  return alone;
}

/// ω² of a body. One that is free turns by at most 0.3 rad in a sub-step; a ball by more, but that is its own.
Real turningOf(const Body& body, const Vec& omega, Real dt) {
  constexpr Real kMostTurn = 0.3L;
  const Real square = dot(omega, omega), most = kMostTurn / dt;
  return body.joints.size() == 1 && body.joints[0].free ? std::min(square, most * most) : square;
}

void addJoints(const World& world, const Motion& motion, const std::vector<int>& island, std::vector<Breath>& breaths) {
  const TreeMatrix M = massMatrix(world, motion);
  Reals load(world.nv, 0);
  for (std::size_t i = 0; i < world.bodies.size(); ++i)
    for (const int a : world.bodies[i].chain) {
      const Vec lever = pointOf(motion, static_cast<int>(i), world.bodies[i].com) - motion.columns[a].at;
      load[a] += world.bodies[i].mass * norm(world.gravity) * norm(cross(motion.columns[a].axis, lever));
    }
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints)
      for (int k = joint.v; k < joint.v + joint.nv; ++k) {
        Breath& breath = breaths[island[world.tree[k]]];
        if (!joint.free) breath.swinging = std::max(breath.swinging, load[k] / M(k, k));
        breath.springs = std::max(breath.springs, joint.stiffness / M(k, k));
      }
}

/// Springs between bodies: Σ k J M⁻¹ Jᵀ of those that pull at a tree.
void addTies(const World& world, const std::vector<SpringPart>& ties, const Motion& motion,
             const std::vector<int>& island, std::vector<Breath>& breaths) {
  if (ties.empty()) return;
  const TreeCholesky mass(world, massMatrix(world, motion));
  Reals of_tree(world.trees, 0);
  for (const SpringPart& tie : ties) {
    Reals row(world.nv, 0);
    addSpringRow(world, tie, false, motion, row);
    const Reals moved = mass.solve(row);
    Real sum = 0;
    std::vector<char> pulls(world.trees, 0);
    for (int j = 0; j < world.nv; ++j)
      if (!world.prescribed[world.tree[j]]) sum += row[j] * moved[j], pulls[world.tree[j]] |= row[j] != 0;
    for (int tree = 0; tree < world.trees; ++tree)
      if (pulls[tree]) of_tree[tree] += tie.stiffness * sum;
  }
  for (int tree = 0; tree < world.trees; ++tree)
    breaths[island[tree]].springs = std::max(breaths[island[tree]].springs, of_tree[tree]);
}

}  // namespace

Breathing breathingOfIslands(const World& world, const Recording& r) {
  constexpr std::int64_t kSamples = 50;  // poses at which the joints are looked at
  const auto nodes = static_cast<std::int64_t>(r.time.size()), stride = std::max<std::int64_t>(1, nodes / kSamples);
  const std::vector<int> island = findEverTied(world, r);
  const std::vector<SpringPart> ties = listSprings(world);
  const std::vector<char> in_flight = findTopsInFlight(world, r);
  std::vector<Breath> breaths(world.trees);
  for (std::int64_t node = 0; node < nodes; ++node) {
    const Reals v = rowOf(r.v, node, r.nv);
    const Motion motion = computeMotion(world, rowOf(r.q, node, r.nq), v);
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
      if (world.bodies[i].chain.empty() || in_flight[world.bodies[i].tree]) continue;  // it cannot move, or breathe
      Breath& breath = breaths[island[world.bodies[i].tree]];
      breath.turning = std::max(breath.turning, turningOf(world.bodies[i], motion.bodies[i].omega, r.dt));
    }
    const Reals kinetic = kineticOfTrees(world, motion, v);
    Reals of_island(world.trees, 0);
    for (int tree = 0; tree < world.trees; ++tree) of_island[island[tree]] += kinetic[tree];
    for (int tree = 0; tree < world.trees; ++tree)
      breaths[tree].kinetic = std::max(breaths[tree].kinetic, of_island[tree]);
    if (node % stride != 0) continue;
    addJoints(world, motion, island, breaths);
    addTies(world, ties, motion, island, breaths);
  }
  Breathing all;
  for (const Breath& b : breaths) {
    const Real square = r.dt * r.dt * (b.turning + b.swinging + b.springs);
    all.energy += square * b.kinetic;
    if (b.kinetic > 0) all.fastest = std::max(all.fastest, square);
  }
  return all;
}

}  // namespace rigor::verify
