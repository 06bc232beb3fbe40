#include "verify/smooth_forces.h"

namespace rigor::verify {

void SmoothForces::begin(const SubstepData& data, const std::vector<Rub>& rubs) {
  step_ = data.step;
  rubs_ = rubs;
}

Real powerOnTold(const World& world, const Row& row, const Reals& v) {
  Real sum = 0;
  for (const auto& [j, value] : row)
    if (world.prescribed[world.tree[j]]) sum += value * v[j];
  return sum;
}

void SmoothForces::push(Account account, bool stores, const Row& row, Real force, const Reals& v, Reals& total,
                        Powers& powers) const {
  for (const auto& [j, value] : row) total[j] += force * value;
  if (!stores) powers[static_cast<int>(account)] += force * dot(row, v);
  powers[static_cast<int>(Account::kKinematic)] -= force * powerOnTold(world_, row, v);
}

Real SmoothForces::driveTorque(const Joint& joint, const Reals& q, const Reals& v) const {
  if (joint.drive < 0 || joint.nv != 1) return 0;
  const Real target = r_.ctrl[static_cast<std::size_t>(step_) * world_.drives + joint.drive];
  return std::clamp(joint.kp * (target - q[joint.q]) - joint.kd * v[joint.v], -joint.effort, joint.effort);
}

Real SmoothForces::springForce(const SpringPart& spring, bool damps, const Motion& pose, const Reals& v) const {
  if (!damps) return -spring.stiffness * computeStretch(spring, pose).x;
  const Row row = rowOn(world_, {treeOf(spring.body_1), treeOf(spring.body_2)},
                        [&](Reals& entries) { addSpringRow(world_, spring, true, pose, entries); });
  return -spring.damping * dot(row, v);
}

Row SmoothForces::alongFreedom(const FreedomPart& part, const Motion& pose) const {
  const Loop& loop = world_.loops[part.loop];
  return rowOn(world_, {treeOf(loop.body_1), treeOf(loop.body_2)},
               [&](Reals& row) { addSpringRow(world_, part.along, false, pose, row); });
}

Real SmoothForces::motorForce(const FreedomPart& part, const Motion& pose, const Reals& v) const {
  const LoopMotor& motor = world_.loops[part.loop].motor;
  const Real asked = motor.torque + motor.kp * (motor.target - computeFreedom(part, pose).x) -
                     motor.kd * dot(alongFreedom(part, pose), v);
  return motor.acts ? std::clamp(asked, -motor.effort, motor.effort) : 0;
}

void SmoothForces::addJoints(const Reals& q, const Reals& v, Reals& total, Powers& powers) const {
  const Reals way = stretch(world_, q);
  const auto add = [&](Account account, int j, Real force) {
    total[j] += force;
    powers[static_cast<int>(account)] += force * v[j];
  };
  for (const Body& body : world_.bodies)
    for (const Joint& joint : body.joints)
      for (int j = joint.v; j < joint.v + joint.nv; ++j) {
        if (!moves(j)) continue;
        total[j] -= joint.stiffness * way[j];
        add(Account::kTorques, j, r_.input_tau[static_cast<std::size_t>(step_) * world_.nv + j]);
        add(Account::kDampers, j, -joint.damping * v[j]);
        add(Account::kDrives, j, driveTorque(joint, q, v));
      }
  for (const Rub& rub : rubs_)
    if (rub.of_joint) add(Account::kJointFriction, rub.index, rub.force);
}

void SmoothForces::addWrenches(const Motion& moving, const Reals& v, Reals& total, Powers& powers) const {
  for (std::int64_t w = r_.wrench_start[step_]; w < r_.wrench_start[step_ + 1]; ++w) {
    const int body = r_.wrench_body[2 * w];
    Vec force = vectorAt(r_.wrench, 2 * w), torque = vectorAt(r_.wrench, 2 * w + 1);
    const Mat& R = moving.bodies[body].X.R;
    if (r_.wrench_body[2 * w + 1] == 1) force = R * force, torque = R * torque;
    const Vec centre = pointOf(moving, body, world_.bodies[body].com);
    const Row row = rowOn(world_, {treeOf(body)},
                          [&](Reals& entries) { addWrench(world_, moving, body, centre, force, torque, 1, entries); });
    for (const auto& [j, value] : row) {
      if (!moves(j)) continue;
      total[j] += value;
      powers[static_cast<int>(Account::kWrenches)] += value * v[j];
    }
  }
}

void SmoothForces::addTies(const Motion& moving, const Reals& v, Reals& total, Powers& powers) const {
  for (const SpringPart& spring : ties_.springs)
    for (const bool damps : {false, true}) {
      if ((damps ? spring.damping : spring.stiffness) == 0 || !computeStretch(spring, moving).has_line) continue;
      const Row row = rowOn(world_, {treeOf(spring.body_1), treeOf(spring.body_2)},
                            [&](Reals& entries) { addSpringRow(world_, spring, damps, moving, entries); });
      push(Account::kDampers, !damps, row, springForce(spring, damps, moving, v), v, total, powers);
    }
  for (const FreedomPart& part : ties_.freedoms)
    if (world_.loops[part.loop].motor.acts)
      push(Account::kDrives, false, alongFreedom(part, moving), motorForce(part, moving, v), v, total, powers);
  for (const Rub& rub : rubs_)
    if (!rub.of_joint)
      push(Account::kJointFriction, false, alongFreedom(ties_.freedoms[rub.index], moving), rub.force, v, total,
           powers);
}

Reals SmoothForces::at(const Reals& q, const Reals& v, const Motion& moving, Powers& powers) const {
  Reals total = biasForce(world_, moving);
  for (Real& force : total) force = -force;
  addJoints(q, v, total, powers);
  addWrenches(moving, v, total, powers);
  addTies(moving, v, total, powers);
  for (int j = 0; j < world_.nv; ++j)
    if (!moves(j)) total[j] = 0;
  return total;
}

}  // namespace rigor::verify
