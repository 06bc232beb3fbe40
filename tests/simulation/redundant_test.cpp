// Robots in redundant coordinates move as they do in minimal ones; what cannot be carried over is refused.
#include "rigor/redundant.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "rigor/simulator.h"
#include "simulation/redundant_chain.h"

namespace rigor {
namespace {

BodySpec makeLink(const std::string& name, int parent, JointType type, double mass = 1.0) {
  BodySpec body;
  body.name = name;
  body.parent = parent;
  body.joint.name = name + "_joint";
  body.joint.type = type;
  body.joint.axis = Eigen::Vector3d(0.0, 1.0, 0.2).normalized();
  body.joint.X_PJ = {{0.1, 0.0, -0.4}, Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitX()))};
  body.X_JB = {{0.0, 0.05, 0.0}, Eigen::Quaterniond(Eigen::AngleAxisd(-0.2, Eigen::Vector3d::UnitZ()))};
  body.mass.mass = mass;
  body.mass.com = {0.0, 0.0, -0.2};
  body.mass.inertia = Eigen::Vector3d(0.02, 0.03, 0.01).asDiagonal();
  body.shapes = {{name, makeSphere(0.1), {}}};
  return body;
}

/// Three links, the joint of the last of the given type, and a body fixed to the first one, added after the others.
Scene makeArm(JointType type) {
  ModelBuilder builder("arm");
  const int first = builder.addBody(makeLink("first", kWorld, kHinge));
  const int second = builder.addBody(makeLink("second", first, kHinge));
  BodySpec third = makeLink("third", second, type);
  third.joint.damping = 0.1;
  if (type == kHelical) third.joint.pitch = 0.05;
  builder.addBody(third);
  BodySpec knob = makeLink("knob", first, kFixed, 0.3);
  knob.joint.name = "glue";
  builder.addBody(knob);
  Scene scene;
  scene.name = "arm";
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Constant(scene.model.nv(), 0.4);
  scene.q.head<2>() << 0.5, -0.7;
  scene.holds = {{0, 20.0, 2.0, 0.2, 15.0}};
  return scene;
}

/// Largest distance of the origins of all bodies after so many steps.
double findDistance(Scene one, Scene other, double dt, int steps) {
  one.dt = other.dt = dt;
  Simulator a(one), b(other);
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(a.step().accepted()) << a.report().explain();
    EXPECT_TRUE(b.step().accepted()) << b.report().explain();
  }
  double most = 0.0;
  for (int body = 0; body < one.model.bodyCount(); ++body)
    most = std::max(most, (a.pose(body).position - b.pose(body).position).norm());
  return most;
}

const JointType kTypes[] = {kHinge, kSlide, kBall, kCylindrical, kPlanar, kHelical, kUniversal};

TEST(RedundantRobot, StartsInTheSamePosesWithTheSameVelocities) {
  for (const JointType type : kTypes) {
    const Scene scene = makeArm(type), redundant = makeRedundant(scene);
    EXPECT_EQ(redundant.model.nv(), 18) << jointTypeName(type);  // the knob stays fixed to the first link
    EXPECT_EQ(redundant.model.loops().size(), 3u);
    EXPECT_TRUE(redundant.holds.empty());
    Simulator a(scene), b(redundant);
    for (int body = 0; body < scene.model.bodyCount(); ++body)
      EXPECT_LE((a.pose(body).position - b.pose(body).position).norm(), 1e-14) << body;  // rounding of 1 m
    // loops would take velocities away that open them
    EXPECT_LE((b.velocity() - redundant.v).cwiseAbs().maxCoeff(), 1e-12) << jointTypeName(type);
  }
}

TEST(RedundantRobot, MovesAsInMinimalCoordinatesToSecondOrderForEveryJoint) {
  for (const JointType type : kTypes) {
    const Scene scene = makeArm(type), redundant = makeRedundant(scene);
    const double coarse = findDistance(scene, redundant, 2e-3, 100), fine = findDistance(scene, redundant, 1e-3, 200);
    EXPECT_LE(coarse, 1e-4) << jointTypeName(type);  // (h ω)² of 0.2 s at a few rad/s
    // four times less at half the step; drives at the end of the step are of first order alike in both. Below 1e-9 m it is rounding
    EXPECT_LE(fine, 0.6 * coarse + 1e-9) << jointTypeName(type);
  }
}

