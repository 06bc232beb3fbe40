// The second opinion on bodies that move as they are told.
#include <gtest/gtest.h>

#include "verify/recorded_runs.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

BodySpec makeBody(const std::string& name, const Shape& shape, bool kinematic) {
  BodySpec body;
  body.name = name;
  body.joint.type = kFree;
  body.joint.name = name + "_joint";
  body.mass = computeMassProperties(shape, 500.0);
  body.shapes = {{name, shape, {}, "default"}};
  body.kinematic = kinematic;
  return body;
}

Pose poseOf(const Vector3d& position, const Vector3d& turn = Vector3d::Zero()) {
  const double angle = turn.norm();
  return {position,
          Eigen::Quaterniond(Eigen::AngleAxisd(angle, angle > 0.0 ? Vector3d(turn / angle) : Vector3d::UnitZ()))};
}

/// A tilting platform that carries a box and is hit by a ball, a paddle that turns on, and a weight tied to the platform.
Scene makeFair() {
  ModelBuilder builder("fair");
  builder.addWorldShape({"floor", makePlane()});
  builder.addMaterialPair({"default", "default", 0.5, -1.0, 0.5, 0.01});
  const auto add = [&](const std::string& name, const Shape& shape, const Vector3d& position, bool kinematic) {
    const int body = builder.addBody(makeBody(name, shape, kinematic));
    Eigen::VectorXd q(7);
    q << position, 1, 0, 0, 0;
    builder.setReference(body, q);
    return body;
  };
  const int platform = add("platform", makeBox({0.4, 0.4, 0.05}), {0, 0, 0.5}, true);
  add("box", makeBox({0.1, 0.1, 0.1}), {0, 0, 0.65}, false);
  add("ball", makeSphere(0.08), {0.25, 0.2, 0.9}, false);
  const int paddle = add("paddle", makeBox({0.5, 0.02, 0.1}), {2, 0, 0.15}, true);
  add("puck", makeSphere(0.1), {2.3, 0.3, 0.1}, false);
  const int weight = add("weight", makeSphere(0.05), {0, -0.5, 0.3}, false);
  LoopSpec rope;
  rope.kind = LoopKind::kConnect;
  rope.body_1 = platform, rope.body_2 = weight;
  rope.X_1F.position = {0, -0.5, 0}, rope.X_2F.position = {0, 0, 0.2};
  builder.addLoop(rope);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  MotionSpec tilting;
  tilting.body = platform;
  tilting.time = {0.05, 0.4, 0.7, 1.0};
  tilting.poses = {poseOf({0, 0, 0.5}), poseOf({0.1, 0, 0.6}, {0.2, 0, 0.4}), poseOf({0.1, 0.1, 0.7}, {0.3, 0.1, 0.9}),
                   poseOf({0, 0, 0.7}, {0, 0, 0.5})};
  MotionSpec turning;
  turning.body = paddle;
  turning.poses = {poseOf({2, 0, 0.15})};
  turning.angular_velocity = {0, 0, 3};
  scene.motions = {tilting, turning};
  return scene;
}

TEST(SecondOpinion, AgreesOnBodiesThatMoveAsTheyAreTold) {
  const Recording recording = recordRun(makeFair(), 1100);
  EXPECT_EQ(recording.steps(), 1100);
  EXPECT_GT(recording.substep_h.size(), 1110u);  // impacts cut steps into parts
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << "step " << verdict.first_bad.step << ": " << verdict.first_bad.what << ": "
                             << verdict.first_bad.value << " > " << verdict.first_bad.limit;
  EXPECT_LT(verdict.worst.gap, 1e-11);
  EXPECT_LT(verdict.worst.overlap, 1e-11);
  ASSERT_EQ(verdict.unchecked.size(), 1u);  // energy gain: they drive the others
}

/// Everything that answers to forces strikes in the same step, each on its own: the kinematic body is left alone with itself.
TEST(SecondOpinion, AgreesWhereAKinematicBodyStepsAlone) {
  ModelBuilder builder("far apart");
  builder.addWorldShape({"floor", makePlane()});
  builder.addMaterialPair({"default", "default", 0.5, -1.0, 0.5, 0.01});
  const auto add = [&](const std::string& name, double x, double z, bool kinematic) {
    const int body = builder.addBody(makeBody(name, makeSphere(0.1), kinematic));
    Eigen::VectorXd q(7);
    q << x, 0, z, 1, 0, 0, 0;
    builder.setReference(body, q);
    return body;
  };
  const int lift = add("lift", 0, 5, true);
  for (int i = 1; i < 4; ++i) add("ball_" + std::to_string(i), 3.0 * i, 0.1053 + 1e-5 * i, false);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  MotionSpec rising;
  rising.body = lift;
  rising.poses = {poseOf({0, 0, 5})};
  rising.velocity = {0, 0, 1};
  scene.motions = {rising};
  const Recording recording = recordRun(scene, 60);
  EXPECT_EQ(recording.steps(), 60);
  bool alone = false;
  for (std::size_t s = 0; s < recording.substep_h.size(); ++s)
    alone = alone || (recording.substep_kick[4 * s] >= 0.0 && recording.substep_kick[4 * s + 1] < 0.0 &&
                      recording.substep_kick[4 * s + 2] < 0.0 && recording.substep_kick[4 * s + 3] < 0.0);
  EXPECT_TRUE(alone);
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.step << ": " << verdict.first_bad.what;
}

TEST(SecondOpinion, SeesABodyThatIsNotWhereItsMotionLeads) {
  Recording recording = recordRun(makeFair(), 100);
  ASSERT_TRUE(verifyRecording(recording).holds);
  // another motion in the header: the paddle would turn a little faster
  const std::string rate = "\"angular_velocity\":[0.0,0.0,3.0]";
  const std::size_t at = recording.header.find(rate);
  ASSERT_NE(at, std::string::npos);
  Recording other = recording;
  other.header.replace(at, rate.size(), "\"angular_velocity\":[0.0,0.0,3.0000001]");
  const Verdict verdict = verifyRecording(other);
  EXPECT_FALSE(verdict.holds);
  EXPECT_NE(verdict.first_bad.what.find("paddle"), std::string::npos) << verdict.first_bad.what;
}

TEST(SecondOpinion, SeesAKinematicBodyThatAnswersToImpulses) {
  Recording recording = recordRun(makeFair(), 300);
  const int nv = recording.nv;
  const auto damage = [&](std::vector<double>& values, int entry, double change) {
    Recording damaged = recording;
    std::vector<double>& copy = &values == &recording.substep_v_end ? damaged.substep_v_end : damaged.v;
    copy[200 * nv + entry] += change;
    EXPECT_FALSE(verifyRecording(damaged).holds);
  };
  damage(recording.substep_v_end, 2, 1e-6);  // the platform's velocity at the end of a sub-step
  damage(recording.v, 4, 1e-6);              // and at a node
}

}  // namespace
}  // namespace rigor
