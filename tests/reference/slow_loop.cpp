#include "reference/slow_loop.h"

#include <Eigen/QR>
#include <cmath>

namespace rigor::slow {
namespace {

using Eigen::Matrix4d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Matrix4d toMatrix(const Pose& pose) {
  Matrix4d X = Matrix4d::Identity();
  X.topLeftCorner<3, 3>() = pose.rotation.toRotationMatrix();
  X.topRightCorner<3, 1>() = pose.position;
  return X;
}

void append(const VectorXd& more, VectorXd& rows) {
  const VectorXd old = rows;
  rows.resize(old.size() + more.size());
  rows << old, more;
}

double polynomial(const LoopSpec& loop, double x) {
  double sum = 0.0;
  for (int k = 0; k < 5; ++k) sum += loop.coefficients[k] * std::pow(x, k);
  return sum;
}

/// Columns e1, e2, axis, by the words of rigor/joint.h.
Eigen::Matrix3d axesAround(JointType type, const Eigen::Vector3d& axis) {
  if (type.rotation == Rotation::kAll || type.rotation == Rotation::kNone)
    if (type.translation == Translation::kNone || type.translation == Translation::kAll)
      return Eigen::Matrix3d::Identity();
  int largest = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(axis[k]) > std::fabs(axis[largest])) largest = k;
  Eigen::Matrix3d axes;
  const Eigen::Vector3d next = Eigen::Vector3d::Unit((largest + 1) % 3);
  axes.col(2) = axis;
  axes.col(0) = (next - next.dot(axis) * axis).normalized();
  axes.col(1) = axis.cross(axes.col(0));
  return axes;
}

/// What a joint of the loop's type does not allow, in the axes (e1, e2, axis) of its first frame.
VectorXd openingsOfType(const LoopSpec& loop, const Matrix4d& X1, const Matrix4d& X2) {
  const JointType type = loop.type;
  Matrix4d A = Matrix4d::Identity();
  A.block<3, 3>(0, 0) = axesAround(type, loop.axis);
  const Matrix4d X12 = A.inverse() * X1.inverse() * X2 * A;
  const Eigen::Vector3d p = X12.topRightCorner<3, 1>();
  const Eigen::Matrix3d R = X12.topLeftCorner<3, 3>();
  VectorXd rows(0);
  const double angle = std::atan2(R(1, 0), R(0, 0));
  if (type == kHelical)
    append(Eigen::Vector3d(p.x(), p.y(), p.z() - loop.pitch * angle), rows);
  else if (type.translation == Translation::kNone)
    append(p, rows);
  if (type.translation == Translation::kAxis) append(p.head<2>(), rows);
  if (type.translation == Translation::kPlane) append(p.tail<1>(), rows);
  if (type.rotation == Rotation::kNone)
    for (int column = 0; column < 3; ++column) append(R.col(column) - Eigen::Matrix3d::Identity().col(column), rows);
  if (type.rotation == Rotation::kAxis || type == kHelical) append(R.col(2) - Eigen::Vector3d::UnitZ(), rows);
  if (type == kUniversal) append(VectorXd::Constant(1, R(2, 0)), rows);
  return rows;
}

}  // namespace

VectorXd computeOpenings(const Model& model, const VectorXd& q) {
  const VectorXd rest = VectorXd::Zero(model.nv());
  const std::vector<BodyMotion> bodies = computeMotions(model, q, rest, rest);
  VectorXd rows(0);
  for (const LoopSpec& loop : model.loops()) {
    if (loop.kind == LoopKind::kJoint) {
      const double q1 = q[model.joints()[model.findJoint(loop.joint_1)].q_index];
      const double q2 = q[model.joints()[model.findJoint(loop.joint_2)].q_index];
      append(VectorXd::Constant(1, q1 - polynomial(loop, q2)), rows);
      continue;
    }
    const auto frame = [&](int body, const Pose& X) -> Matrix4d {
      return body == kWorld ? toMatrix(X) : bodies[body].X_WB * toMatrix(X);
    };
    const Matrix4d X1 = frame(loop.body_1, loop.X_1F), X2 = frame(loop.body_2, loop.X_2F);
    if (loop.kind == LoopKind::kOfType) {
      append(openingsOfType(loop, X1, X2), rows);
      continue;
    }
    append((X2 - X1).topRightCorner<3, 1>(), rows);
    if (loop.kind == LoopKind::kHinge) append((X2 - X1).topLeftCorner<3, 3>() * loop.axis, rows);
    if (loop.kind == LoopKind::kWeld)
      for (int column = 0; column < 3; ++column) append((X2 - X1).block<3, 1>(0, column), rows);
  }
  return rows;
}

MatrixXd computeOpeningRows(const Model& model, const VectorXd& q) {
  const double nudge = 1e-5;  // central differences: error 1e-10 of the curvature, rounding 1e-11
  MatrixXd J(computeOpenings(model, q).size(), model.nv());
  for (int j = 0; j < model.nv(); ++j) {
    const VectorXd e = VectorXd::Unit(model.nv(), j);
    J.col(j) = (computeOpenings(model, moveAlong(model, q, e, nudge)) -
                computeOpenings(model, moveAlong(model, q, e, -nudge))) /
               (2.0 * nudge);
  }
  return J;
}

VectorXd solveLoopStep(const Model& model, const VectorXd& q, const VectorXd& v, double k, double h) {
  const int nv = model.nv();
  VectorXd damping = VectorXd::Zero(nv);
  for (const ModelJoint& joint : model.joints())
    damping.segment(joint.v_index, velocityCount(joint.spec.type)).setConstant(joint.spec.damping);
  MatrixXd M = computeMassMatrix(model, q);
  M.diagonal() += 0.5 * k * damping;
  const MatrixXd J = computeOpeningRows(model, q);
  const int rows = static_cast<int>(J.rows());

  VectorXd end = v, lambda = VectorXd::Zero(rows);
  for (int iteration = 0; iteration < 12; ++iteration) {
    const VectorXd c = computeInverseDynamics(model, q, 0.5 * (v + end), VectorXd::Zero(nv));
    const VectorXd force = -k * (c + damping.cwiseProduct(v));
    const VectorXd q_end = moveAlong(model, q, end, h);
    MatrixXd K = MatrixXd::Zero(nv + rows, nv + rows);
    K.topLeftCorner(nv, nv) = M;
    K.topRightCorner(nv, rows) = -J.transpose();
    K.bottomLeftCorner(rows, nv) = computeOpeningRows(model, q_end);
    VectorXd right(nv + rows);
    right << force - M * (end - v) + J.transpose() * lambda, -computeOpenings(model, q_end) / h;
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(1e-7);  // rows are redundant; differences know them to 1e-10
    solver.compute(K);
    const VectorXd move = solver.solve(right);
    end += move.head(nv);
    lambda += move.tail(rows);
  }
  return end;
}

}  // namespace rigor::slow
