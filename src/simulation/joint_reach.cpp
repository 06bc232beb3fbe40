#include "simulation/joint_reach.h"

#include <algorithm>
#include <numbers>

#include "simulation/scene_defaults.h"

namespace rigor {
namespace {

/// A body and all that it hangs on.
std::vector<bool> chainOf(const Model& model, int body) {
  std::vector<bool> chain(model.bodyCount(), false);
  for (; body != kWorld; body = model.body(body).parent) chain[body] = true;
  return chain;
}

/// Splitmix64: a number into one that looks like chance, the same on every machine.
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

Range ownReach(const JointSpec& joint) {
  const bool slides = joint.type.translation != Translation::kNone;
  if (!joint.range) return slides ? Range{-1.0, 1.0} : Range{-std::numbers::pi, std::numbers::pi};
  const double turn = slides ? 1e3 : 2.0 * std::numbers::pi;  // "no limit" is often written as ±1e10
  return {std::max(joint.range->lower, std::min(-turn, joint.range->upper)),
          std::min(joint.range->upper, std::max(turn, joint.range->lower))};
}

}  // namespace

std::vector<int> jointsBetween(const Model& model, int body_1, int body_2) {
  const std::vector<bool> one = chainOf(model, body_1), two = chainOf(model, body_2);
  std::vector<int> between;
  for (int joint = 0; joint < static_cast<int>(model.joints().size()); ++joint) {
    const ModelJoint& candidate = model.joints()[joint];
    const bool moves_one = one[candidate.body], moves_two = two[candidate.body];
    if (moves_one != moves_two && velocityCount(candidate.spec.type) == 1 && !candidate.spec.mimic)
      between.push_back(joint);
    // a follower moves with the joint that leads it
    if (moves_one == moves_two || !candidate.spec.mimic) continue;
    const int leader = model.findJoint(candidate.spec.mimic->joint);
    if (std::find(between.begin(), between.end(), leader) == between.end()) between.push_back(leader);
  }
  return between;
}

bool haveWideJoints(const Model& model, int body_1, int body_2) {
  const std::vector<bool> one = chainOf(model, body_1), two = chainOf(model, body_2);
  return std::any_of(model.joints().begin(), model.joints().end(), [&](const ModelJoint& joint) {
    return one[joint.body] != two[joint.body] && velocityCount(joint.spec.type) > 1;
  });
}

Range reachOf(const Model& model, int joint) {
  Range reach = ownReach(model.joints()[joint].spec);
  for (const ModelJoint& other : model.joints()) {
    const auto& mimic = other.spec.mimic;
    if (!mimic || !other.spec.range || mimic->multiplier == 0.0 || model.findJoint(mimic->joint) != joint) continue;
    const double a = (other.spec.range->lower - mimic->offset) / mimic->multiplier;
    const double b = (other.spec.range->upper - mimic->offset) / mimic->multiplier;
    const Range both{std::max(reach.lower, std::min(a, b)), std::min(reach.upper, std::max(a, b))};
    if (both.lower < both.upper) reach = both;
  }
  return reach;
}

void followLeaders(const Model& model, Eigen::VectorXd& q) {
  if (model.loops().empty()) return;
  Eigen::VectorXd still = Eigen::VectorXd::Zero(model.nv());
  followCouplings(model, {}, q, still);
}

void scatterJoints(const Model& model, const std::vector<int>& joints, std::uint64_t number, Eigen::VectorXd& q) {
  for (const int joint : joints) {
    const ModelJoint& moved = model.joints()[joint];
    const Range reach = reachOf(model, joint);
    const double chance = static_cast<double>(scramble(number * 1000003 + joint) >> 11) * 0x1p-53;  // [0, 1)
    q[moved.q_index] = reach.lower + chance * (reach.upper - reach.lower);
  }
  followLeaders(model, q);
}

}  // namespace rigor
