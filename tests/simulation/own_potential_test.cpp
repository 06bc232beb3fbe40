// Potentials that a user writes: against springs that exist, energy, order, momentum.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "own_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

class OwnPotentialOf : public testing::TestWithParam<const char*> {};

FreeBodies twoSpinning(const char* stepper) {
  FreeBodies world;
  world.stepper = stepper;
  world.bodies = {{"one", 1.0, {0, 0, 0}, {0.1, -0.2, 0.3}, {0.5, -0.4, 0.2}},
                  {"two", 3.0, {1.2, 0, 0}, {0, 0.6, -0.1}, {-0.3, 0.7, 0.1}}};
  return world;
}

TEST_P(OwnPotentialOf, ASpringMovesBodiesAsTheBuiltInSpringDoes) {
  const Vector3d arm_1(0.02, -0.07, 0.04), arm_2(0.05, 0.1, -0.03);
  Scene own = twoSpinning(GetParam()).scene();
  own.potentials = {makeOwnSpring(0, arm_1, 1, arm_2, 100.0, 1.0)};
  Scene built_in = own;
  built_in.potentials.clear();
  {
    ModelBuilder builder;
    builder.setGravity(Vector3d::Zero());
    for (int body = 0; body < 2; ++body) builder.addBody(own.model.body(body));
    SpringSpec spring;
    spring.body_1 = 0, spring.body_2 = 1;
    spring.point_1 = arm_1, spring.point_2 = arm_2;
    spring.stiffness = 100.0, spring.length = 1.0;
    builder.addSpring(spring);
    built_in.model = builder.build();
  }
  Simulator a(own), b(built_in);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(a.step().accepted()) << a.report().explain();
    ASSERT_TRUE(b.step().accepted()) << b.report().explain();
    // the same impulse by other sums: 1e-16 of the momenta per step, and the row of the spring is solved to 1e-12
    ASSERT_LE((a.state().v - b.state().v).cwiseAbs().maxCoeff(), 1e-12 * (i + 1)) << i;
    ASSERT_LE((a.state().q - b.state().q).cwiseAbs().maxCoeff(), 1e-12 * (i + 1)) << i;
    ASSERT_NEAR(a.report().potential, b.report().potential, 1e-11) << i;  // k·x of 20 N times what positions differ
  }
}

TEST_P(OwnPotentialOf, ATorsionSpringMovesAHingeAsTheSpringOfTheJointDoes) {
  ModelBuilder builders[2];
  for (int k = 0; k < 2; ++k) {
    BodySpec arm;
    arm.name = "arm";
    arm.joint.name = "hinge";
    arm.joint.type = kHinge;
    arm.joint.axis = Vector3d::UnitY();
    if (k == 1) arm.joint.stiffness = 30.0;
    arm.mass = {1.0, {0.3, 0.0, 0.1}, 0.02 * Eigen::Matrix3d::Identity()};
    builders[k].addBody(arm);
  }
  Scene scenes[2];
  for (int k = 0; k < 2; ++k) {
    scenes[k].model = builders[k].build();
    scenes[k].stepper = GetParam();
    scenes[k].q = VectorXd::Constant(1, 0.8);
    scenes[k].v = VectorXd::Constant(1, -0.5);
  }
  scenes[0].potentials = {{"coil", kWorld, 0, [](const OwnPose&, const OwnPose& arm) {
                             const PoseNumber angle = atan2(arm.axis_z.x, arm.axis_z.z);
                             return 15.0 * angle * angle;
                           }}};
  Simulator own(scenes[0]), built_in(scenes[1]);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(own.step().accepted() && built_in.step().accepted()) << own.report().explain();
    // atan2 of a rotation matrix knows the angle to 1e-16, 30 N m/rad turn that into 1e-18 rad/s per step
    ASSERT_NEAR(own.state().q[0], built_in.state().q[0], 1e-12) << i;
    ASSERT_NEAR(own.report().potential, built_in.report().potential, 1e-11) << i;
  }
}

/// 1/r attraction of two bodies.
OwnPotential makeGravity(double strength) {
  return {"gravity", 0, 1,
          [=](const OwnPose& one, const OwnPose& two) { return -strength / norm(two.position - one.position); }};
}

Scene keplerScene(const char* stepper, double dt) {
  FreeBodies world;
  world.stepper = stepper;
  world.dt = dt;
  // reduced mass 0.75 kg; an ellipse with e = 0.36 that both go around in 2.3 s
  world.bodies = {{"one", 1.0, {0, 0, 0}, {0, -0.9, 0.15}}, {"two", 3.0, {1, 0, 0}, {0, 0.3, -0.05}}};
  Scene scene = world.scene();
  scene.potentials = {makeGravity(2.0)};
  return scene;
}

