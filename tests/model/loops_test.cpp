// Loops of a model: what they are made of, and what is refused.
#include <gtest/gtest.h>

#include <limits>

#include "model/loop_parts.h"
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
