// checkScene: a model for each kind of problem, and the same model without it.
#include <gtest/gtest.h>

#include <functional>

#include <algorithm>

#include "simulation/simple_scenes.h"

namespace rigor {
namespace {

BodySpec ball(const std::string& name, JointType type, const Eigen::Vector3d& at, int parent = kWorld) {
  BodySpec body;
  body.name = name;
  body.parent = parent;
  body.joint.name = name + "_joint";
  body.joint.type = type;
  body.joint.X_PJ.position = at;
  body.shapes = {{name + "_skin", makeSphere(0.1)}};
  body.mass = computeMassProperties(body.shapes[0].shape, 1000.0);
  return body;
}

/// A free trunk with an arm of two links.
struct Arm {
  BodySpec trunk = ball("trunk", kFree, {0, 0, 1}), upper = ball("upper", kHinge, {0.5, 0, 0}, 0),
           hand = ball("hand", kHinge, {0.5, 0, 0}, 1);

  Scene scene() const {
    ModelBuilder builder("arm");
    for (const BodySpec& body : {trunk, upper, hand}) builder.addBody(body);
    return makeModelScene(std::move(builder));
  }
};

std::vector<Problem> ofKind(const Scene& scene, const std::string& kind) {
  std::vector<Problem> found;
  for (const Problem& problem : checkScene(scene))
    if (problem.kind == kind) found.push_back(problem);
  return found;
}

/// One problem of the kind, about this element, with a remedy.
void expectOne(const Scene& scene, const std::string& kind, const std::string& element, bool is_error = false) {
  const std::vector<Problem> found = ofKind(scene, kind);
  ASSERT_EQ(found.size(), 1u) << kind;
  EXPECT_NE(found[0].where.element.find(element), std::string::npos) << found[0].where.element;
  EXPECT_EQ(found[0].is_error, is_error) << found[0].message;
  EXPECT_FALSE(found[0].remedy.empty());
}

TEST(Check, FindsNothingWrongWithASoundRobot) {
  for (const Problem& problem : checkScene(Arm().scene())) ADD_FAILURE() << problem.kind << ": " << problem.message;
}

TEST(Check, TellsOverlapByPairAndDepth) {
  ModelBuilder builder("two");
  builder.addBody(ball("one", kFree, {0, 0, 1}));
  builder.addBody(ball("other", kFree, {0.15, 0, 1}));
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(12);
  expectOne(scene, "overlap", "\"one_skin\" and \"other_skin\"");
  EXPECT_NE(ofKind(scene, "overlap")[0].message.find("0.05 m"), std::string::npos);
  const std::vector<ShapeOverlap> overlaps = findOverlaps(scene.model, scene.q);
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_NEAR(overlaps[0].depth, 0.05, 1e-12);  // rounding of 0.2 − 0.15
}

TEST(Check, IsAnErrorWhereTheSimulatorRefusesTheStart) {
  ModelBuilder builder("buried");
  builder.addWorldShape({"ground", makePlane()});
  BodySpec cart = ball("cart", kSlide, {0, 0, 0.05});
  cart.joint.axis = Eigen::Vector3d::UnitX();  // no way out of the ground
  builder.addBody(cart);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.v = Eigen::VectorXd::Zero(1);
  EXPECT_EQ(ofKind(scene, "start").size(), 1u);
  expectOne(scene, "overlap", "ground", true);
  EXPECT_TRUE(checkScene(scene)[0].is_error);  // errors come first
}

/// A hinge at the origin whose ball, half a metre out along x, a loop ties to a point of the world.
Scene tiedBall(const Eigen::Vector3d& to) {
  ModelBuilder builder("tied");
  builder.setGravity(Eigen::Vector3d::Zero());
  builder.addBody(ball("arm", kHinge, {0, 0, 0}));
  LoopSpec loop;
  loop.name = "tie", loop.body_1 = 0;
  loop.X_1F.position = {0.5, 0, 0}, loop.X_2F.position = to;
  builder.addLoop(loop);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.v = Eigen::VectorXd::Zero(1);
  return scene;
}

// Whoever gave the start learns that it is not where the run begins, or that there is none.
TEST(Check, TellsLoopsThatAreOpenAtTheStartAndThoseThatCannotBeClosed) {
  const Eigen::Vector3d turned(0.5 * std::cos(0.1), 0.5 * std::sin(0.1), 0.0);  // about z, the axis of the hinge
  EXPECT_TRUE(ofKind(tiedBall({0.5, 0, 0}), "open_loop").empty());
  expectOne(tiedBall(turned), "open_loop", "loop \"tie\"");
  EXPECT_NE(ofKind(tiedBall(turned), "open_loop")[0].message.find("open by 0.0499 m"), std::string::npos);
  EXPECT_TRUE(ofKind(tiedBall(turned), "unclosable_loop").empty());
  expectOne(tiedBall({2, 0, 0}), "unclosable_loop", "loop \"tie\"", true);
  EXPECT_TRUE(ofKind(tiedBall({2, 0, 0}), "start").empty());
}

TEST(Check, TellsMassesThatDifferTooMuch) {
  Arm arm;
  arm.hand.mass.mass *= 1e-6, arm.hand.mass.inertia *= 1e-6;
  expectOne(arm.scene(), "mass_ratio", "hand");
}

TEST(Check, TellsInertiasThatNoBodyOfThatSizeHas) {
  Arm small, large, crooked;
  small.hand.mass.inertia *= 1e-6;  // g mm² for kg m², nearly
  large.hand.mass.inertia *= 1e6;   // kg mm² for kg m²
  crooked.hand.mass.inertia = Eigen::Vector3d(0.01, 0.01, 0.05).asDiagonal();
  for (const Arm& arm : {small, large, crooked}) expectOne(arm.scene(), "inertia", "hand");
}

// As in published robots: kilograms with moments of 1e-20 kg m², whose ratios are dust.
TEST(Check, NamesLinksWhoseMomentsAreNextToNothing) {
  Arm arm;
  arm.hand.mass.inertia = Eigen::Vector3d(1e-20, 2e-20, 5e-19).asDiagonal();  // no body has such ratios
  arm.upper.mass.inertia = 1e-12 * Eigen::Matrix3d::Identity();
  arm.trunk.mass.inertia.setZero();  // a point mass that was meant
  arm.trunk.joint.type = kFixed;
  const std::vector<Problem> found = ofKind(arm.scene(), "inertia");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].where.element, "link \"upper\"");
  EXPECT_EQ(found[1].where.element, "link \"hand\"");
  EXPECT_NE(found[0].message.find("next to nothing, 1e-12 kg m²"), std::string::npos) << found[0].message;
}