TEST_P(OwnPotentialOf, GravityOfTwoBodiesKeepsEnergyAndMomentumOverManyOrbits) {
  Scene scene = keplerScene(GetParam(), 2e-3);
  scene.v.segment<3>(0) += Vector3d(0.2, 0.1, 0.3), scene.v.segment<3>(6) += Vector3d(0.2, 0.1, 0.3);
  Simulator sim(scene);
  ASSERT_TRUE(sim.step().accepted());
  const Eigen::Matrix<double, 6, 1> momentum = sim.report().momentum;
  double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
  for (int i = 0; i < 50000; ++i) {  // 100 s, some 40 orbits
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    // equal and opposite, to rounding: 1e-14 of the linear ones, and of the angular ones 5e-13, 30 m off the origin in the end
    ASSERT_LE((report.momentum - momentum).cwiseAbs().maxCoeff(), 1e-12 * momentum.norm()) << i;
    const int half = i < 25000 ? 0 : 1;
    low[half] = std::min(low[half], report.kinetic + report.potential);
    high[half] = std::max(high[half], report.kinetic + report.potential);
  }
  EXPECT_LE(high[0] - low[0], 1e-4);  // (hω)² at the near end, of 4 J
  EXPECT_NEAR(high[1], high[0], 1e-6);
  EXPECT_NEAR(low[1], low[0], 1e-6);
}

TEST_P(OwnPotentialOf, GravityOfTwoBodiesIsOfSecondOrder) {
  VectorXd q[3];
  for (int k = 0; k < 3; ++k) {
    Simulator sim(keplerScene(GetParam(), 4e-3 / (1 << k)));
    ASSERT_TRUE(sim.run(2.0).accepted()) << sim.report().explain();
    q[k] = sim.state().q;
  }
  EXPECT_NEAR((q[0] - q[1]).norm() / (q[1] - q[2]).norm(), 4.0, 0.1);
}

/// Two wells at x = ±0.5 m, 0.125 J deep.
Scene doubleWell(const char* stepper, double dt) {
  FreeBodies world;
  world.stepper = stepper;
  world.dt = dt;
  world.bodies = {{"ball", 1.0, {0.7, 0.05, 0}, {0.1, 0, 0}, {0.2, 0.3, -0.1}}};
  Scene scene = world.scene();
  scene.potentials = {{"wells", kWorld, 0, [](const OwnPose&, const OwnPose& ball) {
                         const PoseNumber x = ball.position.x, y = ball.position.y;
                         return 2.0 * pow(x * x - 0.25, 2.0) + 0.5 * y * y;
                       }}};
  return scene;
}

TEST_P(OwnPotentialOf, TwoWellsKeepTheEnergyOfABallForHundredsOfSwings) {
  for (const double dt : {2e-2, 1e-2}) {
    Simulator sim(doubleWell(GetParam(), dt));
    double low = 1e300, high = -1e300;
    for (int i = 0; i < 30000; ++i) {
      ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
      const double energy = sim.report().kinetic + sim.report().potential;
      low = std::min(low, energy), high = std::max(high, energy);
    }
    EXPECT_LE(high - low, 0.5 * dt * dt);  // (hω)²/4 of 0.12 J with ω² up to 10
    EXPECT_GE(high - low, 1e-3 * dt * dt);
  }
}

INSTANTIATE_TEST_SUITE_P(Stepper, OwnPotentialOf, testing::Values("minimal", "maximal"),
                         [](const auto& test) { return std::string(test.param); });

// Other integrators take the force as a function of the pose, too.
TEST(OwnPotential, IsOfFourthOrderWithRungeKutta) {
  VectorXd q[3];
  for (int k = 0; k < 3; ++k) {
    Scene scene = keplerScene("minimal", 1e-2 / (1 << k));
    scene.integrator = "rk4";
    Simulator sim(scene);
    ASSERT_TRUE(sim.run(2.0).accepted()) << sim.report().explain();
    EXPECT_TRUE(sim.report().smooth);
    q[k] = sim.state().q;
  }
  EXPECT_NEAR(std::log2((q[0] - q[1]).norm() / (q[1] - q[2]).norm()), 4.0, 0.3);
}

// A ball bounces while another one far away would rather take whole steps: what pulls at both keeps them together.
TEST(OwnPotential, KeepsBodiesTogetherThatStepInParts) {
  ModelBuilder builder;
  ShapeSpec floor{"floor", makePlane()};
  floor.material = "ground";
  builder.addWorldShape(floor);
  MaterialPair material;
  material.material_1 = "ground";
  material.restitution = 1.0;
  builder.addMaterialPair(material);
  for (const char* name : {"one", "two"}) {
    BodySpec ball;
    ball.name = name;
    ball.joint.type = kFree;
    ball.joint.name = std::string(name) + "_base";
    ball.shapes = {{std::string(name) + "_skin", makeSphere(0.1)}};
    ball.mass = computeMassProperties(ball.shapes[0].shape, 1000);
    builder.addBody(ball);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.3, scene.q[9] = 40.0;
  scene.v = VectorXd::Zero(12);
  scene.potentials = {makeOwnSpring(0, Vector3d::Zero(), 1, Vector3d::Zero(), 1.0, 39.7)};
  Simulator sim(scene);
  double low = 1e300, high = -1e300;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    const double energy = sim.report().kinetic + sim.report().potential;
    low = std::min(low, energy), high = std::max(high, energy);
    if (sim.report().impacts > 0) {
      for (const double kick : sim.report().record.kick) EXPECT_GE(kick, 0.0);  // no tree is left out of a sub-step
    }
  }
  EXPECT_LE(high - low, 3e-6);  // elastic bounces; (hω)²/4 of the 12 J that the spring stores, hω = 7e-4
}

}  // namespace
}  // namespace rigor
