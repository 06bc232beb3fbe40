// What is its mass, and how rough is the floor? A block is pushed along a floor, let go, and slides to rest. From its recorded way alone
// mass and friction are found, by Gauss–Newton with exact derivatives of every step.
//
//   identify_slide
//
// The way x of the block answers to both numbers: pushed, it accelerates by F/m − μg, and let go by −μg.
#include <cmath>
#include <cstdio>
#include <vector>

#include "rigor/rigor.h"

namespace {

constexpr double kFriction = 0.37, kMass = 1.3;  // what is looked for
constexpr double kForce = 9.0;                   // [N] of the push
constexpr int kPushed = 300, kSteps = 450;       // steps of 1 ms

rigor::Scene makeScene(double friction, double mass) {
  const rigor::Shape box = rigor::makeBox({0.1, 0.1, 0.05});
  rigor::BodySpec block;
  block.name = "block";
  block.joint.type = rigor::kFree;
  block.shapes = {{.name = "block", .shape = box}};
  block.mass = rigor::computeMassProperties(box, mass / rigor::computeVolume(box));
  rigor::ModelBuilder builder("slide");
  builder.addBody(block);
  builder.addWorldShape({.name = "floor", .shape = rigor::makePlane()});
  rigor::MaterialPair surfaces;
  surfaces.material_1 = "default";
  surfaces.friction = friction;
  builder.addMaterialPair(surfaces);
  rigor::Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.05;
  scene.v = Eigen::VectorXd::Zero(6);
  return scene;
}

void push(rigor::Simulator& simulator, int step) {
  simulator.input().wrenches.clear();
  if (step < kPushed) simulator.input().wrenches = {{0, {kForce, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
}

std::vector<double> record() {
  rigor::Simulator simulator(makeScene(kFriction, kMass));
  std::vector<double> way;
  for (int i = 0; i < kSteps; ++i) {
    push(simulator, i);
    simulator.step();
    way.push_back(simulator.state().q[0]);
  }
  return way;
}

}  // namespace

int main() {
  const std::vector<double> recorded = record();
  Eigen::Vector2d guess(0.5, 1.0);  // friction, mass
  for (int iteration = 1; iteration <= 12; ++iteration) {
    const rigor::Scene scene = makeScene(guess[0], guess[1]);
    rigor::Simulator simulator(scene);
    // moments grow with the mass of a block of the same shape; here they play no part, since it does not turn
    rigor::StepDerivatives derivatives(simulator, {rigor::findStepParameter(scene.model, "friction"),
                                                   rigor::findStepParameter(scene.model, "mass:block")});
    rigor::StepTangent change[2] = {derivatives.zeroStart(), derivatives.zeroStart()}, end = derivatives.zeroEnd();
    Eigen::Matrix2d normal = Eigen::Matrix2d::Zero();
    Eigen::Vector2d right = Eigen::Vector2d::Zero();
    double cost = 0.0;
    for (int i = 0; i < kSteps; ++i) {
      push(simulator, i);
      derivatives.step(simulator);
      if (!derivatives.known()) {
        std::printf("step %d: %s\n", i, derivatives.reason().c_str());
        return 1;
      }
      Eigen::Vector2d slope;
      for (int k = 0; k < 2; ++k) {
        change[k].parameters = Eigen::Vector2d::Unit(k);
        derivatives.pushForward(change[k], end);
        change[k].state = end.state, change[k].memory = end.memory;
        slope[k] = end.state.q[0];
      }
      const double missed = simulator.state().q[0] - recorded[static_cast<std::size_t>(i)];
      normal += slope * slope.transpose();
      right -= slope * missed;
      cost += missed * missed;
    }
    std::printf("%2d: friction %.9f, mass %.9f kg, off by %.1e m\n", iteration, guess[0], guess[1],
                std::sqrt(cost / kSteps));
    const Eigen::Vector2d step = Eigen::Vector2d(normal(1, 1) * right[0] - normal(0, 1) * right[1],
                                                 normal(0, 0) * right[1] - normal(1, 0) * right[0]) /
                                 (normal(0, 0) * normal(1, 1) - normal(0, 1) * normal(1, 0));
    guess += step;
    if (step.norm() < 1e-12) break;
  }
  const double error = std::fmax(std::fabs(guess[0] - kFriction), std::fabs(guess[1] - kMass));
  std::printf("friction %.9f, mass %.9f kg: %s\n", guess[0], guess[1], error < 1e-6 ? "found" : "not found");
  return error < 1e-6 ? 0 : 1;
}