TEST(Check, SaysNothingOfTheInertiaOfABodyThatMovesAsItIsTold) {
  ModelBuilder builder("door");
  BodySpec door = ball("door", kFree, {0, 0, 1}), bob = ball("bob", kFree, {1, 0, 1});
  door.kinematic = true;
  door.mass = {1.0, Eigen::Vector3d::Zero(), 1e-9 * Eigen::Matrix3d::Identity()};
  builder.addBody(door);
  builder.addBody(bob);
  EXPECT_TRUE(ofKind(makeModelScene(std::move(builder)), "inertia").empty());
}

TEST(Check, SaysNothingOfTheInertiaOfABodyThatIsAsSmallAsItsMoments) {
  ModelBuilder builder("dust");
  BodySpec grain = ball("grain", kFree, {0, 0, 1});
  grain.shapes[0].shape = makeSphere(1e-4);
  grain.mass = computeMassProperties(grain.shapes[0].shape, 1000.0);
  builder.addBody(grain);
  for (const Problem& problem : ofKind(makeModelScene(std::move(builder)), "inertia")) ADD_FAILURE() << problem.message;
}

constexpr double kStanding = 0.2;  // [m] height of a trunk whose box ends that far below it

TEST(Check, SaysNothingOfTheStanceOfARobotThatStandsOnNothing) {
  Arm arm;
  arm.trunk.shapes[0].shape = makeBox({0.1, 0.1, 0.2});
  arm.trunk.mass = computeMassProperties(arm.trunk.shapes[0].shape, 100.0);
  Scene scene = arm.scene();
  scene.q[2] = kStanding;
  ASSERT_EQ(ofKind(scene, "base").size(), 1u);
  scene.q[2] += 2.0;
  EXPECT_TRUE(ofKind(scene, "base").empty());

  ModelBuilder builder("on a shelf");  // a floor at 2 m
  for (const BodySpec& body : {arm.trunk, arm.upper, arm.hand}) builder.addBody(body);
  ShapeSpec shelf{"shelf", makePlane()};
  shelf.X_BS.position.z() = 2.0;
  builder.addWorldShape(shelf);
  Scene high = scene;
  high.model = builder.build();
  EXPECT_EQ(ofKind(high, "base").size(), 1u);
  high.q[2] = kStanding;
  EXPECT_TRUE(ofKind(high, "base").empty());
}

