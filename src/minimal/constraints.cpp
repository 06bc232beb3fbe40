#include "minimal/constraints.h"

#include <algorithm>
#include <cmath>

#include "dynamics/jacobian.h"
#include "minimal/loop_rows.h"

namespace rigor {
namespace {

// Gaps that may close within the step: what the present velocity reaches, a tenth more, and what 2 g adds.
double sweptMargin(double h, double rate) { return 1e-6 + 0.1 * h * std::fabs(rate) + 20.0 * h * h; }

constexpr double kStaticSpeed = 1e-3;  // [m/s] slip below this counts as rest for static friction

/// ν of a gap: it may close within the step, but not be passed. A step of length 0 knows velocities alone.
double openBias(double gap, double h) { return h > 0.0 ? std::max(gap, 0.0) / h : 0.0; }

const BlockMemory* recall(const Memory& memory, std::uint64_t id) {
  const auto found = std::lower_bound(memory.blocks.begin(), memory.blocks.end(), id,
                                      [](const BlockMemory& block, std::uint64_t key) { return block.id < key; });
  return found != memory.blocks.end() && found->id == id ? &*found : nullptr;
}

/// J of a contact: the impulse attacks both bodies at one point, so angular momentum is kept.
void contactForceRows(const Topology& topology, const Kinematics<double>& start, const Constraint& c,
                      ConstraintSet& set) {
  const Vec3<double> directions[3] = {c.normal, c.tangent_1, c.tangent_2};
  for (int s = 0; s < c.sides; ++s) {
    const Side& side = c.side[s];
    const Vec3<double> arm = c.point - start.origin[topology.tree[side.link]];
    Force<double> F[3];
    for (int r = 0; r < 3; ++r) F[r] = forceAt(arm, side.sign * directions[r], {});
    jacobianRows<3>(topology, start.S.data(), side.link, F, &set.force[side.offset]);
  }
}

double frictionOf(const ContactPair& pair, const Constraint& c, const Topology& topology,
                  const std::vector<Motion<double>>& V, const Kinematics<double>& start) {
  if (pair.friction_static == pair.friction) return pair.friction;
  Vec3<double> slip{};
  for (int s = 0; s < c.sides; ++s) {
    const int link = c.side[s].link;
    const Vec3<double> arm = c.point - start.origin[topology.tree[link]];
    slip += c.side[s].sign * (V[link].linear + cross(V[link].angular, arm));
  }
  const double a = dot(slip, c.tangent_1), b = dot(slip, c.tangent_2);
  return a * a + b * b < kStaticSpeed * kStaticSpeed ? pair.friction_static : pair.friction;
}

void addContact(const StepContext& context, int index, const ContactGeometry& geometry, const StepPose& start,
                const FreeMotion& motion, ConstraintSet& set) {
  const ContactPair& pair = context.contacts.pairs[index];
  const Ball& ball_2 = context.contacts.balls[pair.ball_2];
  Constraint c;
  c.source = RowSource::kContact;
  c.id = pair.id;
  c.index = index;
  c.normal = geometry.normal;
  makeTangents(geometry.normal, c.tangent_1, c.tangent_2);
  c.point =
      start.centres[pair.ball_2].world - (ball_2.radius + (pair.plane ? 0.0 : 0.5 * geometry.gap)) * geometry.normal;
  c.gap = geometry.gap;
  c.touching = c.gap <= kTouching;
  c.bias = openBias(c.gap, motion.h);
  addSide(context.topology, ball_2.link, 1.0, pair.ball_2, c, set);
  if (!pair.plane) addSide(context.topology, context.contacts.balls[pair.ball_1].link, -1.0, pair.ball_1, c, set);
  c.mu = frictionOf(pair, c, context.topology, motion.rnea.V, start.kin);
  contactForceRows(context.topology, start.kin, enter(context, c, set), set);
  set.pair_used[index] = 1;
}

/// A row that is one degree of freedom itself: J = ±e_j.
void addJointRow(const StepContext& context, Constraint& c, int dof, ConstraintSet& set) {
  c.rows = 1;
  c.index = dof;
  addSide(context.topology, context.topology.dof_link[dof], 1.0, 0, c, set);
  const Side& side = c.side[0];
  std::fill_n(set.force.begin() + side.offset, side.length, 0.0);
  set.force[side.offset + context.topology.dof_depth[dof]] = c.sign;
  enter(context, c, set);
}

std::uint64_t limitId(int dof, bool upper) { return rowId(RowSource::kLimit, 2 * dof + (upper ? 1 : 0)); }

void addLimit(const StepContext& context, int dof, bool upper, double bound, double gap, double h, ConstraintSet& set) {
  Constraint c;
  c.source = RowSource::kLimit;
  c.id = limitId(dof, upper);
  c.sign = upper ? -1.0 : 1.0;
  c.bound = bound;
  c.gap = gap;
  c.touching = gap <= kTouching;
  c.bias = openBias(gap, h);
  set.limit_used[2 * dof + (upper ? 1 : 0)] = 1;
  addJointRow(context, c, dof, set);
}

void addDryFriction(const StepContext& context, int dof, const FreeMotion& motion, ConstraintSet& set) {
  Constraint c;
  c.source = RowSource::kDryFriction;
  c.id = rowId(RowSource::kDryFriction, dof);
  c.hi = motion.kick * context.parameters.dry_friction[dof];
  c.lo = -c.hi;
  c.touching = true;
  addJointRow(context, c, dof, set);
}

/// max(1, |q|/8) over the hinges: what 4·eps of the sizes of positions does not cover any more.
double computeWinding(const StepContext& context) {
  double most = 8.0;  // [rad]
  for (int link = 0; link < context.topology.links; ++link)
    if (context.topology.dofs[link] == 1 && rotationCount(context.topology.joint[link]) == 1)
      most = std::max(most, std::fabs(context.q[context.topology.q_index[link]]));
  return most / 8.0;
}

/// Calls visit(dof, upper, bound, gap) for both ends of every limited joint, at the coordinates q.
template <class Visit>
void forEachLimit(const StepContext& context, const double* q, const Visit& visit) {
  for (const JointLimit& limit : context.limits) {
    const double position = q[limit.q_index];
    visit(limit.dof, false, limit.lower, position - limit.lower);
    visit(limit.dof, true, limit.upper, limit.upper - position);
  }
}

}  // namespace

void addSide(const Topology& topology, int link, double sign, int ball, Constraint& c, ConstraintSet& set) {
  if (link < 0) return;
  Side& side = c.side[c.sides++];
  side = {link, static_cast<int>(set.force.size()), topology.chain_length[link], sign, ball, {}};
  const std::size_t size = set.force.size() + static_cast<std::size_t>(c.rows) * side.length;
  for (auto* array : {&set.force, &set.response, &set.constraint, &set.half}) array->resize(size);
}

Constraint& enter(const StepContext& context, Constraint& c, ConstraintSet& set) {
  c.memory = recall(context.memory, c.id);
  c.closed = c.touching && !(c.memory && c.memory->impact);
  c.first_row = set.rows;
  set.rows += c.rows;
  for (auto* array : {&set.impulse, &set.velocity, &set.floor}) array->resize(set.rows, 0.0);
  for (int r = 0; r < c.rows; ++r) set.impulse[c.first_row + r] = c.memory ? c.memory->impulse[r] : 0.0;
  set.list.push_back(c);
  return set.list.back();
}

void ConstraintSet::clear(int pairs, int nv) {
  list.clear();
  rows = 0;
  for (auto* array : {&force, &response, &constraint, &half, &impulse, &velocity, &floor}) array->clear();
  // room for most robots from the first step on, so that a landing on one more foot allocates nothing
  for (auto* array : {&force, &response, &constraint, &half}) array->reserve(3 * std::min(pairs, 16) * nv);
  columns.resize(nv);
  pair_used.assign(pairs, 0);
  limit_used.assign(2 * nv, 0);
}

void findConstraints(const StepContext& context, const StepPose& start, const FreeMotion& motion, ConstraintSet& set) {
  const double h = motion.h;
  const std::vector<ContactPair>& pairs = context.contacts.pairs;
  set.clear(static_cast<int>(pairs.size()), context.topology.nv);
  set.winding = computeWinding(context);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ContactGeometry geometry = computeContactGeometry(context.contacts, pairs[i], start.centres);
    const double rate = gapRate(context.contacts, pairs[i], geometry.normal, start.centres, motion.rnea.V);
    if (geometry.gap + h * rate < sweptMargin(h, rate))
      addContact(context, static_cast<int>(i), geometry, start, motion, set);
  }
  forEachLimit(context, context.q, [&](int dof, bool upper, double bound, double gap) {
    const double rate = upper ? -motion.mean_velocity[dof] : motion.mean_velocity[dof];
    if (gap + h * rate < sweptMargin(h, rate)) addLimit(context, dof, upper, bound, gap, h, set);
  });
  for (int j = 0; j < context.topology.nv; ++j) {
    if (context.parameters.dry_friction[j] > 0.0) addDryFriction(context, j, motion, set);
    if (motion.saturated[j]) addMotor(context, j, motion, set);
  }
  addLoops(context, start, set);
}

