// Scenes for the tests of stepper event.
#pragma once

#include "simulation/closed_form_scenes.h"

namespace rigor {

/// A scene by stepper event.
inline Scene byEvents(Scene scene, double dt = 1e-3) {
  scene.stepper = "event";
  scene.dt = dt;
  return scene;
}

/// A ball of 1 kg at rest on the floor at x = y = 0, which slides and does not roll since hardly anything turns it, and a spring from its
/// centre to a point of the world.
inline Scene sliderOnASpring(const Eigen::Vector3d& anchor, double stiffness, double length, double friction) {
  ModelBuilder builder("slider on a spring");
  builder.setGravity({0, 0, -kGravity});
  builder.addWorldShape({"ground", makePlane(), {}, "default"});
  builder.addMaterialPair(makeMaterial("default", "default", friction));
  BodySpec ball;
  ball.name = "ball";
  ball.joint.type = kFree;
  ball.mass = {1.0, Eigen::Vector3d::Zero(), 1e9 * Eigen::Matrix3d::Identity()};
  ball.shapes.push_back({"ball", makeSphere(0.05), {}, "default"});
  builder.addBody(ball);
  SpringSpec spring;
  spring.body_1 = kWorld, spring.body_2 = 0;
  spring.point_1 = anchor;
  spring.stiffness = stiffness, spring.length = length;
  builder.addSpring(spring);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.05;
  scene.v = Eigen::VectorXd::Zero(6);
  return scene;
}

}  // namespace rigor
