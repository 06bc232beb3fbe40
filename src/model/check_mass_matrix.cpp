// Articulated inertias (Featherstone's ABA, backward pass) at one pose that is special in no way. The mass matrix is
// regular there, and so almost everywhere, exactly if the inertia that each joint feels is positive definite.
#include "model/check_mass_matrix.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "geometry/convert.h"
#include "model/names.h"

namespace rigor {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic>;

Eigen::Matrix3d crossMatrix(const Eigen::Vector3d& a) {
  return Eigen::Matrix3d{{0.0, -a.z(), a.y()}, {a.z(), 0.0, -a.x()}, {-a.y(), a.x(), 0.0}};
}

/// About the origin of the link frame, linear before angular.
Matrix6 spatialInertia(const LinkInertia<double>& link) {
  const Eigen::Matrix3d c = crossMatrix(toEigen(link.com));
  Matrix6 I;
  I << link.mass * Eigen::Matrix3d::Identity(), -link.mass * c, link.mass * c,
      toEigen(link.rotational) - link.mass * c * c;
  return I;
}

/// Motion of the link per unit velocity of its joint, in link axes about the link's origin.
Columns jointColumns(JointType type, const Eigen::Matrix3d& R_JL) {
  Columns S = Columns::Zero(6, velocityCount(type));
  const int moves = translationCount(type), turns = rotationCount(type);
  for (int k = 0; k < moves; ++k) S.col(k).head<3>() = R_JL.transpose().col(moves == 1 ? 2 : k);
  for (int k = 0; k < turns; ++k) S(3 + (turns == 1 ? 2 : k), moves + k) = 1.0;
  return S;
}

/// Some pose of the joint, different for every link and without right angles.
Transform<double> somePose(JointType type, int link) {
  const double a = 0.7 + 0.37 * (link % 17), b = 0.3 + 0.23 * (link % 13);
  Transform<double> X = Transform<double>::identity();
  const int moves = translationCount(type);
  if (moves == 1) X.p.z = a;
  if (moves >= 2) X.p.x = a, X.p.y = b;
  if (moves == 3) X.p.z = a - b;
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  if (type.rotation == Rotation::kAxis) turn = Eigen::AngleAxisd(a, Eigen::Vector3d::UnitZ());
  if (type.rotation == Rotation::kAll) turn = Eigen::AngleAxisd(a, Eigen::Vector3d(1.0, b, -a).normalized());
  X.R = toMat3(turn.toRotationMatrix());
  return X;
}

/// X turns a motion given in the parent frame into the child frame; its transpose carries forces and inertia back.
Matrix6 motionTransform(const Transform<double>& X_PL) {
  const Eigen::Matrix3d Rt = toEigen(X_PL.R).transpose();
  Matrix6 X;
  X << Rt, -Rt * crossMatrix(toEigen(X_PL.p)), Eigen::Matrix3d::Zero(), Rt;
  return X;
}

/// True if every pivot of the felt inertia D stands out of the rounding of the inertia that was summed up to it.
bool isRegular(const Eigen::MatrixXd& D, const Eigen::VectorXd& summed) {
  constexpr double kRounding = 1e-12;  // a few hundred eps: room for deep trees
  Eigen::MatrixXd A = D;
  for (int k = 0; k < A.rows(); ++k) {
    if (!(A(k, k) > kRounding * summed[k])) return false;
    const int rest = static_cast<int>(A.rows()) - k - 1;
    const Eigen::VectorXd column = A.block(k + 1, k, rest, 1) / A(k, k);
    A.block(k + 1, k + 1, rest, rest) -= column * A.block(k, k + 1, 1, rest);
  }
  return true;
}

}  // namespace

void checkMassMatrix(const std::vector<BodySpec>& bodies, const Links& links) {
  const Topology& top = links.topology;
  std::vector<Matrix6> composite, articulated;
  for (const LinkInertia<double>& inertia : links.parameters.inertia) composite.push_back(spatialInertia(inertia));
  articulated = composite;

  for (int link = top.links - 1; link >= 0; --link) {
    const Transform<double> pose = somePose(top.joint[link], link);
    const Columns S = jointColumns(top.joint[link], toEigen(pose.R));
    Eigen::MatrixXd D = S.transpose() * articulated[link] * S;
    Eigen::VectorXd summed = (S.transpose() * composite[link] * S).diagonal();
    for (int k = 0; k < top.dofs[link]; ++k) {
      D(k, k) += links.parameters.armature[top.v_index[link] + k];
      summed[k] += links.parameters.armature[top.v_index[link] + k];
    }
    if (!isRegular(D, summed)) {
      const BodySpec& body = bodies[links.body[link]];
      throw Error(placeOf(body, links.body[link]),
                  fmt::format("{} moves without moving any inertia, so its acceleration is undefined",
                              describeJoint(body.joint)),
                  "Give the body mass and inertia, or the joint armature, or fix the joint.");
    }
    if (top.parent[link] < 0) continue;
    const Columns U = articulated[link] * S;
    const Matrix6 X = motionTransform(links.parameters.X_PJ[link] * pose);
    const Matrix6 felt = articulated[link] - U * D.ldlt().solve(U.transpose());
    articulated[top.parent[link]] += X.transpose() * felt * X;
    composite[top.parent[link]] += X.transpose() * composite[link] * X;
  }
}

}  // namespace rigor
