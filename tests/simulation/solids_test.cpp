// Boxes, spheres and capsules on each other: they rest, slide over seams, tip over edges, and never go into each other.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solid_scenes.h"

namespace rigor {
namespace {

using Eigen::AngleAxisd, Eigen::Quaterniond, Eigen::Vector3d;

constexpr double kGravity = 9.81;
constexpr double kDeep = 1e-11;   // [m] true overlap that no accepted step may leave
constexpr double kStill = 1e-20;  // [J] rounding of velocities near 1e-12 m/s

Quaterniond turn(const Vector3d& axis, double angle) { return Quaterniond(AngleAxisd(angle, axis.normalized())); }

Shape cube(double edge) { return makeBox(Vector3d::Constant(0.5 * edge)); }

class EveryStepLength : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Solids, EveryStepLength, testing::Values(1e-3, 5e-3, 1e-2));

TEST_P(EveryStepLength, LetsAStackOfFiveAskewBoxesRest) {
  SolidWorld world;
  world.floor = true, world.dt = GetParam();
  for (int i = 0; i < 5; ++i)
    world.bodies.push_back({cube(0.1), {{3e-3 * i, 2e-3 * i, 0.05 + 0.101 * i}, turn({0, 0, 1}, 0.1 * i)}});
  Simulator simulator(world.scene());
  const SolidRun run = runSolids(simulator, static_cast<int>(0.5 / world.dt));
  ASSERT_TRUE(run.accepted);
  EXPECT_GE(run.deepest, -kDeep);
  EXPECT_LE(run.kinetic, kStill);
  const Eigen::VectorXd q = simulator.state().q;
  simulator.run(1.0);
  EXPECT_LE((simulator.state().q - q).cwiseAbs().maxCoeff(), 1e-12);  // creep
}

TEST_P(EveryStepLength, LetsABoxRestAtAnyYawOnABox) {
  for (const double yaw : {0.0, 1e-7, 1e-5, 1e-3, 0.1, 0.5, 0.78539816339744831}) {
    SolidWorld world;
    world.floor = true, world.dt = GetParam();
    world.bodies = {{makeBox({0.1, 0.1, 0.05}), {{0, 0, 0.05}}}, {cube(0.1), {{0, 0, 0.151}, turn({0, 0, 1}, yaw)}}};
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, static_cast<int>(0.2 / world.dt));
    ASSERT_TRUE(run.accepted) << yaw;
    EXPECT_GE(run.deepest, -kDeep) << yaw;
    EXPECT_LE(run.kinetic, kStill) << yaw;
  }
}

