// Loops of a model: what they are made of, and what is refused.
#include <gtest/gtest.h>

#include <limits>

#include "model/loop_freedoms.h"
#include "model/loop_parts.h"
#include "model/spring_parts.h"
#include "sample_bodies.h"

namespace rigor {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// upper (hinge) – lower (hinge) – tool (fixed), and a post fixed to the world.
ModelBuilder makeArm() {
  ModelBuilder builder("arm");
  builder.addBody(ballBody("upper", kWorld, kHinge));
  builder.addBody(ballBody("lower", 0, kHinge));
  builder.addBody(ballBody("tool", 1, kFixed));
  builder.addBody(ballBody("post", kWorld, kFixed));
  return builder;
}

LoopSpec loopBetween(int body_1, int body_2, LoopKind kind = LoopKind::kConnect) {
  LoopSpec loop;
  loop.name = "loop";
  loop.kind = kind;
  loop.body_1 = body_1, loop.body_2 = body_2;
  return loop;
}

LoopSpec couplingOf(const std::string& joint_1, const std::string& joint_2) {
  LoopSpec loop = loopBetween(kWorld, kWorld, LoopKind::kJoint);
  loop.joint_1 = joint_1, loop.joint_2 = joint_2;
  return loop;
}

void expectError(const LoopSpec& loop, const std::string& message) {
  try {
    ModelBuilder builder = makeArm();
    builder.addLoop(loop);
    builder.build();
    ADD_FAILURE() << "accepted, expected: " << message;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    EXPECT_NE(error.where().element.find("loop"), std::string::npos) << error.what();
    EXPECT_FALSE(error.remedy().empty());
  }
}

TEST(LoopChecks, RefuseEndsThatCloseNothing) {
  expectError(loopBetween(1, 7), "body 7 does not exist");
  expectError(loopBetween(-2, 1), "body -2 does not exist");
  expectError(loopBetween(1, 1), "both ends are body \"lower\"");
  expectError(loopBetween(kWorld, kWorld), "both ends are the world");
  expectError(loopBetween(3, kWorld), "cannot move against each other");
  expectError(loopBetween(1, 2), "Only fixed joints lie between them");
}

TEST(LoopChecks, RefuseBadNumbers) {
  LoopSpec loop = loopBetween(1, kWorld, LoopKind::kHinge);
  loop.axis.setZero();
  expectError(loop, "has no direction");
  loop.axis = {0, kNan, 1};
  expectError(loop, "has no direction");
  loop = loopBetween(1, kWorld);
  loop.X_2F.position[1] = kNan;
  expectError(loop, "a point is not finite");
  loop = loopBetween(1, kWorld, LoopKind::kWeld);
  loop.X_1F.rotation.coeffs().setZero();
  expectError(loop, "is no rotation");
}

TEST(LoopChecks, RefuseCouplingsThatHaveNoMeaning) {
  expectError(couplingOf("upper_joint", "lower_join"),
              "there is no joint \"lower_join\"\n  Did you mean \"lower_joint\"?");
  expectError(couplingOf("", "lower_joint"), "there is no joint \"\"");
  expectError(couplingOf("lower_joint", "lower_joint"), "coupled to itself");
  expectError(couplingOf("tool_joint", "lower_joint"), "has not one freedom");
  LoopSpec loop = couplingOf("upper_joint", "lower_joint");
  loop.coefficients[3] = kNan;
  expectError(loop, "a coefficient is not finite");
}

TEST(LoopChecks, RefuseTheSameNameTwice) {
  ModelBuilder builder = makeArm();
  builder.addLoop(loopBetween(1, kWorld));
  EXPECT_THROW(builder.addLoop(loopBetween(2, kWorld)), Error);
}

TEST(Loops, HaveThreeFiveSixOrOneRow) {
  for (const auto& [loop, rows] : {std::pair{loopBetween(2, kWorld, LoopKind::kConnect), 3},
                                   {loopBetween(2, kWorld, LoopKind::kHinge), 5},
                                   {loopBetween(2, kWorld, LoopKind::kWeld), 6},
                                   {couplingOf("upper_joint", "lower_joint"), 1}}) {
    ModelBuilder builder = makeArm();
    builder.addLoop(loop);
    const Model model = builder.build();
    int count = 0;
    for (const LoopPart& part : makeLoopParts(model)) count += part.count();
    EXPECT_EQ(count, rows) << loopKindName(loop.kind);
  }
}

LoopSpec loopOfType(JointType type) {
  LoopSpec loop = loopBetween(2, kWorld, LoopKind::kOfType);
  loop.type = type;
  return loop;
}

TEST(LoopsOfAType, HaveARowForEveryFreedomThatTheirJointTakes) {
  for (const std::string& name : jointTypeNames()) {
    const JointType type = *findJointType(name);
    EXPECT_EQ(jointTypeName(type), name);
    if (type == kFree) continue;
    LoopSpec loop = loopOfType(type);
    EXPECT_EQ(loopName(loop), name);
    if (velocityCount(type) > 0) loop.stiffness = 1.0;
    ModelBuilder builder = makeArm();
    builder.addLoop(loop);
    const Model model = builder.build();
    int count = 0, number = 0;
    for (const LoopPart& part : makeLoopParts(model)) {
      count += part.count();
      EXPECT_EQ(part.number, number++);  // below 8: it is part of an id
    }
    EXPECT_LE(number, 8);
    EXPECT_EQ(count, 6 - velocityCount(type)) << name;
    EXPECT_EQ(static_cast<int>(makeSpringParts(model).size()), velocityCount(type)) << name;
  }
  EXPECT_FALSE(findJointType("unknown"));
  EXPECT_FALSE(findJointType("hinges"));
}

TEST(LoopChecks, RefuseTypesThatCloseNothingAndSpringsWithoutAFreedom) {
  expectError(loopOfType(kFree), "type \"free\" closes nothing");
  expectError(loopOfType({Translation::kAll, Rotation::kTwoAxes}), "closes nothing");
  LoopSpec loop = loopOfType(kSlide);
  loop.axis.setZero();
  expectError(loop, "has no direction");
  loop = loopOfType(kHelical);
  loop.pitch = kNan;
  expectError(loop, "pitch is nan");
  loop = loopOfType(kFixed);
  loop.stiffness = 1.0;
  expectError(loop, "leaves nothing free");
  loop = couplingOf("upper_joint", "lower_joint");
  loop.damping = 1.0;
  expectError(loop, "leaves nothing free");
  loop = loopOfType(kBall);
  loop.stiffness = -1.0;
  expectError(loop, "stiffness is -1");
  loop.stiffness = 1.0, loop.damping = kNan;
  expectError(loop, "damping is nan");
  loop.damping = 0.0, loop.spring_reference = Eigen::VectorXd::Zero(3);
  expectError(loop, "spring_reference has 3 numbers, not 4");
  loop.spring_reference = Eigen::VectorXd::Zero(4);
  expectError(loop, "is no rotation");
}

TEST(SpringChecks, RefuseBadEndsAndNumbers) {
  const auto expectRefused = [](const SpringSpec& spring, const std::string& message) {
    try {
      ModelBuilder builder = makeArm();
      builder.addSpring(spring);
      builder.build();
      ADD_FAILURE() << "accepted, expected: " << message;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
      EXPECT_NE(error.where().element.find("spring"), std::string::npos) << error.what();
    }
  };
  SpringSpec good;
  good.body_1 = 1, good.stiffness = 10.0;
  ModelBuilder builder = makeArm();
  builder.addSpring(good);
  EXPECT_EQ(builder.build().springs()[0].name, "spring_1");
  SpringSpec bad = good;
  bad.body_2 = 9;
  expectRefused(bad, "body 9 does not exist");
  bad.body_2 = 1;
  expectRefused(bad, "both ends are body \"lower\"");
  bad.body_2 = 2;
  expectRefused(bad, "cannot move against each other");
  bad = good, bad.length = -1.0;
  expectRefused(bad, "length is -1");
  bad = good, bad.stiffness = kNan;
  expectRefused(bad, "stiffness is nan");
  bad = good, bad.point_2[0] = kNan;
  expectRefused(bad, "a point is not finite");
}

TEST(LoopChecks, RefuseStopsFrictionAndMotorsWithoutMeaningOrWithoutOneFreedom) {
  const auto refused = [](JointType type, const auto& change, const std::string& message) {
    LoopSpec loop = loopOfType(type);
    change(loop);
    expectError(loop, message);
  };
  refused(kHinge, [](LoopSpec& loop) { loop.range = Range{1.0, 0.5}; }, "lower limit 1 is above upper limit 0.5");
  refused(kSlide, [](LoopSpec& loop) { loop.range = Range{0.0, kNan}; }, "is above upper limit nan");
  refused(kHinge, [](LoopSpec& loop) { loop.range = Range{-4.0, 4.0}; }, "tells no turns");
  refused(kHinge, [](LoopSpec& loop) { loop.dry_friction = -1.0; }, "dry friction is -1");
  refused(kHinge, [](LoopSpec& loop) { loop.dry_friction = kNan; }, "dry friction is nan");
  refused(kHinge, [](LoopSpec& loop) { loop.motor.kp = -2.0; }, "kp is -2");
  refused(kHinge, [](LoopSpec& loop) { loop.motor.target = kNan; }, "target is nan");
  refused(kHinge, [](LoopSpec& loop) { loop.motor.torque = 3.0, loop.motor.effort = 2.0; }, "more than the effort 2");
  refused(kBall, [](LoopSpec& loop) { loop.range = Range{0.0, 1.0}; }, "\"ball\" leaves 3 freedoms");
  refused(kFixed, [](LoopSpec& loop) { loop.dry_friction = 1.0; }, "\"fixed\" leaves 0 freedoms");
  LoopSpec coupling = couplingOf("upper_joint", "lower_joint");
  coupling.motor.torque = 1.0;
  expectError(coupling, "Put them on one of the joints that it ties");
}

TEST(FreedomsOfLoops, CountAHingeFromTheMiddleOfItsRangeOrFromItsTarget) {
  LoopSpec loop = loopOfType(kHinge);
  loop.motor = {.kp = 1.0, .target = 2.0};
  EXPECT_EQ(middleOf(loop), 2.0);
  loop.range = Range{2.5, 3.9};
  EXPECT_EQ(middleOf(loop), 3.2);
  loop.type = kSlide;
  EXPECT_EQ(middleOf(loop), 0.0);
  ModelBuilder builder = makeArm();
  builder.addLoop(loop);
  EXPECT_EQ(makeLoopFreedoms(builder.build()).size(), 1u);
}

TEST(MimickingJoint, BecomesACoupling) {
  ModelBuilder builder("arm");
  builder.addBody(ballBody("upper", kWorld, kHinge));
  BodySpec lower = ballBody("lower", 0, kHinge);
  lower.joint.mimic = JointSpec::Mimic{"upper_joint", -2.0, 0.5};
  builder.addBody(lower);
  const Model model = builder.build();
  ASSERT_EQ(model.loops().size(), 1u);
  EXPECT_EQ(model.loops()[0].name, "lower_joint");
  EXPECT_EQ(model.loops()[0].joint_2, "upper_joint");
  EXPECT_EQ(model.loops()[0].coefficients, (std::array<double, 5>{0.5, -2.0, 0.0, 0.0, 0.0}));
}

}  // namespace
}  // namespace rigor
