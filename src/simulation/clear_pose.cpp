#include "simulation/clear_pose.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/parameters.h"
#include "simulation/joint_reach.h"
#include "stepping/start_overlaps.h"

namespace rigor {
namespace {

constexpr int kPlaces = 64;          // that a joint is tried at, across its reach
constexpr int kScattered = 2000;     // poses tried where no single joint helps
constexpr double kHeavy = 0.25;      // part of the mass: arms are bent, not the trunk that stands on its feet
constexpr double kClearance = 1e-3;  // [m] a pair that was freed does not touch at once

/// A joint elsewhere.
struct Move {
  int joint = 0;
  double to = 0.0;
  int freed = 0;          ///< pairs
  double part = 0.0;      ///< of the joint's reach that it goes
  bool is_heavy = false;  ///< it carries much of the robot along

  bool isBetterThan(const Move& other) const {
    if (is_heavy != other.is_heavy) return other.is_heavy;
    return freed != other.freed ? freed > other.freed : part < other.part - 1e-12;
  }
};

/// Of the mass of its tree, the part that hangs on a joint.
double carriedPart(const Model& model, int joint) {
  const Topology& topology = model.topology();
  std::vector<bool> carried(topology.links, false);
  double moved = 0.0, all = 0.0;
  for (int link = 0; link < topology.links; ++link) {
    if (topology.tree[link] != topology.tree[joint]) continue;
    carried[link] = link == joint || (topology.parent[link] >= 0 && carried[topology.parent[link]]);
    const double mass = model.parameters().inertia[link].mass;
    all += mass;
    if (carried[link]) moved += mass;
  }
  return moved / all;
}

class PoseSearch {
 public:
  PoseSearch(const Model& model, const Eigen::VectorXd& q)
      : model_(model), finder_(model, listOwnPairs(model)), q_(q), start_(q) {
    finder_.moveTo(q_);
    overlapping_ = finder_.overlappingPairs();
    causes_ = finder_.overlaps();
    if (overlapping_.empty()) return;
    for (const auto& [a, b] : finder_.pairs())
      between_.push_back(jointsBetween(model, model.shapes()[a].body, model.shapes()[b].body));
  }

  ClearPose run();

 private:
  bool moves(int joint, int pair) const {
    return std::find(between_[pair].begin(), between_[pair].end(), joint) != between_[pair].end();
  }
  Eigen::VectorXd with(int joint, double value) const {
    Eigen::VectorXd q = q_;
    q[model_.joints()[joint].q_index] = value;
    followLeaders(model_, q);
    return q;
  }
  int countFreed(const std::vector<int>& pairs);
  bool addsNone(const std::vector<int>& joints);
  std::optional<Move> bestPlace(int joint);
  bool moveOneJoint();
  bool scatter();
  void take(const Eigen::VectorXd& q);

  const Model& model_;
  OverlapFinder finder_;
  Eigen::VectorXd q_, start_;
  std::vector<std::vector<int>> between_;  ///< [pairs] joints that move one against the other
  std::vector<int> overlapping_;           ///< pairs, at q_
  std::vector<ShapeOverlap> causes_;       ///< at the start, deepest first
};

/// How many of these pairs are clear where the finder is.
int PoseSearch::countFreed(const std::vector<int>& pairs) {
  int freed = 0;
  for (const int pair : pairs) freed += finder_.distance(pair, kClearance) >= kClearance;
  return freed;
}

/// True if no pair overlaps where the finder is that did not at q_, where only these joints were elsewhere.
bool PoseSearch::addsNone(const std::vector<int>& joints) {
  const auto isMoved = [&](int pair) {
    return std::any_of(joints.begin(), joints.end(), [&](int joint) { return moves(joint, pair); });
  };
  for (int pair = 0; pair < static_cast<int>(finder_.pairs().size()); ++pair)
    if (isMoved(pair) && !std::binary_search(overlapping_.begin(), overlapping_.end(), pair) &&
        finder_.distance(pair, 0.0) < -kIgnoredOverlap)
      return false;
  return true;
}

/// The nearest place of a joint that frees most pairs, if any does.
std::optional<Move> PoseSearch::bestPlace(int joint) {
  const Range reach = reachOf(model_, joint);
  const double span = reach.upper - reach.lower, here = q_[model_.joints()[joint].q_index];
  std::vector<int> pairs;  // that it can free
  for (const int pair : overlapping_)
    if (moves(joint, pair)) pairs.push_back(pair);
  std::optional<Move> best;
  const auto freed = [&] { return best ? best->freed : 0; };
  for (int k = 1; k <= kPlaces && freed() < static_cast<int>(pairs.size()); ++k)
    for (const double side : {1.0, -1.0}) {
      const double to = here + side * span * k / kPlaces;
      if (to > reach.upper || to < reach.lower) continue;
      finder_.moveTo(with(joint, to));
      const Move move{joint, to, countFreed(pairs), static_cast<double>(k) / kPlaces,
                      carriedPart(model_, joint) > kHeavy};
      if (move.freed > freed() && addsNone({joint})) best = move;
    }
  return best;
}

void PoseSearch::take(const Eigen::VectorXd& q) {
  q_ = q;
  finder_.moveTo(q_);
  overlapping_ = finder_.overlappingPairs();
}

bool PoseSearch::moveOneJoint() {
  std::vector<int> joints;
  for (const int pair : overlapping_) joints.insert(joints.end(), between_[pair].begin(), between_[pair].end());
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  std::optional<Move> best;
  for (const int joint : joints)
    if (const std::optional<Move> move = bestPlace(joint); move && (!best || move->isBetterThan(*best))) best = move;
  if (best) take(with(best->joint, best->to));
  return best.has_value();
}

/// Some pose of the joints between one pair that frees it and adds nothing.
bool PoseSearch::scatter() {
  for (const int pair : overlapping_) {
    const std::vector<int>& joints = between_[pair];
    for (int number = 0; number < kScattered && joints.size() > 1; ++number) {
      Eigen::VectorXd q = q_;
      scatterJoints(model_, joints, number, q);
      finder_.moveTo(q);
      if (finder_.distance(pair, kClearance) < kClearance || !addsNone(joints)) continue;
      take(q);
      return true;
    }
  }
  return false;
}

ClearPose PoseSearch::run() {
  while (!overlapping_.empty() && (moveOneJoint() || scatter())) {
  }
  finder_.moveTo(q_);
  ClearPose found{q_, {}, finder_.overlaps()};
  for (int joint = 0; joint < static_cast<int>(model_.joints().size()); ++joint) {
    const ModelJoint& moved = model_.joints()[joint];
    if (moved.spec.mimic || q_[moved.q_index] == start_[moved.q_index]) continue;
    MovedJoint entry{joint, start_[moved.q_index], q_[moved.q_index], {}};
    for (const ShapeOverlap& cause : causes_) {
      const std::vector<int> between =
          jointsBetween(model_, model_.shapes()[cause.shape_1].body, model_.shapes()[cause.shape_2].body);
      if (std::find(between.begin(), between.end(), joint) == between.end()) continue;
      entry.cause = cause;
      break;
    }
    found.moved.push_back(entry);
  }
  return found;
}

}  // namespace

ClearPose findClearPose(const Model& model, const Eigen::VectorXd& q) { return PoseSearch(model, q).run(); }

}  // namespace rigor
