// Public functions on motion: placements, velocities, accelerations, Jacobians.
#include "algorithms/workspace.h"
#include "geometry/convert.h"

namespace rigor {
namespace {

/// A point of a body: its link, where it is relative to O, and the axes of the body.
struct BodyPoint {
  int link;
  Vec3<double> p;
  Mat3<double> R;
};

BodyPoint findPoint(const Workspace& work, int body, const Eigen::Vector3d& point) {
  if (!point.allFinite()) throw Error("the point of the body is not finite", "Give three finite numbers in metres.");
  const BodyPlacement& placement = work.model.placements()[body];
  if (placement.link < 0) return {-1, {}, placement.X_LB.R};
  const Transform<double> X = work.kin.X_OL[placement.link] * placement.X_LB;
  return {placement.link, X * toVec3(point), X.R};
}

/// From a motion about O to the motion of the point, in the axes asked for.
Vector6d readMotion(const Vec3<double>& linear, const Vec3<double>& angular, const BodyPoint& point, Axes axes) {
  Vector6d motion;
  if (axes == Axes::kBody)
    motion << toEigen(transposeTimes(point.R, linear)), toEigen(transposeTimes(point.R, angular));
  else
    motion << toEigen(linear), toEigen(angular);
  return motion;
}

Vector6d readMotion(const Motion<double>& motion, const BodyPoint& point, Axes axes) {
  return readMotion(motion.linear + cross(motion.angular, point.p), motion.angular, point, axes);
}

Eigen::Isometry3d readPose(const Workspace& work, int body) {
  const BodyPlacement& placement = work.model.placements()[body];
  Transform<double> X = placement.X_LB;
  if (placement.link >= 0) {
    X = work.kin.X_OL[placement.link] * X;
    X.p += work.kin.origin[work.model.topology().tree[placement.link]];
  }
  Eigen::Isometry3d pose;
  pose.matrix() << X.R.x.x, X.R.y.x, X.R.z.x, X.p.x,  //
      X.R.x.y, X.R.y.y, X.R.z.y, X.p.y,               //
      X.R.x.z, X.R.y.z, X.R.z.z, X.p.z,               //
      0.0, 0.0, 0.0, 1.0;
  return pose;
}

Workspace& enterKinematics(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enter(model, data, q);
  computeKinematics(model.topology(), model.parameters(), q.data(), work.kin);
  return work;
}

/// [6 × nv] zeros on the first call; later calls clear what the last one wrote.
void clear(Matrix6Xd& matrix, int columns) {
  if (matrix.cols() != columns) matrix.resize(6, columns);
  matrix.setZero();
}

}  // namespace

const std::vector<Eigen::Isometry3d>& forwardKinematics(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enterKinematics(model, data, q);
  for (int body = 0; body < model.bodyCount(); ++body) work.placements[body] = readPose(work, body);
  return work.placements;
}

Eigen::Isometry3d framePlacement(const Model& model, Data& data, VectorIn q, int body) {
  checkBody(model, body);
  return readPose(enterKinematics(model, data, q), body);
}

Vector6d frameVelocity(const Model& model, Data& data, VectorIn q, VectorIn v, int body, const Eigen::Vector3d& point,
                       Axes axes) {
  checkBody(model, body);
  checkVelocityLike(model, v, "v");
  Workspace& work = enterKinematics(model, data, q);
  const BodyPoint where = findPoint(work, body, point);
  if (where.link < 0) return Vector6d::Zero();
  computeVelocities(model.topology(), work.kin, v.data(), work.rnea.V);
  return readMotion(work.rnea.V[where.link], where, axes);
}

Vector6d frameAcceleration(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a, int body,
                           const Eigen::Vector3d& point, Axes axes) {
  checkBody(model, body);
  checkVelocityLike(model, v, "v");
  checkVelocityLike(model, a, "a");
  Workspace& work = enterKinematics(model, data, q);
  const BodyPoint where = findPoint(work, body, point);
  if (where.link < 0) return Vector6d::Zero();

  const Topology& topology = model.topology();
  work.coriolis.resize(topology);
  computeVelocities(topology, work.kin, v.data(), work.rnea.V);
  computeColumnRates(topology, work.kin, work.rnea.V, work.coriolis.rates);
  Motion<double> A;
  const int* chain = topology.chain.data() + topology.chain_start[where.link];
  for (int k = 0; k < topology.chain_length[where.link]; ++k) {
    const int j = chain[k];
    A += a[j] * work.kin.S[j] + v[j] * work.coriolis.rates[j];
  }
  // the spatial acceleration is that of the body point passing O; a material point adds ω × its velocity
  const Motion<double>& V = work.rnea.V[where.link];
  const Vec3<double> velocity = V.linear + cross(V.angular, where.p);
  const Vec3<double> linear = A.linear + cross(A.angular, where.p) + cross(V.angular, velocity);
  return readMotion(linear, A.angular, where, axes);
}

const Matrix6Xd& computeJointJacobians(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enterKinematics(model, data, q);
  const Topology& topology = model.topology();
  clear(work.columns, topology.nv);
  for (int j = 0; j < topology.nv; ++j) {
    const Motion<double>& S = work.kin.S[j];
    const Vec3<double>& O = work.kin.origin[topology.tree[topology.dof_link[j]]];
    work.columns.col(j) << toEigen(S.linear + cross(O, S.angular)), toEigen(S.angular);
  }
  return work.columns;
}

const Matrix6Xd& getFrameJacobian(const Model& model, Data& data, VectorIn q, int body, const Eigen::Vector3d& point,
                                  Axes axes) {
  checkBody(model, body);
  Workspace& work = enterKinematics(model, data, q);
  const Topology& topology = model.topology();
  clear(work.jacobian, topology.nv);
  const BodyPoint where = findPoint(work, body, point);
  if (where.link < 0) return work.jacobian;
  const int* chain = topology.chain.data() + topology.chain_start[where.link];
  for (int k = 0; k < topology.chain_length[where.link]; ++k)
    work.jacobian.col(chain[k]) = readMotion(work.kin.S[chain[k]], where, axes);
  return work.jacobian;
}

const Matrix6Xd& getFrameJacobianTimeVariation(const Model& model, Data& data, VectorIn q, VectorIn v, int body,
                                               const Eigen::Vector3d& point, Axes axes) {
  checkBody(model, body);
  checkVelocityLike(model, v, "v");
  Workspace& work = enterKinematics(model, data, q);
  const Topology& topology = model.topology();
  clear(work.jacobian_rate, topology.nv);
  const BodyPoint where = findPoint(work, body, point);
  if (where.link < 0) return work.jacobian_rate;

  work.coriolis.resize(topology);
  computeVelocities(topology, work.kin, v.data(), work.rnea.V);
  computeColumnRates(topology, work.kin, work.rnea.V, work.coriolis.rates);
  const Motion<double>& V = work.rnea.V[where.link];
  const Vec3<double> velocity = V.linear + cross(V.angular, where.p);
  const int* chain = topology.chain.data() + topology.chain_start[where.link];
  for (int k = 0; k < topology.chain_length[where.link]; ++k) {
    // d/dt of (s + ω_S × p, ω_S), the point moving with the body
    const Motion<double>&S = work.kin.S[chain[k]], &rate = work.coriolis.rates[chain[k]];
    Vec3<double> linear = rate.linear + cross(rate.angular, where.p) + cross(S.angular, velocity);
    Vec3<double> angular = rate.angular;
    if (axes == Axes::kBody) {  // d/dt (Rᵀ x) = Rᵀ (ẋ − ω × x)
      linear -= cross(V.angular, S.linear + cross(S.angular, where.p));
      angular -= cross(V.angular, S.angular);
    }
    work.jacobian_rate.col(chain[k]) = readMotion(linear, angular, where, axes);
  }
  return work.jacobian_rate;
}

}  // namespace rigor
