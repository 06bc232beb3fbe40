#include "verify/nodes.h"

#include <cassert>

#include <fmt/format.h>

#include "verify/limits.h"
#include "verify/ties.h"

namespace rigor::verify {
namespace {

constexpr Real kSmallest = 1e-300L;  // below it doubles have fewer digits

void judgeTime(const Recording& r, std::int64_t node, Findings& findings) {
  const Real first = std::round(r.time[0] / r.dt);
  const bool whole = r.time[0] == static_cast<double>(first) * r.dt;
  const Real expected = whole ? (first + node) * Real(r.dt) : Real(r.time[0]) + node * Real(r.dt);
  findings.same(r.time[node], expected, 2 * kEps * std::max<Real>(std::fabs(expected), r.dt),
                [] { return std::string("time is not a multiple of dt"); });
}

void judgeSums(const World& world, const Recording& r, std::int64_t node, Findings& findings) {
  const Reals q = rowOf(r.q, node, r.nq), v = rowOf(r.v, node, r.nv);
  const Sums sums = computeSums(world, q, v);
  // potentials of bodies may cancel, and gravity times height far from the origin rounds: sum of sizes
  Real size = sums.kinetic + std::fabs(sums.potential), momentum = 0, arm = 1;
  const Motion motion = computeMotion(world, q, v);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const Vec centre = pointOf(motion, static_cast<int>(i), world.bodies[i].com);
    size += world.bodies[i].mass * norm(world.gravity) * norm(centre);
    momentum += world.bodies[i].mass * (norm(motion.bodies[i].speed) + norm(motion.bodies[i].omega));
    arm = std::max(arm, norm(centre));
  }
  for (const SpringPart& spring : listSprings(world)) {  // a stretch is known to the rounding of positions
    const Stretch stretch = computeStretch(spring, motion);
    size += kPositionFloor * kEps / kNodeSums * spring.stiffness * std::fabs(stretch.x) * stretch.size;
  }
  const auto compare = [&](Real value, double recorded, Real scale, double VerifyWorst::* worst, const char* what) {
    findings.check(std::fabs(value - recorded) / std::max<Real>(scale, 1e-12L), kNodeSums, worst,
                   [&] { return std::string("recorded ") + what; });
  };
  compare(sums.kinetic, r.energy[2 * node], size, &VerifyWorst::energy, "kinetic energy");
  const bool has_own = std::any_of(world.own.begin(), world.own.end(), [](const OwnTerm& term) { return !term.holds; });
  if (!has_own) compare(sums.potential, r.energy[2 * node + 1], size, &VerifyWorst::energy, "potential energy");
  const Real parts[6] = {sums.linear.x, sums.linear.y, sums.linear.z, sums.angular.x, sums.angular.y, sums.angular.z};
  for (int k = 0; k < 6; ++k)
    compare(parts[k], r.momentum[6 * node + k], momentum * (k < 3 ? 1 : arm), nullptr, "momentum");
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints) {
      if (joint.turn != Turn::kAll) continue;
      const Real* x = &q[joint.q + joint.translations];
      findings.same(std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]), 1, 1e-6L,
                    [&] { return fmt::format("length of the quaternion of \"{}\"", joint.name); });
    }
}

}  // namespace

Reals rowOf(const std::vector<double>& values, std::int64_t row, int width) {
  assert(row >= 0 && (row + 1) * width <= static_cast<std::int64_t>(values.size()) && "a row of the array");
  const auto begin = values.begin() + row * width;
  return Reals(begin, begin + width);
}

void judgeNodes(const World& world, const Recording& r, Findings& findings) {
  for (std::int64_t node = 0; node < static_cast<std::int64_t>(r.time.size()); ++node) {
    findings.atStep(node);
    judgeTime(r, node, findings);
    judgeSums(world, r, node, findings);
    if (node >= r.steps()) continue;
    for (int k = 0; k < 3; ++k) {
      const double residual = r.residual[3 * node + k];
      findings.check(std::fabs(residual), k == 1 ? 1 : world.accuracy, nullptr,
                     [] { return std::string("recorded residual above the limit of the judge"); });
    }
    findings.require(r.iterations[node] >= 0 && r.passes[node] >= 0, "counts are not negative");
  }
}

namespace {

/// Of the freedoms of one tree, whose first sub-step is s.
void judgeTreeVelocity(const World& world, const Recording& r, std::int64_t step, std::int64_t s, int tree,
                       Findings& findings) {
  const Real kick = kickOf(r, s, tree), h = r.substep_h[s];
  if (world.maximal && h > 0) return;  // not between velocities but between momenta: SubstepJudge::judgeNode
  // the kick is shared by the lengths of its two halves; of an impact the node has the velocity before it, of a half kick,
  // also of other trees, that after it
  Real longest = 0;
  for (int other = 0; other < world.trees && !(h > 0); ++other) longest = std::max(longest, kickOf(r, s, other));
  const Real after = h > 0 ? h / (2 * kick) : (longest > 0 ? 0 : 1);
  for (const int j : world.tree_freedoms[tree]) {
    const auto at = [&](const std::vector<double>& values, std::int64_t row) { return Real(values[row * r.nv + j]); };
    const auto name = [&] { return "node velocity of \"" + world.freedom[j] + "\""; };
    const Real node = at(r.v, step), v = at(r.substep_v, s), v_end = at(r.substep_v_end, s);
    if (r.substep_smooth[s])
      findings.same(node, at(r.substep_v_mean, s), 0, name);
    else
      findings.same(node, v_end - after * (v_end - v), 8 * kEps * (std::fabs(v) + std::fabs(v_end)) + kSmallest, name);
  }
}

}  // namespace

Real kickOf(const Recording& r, std::int64_t substep, int tree) {
  return r.kick_columns == 1 ? r.substep_kick[substep] : r.substep_kick[substep * r.kick_columns + tree];
}

void judgeNodeVelocity(const World& world, const Recording& r, std::int64_t step, Findings& findings) {
  for (int tree = 0; tree < world.trees; ++tree)
    for (std::int64_t s = r.substep_start[step]; s < r.substep_start[step + 1]; ++s)
      if (kickOf(r, s, tree) >= 0 && !world.prescribed[tree]) {
        judgeTreeVelocity(world, r, step, s, tree, findings);
        break;
      }
}

}  // namespace rigor::verify
