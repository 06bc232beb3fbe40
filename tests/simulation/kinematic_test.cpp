// Bodies that move as they are told, and what they do to others.
#include <gtest/gtest.h>

#include <cmath>

#include "rigor/rigor.h"
#include "tolerance.h"

namespace rigor {
namespace {

constexpr double kGravity = 9.81;

/// Boxes and balls, kinematic or not, with one friction for all.
class Stage {
 public:
  explicit Stage(double friction, double restitution = 0.0) {
    builder_.addMaterialPair({"default", "default", friction, -1.0, restitution});
  }
  int add(const std::string& name, const Shape& shape, const Eigen::Vector3d& position, double mass, bool kinematic,
          const std::string& material = "default") {
    BodySpec body;
    body.name = name;
    body.joint.type = kFree;
    body.joint.name = name + "_joint";
    body.mass = computeMassProperties(shape, mass / computeVolume(shape));
    body.shapes = {{name, shape, {}, material}};
    body.kinematic = kinematic;
    if (material != "default") builder_.addMaterialPair({material, "default", 0.0});  // smooth
    const int index = builder_.addBody(body);
    Eigen::VectorXd q(7);
    q << position, 1, 0, 0, 0;
    builder_.setReference(index, q);
    return index;
  }
  void addFloor() { builder_.addWorldShape({"floor", makePlane()}); }
  void leaveOutGravity() { builder_.setGravity(Eigen::Vector3d::Zero()); }
  void addLoop(const LoopSpec& loop) { builder_.addLoop(loop); }
  Scene finish() {
    Scene scene;
    scene.model = builder_.build();
    scene.q = scene.model.q0();
    scene.v = Eigen::VectorXd::Zero(scene.model.nv());
    return scene;
  }