void findTouching(const StepContext& context, const StepPose& start, const FreeMotion& motion, ConstraintSet& set) {
  const std::vector<ContactPair>& pairs = context.contacts.pairs;
  set.clear(static_cast<int>(pairs.size()), context.topology.nv);
  const bool half_kick = motion.kick > 0.0;
  const auto belongs = [&](double gap, double rate, double threshold, std::uint64_t id) {
    if (!(gap + motion.least * std::min(rate, 0.0) < kTouching)) return false;
    const BlockMemory* last = recall(context.memory, id);
    return !half_kick || rate >= -threshold || (last && last->impulse[0] > 0.0);
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ContactGeometry geometry = computeContactGeometry(context.contacts, pairs[i], start.centres);
    const double rate = gapRate(context.contacts, pairs[i], geometry.normal, start.centres, motion.rnea.V);
    if (belongs(geometry.gap, rate, pairs[i].threshold, pairs[i].id))
      addContact(context, static_cast<int>(i), geometry, start, motion, set);
  }
  forEachLimit(context, context.q, [&](int dof, bool upper, double bound, double gap) {
    const double rate = upper ? -motion.mean_velocity[dof] : motion.mean_velocity[dof];
    if (belongs(gap, rate, kLimitThreshold, limitId(dof, upper)))
      addLimit(context, dof, upper, bound, gap, motion.h, set);
  });
  for (int j = 0; half_kick && j < context.topology.nv; ++j) {
    if (context.parameters.dry_friction[j] > 0.0) addDryFriction(context, j, motion, set);
    if (motion.saturated[j]) addMotor(context, j, motion, set);
  }
  addLoops(context, start, set);
}