TEST_P(EveryStepLength, LetsASlidingBoxCrossSeamsOfFlushBoxesWithoutNoticing) {
  for (const double yaw : {0.0, 0.3}) {
    SolidWorld world;
    world.friction = 0.0, world.dt = GetParam();
    for (int i = 0; i < 4; ++i) world.bodies.push_back({makeBox({0.25, 0.2, 0.1}), {{0.5 * i, 0, -0.1}}, true});
    world.bodies.push_back({cube(0.1), {{0, 0, 0.05}, turn({0, 0, 1}, yaw)}, false, {3, 0, 0}});
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, static_cast<int>(0.3 / world.dt));
    ASSERT_TRUE(run.accepted);
    EXPECT_GE(run.deepest, -kDeep);
    const Eigen::VectorXd v = simulator.velocity();
    EXPECT_NEAR(v[0], 3.0, 1e-11);  // the law's tolerance, 1e-10 of h·g per step, over 300 steps
    EXPECT_LE(v.tail(5).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(Solids, LoseExactlyMuGTWhileTheySlideOverSeams) {
  SolidWorld world;
  world.friction = 0.3;
  for (int i = 0; i < 4; ++i) world.bodies.push_back({makeBox({0.25, 0.2, 0.1}), {{0.5 * i, 0, -0.1}}, true});
  world.bodies.push_back({cube(0.1), {{0, 0, 0.05}}, false, {3, 0, 0}});
  Simulator simulator(world.scene());
  const double time = 0.4;
  ASSERT_EQ(simulator.run(time).status, StepStatus::kAccepted);
  EXPECT_NEAR(simulator.velocity()[0], 3.0 - 0.3 * kGravity * time, 1e-9);
}

TEST_P(EveryStepLength, TipsABoxThatOverhangsByMoreThanHalfAndKeepsOneThatDoesNot) {
  for (const double overhang : {-0.01, 0.01}) {
    SolidWorld world;
    world.floor = true, world.dt = GetParam();
    world.bodies = {{makeBox({0.2, 0.2, 0.1}), {{0, 0, 0.1}}, true},
                    {makeBox({0.1, 0.05, 0.05}), {{0.2 + overhang, 0, 0.25}}}};
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, static_cast<int>(1.0 / world.dt));
    ASSERT_TRUE(run.accepted);
    EXPECT_GE(run.deepest, -kDeep);
    const bool fell = simulator.pose(1).position.z() < 0.2;
    EXPECT_EQ(fell, overhang > 0.0);
  }
}

TEST_P(EveryStepLength, StopsABulletAtAThinWall) {
  SolidWorld world;
  world.dt = GetParam();
  world.bodies = {{makeBox({1e-3, 0.5, 0.5}), {}, true}, {cube(0.01), {{-1.03, 0, 0.1}}, false, {300, 0, 0}}};
  Simulator simulator(world.scene());
  const SolidRun run = runSolids(simulator, 30);
  ASSERT_TRUE(run.accepted);
  EXPECT_GE(run.deepest, -kDeep);
  EXPECT_LT(simulator.pose(1).position.x(), -0.006 + 1e-9);
}

// Their distance to a plate is true on both sides of it, and knows nothing of the way from one to the other.
TEST_P(EveryStepLength, StopsBallsAndEllipsoidsAtThinPlatesAndDiscs) {
  for (const Shape& plate : {makeBox({1.0, 1.0, 5e-4}), makeCylinder(0.5, 5e-4)})
    for (const Shape& body : {makeSphere(0.02), makeEllipsoid({0.03, 0.02, 0.02})})
      for (const double speed : {10.0, 60.0, 200.0})
        for (const double height : {0.07, 0.151, 0.4}) {
          SolidWorld world;
          world.dt = GetParam();
          world.bodies = {{plate, {}, true}, {body, {{0, 0, height}}, false, {0, 0, -speed}}};
          Simulator simulator(world.scene());
          const int steps = static_cast<int>(std::ceil(2.0 * height / speed / GetParam())) + 2;
          ASSERT_TRUE(runSolids(simulator, steps).accepted) << speed << " m/s from " << height;
          EXPECT_NEAR(simulator.pose(1).position.z(), 0.0205, 1e-9) << speed << " m/s from " << height;
        }
}

// A blade of 2 mm turns by 0.25 rad per step: its tip is past the ball before a step ends.
TEST(Solids, ABladeTakesTheBallInItsWayWithIt) {
  SolidWorld world;
  world.dt = 0.01, world.friction = 0.0;
  world.bodies = {{makeBox({0.5, 1e-3, 0.05}), {}, false, {}, {0, 0, 25}}, {makeSphere(0.005), {{0.4, 0.05, 0}}}};
  Simulator simulator(world.scene());
  ASSERT_EQ(simulator.run(0.03).status, StepStatus::kAccepted);
  EXPECT_GT(simulator.velocity()[7], 5.0);  // at 0.4 m the blade goes at 10 m/s
}

TEST(Solids, FlyPastAnEdgeWithoutTouchingIt) {
  SolidWorld world;
  world.bodies = {{makeBox({0.2, 0.2, 0.1}), {{0, 0, -0.1}}, true},
                  {cube(0.02), {{-0.4, 0, 0.0155}}, false, {50, 0, 0}}};  // it falls 2.5 mm on its way over 3 mm
  Simulator simulator(world.scene());
  simulator.step();
  const double before = simulator.velocity()[0];
  ASSERT_EQ(simulator.run(0.014).status, StepStatus::kAccepted);
  EXPECT_EQ(simulator.velocity()[0], before);
}

TEST(Solids, CrossedEdgesCarryABoxThatBalances) {
  SolidWorld world;
  world.bodies = {{makeBox({0.2, 0.05, 0.05}), {{0, 0, 0}, turn({1, 0, 0}, 0.78539816339744831)}, true},
                  {makeBox({0.05, 0.2, 0.05}), {{0, 0, 0.15}, turn({0, 1, 0}, 0.78539816339744831)}}};
  Simulator simulator(world.scene());
  const SolidRun run = runSolids(simulator, 150);
  ASSERT_TRUE(run.accepted);
  EXPECT_GE(run.deepest, -kDeep);
  // Both edges are √½·0.1 from their centres: it has come to rest on the other, and has not begun to fall yet.
  EXPECT_NEAR(simulator.pose(1).position.z(), std::sqrt(0.5) * 0.2, 1e-6);
}

TEST(Solids, ACapsuleAcrossAnEdgeStaysOrRollsOffByWhereItsCentreIs) {
  for (const double centre : {0.19, 0.21}) {
    SolidWorld world;
    world.bodies = {{makeBox({0.2, 0.2, 0.1}), {{0, 0, -0.1}}, true},
                    {makeCapsule(0.03, 0.1), {{centre, 0, 0.0305}, turn({0, 1, 0}, 1.5707963267948966)}}};
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, 800);
    ASSERT_TRUE(run.accepted);
    EXPECT_GE(run.deepest, -kDeep);
    EXPECT_EQ(simulator.pose(1).position.z() > 0.029, centre < 0.2);
  }
}

