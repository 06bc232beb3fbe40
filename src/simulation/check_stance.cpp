// Whether a free robot stands on what it stands on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dynamics/poses.h"
#include "geometry/convert.h"
#include "model/parameters.h"
#include "simulation/checks.h"
#include "simulation/lowest_point.h"

namespace rigor {
namespace {

constexpr int kDirections = 64;
constexpr double kTilt = 0.02;       // of a direction downwards, so that it finds the far end of what lies level
constexpr double kNearFloor = 0.05;  // of the height of the robot: what reaches that low is taken to stand
constexpr double kDrop = 0.06;       // [m] bare models start 5 cm above their floor
constexpr double kOutside = 0.01;    // of the height: less is a matter of how the joints give

struct Stance {
  Eigen::Vector3d weighted = Eigen::Vector3d::Zero();  ///< Σ m c
  double mass = 0.0, lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  Eigen::Vector3d foot = Eigen::Vector3d::Zero();  ///< a point that is lowest
  bool has_joints = false;
};

/// [trees] of free robots.
std::vector<Stance> findStances(const Scene& scene, const std::vector<Pose>& poses) {
  const Model& model = scene.model;
  const Topology& topology = model.topology();
  std::vector<Stance> stances(topology.trees);
  for (int body = 0; body < model.bodyCount(); ++body) {
    const int link = model.placements()[body].link;
    if (link < 0) continue;
    Stance& stance = stances[topology.tree[link]];
    const MassProperties& mass = model.body(body).mass;
    stance.weighted += mass.mass * (poses[body] * mass.com);
    stance.mass += mass.mass;
    stance.has_joints = stance.has_joints || topology.tree_root[topology.tree[link]] != link;
  }
  for (const ModelShape& shape : model.shapes()) {
    const int link = shape.body == kWorld ? kWorld : model.placements()[shape.body].link;
    if (link < 0) continue;
    Stance& stance = stances[topology.tree[link]];
    const Pose X_WS = poses[shape.body] * shape.X_BS;
    const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
    const Eigen::Vector3d foot = X_WS.position + farthestPoint(shape.shape, X_WS.rotation, -up);
    if (foot.z() < stance.lowest) stance.foot = foot, stance.lowest = foot.z();
    stance.highest = std::max(stance.highest, (X_WS.position + farthestPoint(shape.shape, X_WS.rotation, up)).z());
  }
  return stances;
}

/// True if something that does not move may carry the robot: a plane at its lowest point, or a shape that ends near its height.
bool standsOnSomething(const Scene& scene, const std::vector<Pose>& poses, const Stance& stance) {
  const Model& model = scene.model;
  const double near = kNearFloor * (stance.highest - stance.lowest) + kDrop;
  return std::any_of(model.shapes().begin(), model.shapes().end(), [&](const ModelShape& shape) {
    if (shape.body != kWorld && model.placements()[shape.body].link >= 0) return false;
    const Pose X_WS = shape.body == kWorld ? shape.X_BS : poses[shape.body] * shape.X_BS;
    if (shape.shape.kind == ShapeKind::kHeightField) return true;
    const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
    if (shape.shape.kind == ShapeKind::kPlane)
      return std::fabs((X_WS.rotation * up).dot(stance.foot - X_WS.position)) <= near;
    const double top = X_WS.position.z() + farthestPoint(shape.shape, X_WS.rotation, up).z();
    return std::fabs(top - stance.lowest) <= near;
  });
}

/// How far the centre of mass lies beyond every point near the floor, in the horizontal direction in which that is most [m].
/// Positive: nothing below can hold it, since the floor only pushes up within what stands on it.
double distanceOutside(const Scene& scene, const std::vector<Pose>& poses, int tree, const Stance& stance) {
  const Model& model = scene.model;
  const double low_enough = stance.lowest + kNearFloor * (stance.highest - stance.lowest);
  const Eigen::Vector3d com = stance.weighted / stance.mass;
  double most = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < kDirections; ++k) {
    const double azimuth = 2.0 * std::numbers::pi * k / kDirections;
    const Eigen::Vector3d away(std::cos(azimuth), std::sin(azimuth), 0.0);
    double reach = -std::numeric_limits<double>::infinity();
    for (const ModelShape& shape : model.shapes()) {
      const int link = shape.body == kWorld ? kWorld : model.placements()[shape.body].link;
      if (link < 0 || model.topology().tree[link] != tree) continue;
      const Pose X_WS = poses[shape.body] * shape.X_BS;
      const Eigen::Vector3d down = (kTilt * away - Eigen::Vector3d::UnitZ()).normalized();
      const Eigen::Vector3d point = X_WS.position + farthestPoint(shape.shape, X_WS.rotation, down);
      if (point.z() <= low_enough) reach = std::max(reach, away.dot(point));
    }
    most = std::max(most, away.dot(com) - reach);
  }
  return most;
}

}  // namespace

void checkStance(const Scene& scene, std::vector<Problem>& problems) {
  const Model& model = scene.model;
  const Topology& topology = model.topology();
  const Eigen::Vector3d g = model.gravity();
  if (!(g.z() < 0.0) || g.head<2>().norm() > 0.0) return;  // no floor to stand on, or a slope
  const std::vector<Pose> poses = bodyPoses(model, scene.q);
  const std::vector<Stance> stances = findStances(scene, poses);
  for (int tree = 0; tree < topology.trees; ++tree) {
    const Stance& stance = stances[tree];
    const double height = stance.highest - stance.lowest;
    const int root = topology.tree_root[tree];
    if (topology.joint[root] != kFree || !stance.has_joints || !(stance.mass > 0.0) || !(height > 0.0)) continue;
    if (!standsOnSomething(scene, poses, stance)) continue;  // it falls, flies or floats: that is what was asked for
    const double outside = distanceOutside(scene, poses, tree, stance);
    if (outside > kOutside * height)
      problems.push_back({"base", false, placeOfLink(model, root),
                          fmt::format("stands free with its centre of mass {:.2g} m beside all that it stands on: it "
                                      "falls over",
                                      outside),
                          "If it is an arm that is bolted down: --base fixed, in a scene base = \"fixed\". Else start "
                          "it in a pose that stands."});
  }
}

}  // namespace rigor
