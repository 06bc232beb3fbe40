// Every integrator on every scene: smooth steps are its own, all others are contact steps.
#include <gtest/gtest.h>

#include "reference/print_integrator.h"
#include "simulation/motions.h"

namespace rigor {
namespace {

class EveryIntegrator : public testing::TestWithParam<IntegratorInfo> {
 protected:
  Scene with(Scene scene) const {
    scene.integrator = std::string(GetParam().name);
    return scene;
  }
};

INSTANTIATE_TEST_SUITE_P(By, EveryIntegrator, testing::ValuesIn(listIntegrators()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(EveryIntegrator, LetsARobotFallAndLie) {
  Simulator sim(with(loadNamedScene("anymal_drop")));
  RunSummary summary;
  for (int i = 0; i < 1500; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    summary.add(sim.report());
    EXPECT_EQ(sim.report().smooth, sim.report().contacts.empty());  // its joints have no limits and no friction
  }
  EXPECT_GE(summary.smooth_steps, 300);  // it falls for 0.3 s
  EXPECT_LE(summary.smooth_steps, 1000);
  EXPECT_LE(summary.penetration_max, 1e-11);
}

TEST_P(EveryIntegrator, BouncesABallWithoutLosingEnergy) {
  OneBody spec;
  spec.shape = makeSphere(0.1);
  spec.pose.position = {0, 0, 1.1};
  spec.material.restitution = 1.0;
  Simulator sim(with(makeOneBody(spec)));
  double start = 0.0, worst = 0.0;
  for (int i = 0; i < 3000; ++i) {
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    const double energy = report.kinetic + report.potential;
    if (i == 0) start = energy;
    worst = std::max(worst, std::fabs(energy - start) / start);
  }
  // under constant force methods of order 2 are exact; those of order 1 err by g·h/2 per step in the height
  EXPECT_LE(worst, GetParam().order >= 2 || isLeapfrog(GetParam().integrator) ? 1e-10 : 0.05);
}

TEST_P(EveryIntegrator, GoesOnFromASnapshotWithTheSameBits) {
  Simulator sim(with(loadNamedScene("anymal_drop")));
  ASSERT_TRUE(sim.run(0.2).accepted());
  const Snapshot saved = sim.save();
  ASSERT_TRUE(sim.run(0.4).accepted());
  const State end = sim.state();
  sim.restore(saved);
  ASSERT_TRUE(sim.run(0.4).accepted());
  EXPECT_EQ(sim.state().q, end.q);
  EXPECT_EQ(sim.state().v, end.v);
}

TEST_P(EveryIntegrator, HoldsAJointWithItsGains) {
  OneJoint spec;
  Scene scene = with(makeOneJoint(spec));
  scene.holds.push_back({.joint = 0, .kp = 200.0, .kd = 20.0, .target = 0.3, .effort = 15.0});
  Simulator sim(scene);
  double largest = 0.0;
  bool saturated = false;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    largest = std::max(largest, std::fabs(sim.report().tau[0]));
    saturated = saturated || !sim.report().smooth;
  }
  EXPECT_LE(largest, 15.0 * (1 + 1e-12));
  EXPECT_TRUE(saturated);  // 200 · 0.3 = 60 N m at first
  // where gravity and spring balance: 200 (0.3 − q) = 9.81 sin q
  const double q = sim.state().q[0];
  EXPECT_NEAR(200.0 * (0.3 - q), 9.81 * std::sin(q), 1e-6);
}

TEST_P(EveryIntegrator, StopsAtAJointLimit) {
  OneJoint spec;
  spec.joint.range = Range{-0.5, 0.25};
  Scene scene = with(makeOneJoint(spec));
  scene.q[0] = -0.5;
  Simulator sim(scene);
  double highest = -1.0;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    highest = std::max(highest, sim.state().q[0]);
  }
  EXPECT_NEAR(highest, 0.25, 0.5 * kGravity * std::sin(0.25) * 1e-6);  // falls back for at most the rest of the step
  EXPECT_LE(highest, 0.25 + 1e-15);
}

TEST_P(EveryIntegrator, GivesAWrenchItsWholeImpulseWheneverItEnds) {
  OneBody spec;
  spec.shape = makeSphere(0.1);
  spec.pose.position = {0, 0, 50};
  Scene scene = with(makeOneBody(spec));
  const double mass = scene.model.mass(), until = 0.1003;  // inside a step
  scene.wrenches.push_back({.body = 0, .force = {mass, 0, 0}, .until = until});
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(0.2).accepted());
  EXPECT_NEAR(sim.velocity()[0], until, 1e-12);
}

TEST(ImplicitEulerByFixedPoint, RefusesAStepThatDoesNotContractOrHalvesIt) {
  OneJoint spec;
  spec.length = 0.0;
  spec.inertia = 1.0;
  spec.joint.damping = 2000.0;  // h·d/I = 2
  Scene scene = makeOneJoint(spec);
  scene.v[0] = 1.0;
  scene.integrator = "implicit_euler_fixed_point";
  Simulator stopped(scene, {.max_halvings = 0});
  EXPECT_EQ(stopped.step().status, StepStatus::kNotIntegrated);
  EXPECT_NE(stopped.report().explain().find("did not converge"), std::string::npos);
  EXPECT_EQ(stopped.state().v[0], 1.0);

  Simulator halved(scene);
  ASSERT_TRUE(halved.step().accepted()) << halved.report().explain();
  EXPECT_EQ(halved.report().substeps, 4);  // h·d/I = 0.5
  EXPECT_EQ(halved.state().time, scene.dt);
  EXPECT_NEAR(halved.state().v[0], std::pow(1.0 / 1.5, 4), 1e-11);
}

}  // namespace
}  // namespace rigor
