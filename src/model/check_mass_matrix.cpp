// Articulated inertias (Featherstone's ABA, backward pass) at one pose that is special in no way. The mass matrix is
// regular there, and so almost everywhere, exactly if the inertia that each joint feels is positive definite.
#include "model/check_mass_matrix.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "geometry/convert.h"
#include "model/joint_motion.h"
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

/// X turns a motion given in the parent frame into the child frame; its transpose carries forces and inertia back.
Matrix6 motionTransform(const Transform<double>& X_PL) {
  const Eigen::Matrix3d Rt = toEigen(X_PL.R).transpose();
  Matrix6 X;
  X << Rt, -Rt * crossMatrix(toEigen(X_PL.p)), Eigen::Matrix3d::Zero(), Rt;
  return X;
}

/// A joint at some pose, different for every link and without right angles.
struct SampledJoint {
  Transform<double> X_JL;
  Columns S;  ///< motion of the link per unit velocity, in link axes about the link's origin
};

SampledJoint sampleJoint(JointType type, double pitch, int link) {
  const double a = 0.7 + 0.37 * (link % 17), b = 0.3 + 0.23 * (link % 13);
  double q[7] = {a, b, a - b};
  const int moves = translationCount(type);
  if (type.rotation == Rotation::kAll) {
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(a, Eigen::Vector3d(1.0, b, -a).normalized()));
    q[moves] = turn.w(), q[moves + 1] = turn.x(), q[moves + 2] = turn.y(), q[moves + 3] = turn.z();
  } else if (moves == 3) {
    q[3] = a;
  }
  SampledJoint sample{Transform<double>::identity(), Columns(6, velocityCount(type))};
  Motion<double> S[6];
  translateJoint(type, q, sample.X_JL, S);
  turnJoint(type, q + moves, pitch, sample.X_JL, S + moves);
  for (int k = 0; k < velocityCount(type); ++k) sample.S.col(k) << toEigen(S[k].linear), toEigen(S[k].angular);
  sample.S = motionTransform(sample.X_JL) * sample.S;
  return sample;
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
    const auto [pose, S] = sampleJoint(top.joint[link], links.parameters.pitch[link], link);
    Eigen::MatrixXd D = S.transpose() * articulated[link] * S;
    Eigen::VectorXd summed = (S.transpose() * composite[link] * S).diagonal();
    for (int k = 0; k < top.dofs[link]; ++k) {
      D(k, k) += links.parameters.armature[top.v_index[link] + k];
      summed[k] += links.parameters.armature[top.v_index[link] + k];
    }
    if (!isRegular(D, summed)) {
      const ModelJoint& joint = links.joints[link];
      if (joint.spec.type == kFree && bodies[joint.body].parent == kWorld && bodies[joint.body].mass.mass == 0.0)
        throw Error(placeOf(bodies[joint.body], joint.body),
                    "the base is free to move but has no mass and inertia of its own, so its acceleration is undefined",
                    "Fix it to the world: --base fixed, in a scene base = \"fixed\". Or give it an <inertial>.");
      throw Error(placeOf(bodies[joint.body], joint.body),
                  fmt::format("{} moves without moving any inertia, so its acceleration is undefined",
                              describeJoint(joint.spec)),
                  "Give the body mass and inertia, or the joint armature, or fix the joint. If the body has mass, two "
                  "of its joints "
                  "do the same, e.g. turn about one axis: leave one out.");
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
