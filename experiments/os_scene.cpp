#include "experiments/os_scene.h"

#include <fmt/format.h>

#include "experiments/maximal_models.h"
#include "rigor/redundant.h"

namespace rigor::experiments {
namespace {

constexpr double kHeight = 10.0, kWall = 4.0, kGravity = 9.8, kRestitution = 0.5;  // [m], [m], [m/s²]

BodySpec makeBall(int index, int parent, double radius) {
  BodySpec ball;
  ball.name = fmt::format("ball_{}", index + 1);
  ball.parent = parent;
  ball.joint.name = fmt::format("hinge_{}", index + 1);
  ball.joint.type = kHinge;
  ball.joint.axis = Eigen::Vector3d::UnitY();
  ball.joint.X_PJ.position = {0.0, 0.0, parent == kWorld ? kHeight : -2.0 * radius};
  const Pose centre{{0.0, 0.0, -radius}, Eigen::Quaterniond::Identity()};
  ball.shapes = {{ball.name, makeSphere(radius), centre}};
  ball.mass = massOf(ball.shapes[0].shape, 1.0);
  ball.mass.com = centre.position;
  return ball;
}

}  // namespace

Eigen::Vector3d tipCentre(int links) { return {0.0, 0.0, -0.5 * kOsLength / links}; }

Scene makeOsPendulum(const OsPendulum& wanted) {
  ModelBuilder builder("os_pendulum");
  int parent = kWorld;
  for (int i = 0; i < wanted.links; ++i) parent = builder.addBody(makeBall(i, parent, 0.5 * kOsLength / wanted.links));
  if (wanted.walls) {
    const Eigen::Quaterniond to_the_left(Eigen::AngleAxisd(-0.5 * kPi, Eigen::Vector3d::UnitY()));
    builder.addWorldShape({"floor", makePlane()});
    builder.addWorldShape({"wall", makePlane(), {{kWall, 0.0, 0.0}, to_the_left}});
  }
  MaterialPair all;
  all.material_1 = "default";
  all.friction = wanted.friction;
  all.restitution = kRestitution;
  builder.addMaterialPair(all);
  builder.setGravity({0.0, 0.0, -kGravity});

  Scene scene;
  scene.name = fmt::format("{} links, {}", wanted.links, wanted.redundant ? "redundant" : "minimal");
  scene.model = builder.build();
  scene.q = 0.5 * kPi * Eigen::VectorXd::Unit(wanted.links, 0);
  scene.v = -Eigen::VectorXd::Unit(wanted.links, 0);
  scene.dt = wanted.dt;
  scene.stepper = wanted.stepper;
  if (scene.stepper == "event") scene.integrator = "dormand_prince";  // half the time of rk4
  scene.step_accuracy = wanted.accuracy;
  return wanted.redundant ? makeRedundant(scene) : scene;
}

}  // namespace rigor::experiments
