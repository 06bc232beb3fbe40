// Arms for inverse kinematics, and what can be said about their solutions without it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/random_tree.h"
#include "rigor/algorithms.h"
#include "rigor/inverse_kinematics.h"

namespace rigor {

/// Hinges about z; each link lies along x of its own frame.
inline void addPlanarLinks(ModelBuilder& builder, const std::vector<double>& lengths, std::optional<Range> range) {
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    BodySpec link;
    link.name = "link_" + std::to_string(i);
    link.parent = static_cast<int>(i) - 1;
    link.joint.name = "joint_" + std::to_string(i);
    link.joint.type = kHinge;
    if (i > 0) link.joint.X_PJ.position = {lengths[i - 1], 0.0, 0.0};
    if (i > 0) link.joint.range = range;
    link.mass = {1.0, {0.5 * lengths[i], 0.0, 0.0}, 0.01 * Eigen::Matrix3d::Identity()};
    builder.addBody(link);
  }
}

/// `range`: of all joints but the first.
inline Model planarArm(const std::vector<double>& lengths, std::optional<Range> range = {}) {
  ModelBuilder builder;
  addPlanarLinks(builder, lengths, range);
  return builder.build();
}

/// The end of the last link at (x, y).
inline IkTask tipAt(const Model& arm, double x, double y) {
  IkTask task;
  task.body = arm.bodyCount() - 1;
  // links are twice as long as their centres of mass lie out
  task.X_BF.position = 2.0 * arm.body(task.body).mass.com;
  task.target.position = {x, y, 0.0};
  return task;
}

inline Model a1Leg(double outward, double length) {
  ModelBuilder builder;
  const Eigen::Vector3d axes[] = {Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitY()};
  const Eigen::Vector3d places[] = {{0.0, 0.0, 0.0}, {0.0, outward, 0.0}, {0.0, 0.0, -length}};
  const Range ranges[] = {{-0.80285, 0.80285}, {-1.0472, 4.18879}, {-2.69653, -0.916298}};
  for (int i = 0; i < 3; ++i) {
    BodySpec link;
    link.parent = i - 1;
    link.joint.type = kHinge;
    link.joint.axis = axes[i];
    link.joint.X_PJ.position = places[i];
    link.joint.range = ranges[i];
    link.mass = {1.0, {0.0, 0.0, -0.1}, 0.01 * Eigen::Matrix3d::Identity()};
    builder.addBody(link);
  }
  return builder.build();
}

/// Hinges about random axes, each with the range ±`limit`.
inline Model spatialArm(Random& random, int links, double limit) {
  ModelBuilder builder;
  for (int i = 0; i < links; ++i) {
    BodySpec link;
    link.parent = i - 1;
    link.joint.type = kHinge;
    link.joint.axis = random.rotation() * Eigen::Vector3d::UnitZ();
    if (i > 0) link.joint.X_PJ.position = {0.3, 0.0, 0.1};
    link.joint.range = Range{-limit, limit};
    link.mass = {1.0 + i, random.vector(0.2), 0.1 * Eigen::Matrix3d::Identity()};
    builder.addBody(link);
  }
  return builder.build();
}

/// ½ Σ w²|e|² by the public algorithms.
inline double slowCost(const Model& model, const std::vector<IkTask>& tasks, const Eigen::VectorXd& q) {
  Data data(model);
  double cost = 0.0;
  for (const IkTask& task : tasks) {
    const Eigen::Isometry3d X = framePlacement(model, data, q, task.body);
    const Eigen::Vector3d off = X * task.X_BF.position - task.target.position;
    cost += 0.5 * task.weight * task.weight * off.squaredNorm();
    if (task.goal != IkGoal::kPose) continue;
    const Eigen::AngleAxisd turn(Eigen::Matrix3d(X.linear() * task.X_BF.rotation.toRotationMatrix() *
                                                 task.target.rotation.toRotationMatrix().transpose()));
    cost += 0.5 * std::pow(task.weight * task.metres_per_rad * turn.angle(), 2);
  }
  return cost;
}

/// The most that the cost changes downwards if one joint moves by ±step within its range; not below −∞, 0 if all get worse.
inline double gainOfSmallMoves(const Model& model, const std::vector<IkTask>& tasks, const Eigen::VectorXd& q,
                               double step) {
  const double here = slowCost(model, tasks, q);
  double gain = 0.0;
  for (const ModelJoint& joint : model.joints())
    for (const double move : {-step, step}) {
      Eigen::VectorXd moved = q;
      moved[joint.q_index] = std::clamp(moved[joint.q_index] + move, joint.spec.range->lower, joint.spec.range->upper);
      gain = std::min(gain, slowCost(model, tasks, moved) - here);
    }
  return gain;
}

/// Distance of the first elbow of a planar arm of three links at shoulder angle `a` from its target, infinite where the
/// other two links cannot hold the tip.
inline double elbowCost(const std::vector<double>& l, const Eigen::Vector3d& tip, const Eigen::Vector3d& target,
                        double a) {
  const Eigen::Vector3d elbow(l[0] * std::cos(a), l[0] * std::sin(a), 0.0);
  constexpr double kSlack = 1e-11;  // straight within the tolerance of the tip
  const double rest = (tip - elbow).norm();
  if (rest > l[1] + l[2] + kSlack || rest < std::abs(l[1] - l[2]) - kSlack)
    return std::numeric_limits<double>::infinity();
  return (elbow - target).norm();
}

inline double nearestElbow(const std::vector<double>& l, const Eigen::Vector3d& tip, const Eigen::Vector3d& target) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 200000; ++i) best = std::min(best, elbowCost(l, tip, target, i * 1e-5 * M_PI));
  return best;
}

/// Whether no small turn of the shoulder that keeps the tip brings the elbow nearer.
inline bool isStationaryElbow(const std::vector<double>& l, const Eigen::Vector3d& tip, const Eigen::Vector3d& target,
                              double a) {
  const double here = elbowCost(l, tip, target, a), step = 1e-4;
  const double allowed = std::isfinite(here) ? 1e-8 : 0.0;
  return elbowCost(l, tip, target, a - step) >= here - allowed && elbowCost(l, tip, target, a + step) >= here - allowed;
}

}  // namespace rigor
