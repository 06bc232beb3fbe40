#include "simulation/leg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/poses.h"
#include "geometry/convert.h"
#include "rigor/algorithms.h"
#include "simulation/lowest_point.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

int rootOf(const Model& model, int body) {
  while (model.body(body).parent != kWorld) body = model.body(body).parent;
  return body;
}

/// Middle of the lowest shape of a body, in the world.
Eigen::Vector3d lowestShape(const Scene& scene, int body, const Pose& X_WB) {
  double lowest = std::numeric_limits<double>::infinity();
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const ModelShape& shape : scene.model.shapes()) {
    if (shape.body != body) continue;
    const Pose X_WS = X_WB * shape.X_BS;
    const double low = X_WS.position.z() - depthBelowCentre(shape.shape, X_WS.rotation);
    if (low >= lowest) continue;
    lowest = low;
    middle = X_WS.position;
  }
  if (lowest == std::numeric_limits<double>::infinity())
    throw Error({scene.file, 0, fmt::format("foot \"{}\"", scene.model.body(body).name)}, "has no collision shape",
                "Name the links that touch the ground.");
  return middle;
}

bool slides(const LegJoint& joint) { return dot(joint.axis, joint.axis) == 0.0; }

/// R x of a turn about the axis (Rodrigues).
Vec turned(const Vec& axis, const SinCos<double>& turn, const Vec& x) {
  return turn.cos * x + turn.sin * cross(axis, x) + ((1.0 - turn.cos) * dot(axis, x)) * axis;
}

/// A⁻¹ b by cofactors; A is positive definite.
Vec solveSymmetric(const Sym3<double>& A, const Vec& b) {
  const Vec x{A.xx, A.xy, A.xz}, y{A.xy, A.yy, A.yz}, z{A.xz, A.yz, A.zz};
  const Vec yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
  return (1.0 / dot(x, yz)) * (b.x * yz + b.y * zx + b.z * xy);
}

}  // namespace

Leg::Leg(const Scene& scene, const std::vector<HoldSpec>& drives, int foot) {
  const Model& model = scene.model;
  base_ = rootOf(model, foot);
  const JointSpec& root = model.body(base_).joint;
  const Place where{scene.file, 0, fmt::format("foot \"{}\"", model.body(foot).name)};
  if (root.type != kFree) throw Error(where, "belongs to a robot that is not free", "Write base = \"free\".");
  const auto at = scene.q.segment<7>(model.qIndex(base_));
  const Pose X_WJ = root.X_PJ * Pose{at.head<3>(), Eigen::Quaterniond(at[3], at[4], at[5], at[6])};
  const Eigen::Quaterniond R_JW = X_WJ.rotation.conjugate();
  place_ = toVec3(R_JW * (lowestShape(scene, foot, bodyPoses(model, scene.q)[foot]) - X_WJ.position));

  Data data(model);
  const Matrix6Xd& screws = computeJointJacobians(model, data, scene.q);
  const auto hangsOn = [&](int ancestor) {
    int body = foot;
    while (body != kWorld && body != ancestor) body = model.body(body).parent;
    return body == ancestor;
  };
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const ModelJoint& joint = model.joints()[drives[i].joint];
    if (!hangsOn(joint.body)) continue;
    const Eigen::Vector3d axis = screws.col(joint.v_index).tail<3>();
    const Eigen::Vector3d velocity = screws.col(joint.v_index).head<3>() + axis.cross(X_WJ.position);
    constexpr double kFar = std::numeric_limits<double>::infinity();
    const Range range = joint.spec.range.value_or(Range{-kFar, kFar});
    joints_.push_back({toVec3(R_JW * axis), toVec3(R_JW * velocity), scene.q[joint.q_index], range.lower, range.upper,
                       static_cast<int>(i)});
  }
  if (joints_.empty() || joints_.size() > kMostJoints)
    throw Error(where, fmt::format("is moved by {} driven joints, not by 1 to {}", joints_.size(), kMostJoints),
                "Give the joints of its leg gains, and name the last link of the leg.");
}

/// From the foot to the base: each joint moves the point and turns the columns of the joints behind it.
Vec Leg::footAt(const double* q, Vec* columns) const {
  Vec p = place_;
  for (std::size_t k = joints_.size(); k-- > 0;) {
    const LegJoint& joint = joints_[k];
    const double angle = q[k] - joint.start;
    if (slides(joint)) {
      p += angle * joint.velocity;
      columns[k] = joint.velocity;
      continue;
    }
    const SinCos<double> turn = sincos(angle);
    const Vec o = cross(joint.axis, joint.velocity);  // of the axis
    const double pitch = dot(joint.axis, joint.velocity);
    p = o + turned(joint.axis, turn, p - o) + (pitch * angle) * joint.axis;
    for (std::size_t behind = k + 1; behind < joints_.size(); ++behind)
      columns[behind] = turned(joint.axis, turn, columns[behind]);
    columns[k] = cross(joint.axis, p - o) + pitch * joint.axis;
  }
  return p;
}

double Leg::reach(const Vec& p, double* q) const {
  constexpr int kMoves = 8;
  constexpr double kNear = 1e-5, kLongest = 0.5, kDamping = 1e-6;  // [m]; [rad or m] per move; of the trace of J Jᵀ
  Vec columns[kMostJoints];
  for (int move = 0;; ++move) {
    const Vec off = p - footAt(q, columns);
    const double distance = norm(off);
    if (distance < kNear || move == kMoves) return distance;
    Sym3<double> A;
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      const Vec& c = columns[k];
      A += {c.x * c.x, c.y * c.y, c.z * c.z, c.x * c.y, c.x * c.z, c.y * c.z};
    }
    const double damping = kDamping * (A.xx + A.yy + A.zz);
    A += {damping, damping, damping, 0.0, 0.0, 0.0};
    const Vec pull = solveSymmetric(A, off);
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      const double step = std::clamp(dot(columns[k], pull), -kLongest, kLongest);
      q[k] = std::clamp(q[k] + step, joints_[k].lower, joints_[k].upper);
    }
  }
}

}  // namespace rigor
