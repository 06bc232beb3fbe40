// A ball is thrown so that it bounces once off the floor and is at a given place at a given time. The throw is found by shooting: the
// derivative of where it ends by how it began goes back through every step, through the impact and through the time at which it happens.
//
//   throw_by_shooting
#include <cstdio>
#include <vector>

#include "rigor/rigor.h"

namespace {

constexpr int kSteps = 800;                     // of 1 ms
const Eigen::Vector3d kTarget(1.2, -0.4, 0.7);  // [m] after them

rigor::Scene makeScene() {
  const rigor::Shape sphere = rigor::makeSphere(0.1);
  rigor::BodySpec ball;
  ball.name = "ball";
  ball.joint.type = rigor::kFree;
  ball.shapes = {{.name = "ball", .shape = sphere}};
  ball.mass = rigor::computeMassProperties(sphere, 500.0);
  rigor::ModelBuilder builder("throw");
  builder.addBody(ball);
  builder.addWorldShape({.name = "floor", .shape = rigor::makePlane()});
  rigor::MaterialPair surfaces;
  surfaces.material_1 = "default";
  surfaces.friction = 0.2;
  surfaces.restitution = 0.8;
  builder.addMaterialPair(surfaces);
  rigor::Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 1.0;
  scene.v = Eigen::VectorXd::Zero(6);
  return scene;
}

}  // namespace

int main() {
  rigor::Simulator simulator(makeScene());
  const Eigen::VectorXd begin = simulator.state().q;
  std::vector<rigor::StepDerivatives> steps;  // all of a flight: gradients go back through them
  for (int i = 0; i < kSteps; ++i) steps.emplace_back(simulator);
  Eigen::VectorXd v = Eigen::VectorXd::Zero(6);
  v << 1.0, 0.0, -2.0, 0.0, 5.0, 0.0;  // a first throw, with spin
  rigor::StepTangent gradient = steps[0].zeroStart();
  for (int shot = 1; shot <= 20; ++shot) {
    simulator.setState(begin, v);
    int impacts = 0;
    for (rigor::StepDerivatives& step : steps) {
      impacts += step.step(simulator).impacts;
      if (!step.known()) {
        std::printf("%s\n", step.reason().c_str());
        return 1;
      }
    }
    const Eigen::Vector3d missed = simulator.state().q.head<3>() - kTarget;
    std::printf("shot %2d: %d bounce, misses by %.3e m\n", shot, impacts, missed.norm());
    if (missed.norm() < 1e-8) {
      std::printf("hit: thrown with %.6f %.6f %.6f m/s\n", v[0], v[1], v[2]);
      return 0;
    }
    Eigen::Matrix3d slope;  // of the place by the velocity of the throw
    for (int axis = 0; axis < 3; ++axis) {
      rigor::StepTangent by_end = steps[0].zeroEnd();
      by_end.state.q[axis] = 1.0;
      for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        step->pullBack(by_end, gradient);
        by_end.state = gradient.state, by_end.memory = gradient.memory;
      }
      slope.row(axis) = gradient.state.v.head<3>();
    }
    v.head<3>() -= slope.inverse() * missed;
  }
  std::printf("missed\n");
  return 1;
}
