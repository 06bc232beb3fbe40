// Springs and dampers between points: periods and decay in closed form, energy, momentum, stiffness beyond the step.
#include <gtest/gtest.h>

#include <algorithm>

#include "simple_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

struct TwoMasses {
  double stiffness = 100.0, damping = 0.0, length = 1.0, start = 1.2, dt = 1e-3;
  Vector3d arm = Vector3d::Zero();  ///< of the spring on the second mass
  double mass_1 = 1.0, mass_2 = 3.0;

  double omega() const { return std::sqrt(stiffness * (1.0 / mass_1 + 1.0 / mass_2)); }
};

/// Two free masses on a spring along x, without gravity.
Scene makeTwoMasses(const TwoMasses& spec) {
  ModelBuilder builder;
  builder.setGravity(Vector3d::Zero());
  for (const double mass : {spec.mass_1, spec.mass_2}) {
    BodySpec body;
    body.name = mass == spec.mass_1 ? "one" : "two";
    body.joint.name = body.name + "_base";
    body.joint.type = kFree;
    body.mass = {mass, Vector3d::Zero(), mass * Vector3d(0.01, 0.02, 0.015).asDiagonal().toDenseMatrix()};
    builder.addBody(body);
  }
  SpringSpec spring;
  spring.body_1 = 0, spring.body_2 = 1;
  spring.point_2 = spec.arm;
  spring.stiffness = spec.stiffness, spring.damping = spec.damping, spring.length = spec.length;
  builder.addSpring(spring);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[7] = spec.start;
  scene.v = VectorXd::Zero(12);
  scene.dt = spec.dt;
  return scene;
}

double distanceAfter(const TwoMasses& spec, double seconds) {
  Simulator sim(makeTwoMasses(spec));
  if (!sim.run(seconds).accepted()) throw Error(sim.report().explain());
  return sim.state().q[7] - sim.state().q[0];
}

TEST(TwoMassesOnASpring, SwingWithThePeriodOfTheirReducedMass) {
  TwoMasses spec;
  double error[2];
  for (int k = 0; k < 2; ++k) {
    spec.dt = k == 0 ? 2e-3 : 1e-3;
    error[k] = std::fabs(distanceAfter(spec, 2.0) - (1.0 + 0.2 * std::cos(spec.omega() * 2.0)));
  }
  // the leapfrog's frequency is off by (hω)²/24: 0.2 m · 23 rad · 5.5e-6
  EXPECT_LE(error[1], 3e-5);
  EXPECT_NEAR(error[0] / error[1], 4.0, 0.2);
}

TEST(TwoMassesOnASpring, DampedSwingAsTheClosedFormSays) {
  TwoMasses spec;
  spec.damping = 2.0;
  const double decay = 0.5 * spec.damping * (1.0 / spec.mass_1 + 1.0 / spec.mass_2);
  const double omega = std::sqrt(spec.omega() * spec.omega() - decay * decay), t = 1.0;
  const double truth = 1.0 + 0.2 * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
  double error[2];
  for (int k = 0; k < 2; ++k) {
    spec.dt = k == 0 ? 2e-3 : 1e-3;
    error[k] = std::fabs(distanceAfter(spec, t) - truth);
  }
  EXPECT_LE(error[1], 5e-6);  // 0.2 m · 11.5 rad · (hω)²/24 · e^-1.33
  EXPECT_NEAR(error[0] / error[1], 4.0, 0.3);
}

// A damper alone, however strong, stops the rate of the distance and never turns it around by more than the mean rule does.
TEST(Damper, SlowsTwoMassesByTheClosedForm) {
  TwoMasses spec;
  spec.stiffness = 0.0, spec.damping = 3.0, spec.length = 0.0;
  Scene scene = makeTwoMasses(spec);
  scene.v[6] = 1.0;
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(0.5).accepted());
  const double rate = spec.damping * (1.0 + 1.0 / 3.0);
  const double truth = spec.start + (1.0 - std::exp(-rate * 0.5)) / rate;
  EXPECT_NEAR(sim.state().q[7] - sim.state().q[0], truth, 1e-6);  // (h·rate)²/12 of 0.2 m
}

TEST(TwoMassesOnASpring, KeepTheirMomentumAndTheirEnergy) {
  TwoMasses spec;
  spec.arm = {0.05, 0.1, -0.03};
  Scene scene = makeTwoMasses(spec);
  scene.v << 0.1, -0.2, 0.3, 0.5, -0.4, 0.2, 0.0, 0.6, -0.1, -0.3, 0.7, 0.1;
  Simulator sim(scene);
  const Vector3d momentum = scene.v.head<3>() + 3.0 * scene.v.segment<3>(6);
  double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
  for (int i = 0; i < 40000; ++i) {
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    ASSERT_LE((report.momentum.head<3>() - momentum).norm(), 1e-12);  // equal and opposite, to rounding
    const int half = i < 20000 ? 0 : 1;
    low[half] = std::min(low[half], report.kinetic + report.potential);
    high[half] = std::max(high[half], report.kinetic + report.potential);
  }
  EXPECT_LE(high[0] - low[0], 1e-3);  // of 3 J; (hω)²/4 of what vibrates, and the spin's own second order
  EXPECT_NEAR(high[1], high[0], 1e-4);
  EXPECT_NEAR(low[1], low[0], 1e-4);
}

