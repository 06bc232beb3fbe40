#include "squeezed.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rigor/algorithms.h"
#include "rigor/collide.h"

namespace rigor::app {
namespace {

constexpr double kTowards = 1e-6;   // [m/s] less is the rounding of a motion along a surface
constexpr double kOpposed = 0.7;    // cosine: between sides that are more oblique a body escapes
constexpr double kTouching = 1e-6;  // [m]

/// Shapes with their poses and velocities now.
class Shapes {
 public:
  explicit Shapes(const Simulator& simulator)
      : model_(simulator.scene().model), shapes_(model_.shapes()), dt_(simulator.scene().dt) {
    const State& state = simulator.state();
    Data data(model_);
    const std::vector<Eigen::Isometry3d> X_WB = forwardKinematics(model_, data, state.q);
    for (std::size_t body = 0; body < X_WB.size(); ++body) {
      pose_.push_back({X_WB[body].translation(), Eigen::Quaterniond(X_WB[body].linear())});
      velocity_.push_back(frameVelocity(model_, data, state.q, state.v, static_cast<int>(body)));
    }
  }

  int count() const { return static_cast<int>(shapes_.size()); }
  bool isKinematic(int shape) const { return bodyOf(shape) != kWorld && model_.body(bodyOf(shape)).kinematic; }
  bool isPushed(int shape) const { return bodyOf(shape) != kWorld && !isKinematic(shape); }
  std::string nameOf(int shape) const {
    return shapes_[shape].name.empty() ? "the world" : '"' + shapes_[shape].name + '"';
  }

  /// From a to b, if what moves them towards each other may close their gap within about a step.
  std::optional<Collision> findNear(int a, int b) const {
    if (a == b || !model_.mayCollide(a, b) || !canCollide(shapes_[a].shape.kind, shapes_[b].shape.kind)) return {};
    Collision found = collide(shapes_[a].shape, poseOf(a), shapes_[b].shape, poseOf(b), 0.0);
    const double closing = found.normal.dot(velocityAt(a, found.point_1) - velocityAt(b, found.point_2));
    // twice the way of a step: a motion may be faster in the next one
    if (!(found.distance < kTouching + 2.0 * dt_ * std::max(closing, 0.0))) return {};
    return found;
  }

  /// Of the material of a shape at a point of the world [m/s].
  Eigen::Vector3d velocityAt(int shape, const Eigen::Vector3d& point) const {
    if (bodyOf(shape) == kWorld) return Eigen::Vector3d::Zero();
    const Vector6d& velocity = velocity_[bodyOf(shape)];
    return velocity.head<3>() + velocity.tail<3>().cross(point - pose_[bodyOf(shape)].position);
  }

 private:
  int bodyOf(int shape) const { return shapes_[shape].body; }
  Pose poseOf(int shape) const {
    return bodyOf(shape) == kWorld ? shapes_[shape].X_BS : pose_[bodyOf(shape)] * shapes_[shape].X_BS;
  }

  const Model& model_;
  const std::vector<ModelShape>& shapes_;
  double dt_;
  std::vector<Pose> pose_;          // [bodies] X_WB
  std::vector<Vector6d> velocity_;  // [bodies] of their origins, linear first, in world axes
};

}  // namespace

std::optional<Squeezed> findSqueezed(const Simulator& simulator) {
  const Shapes shapes(simulator);
  for (int by = 0; by < shapes.count(); ++by)
    for (int body = 0; shapes.isKinematic(by) && body < shapes.count(); ++body) {
      if (!shapes.isPushed(body)) continue;
      const std::optional<Collision> push = shapes.findNear(by, body);
      if (!push || push->normal.dot(shapes.velocityAt(by, push->point_1)) < kTowards) continue;
      for (int against = 0; against < shapes.count(); ++against) {
        const std::optional<Collision> stop = against == by ? std::nullopt : shapes.findNear(body, against);
        if (stop && stop->normal.dot(push->normal) > kOpposed)
          return Squeezed{shapes.nameOf(by), shapes.nameOf(body), shapes.nameOf(against)};
      }
    }
  return {};
}

}  // namespace rigor::app