TEST(Check, HintsAtAFixedBaseWhereARobotFallsOver) {
  Arm arm;
  arm.trunk.shapes[0].shape = makeBox({0.1, 0.1, 0.2});  // stands 0.1 m lower than the balls beside it
  arm.trunk.mass = computeMassProperties(arm.trunk.shapes[0].shape, 100.0);
  Scene light = arm.scene();
  light.q[2] = kStanding;
  expectOne(light, "base", "trunk");
  arm.trunk.mass = computeMassProperties(arm.trunk.shapes[0].shape, 1e5);  // heavy enough to hold the arm
  Scene heavy = arm.scene();
  heavy.q[2] = kStanding;
  EXPECT_TRUE(ofKind(heavy, "base").empty());
  arm.trunk.joint.type = kFixed;
  arm.trunk.mass = computeMassProperties(arm.trunk.shapes[0].shape, 100.0);
  EXPECT_TRUE(ofKind(arm.scene(), "base").empty());
}

TEST(Check, TellsACentreOfMassFarOutsideTheShapes) {
  Arm arm;
  arm.hand.mass.com = {0.0, 20.0, 0.0};  // 20 mm
  expectOne(arm.scene(), "inertia", "hand");
}

TEST(Check, TellsRobotsInMillimetresAndMassesInMilligrams) {
  Arm large;
  large.upper.joint.X_PJ.position *= 1000.0;
  expectOne(large.scene(), "units", "trunk");
  Arm heavy;
  for (BodySpec* body : {&heavy.trunk, &heavy.upper, &heavy.hand}) body->mass.mass *= 1e6, body->mass.inertia *= 1e6;
  EXPECT_EQ(ofKind(heavy.scene(), "units").size(), 3u);
  ModelBuilder builder("speck");
  BodySpec speck = ball("speck", kFree, {0, 0, 1});
  speck.shapes[0].shape = makeSphere(1e-4);
  speck.mass = computeMassProperties(speck.shapes[0].shape, 1000.0);  // 4e-9 kg
  builder.addBody(speck);
  EXPECT_EQ(ofKind(makeModelScene(std::move(builder)), "units").size(), 2u);  // its size and its mass
}

TEST(Check, TellsLinksWithoutShapesAndFreeTreesWithNone) {
  Arm one, all;
  one.upper.shapes.clear();
  expectOne(one.scene(), "no_shape", "upper");
  for (BodySpec* body : {&all.trunk, &all.upper, &all.hand}) body->shapes.clear();
  expectOne(all.scene(), "no_shape", "trunk", true);
}

/// Two free bodies without shapes, `tied` to each other and the first to the world or to a ball that has a shape.
Scene makeHangingBodies(const std::function<void(ModelBuilder&)>& tied) {
  ModelBuilder builder("hanging");
  for (const char* name : {"one", "two"}) {
    BodySpec body = ball(name, kFree, {0, 0, 1});
    body.shapes.clear();
    builder.addBody(body);
  }
  builder.addBody(ball("ball", kFree, {0, 0, 2}));
  tied(builder);
  return makeModelScene(std::move(builder));
}

