#include <gtest/gtest.h>

#include "simulation/simple_scenes.h"
#include "simulation/tolerance.h"

namespace rigor {
namespace {

constexpr double kMu = 0.5;

double azimuthOf(int k) { return 2.0 * kPi * k / 64; }

// Creep is the first complaint of people who come from soft contact.
TEST(BlockOnIncline, RestsForeverJustBelowTheFrictionAngleInEveryDirection) {
  const double slope = std::atan(kMu / (1 + 1e-6));  // a millionth short of slipping
  for (int k = 0; k < 64; ++k) {
    Simulator sim(blockOnIncline(slope, azimuthOf(k), kMu));
    const Eigen::Vector3d start = sim.pose(0).position;
    ASSERT_TRUE(sim.run(1.0).accepted()) << sim.report().explain();
    EXPECT_LE((sim.pose(0).position - start).norm(), tolerance::kRestAtTheLimit) << "azimuth " << azimuthOf(k);
  }
}

TEST(BlockOnIncline, SlidesWithTheExactAccelerationJustAboveTheFrictionAngle) {
  const double slope = std::atan(kMu * (1 + 1e-6));
  const double acceleration = kGravity * (std::sin(slope) - kMu * std::cos(slope));  // 4.4e-6 m/s²
  for (int k = 0; k < 64; ++k) {
    Simulator sim(blockOnIncline(slope, azimuthOf(k), kMu));
    const Eigen::Vector3d start = sim.pose(0).position;
    ASSERT_TRUE(sim.run(1.0).accepted()) << sim.report().explain();
    const Eigen::Vector3d down = tilt(slope, azimuthOf(k)) * Eigen::Vector3d::UnitX();
    const Eigen::Vector3d moved = sim.pose(0).position - start;
    // The sum of two forces of 10 N that nearly cancel: rounding and ε are relative to those, not to their difference.
    EXPECT_NEAR(moved.dot(down), 0.5 * acceleration, tolerance::kRestAtTheLimit) << "azimuth " << azimuthOf(k);
    EXPECT_LE((moved - moved.dot(down) * down).norm(), tolerance::kRestAtTheLimit);
  }
}

TEST(BlockOnIncline, SlidesWithTheExactAccelerationWellAboveTheFrictionAngle) {
  const double slope = 0.7;
  const double acceleration = kGravity * (std::sin(slope) - kMu * std::cos(slope));
  for (int k = 0; k < 8; ++k) {
    Simulator sim(blockOnIncline(slope, 8 * azimuthOf(k), kMu));
    const Eigen::Vector3d start = sim.pose(0).position;
    ASSERT_TRUE(sim.run(1.0).accepted()) << sim.report().explain();
    EXPECT_NEAR((sim.pose(0).position - start).norm(), 0.5 * acceleration,
                tolerance::kConstantAcceleration * acceleration);
  }
}

TEST(BallOnIncline, RollsWithFiveSeventhsOfTheSlidingAcceleration) {
  const double slope = 0.3, acceleration = 5.0 / 7.0 * kGravity * std::sin(slope);
  const double mu = 2.0 / 7.0 * std::tan(slope) * (1 + 1e-6);  // just enough friction to roll
  Simulator sim(ballOnIncline(slope, 0.4, mu));
  const Eigen::Vector3d start = sim.pose(0).position;
  ASSERT_TRUE(sim.run(1.0).accepted()) << sim.report().explain();
  EXPECT_NEAR((sim.pose(0).position - start).norm(), 0.5 * acceleration,
              tolerance::kConstantAcceleration * acceleration);
  EXPECT_EQ(sim.report().contacts.at(0).mode, ContactMode::kStick);
}

TEST(BallOnIncline, SlipsBelowTheFrictionThatRollingNeeds) {
  const double slope = 0.3, mu = 2.0 / 7.0 * std::tan(slope) * (1 - 1e-3);
  Simulator sim(ballOnIncline(slope, 0.4, mu));
  ASSERT_TRUE(sim.run(0.1).accepted());
  EXPECT_EQ(sim.report().contacts.at(0).mode, ContactMode::kSlip);
}

// Friction stops a sliding ball's slip after t = 2v0/(7μg); from then on it rolls at 5/7 v0.
TEST(BallOnFloor, SlidesThenRollsToIntegrationOrder) {
  const double v0 = 1.0, mu = 0.2, roll_time = 2.0 * v0 / (7.0 * mu * kGravity);
  const double end = 0.3, exact = v0 * roll_time - 0.5 * mu * kGravity * roll_time * roll_time +
                                  5.0 / 7.0 * v0 * (end - roll_time);
  for (const double dt : {1e-3, 5e-4, 2.5e-4}) {
    Scene scene = ballOnIncline(0.0, 0.0, mu);
    scene.dt = dt;
    scene.v[0] = v0;
    Simulator sim(scene);
    ASSERT_TRUE(sim.run(end).accepted());
    // Rolling speed follows from angular momentum about the floor, which no step changes.
    EXPECT_NEAR(sim.velocity()[0], 5.0 / 7.0 * v0, 1e-12);
    // The change of law falls inside one step: its place is known to μ g h²/2 at best.
    EXPECT_NEAR(sim.pose(0).position.x(), exact, mu * kGravity * dt * dt);
  }
}

}  // namespace
}  // namespace rigor