TEST(Solids, ASphereRollsOverASeamAndOffTheEdge) {
  SolidWorld world;
  world.bodies = {{makeBox({0.1, 0.2, 0.1}), {{0, 0, -0.1}}, true},
                  {makeBox({0.1, 0.2, 0.1}), {{0.2, 0, -0.1}}, true},
                  {makeSphere(0.05), {{0, 0, 0.05}}, false, {1, 0, 0}, {0, 20, 0}}};
  Simulator simulator(world.scene());
  ASSERT_EQ(simulator.run(0.2).status, StepStatus::kAccepted);  // over the seam at 0.1 m
  EXPECT_NEAR(simulator.velocity()[0], 1.0, 1e-11);
  const SolidRun run = runSolids(simulator, 300);
  ASSERT_TRUE(run.accepted);
  EXPECT_GE(run.deepest, -kDeep);
  EXPECT_LT(simulator.pose(2).position.z(), 0.0);
}

TEST(Solids, OfMassRatioAMillionStandOnEachOther) {
  SolidWorld world;
  world.floor = true;
  world.bodies = {{cube(0.1), {{0, 0, 0.05}}}, {cube(0.1), {{0, 0, 0.15}}}};
  world.bodies[1].density = 1e9;
  Simulator simulator(world.scene());
  const SolidRun run = runSolids(simulator, 500);
  ASSERT_TRUE(run.accepted);
  EXPECT_GE(run.deepest, -kDeep);
  EXPECT_NEAR(simulator.pose(1).position.z(), 0.15, 1e-11);
}

TEST_P(EveryStepLength, AHeapOfTumblingBoxesIsNeverDeep) {
  SolidWorld world;
  world.floor = true, world.dt = GetParam();
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> anywhere(-1.0, 1.0);
  const auto vector = [&] { return Vector3d(anywhere(engine), anywhere(engine), anywhere(engine)); };
  for (int i = 0; i < 6; ++i) {
    Vector3d place = 0.05 * vector();
    place.z() = 0.2 + 0.2 * i;
    world.bodies.push_back(
        {makeBox({0.05, 0.05 + 0.01 * (i % 3), 0.05}), {place, turn(vector(), 3.0 * anywhere(engine))}});
  }
  Simulator simulator(world.scene());
  const SolidRun run = runSolids(simulator, static_cast<int>(0.8 / world.dt));
  EXPECT_TRUE(run.accepted);
  EXPECT_GE(run.deepest, -kDeep);
}

}  // namespace
}  // namespace rigor