TEST(Check, LetsBodiesWithoutShapesHangInLoopsAndOnSprings) {
  const auto loop = [](ModelBuilder& builder, int body_1, int body_2, JointType type = kBall) {
    LoopSpec spec;
    spec.kind = LoopKind::kOfType, spec.type = type;
    spec.body_1 = body_1, spec.body_2 = body_2;
    builder.addLoop(spec);
  };
  const auto spring = [](ModelBuilder& builder, int body_1, int body_2, double stiffness) {
    SpringSpec spec;
    spec.body_1 = body_1, spec.body_2 = body_2;
    spec.stiffness = stiffness, spec.damping = 1.0;
    builder.addSpring(spec);
  };
  const auto told = [](const Scene& scene) { return ofKind(scene, "no_shape").size(); };
  EXPECT_EQ(told(makeHangingBodies([&](ModelBuilder& b) { loop(b, kWorld, 0), loop(b, 0, 1); })), 0u);
  EXPECT_EQ(told(makeHangingBodies([&](ModelBuilder& b) { loop(b, 1, 0), spring(b, 2, 1, 9.0); })), 0u);
  EXPECT_EQ(told(makeHangingBodies([&](ModelBuilder& b) { loop(b, 0, 1); })), 2u) << "both fall together";
  EXPECT_EQ(told(makeHangingBodies([&](ModelBuilder& b) { loop(b, kWorld, 0); })), 1u) << "the other falls";
  EXPECT_EQ(told(makeHangingBodies([&](ModelBuilder& b) { loop(b, kWorld, 0), spring(b, 0, 1, 0.0); })), 1u)
      << "a damper does not hold for ever";
  const JointType no_turn{Translation::kAll, Rotation::kNone};
  EXPECT_EQ(told(makeHangingBodies([&](ModelBuilder& b) { loop(b, kWorld, 0, no_turn), loop(b, 0, 1); })), 2u);
}

TEST(Check, LetsBodiesWithoutShapesMoveAsTheyAreTold) {
  ModelBuilder builder("told");
  BodySpec body = ball("crank", kFree, {0, 0, 1});
  body.shapes.clear();
  body.kinematic = true;
  builder.addBody(body);
  EXPECT_TRUE(ofKind(makeModelScene(std::move(builder)), "no_shape").empty());
}

TEST(Check, TellsSpringsAndDrivesThatAreTooFastForTheStep) {
  Arm springy;
  springy.hand.joint.stiffness = 1e6;
  expectOne(springy.scene(), "step", "hand_joint");
  Scene driven = Arm().scene();
  EXPECT_TRUE(ofKind(driven, "step").empty());
  driven.holds[1].kp *= 1e4;
  EXPECT_NE(ofKind(driven, "step")[0].remedy.find("from the start of a step"), std::string::npos);
  expectOne(driven, "step", "hand_joint");
  driven.dt = 1e-5;  // the same drive in short steps
  EXPECT_TRUE(ofKind(driven, "step").empty());
}

TEST(Check, TellsStartsOutsideTheRangeAndRangesWithoutRoom) {
  Arm arm;
  arm.hand.joint.range = Range{-1.0, 1.0};
  Scene scene = arm.scene();
  EXPECT_TRUE(ofKind(scene, "limit").empty());
  scene.q[scene.model.joints()[2].q_index] = 1.5;
  expectOne(scene, "limit", "hand_joint");
  scene.q[scene.model.joints()[2].q_index] = 1.0;
  ASSERT_EQ(ofKind(scene, "limit").size(), 1u);
  EXPECT_NE(ofKind(scene, "limit")[0].message.find(
                "a joint starts at the end of its range and can move one way only: \"hand"),
            std::string::npos);
  arm.hand.joint.range = Range{0.0, 0.0};
  expectOne(arm.scene(), "limit", "hand_joint");
}

TEST(Check, TellsDrivesThatMayNotPush) {
  Arm arm;
  arm.hand.joint.effort = 0.0;
  expectOne(arm.scene(), "effort", "hand_joint");
}

TEST(Check, PassesOnWhatLoadingTold) {
  Scene scene = Arm().scene();
  scene.warnings.push_back({{"robot.urdf", 7, "mesh"}, "whatever", true, WarningKind::kMissingShape});
  scene.warnings.push_back({{"robot.urdf", 8, "mesh"}, "whatever", false, WarningKind::kHull});
  scene.warnings.push_back({{"robot.urdf", 9, "link"}, "something new"});
  expectOne(scene, "missing_shape", "mesh", true);
  expectOne(scene, "hull", "mesh");
  expectOne(scene, "file", "link");
}

}  // namespace
}  // namespace rigor
