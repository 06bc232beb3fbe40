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
  std::vector<Eigen::Vector3d> centre(topology.trees, Eigen::Vector3d::Zero());  // Σ m c, then c
  const std::vector<Pose> poses = bodyPoses(model, q);
  for (int body = 0; body < model.bodyCount(); ++body) {
    const int link = model.placements()[body].link;
    if (link < 0) continue;
    mass[topology.tree[link]] += model.body(body).mass.mass;
    centre[topology.tree[link]] += model.body(body).mass.mass * (poses[body] * model.body(body).mass.com);
  }
  for (int tree = 0; tree < topology.trees; ++tree)
    if (mass[tree] > 0.0) centre[tree] /= mass[tree];
  const std::vector<Foot> feet = findFeet(model, q);
  std::vector<int> count(topology.trees, 0);
  for (const Foot& foot : feet) ++count[foot.tree];
  Data data(model);
  const Matrix6Xd& motions = computeJointJacobians(model, data, q);  // about the origin of the world
  for (const Foot& foot : feet) {
    const Eigen::Vector3d p_W = poses[foot.body] * foot.p_B;
    const double share = mass[foot.tree] / count[foot.tree];
    const int link = model.placements()[foot.body].link;
    for (int k = 0; k < topology.chain_length[link]; ++k) {
      const int j = topology.chain[topology.chain_start[link] + k];
      // per unit of its speed: the foot, while the robot stays; and the robot, while the foot stays
      const auto velocityAt = [&](const Eigen::Vector3d& point) -> Eigen::Vector3d {
        return motions.col(j).head<3>() + motions.col(j).tail<3>().cross(point);
      };
      const double lever = std::max(velocityAt(p_W).squaredNorm(), velocityAt(centre[foot.tree]).squaredNorm());
      inertias[j] = std::max(inertias[j], share * lever);
    }
  }
  return inertias;
}

}  // namespace rigor
