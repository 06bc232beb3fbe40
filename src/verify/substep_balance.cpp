// The momentum balance of a kick: M Δv = κ (τ − c) + impulses, by Newton and Euler for every body.
#include <fmt/format.h>
#include <cassert>
#include <optional>

#include "verify/limits.h"
#include "verify/substep.h"

namespace rigor::verify {

Real SubstepJudge::targetOf(const Joint& joint) const {
  if (joint.drive < 0) return 0;  // it has no gains
  assert(joint.drive < world_.drives && "readWorld numbered the drives");
  return r_.ctrl[static_cast<std::size_t>(data_->step) * world_.drives + joint.drive];
}

/// PD acts at the end of the step: κ (kp (q* − q − h v′) − kd v′).
Real SubstepJudge::pdImpulse(const Joint& joint) const {
  const Real v_end = data_->v_end[joint.v];
  return data_->kick[joint.v] *
         (joint.kp * (targetOf(joint) - data_->q[joint.q] - data_->h * v_end) - joint.kd * v_end);
}

/// −K κ x with x at the start; springs too stiff for that take the mean stretch of each half of the kick.
Reals SubstepJudge::springImpulse(bool stiff) const {
  const Real h = data_->h;
  Reals impulse = stretch(world_, data_->q);
  for (int j = 0; j < world_.nv; ++j) {
    const Real kick = data_->kick[j], h_last = 2 * kick - h;
    Real way = kick * impulse[j];
    if (stiff) way += (h * h * data_->v_end[j] - h_last * h_last * data_->v[j]) / 4;
    impulse[j] = -jointOf(j).stiffness * way;
  }
  return impulse;
}

/// Generalised impulses per second of what pushes from outside.
Reals SubstepJudge::outsideForce() const {
  const SubstepData& d = *data_;
  Reals outside(world_.nv, 0);
  for (std::int64_t w = r_.wrench_start[d.step]; w < r_.wrench_start[d.step + 1]; ++w) {
    const int body = r_.wrench_body[2 * w];
    const double* x = &r_.wrench[6 * w];
    Vec force{x[0], x[1], x[2]}, torque{x[3], x[4], x[5]};
    const Mat& R = d.start.bodies[body].X.R;
    if (r_.wrench_body[2 * w + 1] == 1) force = R * force, torque = R * torque;
    addWrench(world_, d.start, body, pointOf(d.start, body, world_.bodies[body].com), force, torque, 1, outside);
  }
  return outside;
}

/// Impulse of a joint's actuator: given, and held within its effort.
Real SubstepJudge::actuatorImpulse(int i) {
  const SubstepData& d = *data_;
  const Joint& joint = jointOf(i);
  const Real given = d.kick[i] * r_.input_tau[static_cast<std::size_t>(d.step) * world_.nv + i];
  if (joint.nv != 1 || saturated_[i]) return given;
  const Real held = pdImpulse(joint);
  findings_.check(std::fabs(held), d.kick[i] > 0 ? d.kick[i] * joint.effort * (1 + 1e-9L) : 0, nullptr,
                  [&] { return fmt::format("effort of \"{}\"", joint.name); });
  return given + held;
}

/// The torque that was recorded is the one that acted, rows of motors at their bounds included.
void SubstepJudge::judgeTorque(int i, Real actuator) {
  const SubstepData& d = *data_;
  if (!d.first[world_.tree[i]] || !(d.kick[i] > 0)) return;
  const Joint& joint = jointOf(i);
  actuator += motor_impulse_[i];
  const std::size_t entry = static_cast<std::size_t>(d.step) * world_.nv + i;
  const Real tau = r_.tau[entry];
  const Real size = std::fabs(tau) + std::fabs(Real(r_.input_tau[entry])) +
                    joint.kp * (std::fabs(targetOf(joint)) + std::fabs(d.q[joint.q])) +
                    joint.kd * std::fabs(d.v_end[i]);
  findings_.same(actuator / d.kick[i], tau, 1e-12L * size,
                 [&] { return fmt::format("recorded torque of \"{}\"", world_.freedom[i]); });
}

/// M Δv, or P − π of stepper maximal.
void SubstepJudge::addMomentum(const TreeMatrix& M, int i, Balance& balance) const {
  const SubstepData& d = *data_;
  if (world_.maximal) {
    balance.left[i] += d.momentum.end[i] - d.momentum.begin[i];
    balance.sizes[i] += d.momentum.sizes[i];
    return;
  }
  for (const int j : world_.tree_freedoms[world_.tree[i]]) {
    const Real term = M(i, j) * (d.v_end[j] - d.v[j]);
    balance.left[i] += term, balance.sizes[i] += std::fabs(term);
  }
}

/// M Δv − κ (τ − c) − impulses, without springs, and the sizes of its terms.
SubstepJudge::Balance SubstepJudge::addUpBalance() {
  const SubstepData& d = *data_;
  const int nv = world_.nv;
  // the momentum of bodies between two poses has all that turns with them: gravity is left
  const Motion moving = computeMotion(world_, d.q, world_.maximal ? Reals{} : d.v_mean);
  TreeMatrix M = massMatrix(world_, d.start);
  const Reals bias = biasForce(world_, moving), outside = outsideForce();
  Balance balance{Reals(nv, 0), Reals(nv, 0), r_.dt, false};
  constexpr Real kUnmovable = 1e200L;  // [kg] on the diagonal: whatever pushes, nothing answers
  for (int i = 0; i < nv; ++i) {
    balance.speed = std::max({balance.speed, std::fabs(d.v[i]), std::fabs(d.v_end[i])});
    if (world_.prescribed[world_.tree[i]]) {
      for (const int j : world_.tree_freedoms[world_.tree[i]]) M(i, j) = i == j ? kUnmovable : 0;
      continue;
    }
    const Joint& joint = jointOf(i);
    const auto add = [&](Real term) { balance.left[i] += term, balance.sizes[i] += std::fabs(term); };
    addMomentum(M, i, balance);
    const Real actuator = actuatorImpulse(i);
    add(d.kick[i] * bias[i]);
    add(-d.kick[i] * outside[i]);
    add(d.kick[i] * joint.damping * (d.v[i] + d.v_end[i]) / 2);
    add(-actuator);
    balance.left[i] -= total_[i], balance.sizes[i] += total_size_[i];
    judgeTorque(i, actuator);
    balance.sprung = balance.sprung || joint.stiffness > 0;
    Real& diagonal = M(i, i);
    diagonal += d.kick[i] * joint.damping / 2;
    if (joint.nv == 1 && !saturated_[i]) diagonal += d.kick[i] * (joint.kd + d.h * joint.kp);
  }
  // the simulator knows the arm of a contact as well as doubles know where it is in the world; only what moves a body that is
  // pushed feels it
  for (const Push& push : pushes_) {
    if (push.kind != Push::kContact) continue;
    const Real moment = norm({push.impulse[0], push.impulse[1], push.impulse[2]}) * push.touch.size;
    for (const int body : {push.pair.body_1, push.pair.body_2}) {
      if (body == kWorldBody) continue;
      for (const int j : world_.bodies[body].chain)
        balance.sizes[j] += kPositionFloor / kImpulseFloor * moment * norm(d.start.columns[j].axis);
    }
  }
  mass_.emplace(world_, M);
  return balance;
}

/// What is missing, as velocities: of every tree with the springs of whichever of the two rules misses less.
Reals SubstepJudge::missedVelocity(const Balance& balance) const {
  const auto missedWith = [&](bool stiff) {
    Reals total = balance.left;
    const Reals spring = springImpulse(stiff);
    for (int i = 0; i < world_.nv; ++i) total[i] -= spring[i];
    return mass_->solve(total);
  };
  const auto largestOf = [&](const Reals& velocity, int tree) {
    Real largest = 0;
    for (const int i : world_.tree_freedoms[tree])
      largest = std::isnan(velocity[i]) ? velocity[i] : std::max(largest, std::fabs(velocity[i]));
    return largest;
  };
  Reals missed = missedWith(false);
  if (!balance.sprung) return missed;
  const Reals stiff = missedWith(true);
  for (int tree = 0; tree < world_.trees; ++tree)
    if (largestOf(stiff, tree) < largestOf(missed, tree))
      for (const int i : world_.tree_freedoms[tree]) missed[i] = stiff[i];
  return missed;
}

void SubstepJudge::judgeBalance() {
  const int nv = world_.nv;
  const Balance balance = addUpBalance();
  const Reals missed = missedVelocity(balance);
  for (int i = 0; i < nv; ++i) {
    if (world_.maximal && !data_->momentum.known[world_.tree[i]]) continue;
    const Real relative = std::fabs(missed[i]) / balance.speed;
    Real limit = kBalance * world_.accuracy;
    if (relative > limit) {  // a rounding floor, only looked for where it is needed
      Row unit;
      for (const int j : world_.tree_freedoms[world_.tree[i]]) unit.emplace_back(j, i == j ? 1 : 0);
      Real floor = 0;
      for (const auto& [j, value] : mass_->solve(unit)) floor += std::fabs(value) * balance.sizes[j];
      limit += std::min(kImpulseFloor * kEps * floor / balance.speed, kFloorCeiling);
    }
    findings_.check(relative, limit, &VerifyWorst::momentum,
                    [&] { return fmt::format("momentum balance of \"{}\"", world_.freedom[i]); });
  }
}

/// Stepper maximal: M(q) v of the node that a tree's step begins with is the momentum there, P less the part h/2κ of what was added. In no
/// time it is the velocity of one of both ends (nodes.h).
void SubstepJudge::judgeNode() {
  const SubstepData& d = *data_;
  if (!world_.maximal || !(d.h > 0)) return;
  std::optional<TreeCholesky> mass;  // of the start, once a floor is looked for
  for (int i = 0; i < world_.nv; ++i) {
    const int tree = world_.tree[i];
    if (!d.first[tree] || !d.momentum.known[tree] || world_.prescribed[tree]) continue;
    const Real v_begin = d.momentum.v_begin[i], v_end = d.momentum.v_end[i];
    const Real node = v_end - d.h / (2 * d.kick[i]) * (v_end - v_begin);
    const Real missed = std::fabs(node - Real(r_.v[d.step * r_.nv + i]));
    Real speed = r_.dt;
    for (const int j : world_.tree_freedoms[tree]) speed = std::max({speed, std::fabs(d.v[j]), std::fabs(d.v_end[j])});
    Real limit = world_.accuracy * speed;
    if (missed > limit) {  // a rounding floor, only looked for where it is needed
      Row unit;
      for (const int j : world_.tree_freedoms[tree]) unit.emplace_back(j, i == j ? 1 : 0);
      if (!mass) mass.emplace(world_, massMatrix(world_, d.start));
      Real floor = 0;
      for (const auto& [j, value] : mass->solve(unit))
        floor += std::fabs(value) * (d.momentum.sizes[j] + total_size_[j]);
      limit += std::min(kImpulseFloor * kEps * floor, kFloorCeiling * speed);
    }
    findings_.check(missed, limit, nullptr, [&] { return fmt::format("node velocity of \"{}\"", world_.freedom[i]); });
  }
}

}  // namespace rigor::verify
