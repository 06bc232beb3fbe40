#include "reference/slow_tree.h"

#include <Eigen/Geometry>

namespace rigor::slow {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// Axes that the joint's coordinates run along, in the joint frame: the rule of joint.h, written out once more.
Matrix3d coordinateAxes(const JointSpec& joint) {
  const bool has_axis = joint.type.rotation == Rotation::kAxis || joint.type.translation == Translation::kAxis ||
                        joint.type.translation == Translation::kPlane;
  if (!has_axis) return Matrix3d::Identity();
  const Vector3d a = joint.axis.normalized();
  int largest = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(a[i]) > std::abs(a[largest])) largest = i;
  Vector3d e1 = Vector3d::Zero();
  e1[(largest + 1) % 3] = 1.0;
  e1 = (e1 - a * a.dot(e1)).normalized();
  Matrix3d E;
  E << e1, a.cross(e1), a;
  return E;
}

/// Columns of `E` that the joint translates along.
Eigen::Matrix3Xd translationAxes(const JointSpec& joint, const Matrix3d& E) {
  switch (joint.type.translation) {
    case Translation::kNone:
      return Eigen::Matrix3Xd(3, 0);
    case Translation::kAxis:
      return E.rightCols(1);
    case Translation::kPlane:
      return E.leftCols(2);
    case Translation::kAll:
      break;
  }
  return E;
}

Quaterniond quaternionAt(const VectorXd& q, int index) { return {q[index], q[index + 1], q[index + 2], q[index + 3]}; }

/// The child's motion from its parent's: over the joint frame, fixed in the parent, then translation, then rotation.
BodyMotion crossJoint(const BodySpec& spec, const BodyMotion& parent, int qi, int vi, const VectorXd& q,
                      const VectorXd& v, const VectorXd& vdot) {
  const JointSpec& joint = spec.joint;
  const bool is_free = joint.type == kFree;  // q is the pose in the world
  const Matrix3d R_WJ = is_free ? Matrix3d::Identity() : Matrix3d(parent.R() * joint.X_PJ.rotation.toRotationMatrix());
  const Vector3d p_WJ = is_free ? Vector3d::Zero() : Vector3d(parent.p() + parent.R() * joint.X_PJ.position);
  const Matrix3d E = coordinateAxes(joint);
  const int moves = translationCount(joint.type), turns = rotationCount(joint.type);

  // translation: a point that moves along axes fixed in the parent
  const Eigen::Matrix3Xd T = R_WJ * translationAxes(joint, E);
  const Vector3d p = p_WJ + T * q.segment(qi, moves);
  const Vector3d slide = T * v.segment(vi, moves);
  BodyMotion child;
  child.velocity = parent.velocityAt(p) + slide;
  child.acceleration = parent.accelerationAt(p) + 2.0 * parent.omega.cross(slide) + T * vdot.segment(vi, moves);

  // rotation
  Matrix3d R_JB = Matrix3d::Identity();
  if (turns == 1) R_JB = Eigen::AngleAxisd(q[qi + moves], joint.axis.normalized()).toRotationMatrix();
  if (turns == 3) R_JB = E * quaternionAt(q, qi + moves).toRotationMatrix() * E.transpose();
  const Matrix3d R = R_WJ * R_JB;
  const Eigen::Matrix3Xd turn_axes = turns == 0 ? Eigen::Matrix3Xd(3, 0) : Eigen::Matrix3Xd(R * E.rightCols(turns));
  const Vector3d turn = turn_axes * v.segment(vi + moves, turns);
  child.omega = parent.omega + turn;
  child.alpha = parent.alpha + parent.omega.cross(turn) + turn_axes * vdot.segment(vi + moves, turns);

  child.X_WB.topLeftCorner<3, 3>() = R;
  child.X_WB.topRightCorner<3, 1>() = p;
  return child;
}

bool canMove(const Model& model, int body) {
  for (; body != kWorld; body = model.body(body).parent)
    if (velocityCount(model.body(body).joint.type) > 0) return true;
  return false;
}

Vector3d centreOf(const BodySpec& spec, const BodyMotion& motion) { return motion.p() + motion.R() * spec.mass.com; }

Matrix3d inertiaOf(const BodySpec& spec, const BodyMotion& motion) {
  return motion.R() * spec.mass.inertia * motion.R().transpose();
}

VectorXd armatureOf(const Model& model) {
  VectorXd armature(model.nv());
  for (int body = 0; body < model.bodyCount(); ++body)
    armature.segment(model.vIndex(body), velocityCount(model.body(body).joint.type))
        .setConstant(model.body(body).joint.armature);
  return armature;
}

}  // namespace

