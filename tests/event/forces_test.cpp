// Forces between events, whose values stand on paper: centripetal ones, of stops, of friction against what moves too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "event/by_events.h"
#include "simulation/closed_form_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// A ball of radius r without friction on the top of one of radius R that is fixed, pushed with the speed v0.
Scene ballOnBall(double R, double r, double v0) {
  ModelBuilder builder("ball on ball");
  builder.setGravity({0, 0, -kGravity});
  builder.addMaterialPair(makeMaterial("default", "", 0.0));
  builder.addWorldShape({"hill", makeSphere(R), {}, "default"});
  BodySpec ball;
  ball.name = "ball";
  ball.joint.type = kFree;
  ball.mass = withMass(makeSphere(r), 1.0);
  ball.shapes.push_back({"ball", makeSphere(r), {}, "default"});
  const int index = builder.addBody(ball);
  VectorXd q(7);
  q << 0, 0, R + r, 1, 0, 0, 0;
  builder.setReference(index, q);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = VectorXd::Zero(6);
  scene.v[0] = v0;
  return byEvents(scene);
}

// It leaves where cos θ = 2/3 + v0²/(3 g (R + r)), whatever the size of the balls.
TEST(BallOnBall, LeavesAtTheAngleOfTheClosedForm) {
  for (const double size : {1.0, 1e-2, 1e-3}) {
    const double length = 2.0 * size, v0 = 0.5 * std::sqrt(kGravity * length);
    Scene scene = ballOnBall(size, size, v0);
    scene.dt = 1e-3 * std::sqrt(size);
    scene.step_accuracy = 1e-9;
    Simulator simulator(scene);
    double angle = -1.0;
    for (int i = 0; i < 3000 && angle < 0.0; ++i) {
      const Vector3d before = simulator.state().q.head<3>();
      const StepReport& report = simulator.step();
      ASSERT_TRUE(report.accepted()) << report.explain();
      EXPECT_EQ(report.fallbacks, 0);
      if (i == 0) {  // N = m (g − v0²/(R + r)); the impulse of the report is the force at the start of its pieces
        EXPECT_NEAR(report.contacts.at(0).impulse.norm() / report.dt, kGravity - v0 * v0 / length, 1e-3 * kGravity);
      }
      for (const Event& event : report.events)
        if (event.kind == EventKind::kSeparates) {
          const double share = (event.time - report.time) / report.dt;
          const Vector3d at = before + share * (simulator.state().q.head<3>() - before);
          angle = std::atan2(at.x(), at.z());
        }
    }
    const double told = std::acos(2.0 / 3.0 + v0 * v0 / (3.0 * kGravity * length));
    RecordProperty(fmt::format("angle_missed_{:g}", size), fmt::format("{:.3g}", angle - told));
    EXPECT_NEAR(angle, told, 1e-5) << size;  // read from positions at both ends of a step
  }
}

// A box slides over a free one, which the friction drags along until both are as fast.
TEST(BoxOnABox, DragsItAlongUntilBothAreAsFast) {
  const double mu = 0.3, v0 = 1.0;
  FreeBody lower{makeBox({2.0, 0.2, 0.1}), 3.0, {{0, 0, 0.1}}, {}, "ice"};
  FreeBody upper{makeBox({0.1, 0.1, 0.05}), 1.0, {{-1.5, 0, 0.25}}};
  upper.velocity = {v0, 0, 0};
  Simulator simulator(byEvents(
      makeFreeBodies({lower, upper}, {makeMaterial("ground", "ice", 0.0), makeMaterial("ice", "default", mu)})));
  const double together = v0 / (mu * kGravity * (1.0 + 1.0 / 3.0));
  double sticks = -1.0, impulse = 0.0;
  for (int i = 0; i < 600; ++i) {
    const StepReport& report = simulator.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    EXPECT_EQ(report.fallbacks, 0);
    for (const Event& event : report.events)
      if (event.kind == EventKind::kSticks) sticks = event.time;
    for (const Contact& contact : report.contacts)
      if (contact.body_1 >= 0 && contact.body_2 >= 0)
        impulse += (contact.body_2 == 1 ? 1.0 : -1.0) * contact.impulse.x();
  }
  EXPECT_NEAR(sticks, together, 1e-9);
  EXPECT_NEAR(simulator.velocity()[0], 0.25 * v0, 1e-9);
  EXPECT_NEAR(simulator.velocity()[6], 0.25 * v0, 1e-9);
  EXPECT_NEAR(impulse, -0.75 * v0, 1e-6);  // what the upper one lost
}

