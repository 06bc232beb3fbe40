// Stops, dry friction and motors on the freedom of a loop: against the same joint in a tree, and against numbers that are known.
#include <gtest/gtest.h>

#include "twin_loops.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

constexpr Acting kStops{.range = Range{-0.3, 0.6}};
constexpr Acting kFriction{.dry_friction = 0.4};
constexpr Acting kMotor{.motor = {.kp = 60.0, .kd = 1.5, .target = 0.4, .effort = 6.0}};
constexpr Acting kTorque{.motor = {.torque = -1.5}};
constexpr Acting kAll{
    .range = Range{-0.3, 0.6}, .dry_friction = 0.4, .motor = {.kp = 60.0, .kd = 1.5, .target = 0.7, .effort = 6.0}};

struct TwinCase {
  JointType type;
  const Acting* acting;
  const char* what;
  friend void PrintTo(const TwinCase& one, std::ostream* out) { *out << jointTypeName(one.type) << one.what; }
};

TwinLoops twinsOf(const TwinCase& one, const std::string& stepper, double dt) {
  TwinLoops twins{.type = one.type, .acting = *one.acting, .dt = dt, .stepper = stepper};
  twins.speed = one.type == kSlide ? 0.5 : 2.0;
  return twins;
}

/// Largest difference of the coordinates over a second.
double differenceOf(const TwinLoops& twins) {
  Simulator tree(twins.tree()), loop(twins.loop());
  double most = 0.0;
  for (int i = 0; i < std::lround(1.0 / twins.dt); ++i) {
    for (Simulator* sim : {&tree, &loop})
      if (!sim->step().accepted()) throw Error(sim->report().explain());
    most = std::max(most, std::fabs(twins.coordinateAt(loop.pose(0), tree.state().q[0]) - tree.state().q[0]));
  }
  return most;
}

class LoopFreedom : public testing::TestWithParam<TwinCase> {};

// Joints of a tree leave VG's equations without an approximation: free bodies with loops are these equations as they stand.
TEST_P(LoopFreedom, MovesAsTheSameJointInATreeOfStepperMaximal) {
  // laws and momentum hold to 1e-10 of the speeds, about 2 rad/s, in each of 1000 steps of 1 ms
  EXPECT_LE(differenceOf(twinsOf(GetParam(), "maximal", 1e-3)), 1e-9);
}

// A balanced body turns and slides the same way in coordinates of any kind.
TEST_P(LoopFreedom, MovesAsTheSameJointInATreeIfItIsBalanced) {
  TwinLoops twins = twinsOf(GetParam(), "minimal", 1e-3);
  twins.balanced = true;
  EXPECT_LE(differenceOf(twins), 1e-9);
}

// Else both are second order and differ in how they split a step.
TEST_P(LoopFreedom, MovesAsTheSameJointInATreeToSecondOrder) {
  const double coarse = differenceOf(twinsOf(GetParam(), "minimal", 2e-3));
  const double fine = differenceOf(twinsOf(GetParam(), "minimal", 1e-3));
  EXPECT_LE(fine, 1e-4);  // (h ω)² of swings of 0.5 rad at ω up to 10 rad/s
  EXPECT_LE(fine, 0.4 * coarse + 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Types, LoopFreedom,
                         testing::Values(TwinCase{kHinge, &kStops, "Stops"}, TwinCase{kHinge, &kFriction, "Friction"},
                                         TwinCase{kHinge, &kMotor, "Motor"}, TwinCase{kHinge, &kTorque, "Torque"},
                                         TwinCase{kHinge, &kAll, "All"}, TwinCase{kSlide, &kStops, "Stops"},
                                         TwinCase{kSlide, &kFriction, "Friction"}, TwinCase{kSlide, &kMotor, "Motor"},
                                         TwinCase{kSlide, &kTorque, "Torque"}, TwinCase{kSlide, &kAll, "All"},
                                         TwinCase{kHelical, &kStops, "Stops"},
                                         TwinCase{kHelical, &kFriction, "Friction"},
                                         TwinCase{kHelical, &kMotor, "Motor"}, TwinCase{kHelical, &kTorque, "Torque"},
                                         TwinCase{kHelical, &kAll, "All"}),
                         [](const auto& one) { return jointTypeName(one.param.type) + one.param.what; });

class LoopFreedomOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Steppers, LoopFreedomOf, testing::Values("minimal", "maximal"),
                         [](const auto& one) { return one.param; });

