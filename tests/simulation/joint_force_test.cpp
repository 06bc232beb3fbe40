#include <gtest/gtest.h>

#include "simulation/simple_scenes.h"
#include "simulation/tolerance.h"

namespace rigor {
namespace {

Scene flywheel(const JointSpec& joint) {
  OneJoint spec;
  spec.joint = joint;
  spec.length = 0.0;  // no gravity torque
  spec.inertia = 2.0;
  return makeOneJoint(spec);
}

TEST(DampedFlywheel, SlowsDownWithThePadeFactorOfTheMidpointRule) {
  JointSpec joint;
  joint.damping = 3.0;
  Scene scene = flywheel(joint);
  scene.v[0] = 5.0;
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(1.0).accepted());
  // carried velocities: a half kick, then 999 whole ones
  const double x = 0.5 * scene.dt * 3.0 / 2.0;
  const double exact = 5.0 * std::pow((1 - x) / (1 + x), 999) * (1 - 0.5 * x) / (1 + 0.5 * x);
  EXPECT_NEAR(sim.state().v[0], exact, 1e-12 * exact);
  EXPECT_NEAR(sim.velocity()[0], 5.0 * std::exp(-1.5), 2e-6);  // second order in h
}

TEST(FlywheelWithDryFriction, StopsAfterTheExactTimeAndStays) {
  JointSpec joint;
  joint.dry_friction = 4.0;
  Scene scene = flywheel(joint);
  scene.v[0] = 1.0;  // stops after I v/τ = 0.5 s and 0.25 rad
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(0.499).accepted());
  EXPECT_NEAR(sim.velocity()[0], 0.002, 1e-12);
  ASSERT_TRUE(sim.run(1.0).accepted());
  EXPECT_NEAR(sim.state().q[0], 0.25, 2e-6);  // the stop falls inside a step: τ/I · h²
  EXPECT_EQ(sim.state().v[0], 0.0);
}

TEST(JointLimit, StopsAPendulumAtItsBoundWithoutPassingIt) {
  JointSpec joint;
  joint.range = Range{-0.5, 0.25};
  OneJoint spec;
  spec.joint = joint;
  Scene scene = makeOneJoint(spec);
  scene.q[0] = -0.5;
  Simulator sim(scene);
  double highest = -1.0;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    highest = std::max(highest, sim.state().q[0]);
  }
  // it hits the bound at 1.4 rad/s, does not bounce, and falls back for at most the rest of the step
  EXPECT_NEAR(highest, 0.25, 0.5 * kGravity * std::sin(0.25) * 1e-6);
  EXPECT_LE(highest, 0.25 + 1e-15);
}

TEST(SaturatedHold, AcceleratesWithExactlyItsEffort) {
  JointSpec joint;
  Scene scene = flywheel(joint);
  scene.holds.push_back({.joint = 0, .kp = 1e4, .kd = 10.0, .target = 100.0, .effort = 6.0});
  Simulator sim(scene);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    ASSERT_NEAR(sim.report().tau[0], 6.0, 1e-12);
  }
  EXPECT_NEAR(sim.state().q[0], 0.5 * (6.0 / 2.0), 1e-12);  // constant acceleration of 3 rad/s²
}

TEST(SaturatedHold, ReturnsToItsGainsAndReachesTheTarget) {
  JointSpec joint;
  Scene scene = flywheel(joint);
  scene.holds.push_back({.joint = 0, .kp = 200.0, .kd = 40.0, .target = 1.0, .effort = 6.0});
  Simulator sim(scene);
  double largest = 0.0;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    largest = std::max(largest, std::fabs(sim.report().tau[0]));
  }
  EXPECT_LE(largest, 6.0 * (1 + 1e-12));
  EXPECT_GE(largest, 6.0 * (1 - 1e-12));
  EXPECT_NEAR(sim.state().q[0], 1.0, 1e-6);
}

TEST(Pendulum, SwingsFromHorizontalWithItsKnownPeriod) {
  Scene scene = makeOneJoint({});
  scene.q[0] = -kPi / 2;
  const double period = 2.367841948;  // 1 kg point on a massless bar of 1 m
  scene.dt = period / 2400;
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(period).accepted());
  EXPECT_NEAR(sim.state().q[0], -kPi / 2, 2e-5);  // second order: 24 h² of it
  ASSERT_TRUE(sim.run(period / 2).accepted());
  EXPECT_NEAR(sim.state().q[0], kPi / 2, 2e-5);
}

TEST(Wrench, LiftsABodyWithForceOverMass) {
  OneBody spec;
  spec.shape = makeSphere(0.1);
  spec.pose.position = {0, 0, 5};
  Scene scene = makeOneBody(spec);
  const double mass = scene.model.mass();
  scene.wrenches.push_back({.body = 0, .force = {0, 0, 3.0 * mass * kGravity}, .until = 0.5});
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(0.5).accepted());
  EXPECT_NEAR(sim.state().q[2], 5.0 + 0.5 * 2.0 * kGravity * 0.25, 1e-11);
  ASSERT_TRUE(sim.run(0.5).accepted());
  // the node of the release carries the mean of both forces: that is exact for a force that is constant on each side
  EXPECT_NEAR(sim.state().q[2], 5.0 + 0.25 * kGravity + kGravity * 0.5 - 0.125 * kGravity, 1e-11);
}

}  // namespace
}  // namespace rigor
