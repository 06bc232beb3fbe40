#include "dynamics/poses.h"

#include <Eigen/Geometry>

#include "dynamics/crba.h"

namespace rigor {
namespace {

Eigen::Vector3d toEigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

}  // namespace

Pose bodyPose(const Model& model, const Kinematics<double>& kin, int body) {
  const BodyPlacement& placement = model.placements()[body];
  Transform<double> X = placement.X_LB;
  if (placement.link >= 0) {
    X = kin.X_OL[placement.link] * X;
    X.p += kin.origin[model.topology().tree[placement.link]];
  }
  Eigen::Matrix3d R;
  R << toEigen(X.R.x), toEigen(X.R.y), toEigen(X.R.z);
  return {toEigen(X.p), Eigen::Quaterniond(R).normalized()};
}

std::vector<Pose> bodyPoses(const Model& model, const Eigen::VectorXd& q) {
  Kinematics<double> kin;
  kin.resize(model.topology());
  computeKinematics(model.topology(), model.parameters(), q.data(), kin);
  std::vector<Pose> poses;
  for (int body = 0; body < model.bodyCount(); ++body) poses.push_back(bodyPose(model, kin, body));
  return poses;
}

Eigen::MatrixXd massMatrix(const Model& model, const Eigen::VectorXd& q) {
  const Topology& topology = model.topology();
  Kinematics<double> kin;
  kin.resize(topology);
  computeKinematics(topology, model.parameters(), q.data(), kin);
  std::vector<Inertia<double>> inertias(topology.links);
  computeInertias(topology, model.parameters(), kin, inertias);
  std::vector<double> packed(topology.packed_size);
  crba(topology, kin, inertias, packed.data());

  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(topology.nv, topology.nv);
  for (int i = 0; i < topology.nv; ++i) {
    const int* chain = topology.chain.data() + topology.chain_start[topology.dof_link[i]];
    for (int k = 0; k <= topology.dof_depth[i]; ++k)
      M(i, chain[k]) = M(chain[k], i) = packed[topology.row_start[i] + k];
    M(i, i) += model.parameters().armature[i];
  }
  return M;
}

}  // namespace rigor