// The promise of joints of trees: 1e-11 rad beyond a stop at most, however fast it is struck.
TEST_P(LoopFreedomOf, StopsHoldToRoundingAndAreReached) {
  TwinLoops twins{.acting = kStops, .speed = 6.0, .stepper = GetParam()};
  Simulator sim(twins.loop());
  double low = 1e300, high = -1e300;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    const double x = twins.coordinateAt(sim.pose(0));
    low = std::min(low, x), high = std::max(high, x);
  }
  EXPECT_GE(low, -0.3 - 1e-11);
  EXPECT_LE(high, 0.6 + 1e-11);
  EXPECT_NEAR(high, 0.6, 1e-9);  // it rests at this one, or struck it
}

// An angle of a pose jumps at half a turn; that of the loop is counted from the middle of its range.
TEST_P(LoopFreedomOf, StopsHoldOnBothSidesOfHalfATurn) {
  for (const double speed : {4.0, -4.0}) {
    TwinLoops twins{.acting = {.range = Range{2.5, 3.9}}, .balanced = true, .start = 3.1, .speed = speed};
    twins.stepper = GetParam();
    Simulator sim(twins.loop());
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
      const double x = twins.coordinateAt(sim.pose(0), 3.2);
      ASSERT_GE(x, 2.5 - 1e-11);
      ASSERT_LE(x, 3.9 + 1e-11);
    }
    // without restitution it stays where it struck, and nothing pulls it back
    EXPECT_NEAR(twins.coordinateAt(sim.pose(0), 3.2), speed > 0 ? 3.9 : 2.5, 1e-9);
  }
}

// A range of nearly a whole turn: between its stops lies less than what a step may turn.
TEST_P(LoopFreedomOf, StopsOfNearlyAWholeTurnAreNotPassed) {
  TwinLoops twins{.acting = {.range = Range{-3.13, 3.13}}, .balanced = true, .start = 3.0, .speed = 200.0};
  twins.stepper = GetParam();
  Simulator sim(twins.loop());
  ASSERT_TRUE(sim.run(0.1).accepted()) << sim.report().explain();
  EXPECT_NEAR(twins.coordinateAt(sim.pose(0)), 3.13, 1e-9);  // what is nearer than that touches
}

// Creep is the first complaint of people who come from soft contact.
TEST_P(LoopFreedomOf, DryFrictionHoldsForeverWhatItCanHold) {
  for (const JointType type : {kHinge, kSlide, kHelical}) {
    TwinLoops twins{
        .type = type, .acting = {.dry_friction = 20.0}, .stepper = GetParam()};  // of at most 2 kg · g · 1 m
    Simulator sim(twins.loop());
    const double before = twins.coordinateAt(sim.pose(0));
    ASSERT_TRUE(sim.run(10.0).accepted()) << sim.report().explain();
    // each step puts it back to the position of its start, known to 4 eps · 8: ten thousand such roundings at worst
    EXPECT_NEAR(twins.coordinateAt(sim.pose(0)), before, 1e-10) << jointTypeName(type);
  }
}

/// A slide along the x axis, where no weight acts.
TwinLoops levelSlide(const Acting& acting, const std::string& stepper) {
  TwinLoops twins{.type = kSlide, .acting = acting, .balanced = true, .start = 0.0, .stepper = stepper};
  twins.axis = Vector3d::UnitX();
  twins.frame = {};
  return twins;
}

