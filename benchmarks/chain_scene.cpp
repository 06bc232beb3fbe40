#include "chain_scene.h"

#include <string>

namespace rigor {

Scene makeChainScene(int links) {
  ModelBuilder builder("chain");
  for (int i = 0; i < links; ++i) {
    BodySpec body;
    body.name = "link_" + std::to_string(i);
    body.parent = i - 1;
    body.joint.name = body.name + "_joint";
    body.joint.type = kHinge;
    body.joint.axis = i % 2 == 0 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
    body.joint.X_PJ.position = {i == 0 ? 0.0 : 0.05, 0.0, 0.0};
    body.mass.mass = 0.01;
    body.mass.com = {0.025, 0.0, 0.0};
    body.mass.inertia = Eigen::Vector3d(1e-7, 2e-6, 2e-6).asDiagonal();
    builder.addBody(body);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[0] = 1.0;  // [rad] below the horizontal
  for (int i = 1; i < links; ++i) scene.q[i] = 0.01 * (i % 5 - 2);
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  return scene;
}

}  // namespace rigor
