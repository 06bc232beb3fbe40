#include "minimal/momentum_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/jacobian.h"
#include "minimal/discrete_motion.h"
#include "minimal/row_kinds.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kClean = 1e-12;   // of the least scale: what is less needs no floor
constexpr double kCeiling = 1e-6;  // of the scale: what rounding may excuse at most

/// What constraints did to links and joints.
void addImpulses(const StepContext& context, const Kinematics<double>& start, const ConstraintSet& set,
                 MomentumScratch& scratch) {
  for (int i = 0; i < set.size(); ++i) {
    const Constraint& c = set.at(i);
    visitRows(c, [&](auto kind) { kind.addImpulse(context, start, c, set, scratch); });
  }
}

/// Armature, damping, springs, held and given torques.
void addJointForces(const StepContext& context, const FreeMotion& motion, const double* v_end,
                    MomentumScratch& scratch) {
  const Parameters<double>& parameters = context.parameters;
  const double *damping = parameters.damping.data(), *armature = parameters.armature.data();
  const double *change = scratch.change.data(), *tau = context.input.tau.data(), *v = context.v;
  double* balance = scratch.balance.data();
  const double* kick = motion.kick.data();
  for (const Run& run : context.part.runs)
#pragma GCC ivdep
    for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j) {
      const double damped = damping[j] * 0.5 * (v[j] + v_end[j]);
      balance[j] += armature[j] * change[j] + kick[j] * (damped - tau[j]);
    }
  for (const Run& run : context.part.runs) {
    for (const int j : springsOf(motion, run.trees)) balance[j] -= springImpulse(parameters, motion, j, v[j], v_end[j]);
    for (const Drive& drive : within(context.input.drives, run.trees))
      if (!motion.saturated[drive.dof]) balance[drive.dof] -= driveImpulse(drive, motion, context.q, v_end);
  }
}

/// What the links add to the balance of a variational step: their discrete momenta less what was carried and given, and less the
/// impulses. Armature has its momentum carried along, so only its change is in the balance of the joints.
void sumDiscrete(const StepContext& context, const Kinematics<double>& start, FreeMotion& motion, const double* v_end,
                 MomentumScratch& scratch) {
  computeMomentaAt(context, start, v_end, motion);
  const DiscreteMotion& discrete = motion.discrete;
  for (const Run& run : context.part.runs) sumTorques(run.trees, start, scratch.impulse, scratch.sum.data());
  context.part.forEachDof([&](int j) {
    const double carried = discrete.momentum[j] - context.parameters.armature[j] * context.v[j];
    scratch.sum[j] = discrete.at_end[j] - carried - discrete.given[j] - scratch.sum[j];
  });
}

/// Sizes of the impulses of constraints.
void addImpulseSizes(const StepContext& context, const Kinematics<double>& start, const ConstraintSet& set,
                     MomentumScratch& scratch) {
  for (int i = 0; i < set.size(); ++i) {
    const Constraint& c = set.at(i);
    double size = 0.0;
    for (int r = 0; r < c.rows; ++r) size += std::fabs(set.impulse[c.first_row + r]);
    visitRows(c, [&](auto kind) { kind.addImpulseSize(context, start, c, size, set, scratch); });
  }
}

/// Sizes of the momenta and of all impulses of every link, carried to its joints as the impulses are.
void addLinkSizes(const StepContext& context, const Trees& trees, const Kinematics<double>& start,
                  const FreeMotion& motion, const double* v_end, MomentumScratch& scratch) {
  const Topology& topology = context.topology;
  for (int link = trees.first_link; link < trees.end_link; ++link) {
    SpatialSize reach = topology.parent[link] < 0 ? SpatialSize{} : scratch.reach[topology.parent[link]];
    for (int j = topology.v_index[link]; j < topology.v_index[link] + topology.dofs[link]; ++j) {
      const double speeds = std::fabs(context.v[j]) + std::fabs(v_end[j]);
      reach += {speeds * absoluteSum(start.S[j].linear), speeds * absoluteSum(start.S[j].angular)};
    }
    scratch.reach[link] = reach;
    const Inertia<double>& I = motion.inertias[link];
    const Force<double>& f = motion.rnea.f[link];
    const double kick = motion.kick[topology.v_index[link]];
    const double moment = absoluteSum(I.moment), turning = I.rotational.xx + I.rotational.yy + I.rotational.zz;
    scratch.size[link] += {I.mass * reach.linear + moment * reach.angular + kick * absoluteSum(f.linear),
                           moment * reach.linear + turning * reach.angular + kick * absoluteSum(f.angular)};
  }
  for (int link = trees.end_link - 1; link >= trees.first_link; --link) {
    const SpatialSize& size = scratch.size[link];
    for (int j = topology.v_index[link]; j < topology.v_index[link] + topology.dofs[link]; ++j)
      scratch.terms[j] += absoluteSum(start.S[j].linear) * size.linear + absoluteSum(start.S[j].angular) * size.angular;
    if (topology.parent[link] >= 0) scratch.size[topology.parent[link]] += size;
  }
}