 private:
  ModelBuilder builder_{"stage"};
};

Pose poseAt(double x, double y, double z) { return {{x, y, z}, Eigen::Quaterniond::Identity()}; }

MotionSpec constantVelocity(int body, const Pose& start, const Eigen::Vector3d& linear,
                            const Eigen::Vector3d& angular = Eigen::Vector3d::Zero()) {
  MotionSpec motion;
  motion.body = body;
  motion.poses = {start};
  motion.velocity = linear;
  motion.angular_velocity = angular;
  return motion;
}

/// A platform that rises by `height` in `duration` seconds, from rest to rest, with a box of 2 kg on it.
Scene makeElevator(double height, double duration) {
  Stage stage(0.5);
  const int platform = stage.add("platform", makeBox({0.5, 0.5, 0.05}), {0, 0, 0}, 1.0, true);
  stage.add("box", makeBox({0.1, 0.1, 0.1}), {0, 0, 0.15}, 2.0, false);
  Scene scene = stage.finish();
  MotionSpec motion;
  motion.body = platform;
  motion.time = {0.1, 0.1 + duration};
  motion.poses = {poseAt(0, 0, 0), poseAt(0, 0, height)};
  scene.motions = {motion};
  return scene;
}

TEST(Elevator, PressesTheBoxWithItsWeightAndTheForceOfItsAcceleration) {
  constexpr double kHeight = 1.0, kDuration = 2.0, kMass = 2.0;
  const Scene scene = makeElevator(kHeight, kDuration);
  Simulator sim(scene);
  for (int i = 0; i < 2300; ++i) {
    const double time = sim.state().time;
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    EXPECT_LE(report.penetration, tolerance::kPenetrationMoving);
    double force = 0.0;
    for (const Contact& contact : report.contacts)
      force += (contact.shape_2 == 1 ? 1.0 : -1.0) * contact.impulse.z() / (i == 0 ? 0.5 * scene.dt : scene.dt);
    const double s = (time - 0.1) / kDuration;
    const bool moves = s > 0.0 && s < 1.0;
    const double acceleration = moves ? kHeight * (6.0 - 12.0 * s) / (kDuration * kDuration) : 0.0;
    // the second difference of a cubic is its second derivative; positions of a metre round to 1e-16/h² m/s². Steps beside
    // a jump of the acceleration see half of it.
    const bool at_jump = std::abs(time - 0.1) < 1.5 * scene.dt || std::abs(time - 2.1) < 1.5 * scene.dt;
    EXPECT_NEAR(force, kMass * (kGravity + acceleration), at_jump ? kMass * 1.5 : 1e-8) << time;
  }
  EXPECT_NEAR(sim.pose(1).position.z(), kHeight + 0.15, 1e-11);
  EXPECT_NEAR(sim.velocity().tail(6).norm(), 0.0, 1e-10);
}

TEST(Elevator, ThatFallsFasterThanFreelyIsLeftBehind) {
  Scene scene = makeElevator(-1.0, 0.3);  // 6/0.09 = 67 m/s² at first
  Simulator sim(scene);
  sim.run(0.2);
  ASSERT_TRUE(sim.report().accepted());
  EXPECT_GT(sim.pose(1).position.z() - sim.pose(0).position.z(), 0.2);
  sim.run(1.0);
  ASSERT_TRUE(sim.report().accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.pose(1).position.z(), -1.0 + 0.15, 1e-9);  // it lands on it without a bounce
}

/// A box at a radius of 0.4 m on a table that turns at a constant rate; both begin with that motion.
double driftOnTurntable(double share_of_limit) {
  constexpr double kRadius = 0.4, kFriction = 0.5;
  const double rate = std::sqrt(share_of_limit * kFriction * kGravity / kRadius);
  Stage stage(kFriction);
  const int table = stage.add("table", makeBox({1, 1, 0.05}), {0, 0, 0}, 1.0, true);
  stage.add("box", makeBox({0.05, 0.05, 0.03}), {kRadius, 0, 0.08}, 0.7, false);
  Scene scene = stage.finish();
  scene.motions = {constantVelocity(table, poseAt(0, 0, 0), {0, 0, 0}, {0, 0, rate})};
  scene.v.tail(6) << 0, rate * kRadius, 0, 0, 0, rate;
  Simulator sim(scene);
  sim.run(1.0);
  EXPECT_TRUE(sim.report().accepted()) << sim.report().explain();
  const Pose on = sim.pose(0), box = sim.pose(1);
  const Eigen::Vector3d seen = on.rotation.conjugate() * (box.position - on.position);
  return (seen - Eigen::Vector3d(kRadius, 0, 0.08)).norm();
}

TEST(Turntable, CarriesABoxBelowTheSlipLimitWithoutCreep) {
  EXPECT_LT(driftOnTurntable(0.98), 1e-10);  // a thousand steps of rounding and of the judge's ε
}

TEST(Turntable, LosesABoxAboveTheSlipLimit) { EXPECT_GT(driftOnTurntable(1.02), 1e-3); }

TEST(Pusher, GathersARowOfBoxesAndFeelsTheFrictionOfAll) {
  constexpr double kFriction = 0.4, kMass = 1.5, kSpeed = 0.3;
  constexpr int kBoxes = 4;
  Stage stage(kFriction);
  stage.addFloor();
  // smooth, or it would carry a part of their weight
  const int wall = stage.add("wall", makeBox({0.02, 0.3, 0.2}), {0, 0, 0.25}, 1.0, true, "smooth");
  for (int i = 0; i < kBoxes; ++i)
    stage.add("box_" + std::to_string(i), makeBox({0.05, 0.05, 0.05}), {0.1 + 0.13 * i, 0, 0.05}, kMass, false);
  Scene scene = stage.finish();
  scene.motions = {constantVelocity(wall, poseAt(0, 0, 0.25), {kSpeed, 0, 0})};
  Simulator sim(scene);
  sim.run(1.5);
  ASSERT_TRUE(sim.report().accepted()) << sim.report().explain();
  for (int i = 0; i < kBoxes; ++i)
    EXPECT_NEAR(sim.pose(1 + i).position.x(), 1.5 * kSpeed + 0.07 + 0.1 * i, 1e-9);  // gaps below what touches
  double push = 0.0;
  for (const Contact& contact : sim.report().contacts)
    if (contact.body_1 == wall || contact.body_2 == wall) push += std::abs(contact.impulse.x()) / scene.dt;
  EXPECT_NEAR(push, kBoxes * kFriction * kMass * kGravity, 1e-7);  // ε of the impulses of a row
}

TEST(Pusher, ThatStopsLetsTheBoxSlideOnUntilFrictionStopsIt) {
  Stage stage(0.4);
  stage.addFloor();
  const int wall = stage.add("wall", makeBox({0.02, 0.3, 0.2}), {0, 0, 0.25}, 1.0, true);
  stage.add("box", makeBox({0.05, 0.05, 0.05}), {0.07, 0, 0.05}, 1.0, false);
  Scene scene = stage.finish();
  MotionSpec motion;
  motion.body = wall;
  motion.time = {0.0, 1.0, 1.01, 2.0};  // the last centimetre but one in ten milliseconds: harder than friction brakes
  motion.poses = {poseAt(0, 0, 0.25), poseAt(1, 0, 0.25), poseAt(1.001, 0, 0.25), poseAt(1.001, 0, 0.25)};
  scene.motions = {motion};
  Simulator sim(scene);
  sim.run(2.0);
  ASSERT_TRUE(sim.report().accepted()) << sim.report().explain();
  EXPECT_GT(sim.pose(1).position.x(), 1.071 + 1e-4);
  EXPECT_NEAR(sim.velocity().segment(6, 3).norm(), 0.0, 1e-10);
}

TEST(Bat, GivesABallTwiceItsSpeedWithoutLoss) {
  constexpr double kSpeed = 1.5;
  for (const double restitution : {1.0, 0.5}) {
    Stage stage(0.0, restitution);
    const int bat = stage.add("bat", makeBox({0.05, 0.3, 0.3}), {0, 0, 0}, 1.0, true);
    stage.add("ball", makeSphere(0.1), {0.4003, 0, 0}, 0.3, false);
    stage.leaveOutGravity();
    Scene scene = stage.finish();
    scene.motions = {constantVelocity(bat, poseAt(0, 0, 0), {kSpeed, 0, 0})};
    Simulator sim(scene);
    sim.run(0.4);
    ASSERT_TRUE(sim.report().accepted()) << sim.report().explain();
    EXPECT_NEAR(sim.velocity()[6], (1.0 + restitution) * kSpeed, 1e-9);
    EXPECT_NEAR(sim.velocity()[0], kSpeed, 1e-12);  // nothing slows the bat
  }
}

TEST(KinematicBody, CarriesWhatALoopTiesToIt) {
  Stage stage(0.5);
  const int hook = stage.add("hook", makeSphere(0.02), {0, 0, 1}, 1.0, true);
  const int load = stage.add("load", makeBox({0.05, 0.05, 0.05}), {0, 0, 0.5}, 2.0, false);
  LoopSpec loop;
  loop.kind = LoopKind::kConnect;
  loop.body_1 = hook, loop.body_2 = load;
  loop.X_2F.position = {0, 0, 0.5};
  stage.addLoop(loop);
  Scene scene = stage.finish();
  MotionSpec motion;
  motion.body = hook;
  motion.time = {0, 1, 2};
  motion.poses = {poseAt(0, 0, 1), poseAt(0.5, 0, 1), poseAt(0, 0.3, 1.2)};
  scene.motions = {motion};
  Simulator sim(scene);
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    EXPECT_LE(sim.report().loop_gap, 1e-11);
  }
  EXPECT_LT((sim.pose(hook).position - Eigen::Vector3d(0, 0.3, 1.2)).norm(), 1e-12);
}

/// A ball that bounces beside a box that an elevator carries: both step on their own, the elevator with both.
Scene makeBouncingBesideElevator() {
  Stage stage(0.4, 0.7);
  stage.addFloor();
  const int platform = stage.add("platform", makeBox({0.2, 0.2, 0.05}), {0, 0, 0.3}, 1.0, true);
  stage.add("box", makeBox({0.1, 0.1, 0.1}), {0, 0, 0.45}, 2.0, false);
  stage.add("ball", makeSphere(0.1), {1, 0, 0.6}, 0.5, false);
  stage.add("rider", makeSphere(0.05), {0.15, 0, 0.6}, 0.1, false);
  Scene scene = stage.finish();
  MotionSpec motion;
  motion.body = platform;
  motion.time = {0.0, 0.7, 1.5};
  motion.poses = {poseAt(0, 0, 0.3),
                  poseAt(0, 0, 0.6),
                  {{0, 0, 0.4}, Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitZ()))}};
  scene.motions = {motion};
  return scene;
}

