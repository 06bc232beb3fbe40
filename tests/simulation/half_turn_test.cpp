// Springs of loops know half a turn either way: a run tells where that is passed.
#include <gtest/gtest.h>

#include "rigor/half_turn_watch.h"
#include "simple_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

struct Wheel {
  JointType type = kHinge;
  double stiffness = 0.5, damping = 0.0, rest = 0.0, pitch = 0.05;
  double turns = 3.0;  ///< in the second of the run
  LoopMotor motor = {};
  std::optional<Range> range = {};
};

/// A free body on a loop about z, which spins without weight.
Scene makeWheel(const Wheel& spec) {
  ModelBuilder builder;
  builder.setGravity(Vector3d::Zero());
  BodySpec body;
  body.name = "wheel", body.joint.type = kFree;
  body.mass = {1.0, Vector3d::Zero(), Vector3d(0.1, 0.1, 0.2).asDiagonal()};
  builder.addBody(body);
  LoopSpec loop;
  loop.name = "hub", loop.kind = LoopKind::kOfType, loop.type = spec.type, loop.pitch = spec.pitch;
  loop.body_1 = kWorld, loop.body_2 = 0;
  loop.stiffness = spec.stiffness, loop.damping = spec.damping;
  loop.motor = spec.motor, loop.range = spec.range;
  if (spec.rest != 0.0) loop.spring_reference = Eigen::VectorXd::Constant(1, spec.rest);
  builder.addLoop(loop);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(6);
  scene.v[5] = 2.0 * kPi * spec.turns;
  if (spec.type == kHelical) scene.v[2] = spec.pitch * scene.v[5];
  return scene;
}

std::vector<Warning> warningsOf(const Scene& scene) {
  Simulator simulator(scene);
  HalfTurnWatch watch;
  EXPECT_EQ(run(simulator, 1000, {}, {&watch}).refused, 0);
  return watch.warnings();
}

TEST(SpringOfALoopThatTurns, IsToldWhereItPassesHalfATurn) {
  for (const JointType type : {kHinge, kBall, kCylindrical, kUniversal}) {
    const std::vector<Warning> warnings = warningsOf(makeWheel({.type = type}));
    ASSERT_EQ(warnings.size(), 1u) << jointTypeName(type);
    EXPECT_EQ(warnings[0].where.element, "loop \"hub\"");
    // three turns in a second, slowed a little by the spring: half a turn after a sixth
    EXPECT_NE(warnings[0].message.find("3 times, first before 0.1"), std::string::npos) << warnings[0].message;
    // π k h ω with ω² = 18.85² − k π²/0.2, what the spring has taken there: π · 0.5 · 1e-3 · 18.2
    EXPECT_NE(warnings[0].message.find("by 0.029 J"), std::string::npos) << warnings[0].message;
  }
}

TEST(SpringOfALoopThatTurns, CountsFromWhereItRests) {
  // 0.3 turns in the run, to the right of half a turn from a rest at −0.25 turns
  EXPECT_TRUE(warningsOf(makeWheel({.stiffness = 1e-3, .turns = 0.3})).empty());
  EXPECT_EQ(warningsOf(makeWheel({.stiffness = 1e-3, .rest = -0.5 * kPi, .turns = 0.3})).size(), 1u);
}

TEST(SpringOfALoopThatTurns, IsNotToldIfNothingPullsOrItsScrewTellsTheTurns) {
  EXPECT_TRUE(warningsOf(makeWheel({.stiffness = 0.0, .damping = 0.01})).empty());
  EXPECT_TRUE(warningsOf(makeWheel({.type = kHelical})).empty());
  EXPECT_TRUE(warningsOf(makeWheel({.turns = 0.1})).empty());
  EXPECT_TRUE(HalfTurnWatch().warnings().empty());
}

TEST(MotorOfALoopThatTurns, IsToldWhereItPassesHalfATurnUnlessStopsKeepItFromThat) {
  Wheel spec{.stiffness = 0.0, .turns = 0.4};
  spec.motor = {.kp = 1e-3, .target = -0.3 * kPi};  // half a turn from there is at 0.35 turns
  const std::vector<Warning> warnings = warningsOf(makeWheel(spec));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].where.element, "loop \"hub\"");
  EXPECT_NE(warnings[0].message.find("half a turn from its target once, first before 0.87"), std::string::npos)
      << warnings[0].message;
  spec.range = Range{-1.0, 3.0};
  EXPECT_TRUE(warningsOf(makeWheel(spec)).empty());
  spec.range.reset(), spec.motor = {.torque = 1e-3};
  EXPECT_TRUE(warningsOf(makeWheel(spec)).empty());
}

/// Twice in a run from 0.48 turns before the target of its motor to 0.06 turns after it, and back by a reset: a jump of 0.54 turns.
Scene makeWheelThatIsReset(const std::string& start) {
  Wheel spec{.stiffness = 0.0, .turns = 0.54 / 0.4};
  spec.motor = {.kp = 1e-6, .target = 0.48 * 2.0 * kPi};
  Scene scene = makeWheel(spec);
  scene.reset.every = 0.4;
  scene.stepper = "maximal", scene.start = start;
  return scene;
}

// With "first_order" a run, and each reset, begins after a first step: not at the pose of the scene.
TEST(MotorOfALoopThatTurns, DoesNotTakeAResetForATurn) {
  for (const char* start : {"legendre", "first_order"})
    EXPECT_TRUE(warningsOf(makeWheelThatIsReset(start)).empty()) << start;
}

// Then the run begins where the snapshot was taken, not where a reset leads.
TEST(MotorOfALoopThatTurns, DoesNotTakeAResetForATurnAfterASnapshot) {
  Simulator simulator(makeWheelThatIsReset("legendre"));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(simulator.step().accepted());
  const Snapshot snapshot = simulator.save();
  Simulator resumed(simulator.scene());
  resumed.restore(snapshot);
  HalfTurnWatch watch;
  EXPECT_EQ(run(resumed, 1000, {}, {&watch}).refused, 0);
  EXPECT_TRUE(watch.warnings().empty());
}

}  // namespace
}  // namespace rigor
