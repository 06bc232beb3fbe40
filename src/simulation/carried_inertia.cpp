// What a joint that is held has to carry: its limb, or the robot that stands on it.
#include <algorithm>

#include "dynamics/poses.h"
#include "model/parameters.h"
#include "model/topology.h"
#include "rigor/algorithms.h"
#include "simulation/feet.h"
#include "simulation/scene_defaults.h"

namespace rigor {

Eigen::VectorXd carriedInertias(const Model& model, const Eigen::VectorXd& q) {
  const Topology& topology = model.topology();
  Eigen::VectorXd inertias = massMatrix(model, q).diagonal();
  std::vector<double> mass(topology.trees, 0.0);
  for (int link = 0; link < topology.links; ++link) mass[topology.tree[link]] += model.parameters().inertia[link].mass;
  const std::vector<Foot> feet = findFeet(model, q);
  std::vector<int> count(topology.trees, 0);
  for (const Foot& foot : feet) ++count[foot.tree];
  Data data(model);
  const Matrix6Xd& motions = computeJointJacobians(model, data, q);  // about the origin of the world
  const std::vector<Pose> poses = bodyPoses(model, q);
  for (const Foot& foot : feet) {
    const Eigen::Vector3d p_W = poses[foot.body] * foot.p_B;
    const double share = mass[foot.tree] / count[foot.tree];
    const int link = model.placements()[foot.body].link;
    for (int k = 0; k < topology.chain_length[link]; ++k) {
      const int j = topology.chain[topology.chain_start[link] + k];
      const Eigen::Vector3d velocity = motions.col(j).head<3>() + motions.col(j).tail<3>().cross(p_W);
      inertias[j] = std::max(inertias[j], share * velocity.squaredNorm());
    }
  }
  return inertias;
}

}  // namespace rigor
