#include "simulation/feet.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/poses.h"
#include "model/topology.h"
#include "rigor/algorithms.h"
#include "simulation/lowest_point.h"

namespace rigor {
namespace {

constexpr double kNearGround = 0.1;  // of the height of the robot: what reaches that low will stand

struct LowPoint {
  int body = 0;
  Eigen::Vector3d p_W;
};

/// The lowest point of every body of a free tree that has shapes, by trees.
std::vector<std::vector<LowPoint>> lowPoints(const Model& model, const std::vector<Pose>& poses,
                                             std::vector<double>& highest) {
  const Topology& topology = model.topology();
  std::vector<std::vector<LowPoint>> points(topology.trees);
  highest.assign(topology.trees, -std::numeric_limits<double>::infinity());
  for (const ModelShape& shape : model.shapes()) {
    const int link = shape.body == kWorld ? kWorld : model.placements()[shape.body].link;
    if (link < 0 || !topology.free_base[link]) continue;
    const int tree = topology.tree[link];
    const Pose X_WS = poses[shape.body] * shape.X_BS;
    const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
    const Eigen::Vector3d low = X_WS.position + farthestPoint(shape.shape, X_WS.rotation, -up);
    highest[tree] = std::max(highest[tree], (X_WS.position + farthestPoint(shape.shape, X_WS.rotation, up)).z());
    std::vector<LowPoint>& known = points[tree];
    if (known.empty() || known.back().body != shape.body)
      known.push_back({shape.body, low});
    else if (low.z() < known.back().p_W.z())
      known.back().p_W = low;
  }
  return points;
}

bool hangsOn(const Model& model, int body, int ancestor) {
  while (body != kWorld && body != ancestor) body = model.body(body).parent;
  return body == ancestor;
}

/// Those that reach the ground, without what only carries another of them.
std::vector<LowPoint> feetOf(const Model& model, std::vector<LowPoint> points, double highest) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const LowPoint& point : points) lowest = std::min(lowest, point.p_W.z());
  std::erase_if(points, [&](const LowPoint& p) { return p.p_W.z() > lowest + kNearGround * (highest - lowest); });
  std::vector<LowPoint> feet;
  for (const LowPoint& point : points) {
    const auto carries = [&](const LowPoint& other) {
      return other.body != point.body && hangsOn(model, other.body, point.body);
    };
    if (std::none_of(points.begin(), points.end(), carries)) feet.push_back(point);
  }
  return feet;
}

/// Joints of one freedom between a foot and the root of its robot.
std::vector<int> jointsAbove(const Model& model, int body) {
  std::vector<int> joints;
  for (int joint = 0; joint < static_cast<int>(model.joints().size()); ++joint) {
    const ModelJoint& one = model.joints()[joint];
    if (velocityCount(one.spec.type) == 1 && !one.spec.mimic && hangsOn(model, body, one.body)) joints.push_back(joint);
  }
  return joints;
}

/// Brings a foot back over its place by the joints that are free to: least squares, in short moves.
void bringBack(const Model& model, const Foot& foot, const Eigen::Vector3d& place, const std::vector<int>& joints,
               Eigen::VectorXd& q) {
  constexpr int kMoves = 40;
  constexpr double kLongest = 0.2, kDamping = 1e-8;  // [rad or m]; [m²] against a leg that cannot
  Data data(model);
  for (int move = 0; move < kMoves; ++move) {
    const Eigen::Vector2d off = (place - bodyPoses(model, q)[foot.body] * foot.p_B).head<2>();
    if (off.norm() < 1e-9) return;
    const Matrix6Xd& J = getFrameJacobian(model, data, q, foot.body, foot.p_B);
    Eigen::Matrix2d A = kDamping * Eigen::Matrix2d::Identity();
    for (const int joint : joints) {
      const Eigen::Vector2d column = J.col(model.joints()[joint].v_index).head<2>();
      A += column * column.transpose();
    }
    const Eigen::Vector2d pull = A.inverse() * off;
    for (const int joint : joints) {
      const ModelJoint& one = model.joints()[joint];
      const double step = std::clamp(J.col(one.v_index).head<2>().dot(pull), -kLongest, kLongest);
      double& value = q[one.q_index];
      value += step;
      if (one.spec.range) value = std::clamp(value, one.spec.range->lower, one.spec.range->upper);
    }
  }
}

}  // namespace

std::vector<Foot> findFeet(const Model& model, const Eigen::VectorXd& q) {
  const std::vector<Pose> poses = bodyPoses(model, q);
  std::vector<double> highest;
  const std::vector<std::vector<LowPoint>> points = lowPoints(model, poses, highest);
  std::vector<Foot> feet;
  for (std::size_t tree = 0; tree < points.size(); ++tree)
    for (const LowPoint& low : feetOf(model, points[tree], highest[tree]))
      feet.push_back({low.body, static_cast<int>(tree),
                      poses[low.body].rotation.conjugate() * (low.p_W - poses[low.body].position)});
  return feet;
}

void keepFeetBelow(const Model& model, const Eigen::VectorXd& reference, Eigen::VectorXd& q) {
  const std::vector<Pose> before = bodyPoses(model, reference);
  for (const Foot& foot : findFeet(model, q)) {
    std::vector<int> free;
    const std::vector<int> joints = jointsAbove(model, foot.body);
    for (const int joint : joints)
      if (const int at = model.joints()[joint].q_index; q[at] == reference[at]) free.push_back(joint);
    if (free.size() < joints.size()) bringBack(model, foot, before[foot.body] * foot.p_B, free, q);
  }
}

}  // namespace rigor
