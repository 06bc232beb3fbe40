// Every way to write a model that does not make sense, and what the user is told.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "model/sample_bodies.h"

namespace rigor {
namespace {

const double kNan = std::nan("");
const double kInf = std::numeric_limits<double>::infinity();

/// A sound arm of two hinges, changed by `spoil` in its second body, built.
Model buildArm(const std::function<void(BodySpec&)>& spoil) {
  ModelBuilder builder;
  builder.addBody(ballBody("upper", kWorld, kHinge));
  BodySpec lower = ballBody("lower", 0, kHinge);
  lower.joint.name = "elbow";
  lower.joint.X_PJ.position = {1.0, 0.0, 0.0};
  lower.where = {"arm.urdf", 12, ""};
  spoil(lower);
  builder.addBody(lower);
  return builder.build();
}

void expectError(const std::function<void(BodySpec&)>& spoil, const std::string& problem) {
  try {
    buildArm(spoil);
    ADD_FAILURE() << "accepted, but should say: " << problem;
  } catch (const Error& error) {
    EXPECT_NE(error.problem().find(problem), std::string::npos) << error.what();
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    EXPECT_EQ(error.where().file, "arm.urdf");
    EXPECT_EQ(error.where().line, 12);
  }
}

void expectWarning(const std::function<void(BodySpec&)>& spoil, const std::string& message) {
  const Model model = buildArm(spoil);
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_NE(model.warnings()[0].message.find(message), std::string::npos) << model.warnings()[0].text();
  EXPECT_EQ(model.warnings()[0].where.line, 12);
}

TEST(ModelChecks, PassASoundModelInSilence) {
  EXPECT_TRUE(buildArm([](BodySpec&) {}).warnings().empty());
}

TEST(ModelChecks, ErrorsNameFileLineElementProblemAndRemedy) {
  try {
    buildArm([](BodySpec& b) { b.joint.range = Range{1.2, -0.3}; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "arm.urdf:12: body \"lower\": joint \"elbow\": lower limit 1.2 is above upper limit -0.3\n"
                 "  The joint could never move. Swap the values, or leave the range out for a joint without limits.");
  }
}

TEST(ModelChecks, RefuseBadNumbersOfAJoint) {
  expectError([](BodySpec& b) { b.joint.axis.setZero(); }, "has no direction");
  expectError([](BodySpec& b) { b.joint.axis[1] = kNan; }, "has no direction");
  expectError([](BodySpec& b) { b.joint.axis[1] = kInf; }, "has no direction");
  expectError([](BodySpec& b) { b.joint.X_PJ.position[2] = kNan; }, "position of the frame of joint \"elbow\"");
  expectError([](BodySpec& b) { b.joint.X_PJ.rotation.coeffs().setZero(); }, "is no rotation");
  expectError([](BodySpec& b) { b.joint.X_PJ.rotation.x() = kNan; }, "is no rotation");
  expectError([](BodySpec& b) { b.joint.range = Range{kNan, 1.0}; }, "lower limit");
  expectError([](BodySpec& b) { b.joint.damping = -1.0; }, "damping is -1");
  expectError([](BodySpec& b) { b.joint.damping = kInf; }, "damping is inf");
  expectError([](BodySpec& b) { b.joint.dry_friction = kNan; }, "dry friction is nan");
  expectError([](BodySpec& b) { b.joint.armature = -1e-9; }, "armature is -1e-09");
  expectError([](BodySpec& b) { b.joint.effort = -3.0; }, "effort limit is -3");
  expectError([](BodySpec& b) { b.joint.speed = kNan; }, "speed limit is nan");
  expectError([](BodySpec& b) { b.joint.type = kHelical, b.joint.pitch = kNan; }, "pitch is nan");
  expectError([](BodySpec& b) { b.joint.stiffness = -2.0; }, "stiffness is -2");
  expectError([](BodySpec& b) { b.joint.rotor_inertia = -1.0; }, "rotor inertia is -1");
  expectError([](BodySpec& b) { b.joint.gear = 0.0; }, "gear is 0");
  expectError([](BodySpec& b) { b.joint.spring_reference = Eigen::Vector2d(0.0, 0.0); }, "spring reference has 2");
  expectError([](BodySpec& b) { b.joint.spring_reference = Eigen::VectorXd::Constant(1, kInf); },
              "spring reference is not finite");
  expectError([](BodySpec& b) { b.joint.type = {Translation::kAxis, Rotation::kHelix}; }, "cannot translate besides");
}

TEST(ModelChecks, RefuseSeveralJointsWhereOneIsFixedOrFreeOrBad) {
  const auto second = [](JointType type) {
    JointSpec joint;
    joint.name = "second";
    joint.type = type;
    return joint;
  };
  expectError([&](BodySpec& b) { b.more_joints = {second(kFixed)}; }, "a fixed or a free one");
  expectError([&](BodySpec& b) { b.more_joints = {second(kFree)}; }, "a fixed or a free one");
  expectError([&](BodySpec& b) { b.joint.type = kFixed, b.more_joints = {second(kHinge)}; }, "a fixed or a free one");
  expectError(
      [&](BodySpec& b) {
        b.more_joints = {second(kHinge)};
        b.more_joints[0].axis.setZero();
      },
      "joint \"second\": axis");
  // the same axis twice: each turns against the other and moves no inertia by itself
  expectError(
      [&](BodySpec& b) {
        b.more_joints = {second(kHinge)};
        b.more_joints[0].axis = b.joint.axis;
      },
      "moves without moving any inertia");
  EXPECT_NO_THROW(buildArm([&](BodySpec& b) {
    b.more_joints = {second(kHinge)};
    b.more_joints[0].axis = {1.0, 0.0, 0.0};
  }));
}

TEST(ModelChecks, RefuseBadMass) {
  expectError([](BodySpec& b) { b.mass.mass = -1.0; }, "mass is -1");
  expectError([](BodySpec& b) { b.mass.mass = kInf; }, "mass is inf");
  expectError([](BodySpec& b) { b.mass.com[0] = kNan; }, "centre of mass is not finite");
  expectError([](BodySpec& b) { b.mass.inertia(1, 1) = kNan; }, "inertia is not finite");
  expectError([](BodySpec& b) { b.mass.inertia(0, 1) = 0.01; }, "inertia is not symmetric");
  expectError([](BodySpec& b) { b.mass.inertia(0, 0) = -0.01; }, "negative principal moment");
  expectError([](BodySpec& b) { b.mass.inertia(0, 1) = b.mass.inertia(1, 0) = 1.0; }, "negative principal moment");
}

TEST(ModelChecks, AcceptDustBelowZeroAndSaySo) {
  for (const double dust : {-1e-20, -1e-300, -1e-9}) {
    ModelBuilder builder;
    BodySpec body = ballBody("rod", kWorld, kFree);
    body.mass.inertia = Eigen::Vector3d(0.1, 0.1, dust).asDiagonal();
    builder.addBody(body);
    BodySpec link = ballBody("dust", 0, kFixed);
    link.mass.inertia = Eigen::Vector3d(dust * 1e-12, 0.0, 0.0).asDiagonal();  // nothing but dust
    builder.addBody(link);
    const Model model = builder.build();
    EXPECT_EQ(model.warnings().size(), 2u) << dust;
  }
}

TEST(ModelChecks, RepairNegativeMomentsOnlyWhenAsked) {
  ModelBuilder builder;
  builder.repairInertias();
  BodySpec body = ballBody("rod", kWorld, kFree);
  body.mass.inertia = Eigen::Vector3d(0.1, 0.2, -0.05).asDiagonal();
  builder.addBody(body);
  const Model model = builder.build();
  EXPECT_LE((model.body(0).mass.inertia - Eigen::Matrix3d(Eigen::Vector3d(0.1, 0.2, 2e-7).asDiagonal())).norm(), 1e-16);
  ASSERT_GE(model.warnings().size(), 1u);
  EXPECT_NE(model.warnings()[0].message.find("negative principal moment -0.05 kg m², taken as 2e-07"),
            std::string::npos);
  EXPECT_TRUE(model.warnings()[0].changes_motion);
}

TEST(ModelChecks, RefuseBodiesBeyondWhatDoublesResolve) {
  expectError([](BodySpec& b) { b.joint.X_PJ.position[1] = 1e308; }, "1e+308 m away");
  expectError([](BodySpec& b) { b.joint.X_PJ.position[1] = -2e9; }, "2e+09 m away");
  EXPECT_NO_THROW(buildArm([](BodySpec& b) { b.joint.X_PJ.position[1] = 1e9; }));
}

TEST(ModelChecks, NameTheBaseThatHasNoMass) {
  ModelBuilder builder;
  BodySpec base = ballBody("base", kWorld, kFree);
  base.mass = {};
  builder.addBody(base);
  builder.addBody(ballBody("arm", 0, kHinge));
  try {
    builder.build();
    ADD_FAILURE() << "built";
  } catch (const Error& error) {
    EXPECT_NE(error.remedy().find("--base fixed"), std::string::npos) << error.what();
  }
}

TEST(ModelChecks, RefuseBadShapes) {
  const auto withShape = [](const Shape& shape) {
    return [shape](BodySpec& b) { b.shapes.push_back(namedShape("pad", shape)); };
  };
  expectError(withShape({ShapeKind::kSphere, {0.0, 0.0, 0.0}}), "shape \"pad\": radius of a sphere is 0 m");
  expectError(withShape({ShapeKind::kCapsule, {0.1, -1.0, 0.0}}), "half length of a capsule");
  expectError(withShape({ShapeKind::kBox, {0.1, kNan, 0.1}}), "half extent of a box");
  expectError(withShape(makePlane()), "a plane is attached to a body that moves");
  expectError(
      [](BodySpec& b) {
        b.shapes.push_back(namedShape("pad", makeSphere(0.1)));
        b.shapes[0].X_BS.rotation.coeffs().setZero();
      },
      "is no rotation");
}

TEST(ModelChecks, RefuseBodiesThatDoNotHangTogether) {
  expectError([](BodySpec& b) { b.parent = 1; }, "parent 1 is not a body added before");
  expectError([](BodySpec& b) { b.parent = -2; }, "parent -2 is not a body added before");
  expectError([](BodySpec& b) { b.name = "upper"; }, "a body called \"upper\" was added before");
  expectError([](BodySpec& b) { b.joint.name = "upper_joint"; }, "a joint called \"upper_joint\" was added before");
  expectError([](BodySpec& b) { b.joint.type = kFree; }, "joint \"elbow\" hangs on a moving body");
}

TEST(ModelChecks, RefuseTreesThatAreInterleaved) {
  ModelBuilder builder;
  builder.addBody(ballBody("a1", kWorld, kHinge));
  builder.addBody(ballBody("b1", kWorld, kHinge));
  builder.addBody(ballBody("a2", 0, kHinge));
  EXPECT_THROW(builder.build(), Error);
}

TEST(ModelChecks, RefuseChainsWhoseMassMatrixIsTooLargeButNotManyBodies) {
  ModelBuilder many, chain;
  for (int i = 0; i < 10001; ++i) {  // a chain of n hinges has n (n + 1) / 2 entries, free bodies 21 each
    many.addBody(ballBody(std::to_string(i), kWorld, kFree));
    chain.addBody(ballBody(std::to_string(i), i - 1, kHinge));
  }
  EXPECT_NO_THROW(many.build());
  EXPECT_THROW(chain.build(), Error);
}

TEST(ModelChecks, RefuseUnknownMimicsWithTheNearestName) {
  const auto mimicOf = [](const char* joint) {
    return [joint](BodySpec& b) { b.joint.mimic = JointSpec::Mimic{joint, 1.0, 0.0}; };
  };
  EXPECT_NO_THROW(buildArm(mimicOf("upper_joint")));
  expectError(mimicOf("elbow"), "mimics itself");
  expectError(mimicOf("upper_join"), "mimics the unknown joint \"upper_join\"");
  try {
    buildArm(mimicOf("upper_join"));
  } catch (const Error& error) {
    EXPECT_EQ(error.remedy(), "Did you mean \"upper_joint\"?");
  }
}

TEST(ModelChecks, RefuseJointsThatMoveNoInertia) {
  const char* problem = "joint \"elbow\" moves without moving any inertia";
  expectError([](BodySpec& b) { b.mass = {}; }, problem);
  expectError([](BodySpec& b) { b.mass.inertia.setZero(); }, problem);  // a point on the axis of its hinge
  expectError(
      [](BodySpec& b) {
        b.mass.inertia = Eigen::Vector3d(1.0, 1.0, 0.0).asDiagonal();  // a needle in a ball joint turns freely
        b.joint.type = kBall;
      },
      problem);
  EXPECT_NO_THROW(buildArm([](BodySpec& b) { b.mass = {}, b.joint.armature = 1e-6; }));
  EXPECT_NO_THROW(buildArm([](BodySpec& b) { b.mass = {}, b.joint.type = kFixed; }));
  EXPECT_NO_THROW(buildArm([](BodySpec& b) { b.mass.inertia.setZero(), b.mass.com[0] = 0.1; }));
}

// Three hinges: the middle link of a shoulder is often massless in a file.
TEST(ModelChecks, AllowMasslessLinksBetweenJointsThatMoveIndependently) {
  const auto buildChain = [](const Eigen::Vector3d& second_axis) {
    ModelBuilder builder;
    BodySpec frame = ballBody("frame", kWorld, kHinge), arm = ballBody("arm", 0, kHinge);
    frame.mass = {};
    arm.joint.axis = second_axis;
    builder.addBody(frame);
    builder.addBody(arm);
    return builder.build();
  };
  EXPECT_NO_THROW(buildChain(Eigen::Vector3d::UnitX()));
  EXPECT_THROW(buildChain(Eigen::Vector3d::UnitZ()), Error);  // two hinges on one axis, nothing between them
}

TEST(ModelChecks, WarnOfSloppyNumbers) {
  expectWarning([](BodySpec& b) { b.joint.X_PJ.rotation.w() = 1.001; }, "has length 1.001 and was normalised");
  expectWarning([](BodySpec& b) { b.mass.inertia = Eigen::Vector3d(0.1, 0.1, 0.3).asDiagonal(); },
                "break the triangle inequality");
  expectWarning(
      [](BodySpec& b) {
        b.joint.type = kBall;
        b.joint.range = Range{-1.0, 1.0};
      },
      "range ignored, a ball joint has 3 freedoms");
}

TEST(ModelChecks, RefuseBadGravityReferencesAndMaterials) {
  ModelBuilder builder;
  builder.addBody(ballBody("a", kWorld, kBall));
  EXPECT_THROW(builder.setGravity({0.0, kNan, 0.0}), Error);
  EXPECT_THROW(builder.setReference(1, Eigen::VectorXd::Zero(1)), Error);
  EXPECT_THROW(builder.setReference(0, Eigen::VectorXd::Zero(3)), Error);
  EXPECT_THROW(builder.setReference(0, Eigen::Vector4d::Zero()), Error);
  EXPECT_THROW(builder.setReference(0, Eigen::Vector4d(kNan, 0, 0, 1)), Error);
  EXPECT_THROW(builder.addMaterialPair({"", "b"}), Error);
  EXPECT_THROW(builder.addMaterialPair({"a", "b", -0.1}), Error);
  EXPECT_THROW(builder.addMaterialPair({"a", "b", 0.5, 0.3}), Error);
  EXPECT_THROW(builder.addMaterialPair({"a", "b", 0.5, 0.6, 1.1}), Error);
  EXPECT_THROW(builder.addMaterialPair({"a", "b", 0.5, 0.6, kNan}), Error);
  EXPECT_THROW(builder.addMaterialPair({"a", "b", 0.5, 0.6, 0.0, -1.0}), Error);
  EXPECT_NO_THROW(builder.addMaterialPair({"a", "b", 0.5, 0.6, 0.3, 0.0}));
}

TEST(ModelChecks, PassOnTheWarningsOfAReader) {
  ModelBuilder builder;
  Warning warning;
  warning.where.file = "arm.urdf";
  warning.where.line = 3;
  warning.message = "no inertia";
  builder.addWarning(warning);
  ASSERT_EQ(builder.build().warnings().size(), 1u);
  EXPECT_EQ(builder.build().warnings()[0].text(), "arm.urdf:3: no inertia");
}

}  // namespace
}  // namespace rigor
