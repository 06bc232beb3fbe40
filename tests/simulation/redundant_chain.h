// Long pendulums of free bodies that hinges hold together, in a plane as they come.
#pragma once

#include <string>

#include "rigor/redundant.h"
#include "rigor/simulator.h"

namespace rigor {

/// Pendulums beside each other, each of its own length, from straight to the side; they swing in planes and never meet.
inline Scene makeRedundantChains(const std::vector<int>& lengths) {
  ModelBuilder builder("chains");
  for (std::size_t chain = 0; chain < lengths.size(); ++chain)
    for (int i = 0, parent = kWorld; i < lengths[chain]; ++i) {
      BodySpec body;
      body.name = "link_" + std::to_string(chain) + "_" + std::to_string(i);
      body.parent = parent;
      body.joint.name = body.name + "_hinge";
      body.joint.type = kHinge;
      body.joint.axis = Eigen::Vector3d::UnitY();
      body.joint.X_PJ.position = {i == 0 ? 0.0 : 0.3, i == 0 ? 3.0 * static_cast<double>(chain) : 0.0, 0.0};
      body.mass.mass = 1.0;
      body.mass.com = {0.15, 0.0, 0.0};
      body.mass.inertia = Eigen::Vector3d(0.002, 0.01, 0.01).asDiagonal();
      parent = builder.addBody(body);
    }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  scene.dt = 1e-3;
  return makeRedundant(scene);
}

}  // namespace rigor