bool appendViolated(const StepContext& context, const StepPose& start, const StepPose& end, const double* q_end,
                    const FreeMotion& motion, ConstraintSet& set) {
  const std::size_t before = set.list.size();
  const std::vector<ContactPair>& pairs = context.contacts.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (set.pair_used[i] || !isViolated(context.contacts, pairs[i], start.centres, end.centres)) continue;
    const ContactGeometry geometry = computeContactGeometry(context.contacts, pairs[i], start.centres);
    addContact(context, static_cast<int>(i), geometry, start, motion, set);
  }
  forEachLimit(context, q_end, [&](int dof, bool upper, double bound, double gap_end) {
    if (set.limit_used[2 * dof + (upper ? 1 : 0)] || gap_end >= 0.0) return;
    const double position = context.q[context.topology.q_index[context.topology.dof_link[dof]]];
    addLimit(context, dof, upper, bound, upper ? bound - position : position - bound, motion.h, set);
  });
  computeResponses(context.topology, motion, static_cast<int>(before), set);
  return set.list.size() > before;
}

void addMotor(const StepContext& context, int dof, const FreeMotion& motion, ConstraintSet& set) {
  const StepInput& input = context.input;
  const double position = context.q[context.topology.q_index[context.topology.dof_link[dof]]];
  Constraint c;
  c.source = RowSource::kMotor;
  c.id = rowId(RowSource::kMotor, dof);
  c.hi = motion.kick * input.effort[dof];
  c.lo = -c.hi;
  // λ = k (kp (q* − q − h u) − kd u) inside the bounds:  u − u* + R λ = 0
  const double stiffness = input.kd[dof] + motion.h * input.kp[dof];
  const double spring = input.kp[dof] * (input.target[dof] - position);
  if (stiffness > 0.0) {
    c.compliance = 1.0 / (motion.kick * stiffness);
    c.bias = -spring / stiffness;
  } else {  // at a node, without damping: no velocity changes the torque
    c.lo = c.hi = motion.kick * std::clamp(spring, -input.effort[dof], input.effort[dof]);
  }
  c.touching = true;
  addJointRow(context, c, dof, set);
}

void halfSolve(const Topology& topology, const FreeMotion& motion, const Constraint& c, const Side& side,
               double* rows) {
  motion.mass.solveChainLTranspose(topology, side.link, c.rows, rows);
}

void computeResponses(const Topology& topology, const FreeMotion& motion, int first, ConstraintSet& set) {
  for (std::size_t i = first; i < set.list.size(); ++i) {
    const Constraint& c = set.list[i];
    for (int s = 0; s < c.sides; ++s) {
      const Side& side = c.side[s];
      const int* chain = topology.chain.data() + topology.chain_start[side.link];
      double* Z = &set.response[side.offset];
      std::copy_n(&set.force[side.offset], c.rows * side.length, Z);
      halfSolve(topology, motion, c, side, Z);
      for (int k = 0; k < side.length; ++k, Z += c.rows) {
        const double inverse = motion.mass.inverseD()[chain[k]];
        Z[0] *= inverse;
        if (c.rows == 3) Z[1] *= inverse, Z[2] *= inverse;
      }
    }
  }
}

}  // namespace rigor
