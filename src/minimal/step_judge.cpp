#include "minimal/step_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/judge.h"
#include "dynamics/jacobian.h"
#include "minimal/loop_rows.h"

namespace rigor {

void MomentumScratch::resize(const Topology& topology) {
  external.resize(topology.links);
  smooth.resize(topology.links);
  for (auto* array : {&change, &balance, &rnea_torque}) array->assign(topology.nv, 0.0);
  rnea.resize(topology);
}

Residuals judgePositions(const ConstraintSet& set, Island& island) {
  const int m = island.problem.rows();
  island.velocity.resize(m);
  island.floor.resize(m);
  for (std::size_t i = 0; i < island.constraints.size(); ++i) {
    const Constraint& c = set.list[island.constraints[i]];
    const int row = island.problem.blocks[i].row;
    std::copy_n(&set.velocity[c.first_row], c.rows, &island.velocity[row]);
    std::copy_n(&set.floor[c.first_row], c.rows, &island.floor[row]);
  }
  return judgeLaw(island.problem, island.solution.impulse.data(), island.velocity.data(), island.floor.data());
}

bool keepsGaps(const ConstraintSet& set, double h) {
  constexpr double kDeeper = 1e-11;  // [m]
  for (const Constraint& c : set.list) {
    if (c.source == RowSource::kLoop && c.gap_end > kDeeper + h * set.floor[c.first_row]) return false;
    if (c.source != RowSource::kContact && c.source != RowSource::kLimit) continue;
    if (c.gap_end < std::min(c.gap, 0.0) - kDeeper - h * set.floor[c.first_row]) return false;
  }
  return true;
}

bool ballsPassed(const StepContext& context, const StepPose& end, const ConstraintSet& set) {
  for (const Constraint& c : set.list) {
    if (c.source != RowSource::kContact || context.contacts.pairs[c.index].plane) continue;
    const ContactPair& pair = context.contacts.pairs[c.index];
    if (dot(c.normal, computeContactGeometry(context.contacts, pair, end.centres).normal) <= 0.0) return true;
  }
  return false;
}

double judgeMomentum(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                     const ConstraintSet& set, const double* v_end, MomentumScratch& scratch) {
  const Topology& topology = context.topology;
  const double k = motion.kick;
  std::fill(scratch.external.begin(), scratch.external.end(), Force<double>{});
  for (int j = 0; j < topology.nv; ++j) {
    scratch.change[j] = v_end[j] - context.v[j];
    scratch.balance[j] = 0.0;
  }
  for (const Constraint& c : set.list) {
    const double* impulse = &set.impulse[c.first_row];
    if (c.source == RowSource::kLoop) {
      addLoopImpulse(context, start, c, impulse, 1.0, scratch.external.data(), scratch.balance.data());
      continue;
    }
    if (c.rows == 1) {
      scratch.balance[c.index] -= c.sign * impulse[0];
      continue;
    }
    const Vec3<double> total = impulse[0] * c.normal + impulse[1] * c.tangent_1 + impulse[2] * c.tangent_2;
    for (int s = 0; s < c.sides; ++s) {
      const Vec3<double> arm = c.point - start.origin[topology.tree[c.side[s].link]];
      scratch.external[c.side[s].link] += forceAt(arm, c.side[s].sign * total, {});
    }
  }
  for (int link = 0; link < topology.links; ++link) scratch.smooth[link] = k * motion.rnea.f[link];
  double* inverse = scratch.rnea_torque.data();
  rneaWithAcceleration(topology, start, motion.inertias, scratch.smooth, scratch.change.data(), scratch.external.data(),
                       scratch.rnea, inverse);

  double size = motion.velocity_scale, error = 0.0;
  for (int link = 0; link < topology.links; ++link)
    for (int j = topology.v_index[link]; j < topology.v_index[link] + topology.dofs[link]; ++j) {
      const double damped = context.parameters.damping[j] * 0.5 * (context.v[j] + v_end[j]);
      scratch.balance[j] += inverse[j] + context.parameters.armature[j] * scratch.change[j];
      scratch.balance[j] += k * (damped - context.input.tau[j]);
      scratch.balance[j] -= springImpulse(context.parameters, motion, j, context.v[j], v_end[j]);
      if (topology.dofs[link] == 1 && !motion.saturated[j])
        scratch.balance[j] -= pdImpulse(context.input, motion, j, context.q[topology.q_index[link]], v_end[j]);
      size = std::max({size, std::fabs(context.v[j]), std::fabs(v_end[j])});
    }
  for (int j = 0; j < topology.nv; ++j) {
    if (!std::isfinite(scratch.balance[j])) return std::numeric_limits<double>::infinity();
    error = std::max(error, std::fabs(scratch.balance[j]) * motion.inverse_D[j]);
  }
  return error / size;
}

}  // namespace rigor
