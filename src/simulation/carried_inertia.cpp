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
  for (const Foot& foot : feet) {
    const Matrix6Xd& J = getFrameJacobian(model, data, q, foot.body, foot.p_B);
    const double share = mass[foot.tree] / count[foot.tree];
    for (int j = 0; j < model.nv(); ++j) inertias[j] = std::max(inertias[j], share * J.col(j).head<3>().squaredNorm());
  }
  return inertias;
}

}  // namespace rigor