TEST_P(LoopFreedomOf, DryFrictionSlowsByItsForceAndThenHolds) {
  TwinLoops twins = levelSlide({.dry_friction = 4.0}, GetParam());  // 2 m/s²
  twins.speed = 1.0;
  Simulator sim(twins.loop());
  ASSERT_TRUE(sim.run(0.25).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.velocity()[0], 0.5, 1e-9);
  ASSERT_TRUE(sim.run(1.0).accepted()) << sim.report().explain();
  // v²/2a = 0.25 m; it stops within the last step, on the way of which friction is a part of itself: ½ a h²
  EXPECT_NEAR(twins.coordinateAt(sim.pose(0)), 0.25, 1e-6);
  EXPECT_NEAR(sim.velocity()[0], 0.0, 1e-12);
}

TEST_P(LoopFreedomOf, MotorsPushWithTheirTorqueOrAtTheirBound) {
  const Acting constant{.motor = {.torque = 3.0}};
  const Acting bound{.motor = {.kp = 1e5, .target = 10.0, .effort = 3.0}};
  const Acting back{.motor = {.kp = 1e5, .target = -10.0, .effort = 3.0}};
  for (const auto& [acting, force] : {std::pair{constant, 3.0}, std::pair{bound, 3.0}, std::pair{back, -3.0}}) {
    TwinLoops twins = levelSlide(acting, GetParam());
    Simulator sim(twins.loop());
    ASSERT_TRUE(sim.run(1.0).accepted()) << sim.report().explain();
    EXPECT_NEAR(twins.coordinateAt(sim.pose(0)), 0.5 * force / TwinLoops::kMass, 1e-9);  // the leapfrog is exact here
  }
}

// From rest nothing tells that a stop is near: a force of 100 kN does 25 mm in a step.
TEST_P(LoopFreedomOf, StopsThatNobodyForesawHold) {
  for (const double force : {1e5, -1e5}) {
    TwinLoops twins = levelSlide({.range = Range{-0.01, 0.01}, .motor = {.torque = force}}, GetParam());
    Simulator sim(twins.loop());
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
      ASSERT_LE(std::fabs(twins.coordinateAt(sim.pose(0))), 0.01 + 1e-11);
    }
    EXPECT_NEAR(twins.coordinateAt(sim.pose(0)), force > 0.0 ? 0.01 : -0.01, 1e-9);
  }
}

TEST_P(LoopFreedomOf, DrivesHoldTheirTargetButForTheWeight) {
  TwinLoops twins = levelSlide({.motor = {.kp = 1000.0, .kd = 80.0, .target = 0.3}}, GetParam());
  twins.axis = Vector3d::UnitZ();
  Simulator sim(twins.loop());
  ASSERT_TRUE(sim.run(2.0).accepted()) << sim.report().explain();  // critically damped at 22 rad/s: e^−44 is left
  EXPECT_NEAR(twins.coordinateAt(sim.pose(0)), 0.3 - TwinLoops::kMass * kGravity / 1000.0, 1e-9);
}

// Without a range a hinge does not know its turns: its motor takes the shorter way.
TEST_P(LoopFreedomOf, ADriveTurnsTheShorterWayRound) {
  TwinLoops twins{.acting = {.motor = {.kp = 20.0, .kd = 4.0, .target = 3.0}}, .balanced = true, .start = -3.0};
  twins.stepper = GetParam();
  Simulator sim(twins.loop());
  ASSERT_TRUE(sim.run(5.0).accepted()) << sim.report().explain();
  EXPECT_NEAR(twins.coordinateAt(sim.pose(0), -3.0), 3.0 - 2.0 * kPi, 1e-6);
}

