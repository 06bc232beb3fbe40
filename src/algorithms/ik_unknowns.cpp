#include "algorithms/ik_unknowns.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/topology.h"

namespace rigor {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// The joint that a joint follows in the end, q = factor·q_leader + offset; itself if it follows none.
struct Leader {
  int joint;
  double factor = 1.0, offset = 0.0;
};
Leader findLeader(const Model& model, int joint) {
  Leader leader{joint};
  // a model is built only if mimicking ends somewhere
  while (const auto& mimic = model.joints()[leader.joint].spec.mimic) {
    leader.offset += leader.factor * mimic->offset;
    leader.factor *= mimic->multiplier;
    leader.joint = model.findJoint(mimic->joint);
  }
  return leader;
}

}  // namespace

IkUnknowns::IkUnknowns(const Model& model, const std::vector<int>& held, bool limits)
    : of_dof(model.nv(), -1), factor(model.nv(), 1.0) {
  const int joints = static_cast<int>(model.joints().size());
  for (const int joint : held)
    if (joint < 0 || joint >= joints)
      throw Error(fmt::format("there is no joint {} to hold, the model has {}", joint, joints),
                  "Use Model::findJoint.");
  std::vector<double> low, high;
  std::vector<int> first(joints, -1);  // unknown of each joint
  for (int i = 0; i < joints; ++i) {
    const ModelJoint& joint = model.joints()[i];
    if (joint.spec.mimic || std::find(held.begin(), held.end(), i) != held.end()) continue;
    const JointType type = joint.spec.type;
    const int straight = type.rotation == Rotation::kAll ? translationCount(type) : velocityCount(type);
    first[i] = count;
    for (int k = 0; k < velocityCount(type); ++k, ++count) {
      of_dof[joint.v_index + k] = count;
      q_index.push_back(k < straight ? joint.q_index + k : -1);
      const Range range = limits && joint.spec.range ? *joint.spec.range : Range{-kFar, kFar};
      low.push_back(range.lower), high.push_back(range.upper);
      turns.push_back(k >= translationCount(type) && k < straight);
    }
  }
  for (int i = 0; i < joints; ++i) {
    const ModelJoint& joint = model.joints()[i];
    if (!joint.spec.mimic) continue;
    const Leader leader = findLeader(model, i);
    followers_.push_back({joint.q_index, model.joints()[leader.joint].q_index, leader.factor, leader.offset});
    const int unknown = first[leader.joint];
    if (unknown < 0) continue;
    of_dof[joint.v_index] = unknown;
    factor[joint.v_index] = leader.factor;
    if (!limits || !joint.spec.range || leader.factor == 0.0) continue;
    double a = (joint.spec.range->lower - leader.offset) / leader.factor;
    double b = (joint.spec.range->upper - leader.offset) / leader.factor;
    if (a > b) std::swap(a, b);
    low[unknown] = std::min(std::max(low[unknown], a), high[unknown]);
    high[unknown] = std::max(std::min(high[unknown], b), low[unknown]);
  }
  lower = Eigen::Map<Eigen::VectorXd>(low.data(), count);
  upper = Eigen::Map<Eigen::VectorXd>(high.data(), count);
}

void IkUnknowns::tidy(Eigen::VectorXd& q) const {
  for (int u = 0; u < count; ++u)
    if (q_index[u] >= 0) q[q_index[u]] = std::clamp(q[q_index[u]], lower[u], upper[u]);
  for (const Follower& follower : followers_)
    q[follower.q_index] = follower.factor * q[follower.unknown_q_index] + follower.offset;
}

void IkUnknowns::expand(const Eigen::VectorXd& step, Eigen::VectorXd& v) const {
  for (std::size_t j = 0; j < of_dof.size(); ++j) v[j] = of_dof[j] < 0 ? 0.0 : factor[j] * step[of_dof[j]];
}

}  // namespace rigor