TEST(KinematicBody, BelongsToEveryPartOfAStepThatIsCut) {
  Simulator sim(makeBouncingBesideElevator());
  int cut = 0;
  for (int i = 0; i < 1500; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    EXPECT_LE(sim.report().penetration, tolerance::kPenetrationMoving);
    cut += sim.report().substeps > 1;
  }
  EXPECT_GT(cut, 3);
  EXPECT_LT((sim.pose(0).position - Eigen::Vector3d(0, 0, 0.4)).norm(), 1e-12);
}

TEST(KinematicBody, IsRestoredWithTheSameBits) {
  Simulator sim(makeBouncingBesideElevator());
  sim.run(0.4);
  const Snapshot saved = sim.save();
  sim.run(0.6);
  const Eigen::VectorXd q = sim.state().q, v = sim.state().v;
  Simulator other(makeBouncingBesideElevator());
  other.restore(saved);
  other.run(0.6);
  EXPECT_EQ(other.state().q, q);
  EXPECT_EQ(other.state().v, v);
}

TEST(KinematicBody, BeginsItsMotionAnewWithEveryReset) {
  Scene scene = makeElevator(1.0, 2.0);
  scene.reset.every = 0.5;
  Simulator sim(scene);
  sim.run(0.4);
  const double first = sim.pose(0).position.z();
  EXPECT_GT(first, 0.01);
  sim.run(0.5);
  ASSERT_TRUE(sim.report().accepted());
  EXPECT_NEAR(sim.pose(0).position.z(), first, 1e-12);
}