// Of two balls that overlap the free one makes room: the other is at its stop.
TEST(StopsOfLoops, AreKeptWhileOverlapIsRemoved) {
  for (const double side : {1.0, -1.0}) {
    ModelBuilder builder;
    for (const char* name : {"slider", "free"}) {
      BodySpec body;
      body.name = name, body.joint.name = std::string(name) + "_base", body.joint.type = kFree;
      body.shapes = {{name, makeSphere(0.1)}};
      body.mass = computeMassProperties(body.shapes[0].shape, 1000.0);
      builder.addBody(body);
    }
    LoopSpec rail;
    rail.kind = LoopKind::kOfType, rail.type = kSlide, rail.axis = Vector3d::UnitX();
    rail.body_1 = kWorld, rail.body_2 = 0;
    rail.range = side > 0.0 ? Range{0.0, 1.0} : Range{-1.0, 0.0};
    builder.addLoop(rail);
    Scene scene;
    scene.model = builder.build();
    scene.q = scene.model.q0();
    scene.q[7] = 0.15 * side;  // 5 cm of overlap
    scene.v = Eigen::VectorXd::Zero(12);
    Simulator sim(scene);
    EXPECT_NEAR(sim.state().q[0], 0.0, 1e-9);
    EXPECT_NEAR(sim.state().q[7], 0.2 * side, 1e-9);
  }
}

/// A four-bar of three links, closed by a hinge between the top and the right one.
Scene makeFourBar(const Acting& acting, const std::string& stepper) {
  ModelBuilder builder;
  const auto bar = [&](const std::string& name, int parent, const Vector3d& at, const Vector3d& com) {
    BodySpec body;
    body.name = name;
    body.parent = parent;
    body.joint.name = name + "_joint";
    body.joint.type = kHinge, body.joint.axis = Vector3d::UnitY(), body.joint.X_PJ.position = at;
    body.mass = {1.0, com, 0.05 * Eigen::Matrix3d::Identity()};
    return builder.addBody(body);
  };
  const int left = bar("left", kWorld, {0, 0, 0}, {0, 0, 0.5}), top = bar("top", left, {0, 0, 1}, {0.5, 0, 0});
  const int right = bar("right", kWorld, {1, 0, 0}, {0, 0, 0.5});
  LoopSpec loop;
  loop.name = "closing";
  loop.kind = LoopKind::kHinge;
  loop.body_1 = top, loop.body_2 = right;
  loop.X_1F.position = {1, 0, 0}, loop.X_2F.position = {0, 0, 1};
  loop.axis = Vector3d::UnitY();
  loop.range = acting.range, loop.dry_friction = acting.dry_friction, loop.motor = acting.motor;
  builder.addLoop(loop);
  Scene scene;
  scene.model = builder.build();
  scene.q = Eigen::Vector3d(0.3, -0.3, 0.3);
  scene.v = Eigen::VectorXd::Zero(3);
  scene.stepper = stepper;
  return scene;
}

// Both uprights turn alike and the top does not: the angle of the loop is that of the right one.
TEST_P(LoopFreedomOf, AFourBarFallsUntilTheStopOfItsClosingHinge) {
  Simulator sim(makeFourBar({.range = Range{-0.5, 1.0}}, GetParam()));
  ASSERT_TRUE(sim.run(3.0).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.state().q[2], 1.0, 1e-10);
  EXPECT_NEAR(sim.state().q[0], 1.0, 1e-10);
  EXPECT_LE(sim.velocity().cwiseAbs().maxCoeff(), 1e-9);
}

TEST_P(LoopFreedomOf, DryFrictionOfItsClosingHingeHoldsAFourBar) {
  // 3 kg at half and whole height: at most (½ + ½ + 1) g sin 0.3 N m about the uprights, all of it in one joint
  Simulator sim(makeFourBar({.dry_friction = 6.0}, GetParam()));
  ASSERT_TRUE(sim.run(5.0).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.state().q[2], 0.3, 1e-10);
}

TEST_P(LoopFreedomOf, AMotorOfItsClosingHingeLiftsAFourBar) {
  Simulator sim(makeFourBar({.motor = {.kp = 500.0, .kd = 50.0, .target = -0.2}}, GetParam()));
  ASSERT_TRUE(sim.run(3.0).accepted()) << sim.report().explain();
  // kp (x* − x) = −(½ + ½ + 1) g sin x
  const double x = sim.state().q[2];
  EXPECT_NEAR(500.0 * (-0.2 - x) + 2.0 * kGravity * std::sin(x), 0.0, 1e-6);
  EXPECT_LT(x, -0.19);
}

}  // namespace
}  // namespace rigor
