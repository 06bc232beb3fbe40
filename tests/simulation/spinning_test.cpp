// Balls that spin faster than steps can follow: a ball looks the same from all sides, so only friction feels its turns.
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/simple_scenes.h"

namespace rigor {
namespace {

Scene spinningBall(double height, double omega, double mu, double dt) {
  OneBody spec;
  spec.shape = makeSphere(0.1);
  spec.pose.position = {0, 0, 0.1 + height};
  spec.material.friction = mu;
  spec.dt = dt;
  Scene scene = makeOneBody(spec);
  scene.v[4] = omega;  // about y: the ball is driven along x
  return scene;
}

TEST(SpinningBall, FliesLikeOneThatDoesNotSpin) {
  for (const double omega : {10.0, 1e3, 1e5, -1e5, 1e7}) {
    Simulator sim(spinningBall(10.0, omega, 0.5, 1e-3));
    ASSERT_TRUE(sim.run(0.1).accepted()) << sim.report().explain();
    EXPECT_NEAR(sim.state().q[2], 10.1 - 0.5 * kGravity * 0.01, 1e-12);
    EXPECT_EQ(sim.velocity()[4], omega);
  }
}

// Sliding friction drives it with μg, whatever its speed, until it rolls: v = μ g t, ω = ω0 − (5/2) μ g t/r.
TEST(SpinningBall, IsDrivenByItsFrictionAlone) {
  const double mu = 0.5, t = 0.2;
  for (const double omega : {1e2, 1e4, 1e5}) {
    for (const double dt : {1e-3, 1e-2}) {
      Simulator sim(spinningBall(0.0, omega, mu, dt));
      ASSERT_TRUE(sim.run(t).accepted()) << sim.report().explain();
      EXPECT_NEAR(sim.velocity()[0], mu * kGravity * t, 1e-9) << omega;
      EXPECT_NEAR(sim.velocity()[4], omega - 2.5 * mu * kGravity * t / 0.1, 1e-9 * omega) << omega;
    }
  }
}

// It must reach rolling at 2/7 of its first surface speed, through steps in which it turns many times.
TEST(SpinningBall, RollsInTheEnd) {
  const double omega = 2e3;
  Simulator sim(spinningBall(0.0, omega, 1.0, 1e-2));
  ASSERT_TRUE(sim.run(10.0).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.velocity()[0], 2.0 / 7.0 * omega * 0.1, 1e-6);
  EXPECT_NEAR(sim.velocity()[4], 2.0 / 7.0 * omega, 1e-5);
}

TEST(SpinningBall, DoesNotEndTheSceneOfOthers) {
  ModelBuilder builder("two");
  builder.addWorldShape({"ground", makePlane()});
  for (int k = 0; k < 2; ++k) {
    BodySpec ball;
    ball.name = k == 0 ? "spinner" : "other";
    ball.joint.type = kFree;
    ball.joint.name = ball.name + "_joint";
    ball.joint.X_PJ.position = {0.2 * k, 0, 0.1};
    ball.mass = computeMassProperties(makeSphere(0.1), 1000.0);
    ball.shapes.push_back({ball.name, makeSphere(0.1)});
    builder.addBody(ball);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(12);
  scene.v[5] = 1e5;
  scene.v[6] = -0.5;  // the other one rolls into it
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(0.2).accepted()) << sim.report().explain();
  EXPECT_GT(std::fabs(sim.velocity()[7]), 0.1);  // and drives it away
}

// The line of centres is known to the rounding of both centres, also of the one that stands: with the movable one at the origin,
// where its own coordinates are exact, that is all the rounding there is.
TEST(BallOnABall, IsHeldWhereverTheOriginIs) {
  for (const double large : {10.0, 0.3})
    for (const double small : {1.0, 0.01})
      for (int k = 0; k < 12; ++k) {
        const Eigen::Vector3d up = Eigen::Vector3d(std::sin(0.1 + k), std::cos(1.0 + 2.0 * k), 1.5).normalized();
        ModelBuilder builder("dome");
        ShapeSpec dome{"dome", makeSphere(large)};
        dome.X_BS.position = -(large + small) * up;
        builder.addWorldShape(dome);
        BodySpec ball;
        ball.name = "ball";
        ball.joint.type = kFree;
        ball.shapes.push_back({"ball", makeSphere(small)});
        ball.mass = computeMassProperties(ball.shapes[0].shape, 1000.0);
        builder.addBody(ball);
        Scene scene;
        scene.dt = k % 2 == 0 ? 1e-3 : 1e-4;
        scene.model = builder.build();
        scene.q = scene.model.q0();
        scene.v = Eigen::VectorXd::Zero(6);
        Simulator sim(std::move(scene));
        EXPECT_TRUE(sim.run(0.05).accepted())
            << large << " m, " << small << " m, " << k << ": " << sim.report().explain();
      }
}

}  // namespace
}  // namespace rigor