TEST(KinematicBody, StaysWhereItIsToldWhenTheStateIsSet) {
  Simulator sim(makeElevator(1.0, 2.0));
  sim.run(0.8);
  const double height = sim.pose(0).position.z();
  Eigen::VectorXd q = sim.state().q, v = Eigen::VectorXd::Zero(12);
  q[2] = 7.0;  // the platform elsewhere
  q[9] = 2.0;  // the box high above
  sim.setState(q, v);
  EXPECT_NEAR(sim.pose(0).position.z(), height, 1e-12);
  EXPECT_EQ(sim.pose(1).position.z(), 2.0);
  sim.run(0.1);
  EXPECT_TRUE(sim.report().accepted());
}

// First the kinematic body is put where it is told, then loops are closed: to there, and not to where q had it.
TEST(KinematicBody, IsWhereLoopsAreClosedToWhenTheStateIsSet) {
  Stage stage(0.5);
  const int crane = stage.add("crane", makeSphere(0.05), {0, 0, 2}, 1.0, true);
  const int load = stage.add("load", makeSphere(0.05), {0, 0, 1.5}, 1.0, false);
  LoopSpec rope;
  rope.name = "rope", rope.kind = LoopKind::kConnect;
  rope.body_1 = crane, rope.body_2 = load;
  rope.X_1F.position = {0, 0, -0.5};
  stage.addLoop(rope);
  Scene scene = stage.finish();
  scene.motions = {constantVelocity(crane, poseAt(0, 0, 2), {0.3, 0, 0})};
  Simulator sim(scene);
  sim.run(0.5);
  ASSERT_TRUE(sim.report().accepted()) << sim.report().explain();
  const Eigen::Vector3d told = sim.pose(crane).position;
  EXPECT_NEAR(told.x(), 0.15, 1e-12);
  Eigen::VectorXd q = sim.state().q;
  q[0] = -4.0;  // the crane elsewhere, and its load with it
  q[7] += 0.01;
  sim.setState(q, Eigen::VectorXd::Zero(12));
  EXPECT_LT((sim.pose(crane).position - told).norm(), 1e-12);
  const Eigen::Vector3d hook = told - Eigen::Vector3d(0, 0, 0.5);
  EXPECT_LT((sim.pose(load).position - hook).norm(), 1e-11) << "closed to rounding, at the crane that is told";
  ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
}

TEST(KinematicBody, HasNoEnergyAndDrivesTheRest) {
  Simulator sim(makeElevator(1.0, 2.0));
  sim.run(1.0);
  const double expected = 2.0 * kGravity * sim.pose(1).position.z();
  const StepReport& node = sim.node();
  EXPECT_NEAR(node.potential, expected, 1e-10);
  EXPECT_EQ(sim.report().energy_gain, 0.0);  // what is driven gains without a fault
}

TEST(KinematicBody, WithoutAMotionStandsWhereItStarts) {
  Scene scene = makeElevator(1.0, 2.0);
  scene.motions.clear();
  Simulator sim(scene);
  sim.run(0.5);
  ASSERT_TRUE(sim.report().accepted());
  EXPECT_EQ(sim.pose(0).position.z(), 0.0);
  EXPECT_NEAR(sim.pose(1).position.z(), 0.15, tolerance::kRest);
}

TEST(KinematicBody, IsNotMovedOutOfAnOverlapAtTheStart) {
  Scene scene = makeElevator(1.0, 2.0);
  scene.q[9] = 0.14;  // the box 1 cm deep in the platform
  Simulator sim(scene);
  EXPECT_EQ(sim.pose(0).position.z(), 0.0);
  EXPECT_NEAR(sim.pose(1).position.z(), 0.15, 1e-9);
  ASSERT_EQ(sim.warnings().size(), 1u);
}

TEST(KinematicBody, NeedsTheLeapfrogAndAMotionThatIsOne) {
  Scene scene = makeElevator(1.0, 2.0);
  scene.integrator = "rk4";
  EXPECT_THROW(Simulator{scene}, Error);
  scene = makeElevator(1.0, 2.0);
  scene.motions[0].body = 1;
  EXPECT_THROW(Simulator{scene}, Error);
  scene = makeElevator(1.0, 2.0);
  scene.motions.push_back(scene.motions[0]);
  EXPECT_THROW(Simulator{scene}, Error);
}

}  // namespace
}  // namespace rigor
