// Cylinders, cones and ellipsoids: they roll, rock, tip and rest as closed forms say.
#include <gtest/gtest.h>

#include <cmath>

#include "solid_scenes.h"

namespace rigor {
namespace {

using Eigen::AngleAxisd, Eigen::Quaterniond, Eigen::Vector3d;

constexpr double kQuarter = 1.5707963267948966;  // [rad]
constexpr double kStill = 1e-12;                 // [J] the bar for rest
constexpr double kGravity = 9.81;

Quaterniond turn(const Vector3d& axis, double angle) { return Quaterniond(AngleAxisd(angle, axis.normalized())); }

class RoundAtEveryStepLength : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(RoundSolids, RoundAtEveryStepLength, testing::Values(1e-3, 5e-3, 1e-2));

// Sliding friction brakes with μg and spins up with μmgr/I, I = mr²/2, until v = ωr: at 2/3 of the first speed.
TEST_P(RoundAtEveryStepLength, ASlidingCylinderRollsAtTwoThirdsOfItsSpeed) {
  SolidWorld world;
  world.floor = true, world.dt = GetParam(), world.friction = 0.3;
  world.bodies = {{makeCylinder(0.1, 0.2), {{0, 0, 0.1}, turn({1, 0, 0}, kQuarter)}, false, {1, 0, 0}}};
  Simulator simulator(world.scene());
  ASSERT_EQ(simulator.run(0.5).status, StepStatus::kAccepted);  // it slips for v/(3μg) = 0.11 s
  EXPECT_NEAR(simulator.velocity()[0], 2.0 / 3.0, 1e-9);
}

TEST_P(RoundAtEveryStepLength, ARollingCylinderLosesNothing) {
  SolidWorld world;
  world.floor = true, world.dt = GetParam();
  // body axes: z along the axis of the cylinder, which points to −y of the world
  world.bodies = {{makeCylinder(0.1, 0.2), {{0, 0, 0.1}, turn({1, 0, 0}, kQuarter)}, false, {2, 0, 0}, {0, 0, -20}}};
  Simulator simulator(world.scene());
  ASSERT_EQ(simulator.run(1.0).status, StepStatus::kAccepted);
  EXPECT_NEAR(simulator.velocity()[0], 2.0, 1e-9);
  EXPECT_NEAR(simulator.pose(0).position.x(), 2.0, 1e-8);
}

TEST_P(RoundAtEveryStepLength, ACylinderThatLiesOnABoxTouchesItAtTwoPointsAndDoesNotFlutter) {
  SolidWorld world;
  world.dt = GetParam();
  world.bodies = {{makeBox({0.2, 0.2, 0.1}), {{0, 0, -0.1}}, true},
                  {makeCylinder(0.05, 0.1), {{0, 0, 0.051}, turn({1, 0, 0}, kQuarter)}}};
  Simulator simulator(world.scene());
  for (int i = 0; i < static_cast<int>(0.3 / world.dt); ++i) {
    const StepReport& report = simulator.step();
    ASSERT_TRUE(report.accepted());
    if (report.time < 0.1) continue;
    int pushing = 0;
    for (const Contact& contact : report.contacts) pushing += contact.impulse.norm() > 0.0;
    EXPECT_EQ(pushing, 2);
    EXPECT_LE(report.kinetic, 1e-20);
  }
}

TEST_P(RoundAtEveryStepLength, APegAcrossASmallerCubeLiesStill) {
  for (const Shape& peg : {makeCylinder(0.02, 0.15), makeCapsule(0.02, 0.15), makeBox({0.02, 0.02, 0.15})}) {
    SolidWorld world;
    world.floor = true, world.dt = GetParam();
    world.bodies = {{makeBox(Vector3d::Constant(0.05)), {{0, 0, 0.05}}},
                    {peg, {{0.01, 0.005, 0.1205}, turn({0, 0, 1}, 0.2) * turn({0, 1, 0}, kQuarter)}}};
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, static_cast<int>(0.5 / world.dt));
    ASSERT_TRUE(run.accepted);
    EXPECT_LE(run.kinetic, kStill);
    const Eigen::VectorXd q = simulator.state().q;
    simulator.run(0.5);
    EXPECT_LE((simulator.state().q - q).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST_P(RoundAtEveryStepLength, ACylinderThatOverhangsTipsOrStaysByWhereItsCentreIs) {
  for (const double overhang : {-0.005, 0.005}) {
    SolidWorld world;
    world.floor = true, world.dt = GetParam();
    world.bodies = {{makeBox({0.2, 0.2, 0.1}), {{0, 0, 0.1}}, true},
                    {makeCylinder(0.05, 0.05), {{0.2 + overhang, 0.01, 0.25}}}};
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, static_cast<int>(0.8 / world.dt));
    ASSERT_TRUE(run.accepted);
    EXPECT_EQ(simulator.pose(1).position.z() < 0.2, overhang > 0.0);
  }
}

// The centre of mass of a cone is a quarter of its height above the base: it balances at tan α = r/(h/4).
TEST_P(RoundAtEveryStepLength, AConeFallsOverBeyondTheAngleAtWhichItBalances) {
  const double radius = 0.05, half = 0.05, balance = std::atan(radius / (0.5 * half));
  for (const double tilt : {balance - 0.05, balance + 0.05}) {
    SolidWorld world;
    world.floor = true, world.dt = GetParam();
    const double lowest = half * std::cos(tilt) + radius * std::sin(tilt);
    world.bodies = {{makeCone(radius, half), {{0, 0, lowest}, turn({1, 0, 0}, tilt)}}};
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, static_cast<int>(1.0 / world.dt));
    ASSERT_TRUE(run.accepted);
    const double up = (simulator.pose(0).rotation * Vector3d::UnitZ()).z();
    EXPECT_EQ(up > 0.99, tilt < balance);
  }
}

// Rolling without slip costs nothing: the energy breathes with the leapfrog, second order in h.
TEST(RoundSolids, AnEllipsoidRocksWithoutLosingEnergy) {
  SolidWorld world;
  world.floor = true, world.dt = 1e-3, world.friction = 1.0;
  const Vector3d axes{0.1, 0.08, 0.04};
  const double tilt = 0.3, height = std::hypot(axes.x() * std::sin(tilt), axes.z() * std::cos(tilt));
  world.bodies = {{makeEllipsoid(axes), {{0, 0, height}, turn({0, 1, 0}, tilt)}}};
  Simulator simulator(world.scene());
  const double start = simulator.node().potential + simulator.node().kinetic;
  double least = start, most = start;
  for (int i = 0; i < 2000; ++i) {
    const StepReport& report = simulator.step();
    ASSERT_TRUE(report.accepted());
    const double energy = report.kinetic + report.potential;
    least = std::min(least, energy), most = std::max(most, energy);
  }
  const double swing = start - computeMassProperties(world.bodies[0].shape, 1000.0).mass * kGravity * axes.z();
  EXPECT_LE(most - least, 1e-3 * swing);
}

TEST_P(RoundAtEveryStepLength, ACoinDroppedAskewRocksToRest) {
  SolidWorld world;
  world.floor = true, world.dt = GetParam();
  world.bodies = {{makeCylinder(0.05, 0.005), {{0, 0, 0.012}, turn({1, 0.3, 0}, 0.1)}}};
  Simulator simulator(world.scene());
  const SolidRun run = runSolids(simulator, static_cast<int>(1.0 / world.dt));
  ASSERT_TRUE(run.accepted);
  EXPECT_LE(run.kinetic, kStill);
  EXPECT_NEAR(simulator.pose(0).position.z(), 0.005, 1e-11);
}

// Its lowest point runs around the rim far faster than it turns; steps are cut so that the impulse stays with it.
TEST_P(RoundAtEveryStepLength, AWobblingCoinGainsNoEnergy) {
  SolidWorld world;
  world.floor = true, world.dt = GetParam(), world.friction = 0.4;
  const double tilt = 0.2, radius = 0.05, half = 0.002;
  const double height = half * std::cos(tilt) + radius * std::sin(tilt);
  world.bodies = {{makeCylinder(radius, half), {{0, 0, height}, turn({1, 0, 0}, tilt)}, false, {0, 0, 0}, {1, 3, 2}}};
  Simulator simulator(world.scene());
  const double start = simulator.node().potential + simulator.node().kinetic;
  double most = start;
  for (int i = 0; i < static_cast<int>(0.5 / world.dt); ++i) {
    const StepReport& report = simulator.step();
    ASSERT_TRUE(report.accepted());
    most = std::max(most, report.kinetic + report.potential);
  }
  EXPECT_LE(most - start, 1e-2 * start);
}

TEST_P(RoundAtEveryStepLength, FiveCylindersStandOnEachOther) {
  SolidWorld world;
  world.floor = true, world.dt = GetParam();
  for (int i = 0; i < 5; ++i)
    world.bodies.push_back({makeCylinder(0.05, 0.04), {{1e-3 * i, 5e-4 * i, 0.041 + 0.081 * i}}});
  Simulator simulator(world.scene());
  const SolidRun run = runSolids(simulator, static_cast<int>(0.3 / world.dt));
  ASSERT_TRUE(run.accepted);
  EXPECT_LE(run.kinetic, kStill);
  const Eigen::VectorXd q = simulator.state().q;
  simulator.run(0.2);
  EXPECT_LE((simulator.state().q - q).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(RoundAtEveryStepLength, ASlidingCylinderCrossesSeamsOfFlushBoxesWithoutNoticing) {
  SolidWorld world;
  world.friction = 0.0, world.dt = GetParam();
  for (int i = 0; i < 3; ++i) world.bodies.push_back({makeBox({0.25, 0.2, 0.1}), {{0.5 * i, 0, -0.1}}, true});
  world.bodies.push_back({makeCylinder(0.05, 0.05), {{0, 0, 0.05}}, false, {3, 0, 0}});
  Simulator simulator(world.scene());
  const SolidRun run = runSolids(simulator, static_cast<int>(0.2 / world.dt));
  ASSERT_TRUE(run.accepted);
  EXPECT_NEAR(simulator.velocity()[0], 3.0, 1e-11);
  EXPECT_LE(simulator.velocity().tail(5).cwiseAbs().maxCoeff(), 1e-9);
}

TEST_P(RoundAtEveryStepLength, ACylinderShotAtAThinWallStopsThere) {
  SolidWorld world;
  world.dt = GetParam();
  world.bodies = {{makeCylinder(0.5, 1e-3), {{0, 0, 0}, turn({0, 1, 0}, kQuarter)}, true},
                  {makeCylinder(0.005, 0.01), {{-1.03, 0, 0.1}}, false, {300, 0, 0}}};
  Simulator simulator(world.scene());
  const SolidRun run = runSolids(simulator, 20);
  ASSERT_TRUE(run.accepted);
  EXPECT_LT(simulator.pose(1).position.x(), -0.006 + 1e-9);
}

}  // namespace
}  // namespace rigor