std::vector<BodyMotion> computeMotions(const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& vdot) {
  std::vector<BodyMotion> motions;
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    const BodyMotion parent = spec.parent == kWorld ? BodyMotion{} : motions[spec.parent];
    motions.push_back(crossJoint(spec, parent, model.qIndex(body), model.vIndex(body), q, v, vdot));
  }
  return motions;
}

Eigen::MatrixXd computeJacobian(const Model& model, const VectorXd& q, int body, const Vector3d& point_W) {
  const VectorXd zero = VectorXd::Zero(model.nv());
  Eigen::MatrixXd J(6, model.nv());
  for (int j = 0; j < model.nv(); ++j) {
    const BodyMotion motion = computeMotions(model, q, VectorXd::Unit(model.nv(), j), zero)[body];
    J.col(j) << motion.velocityAt(point_W), motion.omega;
  }
  return J;
}

Eigen::MatrixXd computeMassMatrix(const Model& model, const VectorXd& q) {
  const VectorXd zero = VectorXd::Zero(model.nv());
  const std::vector<BodyMotion> motions = computeMotions(model, q, zero, zero);
  Eigen::MatrixXd M = armatureOf(model).asDiagonal();
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    const Eigen::MatrixXd J = computeJacobian(model, q, body, centreOf(spec, motions[body]));
    M += spec.mass.mass * J.topRows(3).transpose() * J.topRows(3);
    M += J.bottomRows(3).transpose() * inertiaOf(spec, motions[body]) * J.bottomRows(3);
  }
  return M;
}

VectorXd computeInverseDynamics(const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& vdot) {
  const std::vector<BodyMotion> motions = computeMotions(model, q, v, vdot);
  VectorXd tau = armatureOf(model).cwiseProduct(vdot);
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    const BodyMotion& motion = motions[body];
    const Vector3d c = centreOf(spec, motion);
    const Matrix3d I = inertiaOf(spec, motion);
    const Vector3d force = spec.mass.mass * (motion.accelerationAt(c) - model.gravity());
    const Vector3d torque = I * motion.alpha + motion.omega.cross(I * motion.omega);
    const Eigen::MatrixXd J = computeJacobian(model, q, body, c);
    tau += J.topRows(3).transpose() * force + J.bottomRows(3).transpose() * torque;
  }
  return tau;
}

double computeKinetic(const Model& model, const VectorXd& q, const VectorXd& v) {
  const std::vector<BodyMotion> motions = computeMotions(model, q, v, VectorXd::Zero(model.nv()));
  double sum = 0.5 * armatureOf(model).dot(v.cwiseAbs2());
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    const BodyMotion& motion = motions[body];
    sum += 0.5 * spec.mass.mass * motion.velocityAt(centreOf(spec, motion)).squaredNorm();
    sum += 0.5 * motion.omega.dot(inertiaOf(spec, motion) * motion.omega);
  }
  return sum;
}

double computePotential(const Model& model, const VectorXd& q) {
  const VectorXd zero = VectorXd::Zero(model.nv());
  const std::vector<BodyMotion> motions = computeMotions(model, q, zero, zero);
  double sum = 0.0;
  for (int body = 0; body < model.bodyCount(); ++body)
    if (canMove(model, body))
      sum -= model.body(body).mass.mass * model.gravity().dot(centreOf(model.body(body), motions[body]));
  return sum;
}

Eigen::Matrix<double, 6, 1> computeMomentum(const Model& model, const VectorXd& q, const VectorXd& v) {
  const std::vector<BodyMotion> motions = computeMotions(model, q, v, VectorXd::Zero(model.nv()));
  Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    const BodyMotion& motion = motions[body];
    const Vector3d c = centreOf(spec, motion), momentum = spec.mass.mass * motion.velocityAt(c);
    sum.head<3>() += momentum;
    sum.tail<3>() += c.cross(momentum) + inertiaOf(spec, motion) * motion.omega;
  }
  return sum;
}

VectorXd moveAlong(const Model& model, const VectorXd& q, const VectorXd& v, double h) {
  VectorXd next = q;
  for (int body = 0; body < model.bodyCount(); ++body) {
    const JointType type = model.body(body).joint.type;
    const int moves = translationCount(type), turns = rotationCount(type);
    const int qi = model.qIndex(body), vi = model.vIndex(body);
    next.segment(qi, moves) += h * v.segment(vi, moves);
    if (turns == 1) next[qi + moves] += h * v[vi + moves];
    if (turns != 3) continue;
    const Vector3d theta = h * v.segment<3>(vi + moves);
    const double angle = theta.norm();
    const Vector3d axis = angle > 0.0 ? Vector3d(theta / angle) : Vector3d(Vector3d::UnitX());
    const Quaterniond turned = quaternionAt(q, qi + moves) * Quaterniond(Eigen::AngleAxisd(angle, axis));
    next.segment<4>(qi + moves) << turned.w(), turned.x(), turned.y(), turned.z();
  }
  return next;
}

}  // namespace rigor::slow
