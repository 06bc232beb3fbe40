#include "minimal/step_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/cones.h"
#include "contact/judge.h"
#include "dynamics/jacobian.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

double length(const double* x, int size) {
  double sum = 0.0;
  for (int i = 0; i < size; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

/// r = w·|λ − P_K(λ − û/w)| of one block.
double naturalMap(const Block& block, double w, double bias, double compliance, const double* impulse,
                  const double* u) {
  double step[3];
  if (block.kind == BlockKind::kContact) {
    step[0] = impulse[0] - (u[0] + bias + block.mu * std::hypot(u[1], u[2])) / w;
    step[1] = impulse[1] - u[1] / w;
    step[2] = impulse[2] - u[2] / w;
    projectOnFrictionCone(block.mu, step);
    const double away[3] = {impulse[0] - step[0], impulse[1] - step[1], impulse[2] - step[2]};
    return w * length(away, 3);
  }
  const double next = impulse[0] - (u[0] + bias + compliance * impulse[0]) / w;
  const double nearest =
      block.kind == BlockKind::kAtLeast ? projectOnHalfLine(next) : projectOnInterval(block.lo, block.hi, next);
  return w * std::fabs(impulse[0] - nearest);
}

}  // namespace

void MomentumScratch::resize(const Topology& topology) {
  external.resize(topology.links);
  for (auto* array : {&acceleration, &balance, &rnea_torque}) array->assign(topology.nv, 0.0);
  rnea.resize(topology);
}

StepResidual judgePositions(const ConstraintSet& set, const Island& island) {
  const ContactProblem& problem = island.problem;
  const std::vector<double>& impulse = island.solution.impulse;
  const int m = problem.rows();
  StepResidual worst;
  double substitute = -1.0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    const int first = set.list[island.constraints[i]].first_row;
    double moved[3] = {}, rounding[3] = {};
    for (int r = 0; r < block.size; ++r) {
      const double* row = &problem.W[static_cast<std::size_t>(block.row + r) * m];
      for (int j = 0; j < m; ++j) {
        const double product = row[j] * impulse[j];
        moved[r] += product;
        rounding[r] += std::fabs(product);
      }
      rounding[r] = 8.0 * kEps * rounding[r] + set.floor[first + r];
    }
    double w = blockScale(problem, block);
    if (w <= 0.0) w = substitute = substitute > 0.0 ? substitute : substituteScale(problem);
    const double r = naturalMap(block, w, problem.bias[block.row], problem.compliance[block.row], &impulse[block.row],
                                &set.velocity[first]);
    const double scale =
        std::max({length(&problem.b[block.row], block.size), length(moved, block.size), problem.velocity_scale});
    const double floor = length(rounding, block.size);
    if (!std::isfinite(r) || !std::isfinite(scale)) worst.finite = false;
    if (const double law = std::max(r - floor, 0.0) / scale; law >= worst.law) {
      worst.law = law;
      worst.floor = floor / scale;
    }
  }
  return worst;
}

double judgeMomentum(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                     const ConstraintSet& set, const double* v_end, MomentumScratch& scratch) {
  const Topology& topology = context.topology;
  const double k = motion.kick;
  std::fill(scratch.external.begin(), scratch.external.end(), Force<double>{});
  for (int j = 0; j < topology.nv; ++j) {
    scratch.acceleration[j] = (v_end[j] - context.v[j]) / k;
    scratch.balance[j] = 0.0;
  }
  for (const Constraint& c : set.list) {
    const double* impulse = &set.impulse[c.first_row];
    if (c.rows == 1) {
      scratch.balance[c.index] -= c.sign * impulse[0];
      continue;
    }
    const Vec3<double> total = impulse[0] * c.normal + impulse[1] * c.tangent_1 + impulse[2] * c.tangent_2;
    for (int s = 0; s < c.sides; ++s) {
      const Vec3<double> arm = c.point - start.origin[topology.tree[c.side[s].link]];
      scratch.external[c.side[s].link] += forceAt(arm, (c.side[s].sign / k) * total, {});
    }
  }
  double* inverse = scratch.rnea_torque.data();
  rneaWithAcceleration(topology, start, motion.inertias, motion.rnea.f, scratch.acceleration.data(),
                       scratch.external.data(), scratch.rnea, inverse);

  double size = motion.h, error = 0.0;
  for (int link = 0; link < topology.links; ++link)
    for (int j = topology.v_index[link]; j < topology.v_index[link] + topology.dofs[link]; ++j) {
      const double damped = context.parameters.damping[j] * 0.5 * (context.v[j] + v_end[j]);
      scratch.balance[j] +=
          k * (inverse[j] + context.parameters.armature[j] * scratch.acceleration[j] + damped - context.input.tau[j]);
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
