// A long chain that falls onto the ground.
#pragma once

#include <cmath>

#include "minimal/balls.h"
#include "rigor/scene.h"

namespace rigor {

/// Balls 0.25 m apart, on hinges about y and z by turns or on ball joints, in a wavy line that falls onto the ground with one end ahead.
/// With 60 ball joints its freedoms have 92 above them in the mean: rows are on links. Free balls fall on it and roll off.
inline Scene makeFallingChain(int links, JointType type, int balls = 0) {
  ModelBuilder builder = withGround();
  for (int i = 0; i < balls; ++i)
    builder.addBody(ballAt("free_" + std::to_string(i), {0.7 * i + 0.1, 0.03, 0.4 + 0.01 * i}));
  int parent = kWorld;
  for (int i = 0; i < links; ++i) {
    BodySpec body = ballAt("ball_" + std::to_string(i), {0, 0, 0.15});
    body.parent = parent;
    if (i > 0) {
      body.joint.type = type;
      body.joint.axis = i % 3 == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();
      body.joint.X_PJ.position = Eigen::Vector3d(0.25, 0, 0);
      body.joint.X_PJ.rotation =
          Eigen::AngleAxisd(0.3 * std::sin(i), Eigen::Vector3d::UnitZ()) *
          Eigen::AngleAxisd(0.06 * std::cos(0.7 * i) - (i == 1 ? 0.02 : 0.0), Eigen::Vector3d::UnitY());
      body.joint.damping = i % 2 == 0 ? 0.05 : 0.0;
    }
    parent = builder.addBody(body);
  }
  if (balls == 0) builder.excludeSelfCollision();
  Scene scene;
  scene.name = "falling chain";
  scene.model = builder.build();
  scene.dt = 0.005;
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  scene.stepper = "maximal";
  return scene;
}

}  // namespace rigor
