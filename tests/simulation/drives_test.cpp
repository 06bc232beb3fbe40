// What moves a scene from outside: torque tables, wrenches, the reset rule; and what must not change without them.
#include <gtest/gtest.h>

#include "simulation/simple_scenes.h"
#include "simulation/tolerance.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

Scene floatingBox(const Eigen::Quaterniond& rotation = Eigen::Quaterniond::Identity()) {
  OneBody spec;
  spec.shape = makeBox({0.1, 0.2, 0.3});
  spec.pose = {{0, 0, 5}, rotation};
  return makeOneBody(spec);
}

TEST(TorqueTable, ActsRowByRowAndNotBeforeTheFirst) {
  OneJoint spec;
  spec.length = 0.0;
  spec.inertia = 2.0;
  Scene scene = makeOneJoint(spec);
  scene.torques = TorqueTable{
      {0.1, 0.2, 0.4},
      {Eigen::VectorXd::Constant(1, 4.0), Eigen::VectorXd::Constant(1, -2.0), Eigen::VectorXd::Constant(1, 0.0)}};
  Simulator sim(scene);
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE(sim.step().accepted());
    const double expected = i < 100 ? 0.0 : i < 200 ? 4.0 : i < 400 ? -2.0 : 0.0;  // the row that acts at the node
    ASSERT_NEAR(sim.report().tau[0], expected, 1e-9) << "step " << i;
  }
  EXPECT_NEAR(sim.velocity()[0], 4.0 / 2.0 * 0.1 - 2.0 / 2.0 * 0.2, 1e-12);
}

TEST(Wrench, InBodyAxesPushesAlongTheTurnedBody) {
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.8, Vector3d(1, -2, 3).normalized()));
  Scene scene = floatingBox(turned);
  const double mass = scene.model.mass();
  const Vector3d force(3, -2, 1);
  scene.wrenches.push_back({.body = 0, .force = force, .in_world = false});
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(0.1).accepted());
  const Vector3d expected = 0.1 * (turned * force / mass - Vector3d(0, 0, kGravity));
  EXPECT_LE((sim.velocity().head<3>() - expected).norm(), 1e-12);
  EXPECT_LE(sim.velocity().tail<3>().norm(), 1e-12);  // attacks at the centre of mass
}

TEST(Wrench, InWorldAxesDoesNotFollowTheBody) {
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.8, Vector3d(1, -2, 3).normalized()));
  Scene scene = floatingBox(turned);
  scene.v.tail<3>() << 0.0, 0.0, 0.0;
  scene.wrenches.push_back({.body = 0, .force = {3, -2, 1}});
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(0.1).accepted());
  const Vector3d expected = 0.1 * (Vector3d(3, -2, 1) / scene.model.mass() - Vector3d(0, 0, kGravity));
  EXPECT_LE((sim.velocity().head<3>() - expected).norm(), 1e-12);
}

TEST(Wrench, WithATorqueSpinsAboutAPrincipalAxis) {
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.8, Vector3d(1, -2, 3).normalized()));
  for (const bool in_world : {false, true}) {
    Scene scene = floatingBox(turned);
    const double inertia = scene.model.body(0).mass.inertia(2, 2);
    const Vector3d torque = in_world ? Vector3d(turned * Vector3d(0, 0, 0.5)) : Vector3d(0, 0, 0.5);
    scene.wrenches.push_back({.body = 0, .torque = torque, .in_world = in_world});
    Simulator sim(scene);
    ASSERT_TRUE(sim.run(0.1).accepted());
    EXPECT_LE((sim.velocity().tail<3>() - Vector3d(0, 0, 0.05 / inertia)).norm(), 1e-10);
  }
}

TEST(FreeRobot, KeepsItsMomentumWhileItsJointsMove) {
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/anymal_energy.toml");
  scene.wrenches.clear();
  scene.q[2] = 50.0;  // far from the ground
  for (int j = 0; j < scene.v.size(); ++j) scene.v[j] = 0.5 * std::sin(1.0 + 3.0 * j);
  Simulator sim(scene);
  ASSERT_TRUE(sim.step().accepted());
  const Eigen::Matrix<double, 6, 1> start = sim.report().momentum;
  const Vector3d weight = scene.model.mass() * scene.model.gravity();
  Vector3d linear = Vector3d::Zero();
  for (int i = 1; i < 500; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    linear = start.head<3>() + i * scene.dt * weight;
    ASSERT_LE((sim.report().momentum.head<3>() - linear).norm(), 1e-7) << "step " << i;  // second order: 1.1e-8 at 1 ms
  }
}

/// A ball that falls 0.1 m and lies still.
Scene smallDrop() {
  OneBody spec;
  spec.shape = makeSphere(0.1);
  spec.pose.position = {0, 0, 0.2};
  return makeOneBody(spec);
}

TEST(Reset, ByTheClockRepeatsTheMotionBitForBitWhileTimeGoesOn) {
  Scene scene = smallDrop();
  scene.reset.every = 0.3;
  Simulator sim(scene);
  std::vector<double> heights;
  for (int i = 0; i < 900; ++i) {
    ASSERT_TRUE(sim.step().accepted());
    heights.push_back(sim.state().q[2]);
  }
  for (int i = 0; i < 600; ++i) ASSERT_EQ(heights[i], heights[i + 300]) << "step " << i;
  EXPECT_NEAR(sim.state().time, 0.9, 1e-12);
}

TEST(Reset, AtRestWaitsUntilTheSceneHasLainStillForItsTime) {
  Scene scene = smallDrop();
  scene.reset.rest_energy = 1e-6;
  scene.reset.rest_for = 0.2;
  Simulator sim(scene);
  double last = 1.0, landed = 0.0;
  int thrown = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(sim.step().accepted());
    const double height = sim.state().q[2];
    if (height > last + 0.05) {
      ++thrown;
      EXPECT_NEAR(sim.state().time - landed, 0.2, 0.005);
    }
    if (height < 0.1 + 1e-9 && last >= 0.1 + 1e-9) landed = sim.state().time;
    last = height;
  }
  EXPECT_EQ(thrown, 2);  // 0.143 s of fall and 0.2 s of rest each
}

// The scene cannot be followed at this step; the answer is sub-steps or a refusal, never a NaN.
TEST(FallingAnymal, AtOneSecondStepsIsSubSteppedOrRefused) {
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/anymal_drop.toml");
  scene.dt = 1.0;
  Simulator sim(scene);
  for (int i = 0; i < 5; ++i) {
    const StepReport& report = sim.step();
    ASSERT_TRUE(sim.state().q.allFinite() && sim.state().v.allFinite());
    if (!report.accepted()) {
      EXPECT_FALSE(report.explain().empty());
      break;
    }
    EXPECT_LE(std::max(report.law, report.step), 1e-10);
    EXPECT_LE(report.penetration, 1e-8);
  }
}

}  // namespace
}  // namespace rigor