TEST(TwoMassesOnASpring, StayStableHoweverStiffItIs) {
  for (const double h_omega : {0.9, 0.99, 1.01, 1.5, 2.5, 30.0, 1e3}) {
    TwoMasses spec;
    spec.stiffness = std::pow(h_omega / spec.dt, 2) / (1.0 + 1.0 / 3.0);
    spec.start = 1.02;
    Simulator sim(makeTwoMasses(spec));
    double early = 0.0, late = 0.0;
    for (int i = 0; i < 10000; ++i) {
      ASSERT_TRUE(sim.step().accepted()) << h_omega << ": " << sim.report().explain();
      const double stretch = std::fabs(sim.state().q[7] - sim.state().q[0] - 1.0);
      (i < 5000 ? early : late) = std::max(i < 5000 ? early : late, stretch);
    }
    // neither grows nor is eaten
    EXPECT_LE(early, 0.02 * 1.01) << h_omega;
    EXPECT_GE(late, 0.99 * early) << h_omega;
    EXPECT_LE(late, 1.01 * early) << h_omega;
  }
}

// Where the points coincide there is no line to push along.
TEST(SpringOfCoincidingPoints, PushesNothing) {
  TwoMasses spec;
  spec.length = 0.5, spec.start = 0.0, spec.damping = 1.0;
  Simulator sim(makeTwoMasses(spec));
  ASSERT_TRUE(sim.run(0.1).accepted());
  EXPECT_EQ(sim.state().q[7], 0.0);
  spec.length = 0.0, spec.start = 0.3, spec.damping = 0.0;
  // one of length zero swings through the point: x = 0.3 cos ωt
  EXPECT_NEAR(distanceAfter(spec, 1.0), 0.3 * std::cos(spec.omega()), 2e-5);
}

// Weights that hang on a spring stretch it by m g / k.
TEST(WeightOnASpring, RestsWhereItsWeightStretchesIt) {
  ModelBuilder builder;
  BodySpec body;
  body.name = "weight";
  body.joint.name = "base";
  body.joint.type = kFree;
  body.mass = {2.0, Vector3d::Zero(), 0.1 * Eigen::Matrix3d::Identity()};
  builder.addBody(body);
  SpringSpec spring;
  spring.body_2 = 0;
  spring.point_1 = {0, 0, 1};
  spring.stiffness = 400.0, spring.length = 0.7, spring.damping = 20.0;
  builder.addSpring(spring);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = VectorXd::Zero(6);
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(10.0).accepted());
  EXPECT_NEAR(sim.state().q[2], 1.0 - 0.7 - 2.0 * kGravity / 400.0, 1e-9);
  EXPECT_NEAR(sim.report().kinetic, 0.0, 1e-15);
}

TEST(Simulator, RestoredAmidSpringsGivesTheSameBits) {
  TwoMasses spec;
  spec.arm = {0.05, 0.1, -0.03}, spec.damping = 0.1;
  const Scene scene = makeTwoMasses(spec);
  Simulator sim(scene), other(scene);
  ASSERT_TRUE(sim.run(0.5).accepted());
  other.restore(sim.save());
  ASSERT_TRUE(sim.run(0.5).accepted());
  ASSERT_TRUE(other.run(0.5).accepted());
  EXPECT_EQ(sim.state().q, other.state().q);
  EXPECT_EQ(sim.state().v, other.state().v);
}

/// An arm that a ball loop holds at its end swings through the line to where its spring or damper begins: along it the loop holds
/// everything, so that only compliance or a known impulse is left of the row.
Scene makeArmThroughDeadCentre(double stiffness, double damping, const std::string& stepper) {
  ModelBuilder builder;
  BodySpec arm;
  arm.name = "arm";
  arm.joint.type = kFree;
  arm.mass = {1.0, Vector3d::Zero(), Vector3d(0.01, 0.02, 0.03).asDiagonal()};
  builder.addBody(arm);
  LoopSpec loop;
  loop.kind = LoopKind::kOfType;
  loop.body_1 = kWorld, loop.body_2 = 0;
  loop.X_1F.position = {0.3, 0.0, 0.3}, loop.X_2F.position = {-0.2, 0.0, 0.0};
  loop.stiffness = stiffness, loop.damping = damping;
  builder.addLoop(loop);
  SpringSpec spring;
  spring.body_1 = kWorld, spring.body_2 = 0;
  spring.point_1 = {0.0, 0.0, 0.5};
  spring.stiffness = 20.0 * stiffness, spring.damping = 20.0 * damping;
  builder.addSpring(spring);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q.head<3>() << 0.5, 0.0, 0.3;
  scene.v = VectorXd::Zero(6);
  scene.dt = 2e-3;
  scene.stepper = stepper;
  return scene;
}

TEST(ArmOnABallLoop, SwingsThroughTheLineOfItsSpringsAndDampersHoweverWeak) {
  for (const char* stepper : {"minimal", "maximal"})
    for (const double stiffness : {0.0, 1e-9, 1e-3, 1.0})
      for (const double damping : {0.0, 1e-9, 1e-6, 1e-3, 0.01, 1.0}) {
        if (stiffness + damping == 0.0) continue;
        Simulator sim(makeArmThroughDeadCentre(stiffness, damping, stepper));
        EXPECT_TRUE(sim.run(1.0).accepted())
            << stepper << ", stiffness " << stiffness << ", damping " << damping << "\n"
            << sim.report().explain();
      }
}

}  // namespace
}  // namespace rigor