// A spring presses a slide against its upper stop: the stop gives back what it presses with, and no more.
TEST(Stop, HoldsAgainstASpringFromBothSides) {
  for (const bool upper : {true, false}) {
    ModelBuilder builder("stop");
    builder.setGravity(Vector3d::Zero());
    BodySpec slide;
    slide.name = "slide";
    slide.joint.name = "rail";
    slide.joint.type = kSlide;
    slide.joint.axis = Vector3d::UnitX();
    slide.joint.range = Range{-0.1, 0.1};
    slide.joint.stiffness = 50.0;
    slide.joint.spring_reference = VectorXd::Constant(1, upper ? 0.3 : -0.3);
    slide.mass = withMass(makeBox({0.1, 0.1, 0.1}), 2.0);
    builder.addBody(slide);
    Scene scene;
    scene.model = builder.build();
    scene.q = VectorXd::Constant(1, upper ? 0.1 : -0.1);
    scene.v = VectorXd::Zero(1);
    Simulator simulator(byEvents(scene));
    for (int i = 0; i < 100; ++i) {
      const StepReport& report = simulator.step();
      ASSERT_TRUE(report.accepted()) << report.explain();
      EXPECT_EQ(report.fallbacks, 0);
      ASSERT_EQ(report.record.rows.size(), 1u);
      EXPECT_NEAR(report.record.rows[0].impulse[0], 50.0 * 0.2 * report.dt, 1e-12);
    }
    EXPECT_NEAR(simulator.state().q[0], upper ? 0.1 : -0.1, 1e-14);
  }
}

// With friction of rest above that of sliding a block holds to the former and goes with the latter.
TEST(StaticFriction, HoldsToItsOwnLimitAndSlidesWithTheOther) {
  const double rest = 0.5, sliding = 0.3;
  for (const double push : {0.49, 0.51}) {
    MaterialPair pair = makeMaterial("ground", "", sliding);
    pair.friction_static = rest;
    Scene scene = makeFreeBodies({{makeBox({0.1, 0.1, 0.05}), 1.0, {{0, 0, 0.05}}}}, {pair});
    scene.wrenches.push_back({.body = 0, .force = {push * kGravity, 0, 0}});
    Simulator simulator(byEvents(scene));
    ASSERT_TRUE(simulator.run(0.5).accepted()) << simulator.report().explain();
    const double speed = push < rest ? 0.0 : 0.5 * (push - sliding) * kGravity;
    EXPECT_NEAR(simulator.velocity()[0], speed, 1e-9) << push;
  }
}

// A ball with backspin: friction stops its slip, and from then on it rolls, backwards if it spun fast enough.
TEST(BackspinningBall, RollsBackWhenItsSlipHasEnded) {
  const double mu = 0.2, v0 = 1.0, spin = 40.0, r = 0.1;
  Scene scene = makeFreeBodies({{makeSphere(r), 1.0, {{0, 0, r}}, {v0, 0, 0}}}, {makeMaterial("ground", "", mu)});
  scene.v[4] = -spin;
  Simulator simulator(byEvents(scene));
  double rolls = -1.0;
  for (int i = 0; i < 1000; ++i) {
    const StepReport& report = simulator.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    for (const Event& event : report.events)
      if (event.kind == EventKind::kSticks) rolls = event.time;
  }
  EXPECT_NEAR(rolls, 2.0 * (v0 + spin * r) / (7.0 * mu * kGravity), 1e-9);
  EXPECT_NEAR(simulator.velocity()[0], (5.0 * v0 - 2.0 * spin * r) / 7.0, 1e-9);
}

}  // namespace
}  // namespace rigor
