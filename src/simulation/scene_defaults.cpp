#include "simulation/scene_defaults.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include "dynamics/poses.h"

namespace rigor {
namespace {

constexpr double kHoldFrequency = 2.0 * std::numbers::pi * 5.0;  // [rad/s]

}  // namespace

HoldSpec makeDefaultHold(const Model& model, int joint, const Eigen::VectorXd& q, double inertia) {
  assert(velocityCount(model.joints()[joint].spec.type) == 1 && "only joints with one freedom can be held");
  HoldSpec hold;
  hold.joint = joint;
  hold.kp = inertia * kHoldFrequency * kHoldFrequency;
  hold.kd = 2.0 * std::sqrt(hold.kp * inertia);
  hold.target = q[model.joints()[joint].q_index];
  hold.effort = model.joints()[joint].spec.effort;
  return hold;
}

void followCouplings(const Model& model, const std::set<std::string>& named, Eigen::VectorXd& q, Eigen::VectorXd& v) {
  // a follower may lead another: as many rounds as there are couplings reach the last one, mostly one does
  bool moved = true;
  for (std::size_t round = 0; round < model.loops().size() && moved; ++round) {
    moved = false;
    for (const LoopSpec& loop : model.loops()) {
      if (loop.kind != LoopKind::kJoint || named.count(loop.joint_1)) continue;
      assert(model.findJoint(loop.joint_1) >= 0 && model.findJoint(loop.joint_2) >= 0 &&
             "the builder lets no coupling name a joint that is not there");
      const ModelJoint& follower = model.joints()[model.findJoint(loop.joint_1)];
      const ModelJoint& leader = model.joints()[model.findJoint(loop.joint_2)];
      const double x = q[leader.q_index];
      double value = 0.0, slope = 0.0;
      for (int k = 4; k >= 0; --k) {
        slope = slope * x + value;
        value = value * x + loop.coefficients[k];
      }
      const double speed = slope * v[leader.v_index];
      moved = moved || q[follower.q_index] != value || v[follower.v_index] != speed;
      q[follower.q_index] = value;
      v[follower.v_index] = speed;
    }
  }
}

}  // namespace rigor
