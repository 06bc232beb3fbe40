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
  const Rotation r = joint.type.rotation;
  const bool has_axis = r == Rotation::kAxis || r == Rotation::kHelix || r == Rotation::kTwoAxes ||
                        joint.type.translation == Translation::kAxis || joint.type.translation == Translation::kPlane;
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

/// The motion of a frame that is fixed to a moving one.
BodyMotion attach(const BodyMotion& carrier, const Pose& frame) {
  BodyMotion fixed = carrier;
  const Vector3d p = carrier.p() + carrier.R() * frame.position;
  fixed.X_WB.topLeftCorner<3, 3>() = carrier.R() * frame.rotation.toRotationMatrix();
  fixed.X_WB.topRightCorner<3, 1>() = p;
  fixed.velocity = carrier.velocityAt(p);
  fixed.acceleration = carrier.accelerationAt(p);
  return fixed;
}

/// A point that moves along axes T fixed in the carrier (Coriolis: 2 ω × slide).
BodyMotion slideAlong(const BodyMotion& carrier, const Eigen::Matrix3Xd& T, const VectorXd& x, const VectorXd& rate,
                      const VectorXd& rate2) {
  BodyMotion moved = carrier;
  const Vector3d p = carrier.p() + T * x, slide = T * rate;
  moved.X_WB.topRightCorner<3, 1>() = p;
  moved.velocity = carrier.velocityAt(p) + slide;
  moved.acceleration = carrier.accelerationAt(p) + 2.0 * carrier.omega.cross(slide) + T * rate2;
  return moved;
}

/// A turn R about the carrier's origin with relative angular velocity along `axes` (columns in the world).
BodyMotion turnBy(const BodyMotion& carrier, const Matrix3d& R, const Eigen::Matrix3Xd& axes, const VectorXd& rate,
                  const VectorXd& rate2) {
  BodyMotion turned = carrier;
  const Vector3d turn = axes * rate;
  turned.X_WB.topLeftCorner<3, 3>() = carrier.R() * R;
  turned.omega = carrier.omega + turn;
  turned.alpha = carrier.alpha + carrier.omega.cross(turn) + axes * rate2;
  return turned;
}

BodyMotion turnAbout(const BodyMotion& carrier, const Vector3d& axis, double angle, double rate, double rate2) {
  return turnBy(carrier, Eigen::AngleAxisd(angle, axis).toRotationMatrix(), carrier.R() * axis,
                VectorXd::Constant(1, rate), VectorXd::Constant(1, rate2));
}

/// Over the joint frame, fixed in the parent, then translation, then rotation.
BodyMotion crossJoint(const JointSpec& joint, const BodyMotion& parent, int qi, int vi, const VectorXd& q,
                      const VectorXd& v, const VectorXd& vdot) {
  const bool is_free = joint.type == kFree;  // q is the pose in the world
  const BodyMotion frame = is_free ? BodyMotion{} : attach(parent, joint.X_PJ);
  const Matrix3d E = coordinateAxes(joint);
  const Vector3d axis = E.col(2);
  const int moves = translationCount(joint.type);
  const BodyMotion moved = slideAlong(frame, frame.R() * translationAxes(joint, E), q.segment(qi, moves),
                                      v.segment(vi, moves), vdot.segment(vi, moves));
  qi += moves, vi += moves;
  switch (joint.type.rotation) {
    case Rotation::kNone:
      return moved;
    case Rotation::kAxis:
      return turnAbout(moved, axis, q[qi], v[vi], vdot[vi]);
    case Rotation::kHelix:  // a slide geared to a hinge
      return turnAbout(
          slideAlong(moved, joint.pitch * (moved.R() * axis), q.segment(qi, 1), v.segment(vi, 1), vdot.segment(vi, 1)),
          axis, q[qi], v[vi], vdot[vi]);
    case Rotation::kTwoAxes:  // two hinges
      return turnAbout(turnAbout(moved, axis, q[qi], v[vi], vdot[vi]), E.col(0), q[qi + 1], v[vi + 1], vdot[vi + 1]);
    case Rotation::kAll:
      break;
  }
  const Matrix3d R = E * quaternionAt(q, qi).toRotationMatrix() * E.transpose();
  return turnBy(moved, R, moved.R() * R * E, v.segment<3>(vi), vdot.segment<3>(vi));
}

/// All joints between a body and its parent, then the body's own frame.
BodyMotion crossJoints(const BodySpec& spec, const BodyMotion& parent, int qi, int vi, const VectorXd& q,
                       const VectorXd& v, const VectorXd& vdot) {
  BodyMotion motion = crossJoint(spec.joint, parent, qi, vi, q, v, vdot);
  const JointSpec* last = &spec.joint;
  for (const JointSpec& joint : spec.more_joints) {
    qi += positionCount(last->type), vi += velocityCount(last->type);
    motion = crossJoint(joint, motion, qi, vi, q, v, vdot);
    last = &joint;
  }
  return attach(motion, spec.X_JB);
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
  for (const ModelJoint& joint : model.joints())
    armature.segment(joint.v_index, velocityCount(joint.spec.type))
        .setConstant(joint.spec.armature + joint.spec.rotor_inertia * joint.spec.gear * joint.spec.gear);
  return armature;
}

}  // namespace

std::vector<BodyMotion> computeMotions(const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& vdot) {
  std::vector<BodyMotion> motions;
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    const BodyMotion parent = spec.parent == kWorld ? BodyMotion{} : motions[spec.parent];
    motions.push_back(crossJoints(spec, parent, model.qIndex(body), model.vIndex(body), q, v, vdot));
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
  for (const ModelJoint& joint : model.joints()) {
    const int moves = translationCount(joint.spec.type), turns = rotationCount(joint.spec.type);
    const int qi = joint.q_index, vi = joint.v_index;
    const int straight = turns == 3 ? moves : moves + turns;
    next.segment(qi, straight) += h * v.segment(vi, straight);
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