/// Sizes of what addJointForces adds.
void addJointSizes(const StepContext& context, const Trees& trees, const FreeMotion& motion, const double* v_end,
                   MomentumScratch& scratch) {
  const Parameters<double>& parameters = context.parameters;
  const StepInput& input = context.input;
  for (int j = trees.first_dof; j < trees.end_dof; ++j) {
    const double speeds = std::fabs(context.v[j]) + std::fabs(v_end[j]), way = motion.h * speeds;
    const double sprung = parameters.stiffness[j] * (std::fabs(motion.stretch[j]) + way);
    scratch.terms[j] += parameters.armature[j] * speeds +
                        motion.kick[j] * (parameters.damping[j] * speeds + std::fabs(input.tau[j]) + sprung);
  }
  for (const Drive& drive : within(input.drives, trees)) {
    const double speeds = std::fabs(context.v[drive.dof]) + std::fabs(v_end[drive.dof]);
    const double way = std::fabs(drive.target) + std::fabs(context.q[drive.q_index]) + motion.h * speeds;
    scratch.terms[drive.dof] += motion.kick[drive.dof] * (drive.kp * way + drive.kd * speeds);
  }
}

/// What is left in a tree, above the floor and in units of the scale; what is left altogether goes to scratch.whole.
double worstOfTree(const StepContext& context, const FreeMotion& motion, const double* v_end, int tree,
                   MomentumScratch& scratch) {
  const Topology& topology = context.topology;
  const int root = topology.tree_root[tree],
            next = tree + 1 < topology.trees ? topology.tree_root[tree + 1] : topology.links;
  const int first = topology.v_index[root], end = next < topology.links ? topology.v_index[next] : topology.nv;
  const double least = std::max(motion.velocity_scale, 1e-150);  // [m/s]
  double speed = least, worst = 0.0;
  for (int j = first; j < end; ++j)
    speed = std::max({speed, std::fabs(context.v[j]), std::fabs(v_end[j]), std::fabs(motion.z[j])});
  const double rounding = (8.0 + (next - root)) * kEps;  // a sum of n numbers is off by up to n·eps
  for (int j = first; j < end; ++j) {
    const double terms = scratch.terms[j] * motion.mass.inverseD()[j];
    const double floor = std::min(rounding * terms, kCeiling * speed);
    const double scale = std::max(std::min(speed, terms), least);
    worst = std::max(worst, (scratch.left[j] - floor) / scale);
    scratch.whole = std::max(scratch.whole, scratch.left[j] / scale);
  }
  return worst;
}

}  // namespace

void MomentumScratch::resize(const Topology& topology) {
  impulse.resize(topology.links);
  size.resize(topology.links);
  reach.resize(topology.links);
  for (auto* array : {&change, &balance, &sum, &missed, &left, &terms}) array->assign(topology.nv, 0.0);
  rnea.resize(topology);
}

double judgeMomentum(const StepContext& context, const Kinematics<double>& start, FreeMotion& motion,
                     const ConstraintSet& set, const double* v_end, MomentumScratch& scratch) {
  const std::vector<Run>& runs = context.part.runs;
  for (const Run& run : runs)
    std::fill(scratch.impulse.begin() + run.trees.first_link, scratch.impulse.begin() + run.trees.end_link,
              Force<double>{});
  scratch.whole = std::numeric_limits<double>::infinity();  // unless it is found: not that of an earlier pass
  const double* v = context.v;
  double *change = scratch.change.data(), *balance = scratch.balance.data();
  context.part.forEachDof([=](int j) {
    change[j] = v_end[j] - v[j];
    balance[j] = 0.0;
  });
  addImpulses(context, start, set, scratch);
  addJointForces(context, motion, v_end, scratch);
  if (motion.isDiscrete())
    sumDiscrete(context, start, motion, v_end, scratch);
  else
    for (const Run& run : runs)
      rneaOfKick(run.trees, start, motion.inertias, motion.rnea.f, 0.5 * (run.last_step + motion.h),
                 scratch.change.data(), scratch.impulse.data(), scratch.rnea, scratch.sum.data());
  double most = 0.0, all = 0.0;
  const double *inverse_D = motion.mass.inverseD().data(), *sum = scratch.sum.data();
  double* left = scratch.left.data();
  // what moves as it is told balances nothing: it has the velocity that it was told
  for (const int j : motion.prescribed) balance[j] = change[j] - motion.told[j] - sum[j];
  bool regular = true;  // a pivot that is not positive would make what is missed count for nothing
  if (motion.isDiscrete())
    context.part.forEachDof([&](int j) {
      scratch.missed[j] = balance[j] + sum[j];
      regular = regular && inverse_D[j] > 0.0;
    });
  if (!regular) return scratch.whole;
  context.part.forEachDof([&](int j) {
    left[j] = std::fabs(balance[j] + sum[j]) * inverse_D[j];
    most = std::max(most, left[j]);
    all += left[j];
  });
  if (!std::isfinite(all)) return scratch.whole;  // max() swallows NaN
  scratch.whole = most == 0.0 ? 0.0 : most / motion.velocity_scale;
  if (most <= kClean * motion.velocity_scale) return scratch.whole;

  for (const Run& run : runs) {
    const Trees& trees = run.trees;
    std::fill(scratch.size.begin() + trees.first_link, scratch.size.begin() + trees.end_link, SpatialSize{});
    std::fill(scratch.terms.begin() + trees.first_dof, scratch.terms.begin() + trees.end_dof, 0.0);
  }
  addImpulseSizes(context, start, set, scratch);
  for (const Run& run : runs) {
    addLinkSizes(context, run.trees, start, motion, v_end, scratch);
    addJointSizes(context, run.trees, motion, v_end, scratch);
  }
  double worst = scratch.whole = 0.0;
  for (const int tree : context.part.trees) worst = std::max(worst, worstOfTree(context, motion, v_end, tree, scratch));
  return worst;
}

}  // namespace rigor
