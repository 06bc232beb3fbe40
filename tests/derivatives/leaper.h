// A trunk with a leg on three joints and a ball for a foot, of numbers that a test may change; a second ball that it may meet.
#pragma once

#include <functional>

#include "rigor/rigor.h"

namespace rigor {

struct LeaperNumbers {
  MaterialPair surface;
  MassProperties trunk = computeMassProperties(makeBox({0.1, 0.08, 0.05}), 800.0);
  MassProperties shank = computeMassProperties(makeCapsule(0.02, 0.1), 1500.0);
  double damping = 0.2, dry_friction = 0.0, stiffness = 3.0, effort = 1e9;
  double ball_height = 5.0;
  bool alone = false;  ///< no second ball: a world of one tree is never cut
};

inline Scene makeLeaper(const std::function<void(LeaperNumbers&)>& change = {}) {
  LeaperNumbers numbers;
  numbers.surface.material_1 = "default";
  numbers.surface.friction = 0.15;
  numbers.surface.threshold = 100.0;
  numbers.trunk.com = {0.01, -0.02, 0.03};
  numbers.shank.com = {0.002, 0.001, -0.11};
  if (change) change(numbers);

  ModelBuilder builder("leaper");
  builder.addWorldShape({.name = "ground", .shape = makePlane()});
  builder.addMaterialPair(numbers.surface);
  BodySpec trunk;
  trunk.name = "trunk";
  trunk.joint.name = "base", trunk.joint.type = kFree;
  trunk.mass = numbers.trunk;
  trunk.shapes = {{.name = "head", .shape = makeSphere(0.06), .X_BS = {{0.0, 0.0, 0.1}}}};
  const int at = builder.addBody(trunk);
  BodySpec thigh;
  thigh.name = "thigh";
  thigh.parent = at;
  thigh.joint.name = "hip", thigh.joint.type = kBall;
  thigh.joint.X_PJ.position = {0.0, 0.0, -0.05};
  thigh.joint.damping = 0.1;
  thigh.joint.stiffness = numbers.stiffness;
  thigh.mass = computeMassProperties(makeCapsule(0.03, 0.1), 1000.0);
  thigh.mass.com = {0.0, 0.0, -0.1};
  const int knee = builder.addBody(thigh);
  BodySpec shank;
  shank.name = "shank";
  shank.parent = knee;
  shank.joint.name = "knee", shank.joint.type = kHinge;
  shank.joint.axis = {0.0, 1.0, 0.0};
  shank.joint.X_PJ.position = {0.0, 0.0, -0.2};
  shank.joint.range = Range{-2.0, 1.5};
  shank.joint.damping = numbers.damping;
  shank.joint.dry_friction = numbers.dry_friction;
  shank.joint.stiffness = 2.0;
  shank.joint.effort = numbers.effort;
  shank.mass = numbers.shank;
  shank.shapes = {{.name = "foot", .shape = makeSphere(0.04), .X_BS = {{0.01, 0.0, -0.2}}}};
  builder.addBody(shank);
  BodySpec ball;
  ball.name = "ball";
  ball.joint.name = "flies", ball.joint.type = kFree;
  ball.mass = computeMassProperties(makeSphere(0.05), 900.0);
  ball.mass.com = {0.004, 0.002, -0.003};
  ball.shapes = {{.name = "ball", .shape = makeSphere(0.05)}};
  if (!numbers.alone) builder.addBody(ball);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.05 + 0.2 + 0.2 + 0.04;
  if (!numbers.alone) scene.q[12 + 2] = numbers.ball_height;
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  return scene;
}

}  // namespace rigor