TEST(RedundantRobot, MovesTheSameByStepperMaximalWithoutDrives) {
  for (const JointType type : kTypes) {
    Scene scene = makeArm(type);
    scene.stepper = "maximal";
    scene.releaseJoints();
    // Newton's method leaves 1e-12 of the momentum in each of 100 steps; dampers of loops and joints differ in second order
    EXPECT_LE(findDistance(scene, makeRedundant(scene), 1e-3, 100), 1e-6) << jointTypeName(type);
  }
}

TEST(RedundantRobot, KeepsWhichShapesMayMeet) {
  const Model model = makeArm(kHinge).model, redundant = makeRedundant(model);
  EXPECT_EQ(redundant.collisionPairs(), model.collisionPairs());
}

/// The arm with a change of its last joint, refused.
void expectRefused(const std::function<void(JointSpec&)>& change, JointType type, const std::string& why) {
  ModelBuilder builder("arm");
  const int first = builder.addBody(makeLink("first", kWorld, kHinge));
  BodySpec second = makeLink("second", first, type);
  change(second.joint);
  builder.addBody(second);
  const Model model = builder.build();
  try {
    makeRedundant(model);
    ADD_FAILURE() << why;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    EXPECT_NE(error.where().element.find("second"), std::string::npos) << error.where().element;
    EXPECT_FALSE(error.remedy().empty());
  }
}

TEST(RedundantRobot, RefusesByNameWhatLoopsCannotBe) {
  expectRefused([](JointSpec& joint) { joint.armature = 0.1; }, kHinge, "armature");
  expectRefused([](JointSpec& joint) { joint.rotor_inertia = 0.1; }, kHinge, "rotor inertia");
  expectRefused([](JointSpec& joint) { joint.dry_friction = 0.1; }, kBall, "dry friction");
  expectRefused([](JointSpec& joint) { joint.range = Range{-7.0, 7.0}; }, kHinge, "tells no turns");
  expectRefused([](JointSpec& joint) { joint.mimic = {"first_joint", 1.0, 0.0}; }, kHinge, "mimic");
}

TEST(RedundantRobot, RefusesTargetsThatMoveAndTurnsThatALoopCannotTell) {
  Scene scene = makeArm(kHinge);
  scene.random_targets = {{.joints = {0}}};
  EXPECT_THROW(makeRedundant(scene), Error);
  scene = makeArm(kHinge);
  scene.q[0] = 4.0;  // 3.8 rad from its target
  EXPECT_THROW(makeRedundant(scene), Error);
  scene = makeArm(kHinge);
  EXPECT_THROW(makeRedundant(scene, {true}), Error);  // four bodies
}

TEST(RedundantChain, IsSolvedAlongTheGraphOfItsLoopsOnceItIsLong) {
  for (const int links : {3, 12}) {
    Simulator chain(makeRedundantChains({links}));
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(chain.step().accepted()) << chain.report().explain();
    EXPECT_EQ(chain.report().algebra, links == 3 ? LinearAlgebra::kDense : LinearAlgebra::kGraph);
    EXPECT_LE(chain.report().loop_gap, 1e-13);  // rounding of 4 m
  }
}

TEST(RedundantChains, MoveWithTheSameBitsOnAnyNumberOfThreads) {
  const Scene scene = makeRedundantChains({9, 14, 9});
  Simulator one(scene, {.threads = 1}), three(scene, {.threads = 3});
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(one.step().accepted()) << one.report().explain();
    three.step();
  }
  EXPECT_EQ(one.state().q, three.state().q);
  EXPECT_EQ(one.state().v, three.state().v);
}

// What a loop holds shrinks to a rounding error of itself in each step, 1e-17, 1e-33, …: processors are slow where that ends.
TEST(RedundantChain, HasNoMotionOutOfItsPlaneThatDoublesDoNotHoldInFull) {
  Simulator chain(makeRedundantChains({6}));
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(chain.step().accepted()) << chain.report().explain();
  for (const Eigen::VectorXd& numbers : {chain.state().q, chain.state().v})
    for (const double number : numbers)
      EXPECT_TRUE(number == 0.0 || std::abs(number) >= std::numeric_limits<double>::min()) << number;
}

}  // namespace
}  // namespace rigor
