// The start of a bare model is free of overlap, or says what it left out.
#include "simulation/clear_pose.h"

#include <gtest/gtest.h>

#include "simulation/simple_scenes.h"

namespace rigor {
namespace {

/// Three balls on a string of hinges about z: the outer two meet when the middle joint turns far enough.
ModelBuilder makeChain(double last_reference, std::optional<Range> range = {}, JointType root = kFree) {
  ModelBuilder builder("chain");
  for (int i = 0; i < 4; ++i) {
    BodySpec body;
    body.name = "link" + std::to_string(i);
    body.parent = i - 1;
    body.joint.name = "joint" + std::to_string(i);
    body.joint.type = i == 0 ? root : kHinge;
    if (i > 0) body.joint.X_PJ.position = {0.3, 0.0, 0.0};
    if (i == 2) body.joint.range = range;
    body.shapes = {{"skin" + std::to_string(i), makeSphere(0.1)}};
    body.mass = computeMassProperties(body.shapes[0].shape, 1000.0);
    const int index = builder.addBody(body);
    if (i == 2) builder.setReference(index, Eigen::VectorXd::Constant(1, last_reference));
  }
  return builder;
}

/// The joint "joint2" sits on link1 at 0.3 m from it and turns link3, 0.3 m farther out: at an angle of π link3 lies on link1.
constexpr double kFolded = kPi;

TEST(ClearPose, LeavesAPoseWithoutOverlapAsItIs) {
  const Scene scene = makeModelScene(makeChain(0.0));
  EXPECT_TRUE(scene.warnings.empty());
  EXPECT_EQ(scene.q.tail(3), Eigen::Vector3d::Zero());
}

TEST(ClearPose, MovesOneJointAndSaysWhichAndHowFar) {
  const Scene scene = makeModelScene(makeChain(kFolded - 0.1));
  EXPECT_TRUE(findOverlaps(scene.model, scene.q).empty());
  ASSERT_EQ(scene.warnings.size(), 1u);
  for (const char* word : {"\"joint2\"", "from 3.04", "\"skin1\" and \"skin3\""})
    EXPECT_NE(scene.warnings[0].message.find(word), std::string::npos) << scene.warnings[0].message;
  EXPECT_EQ(scene.q[7], 0.0);  // joint1 and joint3 stay
  EXPECT_EQ(scene.q[9], 0.0);
  // link3 is 0.6 sin(δ/2) from link1, δ short of folding: 0.2 m at δ = 0.68; one place of the search is 2π/64 = 0.098
  const double short_of_folding = kFolded - scene.q[8];
  EXPECT_GT(short_of_folding, 0.679);
  EXPECT_LT(short_of_folding, 0.679 + 0.01 + 2.0 * kPi / 64);
}

// With a fixed root, whose shapes are the world's, as with a free one: joint1 turns link2 and link3 about link1's place, so that link3
// meets link1 where joint2 is folded.
TEST(ClearPose, MovesJointsOfARobotWhoseRootIsFixed) {
  const Scene scene = makeModelScene(makeChain(kFolded - 0.1, {}, kFixed));
  EXPECT_TRUE(findOverlaps(scene.model, scene.q).empty());
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_NE(scene.warnings[0].message.find("\"joint2\""), std::string::npos) << scene.warnings[0].message;
}

TEST(ClearPose, IsTheSameEveryTime) {
  EXPECT_EQ(makeModelScene(makeChain(kFolded - 0.1)).q, makeModelScene(makeChain(kFolded - 0.1)).q);
}

TEST(ClearPose, LeavesOutOfContactWhatOverlapsInEveryPose) {
  // joint2 may only turn within 0.2 rad of folding: link3 never leaves link1
  const Scene scene = makeModelScene(makeChain(kFolded, Range{kFolded - 0.2, kFolded + 0.2}));
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_NE(scene.warnings[0].message.find("\"skin1\" and \"skin3\" (0.2 m)"), std::string::npos)
      << scene.warnings[0].message;
  EXPECT_EQ(scene.q[8], kFolded);
  EXPECT_FALSE(scene.model.mayCollide(1, 3));
  EXPECT_TRUE(scene.model.mayCollide(0, 2));
  EXPECT_NO_THROW(Simulator{scene});
}

// A humanoid whose arms hang into its hips shall lift its arms, although bending over would free both at once.
// Poses are scattered over joints of one freedom; what a ball joint may do is not known, so nothing is said of it.
TEST(ClearPose, LeavesPairsInContactThatHangOnJointsOfSeveralFreedoms) {
  const auto makeArm = [](JointType wide) {
    ModelBuilder builder("arm");
    for (int i = 0; i < 3; ++i) {
      BodySpec body;
      body.name = "link" + std::to_string(i);
      body.parent = i - 1;
      body.joint.name = "joint" + std::to_string(i);
      body.joint.type = i == 0 ? kFree : i == 1 ? wide : kHinge;
      body.joint.axis = Eigen::Vector3d::UnitZ();
      if (i != 1) body.shapes = {{"skin" + std::to_string(i), makeSphere(0.1)}};  // both around one point
      body.mass = computeMassProperties(makeSphere(0.1), 1000.0);
      builder.addBody(body);
    }
    return builder.build();
  };
  for (const JointType wide : {kBall, kPlanar}) {
    const Model model = makeArm(wide);
    ASSERT_EQ(findOverlaps(model, model.q0()).size(), 1u);
    EXPECT_TRUE(findLastingOverlaps(model, model.q0()).empty());
  }
  const Model hinges = makeArm(kHinge);
  EXPECT_EQ(findLastingOverlaps(hinges, hinges.q0()).size(), 1u);
}

TEST(ClearPose, LeavesInContactWhatTheUserNamesToCollide) {
  const auto countLeftOut = [](bool named) {
    ModelBuilder builder = makeChain(kFolded, Range{kFolded - 0.2, kFolded + 0.2});
    if (named) builder.collidePair("link1", "link3");
    const Model model = builder.build();
    return findLastingOverlaps(model, model.q0()).size();
  };
  EXPECT_EQ(countLeftOut(false), 1u);
  EXPECT_EQ(countLeftOut(true), 0u);
}

TEST(ClearPose, MovesTwoLightArmsBeforeOneHeavyTrunk) {
  ModelBuilder builder("arms");
  BodySpec hip;
  hip.name = "hip";
  hip.joint.name = "base", hip.joint.type = kFree;
  hip.shapes = {{"hip", makeSphere(0.1)}};
  hip.mass = computeMassProperties(hip.shapes[0].shape, 1000.0);
  builder.addBody(hip);
  BodySpec chest = hip;
  chest.name = chest.shapes[0].name = "chest";
  chest.parent = 0;
  chest.joint.name = "waist", chest.joint.type = kSlide, chest.joint.axis = Eigen::Vector3d::UnitX();
  chest.joint.range = Range{-0.5, 0.5};
  chest.joint.X_PJ.position = {0.6, 0.0, 0.0};
  builder.addBody(chest);
  for (const double side : {1.0, -1.0}) {
    BodySpec hand = hip;
    hand.name = hand.shapes[0].name = side > 0.0 ? "left" : "right";
    hand.parent = 1;
    hand.joint.name = hand.name + "_shoulder", hand.joint.type = kHinge;
    hand.X_JB.position = {-0.45, side * 0.12, 0.0};  // 0.192 m from the hip
    hand.mass.mass *= 0.1, hand.mass.inertia *= 0.1;
    builder.addBody(hand);
  }
  const Scene scene = makeModelScene(std::move(builder));
  EXPECT_TRUE(findOverlaps(scene.model, scene.q).empty());
  EXPECT_EQ(scene.q[7], 0.0);  // the waist
  EXPECT_NE(scene.q[8], 0.0);
  EXPECT_NE(scene.q[9], 0.0);
}

/// Two fingers that start 4 mm inside each other; the right one follows the left one.
ModelBuilder makeGripper(const Range& range_of_follower) {
  ModelBuilder builder("gripper");
  BodySpec palm;
  palm.name = "palm";
  palm.joint.name = "base", palm.joint.type = kFree;
  palm.mass.mass = 1.0, palm.mass.inertia = 0.01 * Eigen::Matrix3d::Identity();
  builder.addBody(palm);
  for (const double side : {1.0, -1.0}) {
    BodySpec finger = palm;
    finger.name = side > 0.0 ? "left" : "right";
    finger.parent = 0;
    finger.joint.name = finger.name, finger.joint.type = kSlide;
    finger.joint.axis = Eigen::Vector3d(0.0, side, 0.0);  // a positive way opens
    finger.joint.range = Range{0.0, 0.1};
    finger.joint.X_PJ.position = {0.0, side * 0.008, 0.0};
    if (side < 0.0) finger.joint.mimic = JointSpec::Mimic{"left", 1.0, 0.0}, finger.joint.range = range_of_follower;
    finger.shapes = {{finger.name, makeSphere(0.01)}};
    finger.mass.mass = 0.01, finger.mass.inertia = 1e-6 * Eigen::Matrix3d::Identity();
    builder.addBody(finger);
  }
  return builder;
}

TEST(ClearPose, MovesTheLeaderOfAJointThatFollows) {
  const Scene scene = makeModelScene(makeGripper({0.0, 0.1}));
  EXPECT_GE(scene.q[7], 0.002);  // 4 mm of overlap, half of it each
  EXPECT_EQ(scene.q[8], scene.q[7]);
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_EQ(scene.warnings[0].message.find("\"right\" from"), std::string::npos) << scene.warnings[0].message;
}

TEST(ClearPose, KeepsFollowersWithinTheirRanges) {
  const Scene scene = makeModelScene(makeGripper({0.0, 0.0027}));  // two places of 64 in 0.1 m are 3.1 mm
  EXPECT_TRUE(findOverlaps(scene.model, scene.q).empty());
  EXPECT_LE(scene.q[8], 0.0027);
}

TEST(ClearPose, MovesTwoJointsWhereOneIsNotEnough) {
  // two arms of one trunk, each folded onto it
  ModelBuilder builder("arms");
  BodySpec trunk;
  trunk.name = "trunk";
  trunk.joint.name = "base", trunk.joint.type = kFree;
  trunk.shapes = {{"trunk", makeSphere(0.1)}};
  trunk.mass = computeMassProperties(trunk.shapes[0].shape, 1000.0);
  builder.addBody(trunk);
  for (const double side : {1.0, -1.0}) {
    BodySpec upper = trunk, hand = trunk;
    const std::string name = side > 0.0 ? "left" : "right";
    upper.name = name + "_upper", hand.name = name + "_hand";
    upper.parent = 0;
    upper.joint.name = name + "_elbow", hand.joint.name = name + "_wrist";
    upper.joint.type = hand.joint.type = kHinge;
    upper.joint.X_PJ.position = {side * 0.3, 0.0, 0.0};
    upper.shapes.clear();
    hand.joint.range = Range{-0.01, 0.01};
    hand.joint.X_PJ.position = {-side * 0.25, 0.0, 0.0};
    hand.shapes[0].name = name + "_hand";
    hand.parent = builder.addBody(upper);
    builder.addBody(hand);
  }
  const Scene scene = makeModelScene(std::move(builder));
  EXPECT_TRUE(findOverlaps(scene.model, scene.q).empty());
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_NE(scene.warnings[0].message.find("\"left_elbow\""), std::string::npos) << scene.warnings[0].message;
  EXPECT_NE(scene.warnings[0].message.find("\"right_elbow\""), std::string::npos) << scene.warnings[0].message;
}

}  // namespace
}  // namespace rigor
