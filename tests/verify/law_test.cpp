// Recordings in which every number fits and yet a law is broken: the header says another world than the one that was
// simulated, or the whole run is mirrored or lifted so that momentum still balances.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "io/file.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

using Json = nlohmann::ordered_json;

/// The recording with another model in its header, hash included.
Recording retold(Recording recording, const std::function<void(Json& model, Json& header)>& change) {
  Json header = Json::parse(recording.header);
  change(header["model"], header);
  header["hash"] = computeHash(header["model"].dump());
  recording.header = header.dump();
  return recording;
}

void expectBroken(const Recording& recording, const std::string& what) {
  const Verdict verdict = verifyRecording(recording);
  ASSERT_FALSE(verdict.holds) << what;
  EXPECT_NE(verdict.first_bad.what.find(what), std::string::npos) << verdict.first_bad.what;
}

const Recording& playground() {
  static const Recording recording = recordRun(makePlayground(), 400);
  return recording;
}
const Recording& workshop() {
  static const Recording recording = recordRun(makeWorkshop(), 100);
  return recording;
}

/// A ball of 1 kg and radius 0.1 m at rest on a floor.
Recording restingBall() {
  ModelBuilder builder("ball");
  builder.addWorldShape({"floor", makePlane(), {}, "default"});
  BodySpec ball;
  ball.name = "ball", ball.joint.name = "base", ball.joint.type = kFree;
  ball.mass = {1.0, Eigen::Vector3d::Zero(), 0.004 * Eigen::Matrix3d::Identity()};
  ball.shapes.push_back({"ball", makeSphere(0.1), {}, "default"});
  builder.addBody(ball);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.1;
  scene.v = Eigen::VectorXd::Zero(6);
  return recordRun(scene, 10);
}

TEST(Law, FrictionOutsideItsConeIsSeen) {
  expectBroken(retold(playground(),
                      [](Json& model, Json&) {
                        for (Json& pair : model["materials"]) pair["friction"] = 0.5 * pair["friction"].get<double>();
                        for (Json& pair : model["materials"]) pair["friction_static"] = -1.0;
                      }),
               "friction outside its cone");
}

TEST(Law, FrictionThatCouldBeLargerWhileItSlipsIsSeen) {
  expectBroken(retold(playground(),
                      [](Json& model, Json&) {
                        for (Json& pair : model["materials"]) pair["friction"] = 2.0 * pair["friction"].get<double>();
                        for (Json& pair : model["materials"]) pair["friction_static"] = -1.0;
                      }),
               "friction does not oppose the slip");
}

TEST(Law, AContactThatPullsIsSeen) {
  Recording recording = restingBall();
  ASSERT_TRUE(verifyRecording(recording).holds);
  for (double& x : recording.contact_impulse) x = -x;  // gravity upwards, and the floor holds the ball back
  for (std::size_t i = 1; i < recording.energy.size(); i += 2) recording.energy[i] = -recording.energy[i];
  expectBroken(retold(recording, [](Json& model, Json&) { model["gravity"] = {0.0, 0.0, 9.81}; }), "pulls");
}

TEST(Law, AnImpulseAcrossAGapIsSeen) {
  Recording recording = restingBall();
  const double lift = 0.01;
  for (std::size_t i = 2; i < recording.q.size(); i += 7) recording.q[i] += lift;
  for (std::size_t i = 2; i < recording.substep_q.size(); i += 7) recording.substep_q[i] += lift;
  for (double& gap : recording.contact_gap) gap += lift;
  for (double& gap : recording.contact_gap_end) gap += lift;
  for (std::size_t i = 2; i < recording.contact_point.size(); i += 3) recording.contact_point[i] += lift;
  for (std::size_t i = 1; i < recording.energy.size(); i += 2) recording.energy[i] += 9.81 * lift;
  for (double& depth : recording.penetration) depth = 0.0;
  expectBroken(recording, "impulse without closing");
}

TEST(Law, SinkingIntoTheFloorIsSeen) {
  expectBroken(retold(playground(),
                      [](Json& model, Json&) {
                        for (Json& shape : model["shapes"])
                          if (shape["name"] == "floor") shape["frame"]["position"][2] = 0.05;
                      }),
               "gap");
}

TEST(Law, BallsThatFlyThroughEachOtherAreSeen) {
  ModelBuilder builder("balls");
  builder.setGravity(Eigen::Vector3d::Zero());
  for (const char* name : {"left", "right"}) {
    BodySpec ball;
    ball.name = name, ball.joint.name = std::string(name) + "_base", ball.joint.type = kFree;
    ball.mass = {1.0, Eigen::Vector3d::Zero(), 0.004 * Eigen::Matrix3d::Identity()};
    ball.shapes.push_back({name, makeSphere(0.1), {}, "default"});
    builder.addBody(ball);
  }
  builder.excludePair("left", "right");
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[0] = -0.3, scene.q[7] = 0.3;
  scene.v = Eigen::VectorXd::Zero(12);
  for (const double speed : {100.0, 400.0}) {  // overlap at a node; from one side to the other within a step
    scene.v[0] = speed, scene.v[6] = -speed;
    const Recording recording = recordRun(scene, 8);
    ASSERT_EQ(recording.steps(), 8);
    EXPECT_TRUE(verifyRecording(recording).holds);
    expectBroken(retold(recording, [](Json& model, Json&) { model["pairs"].push_back({0, 1}); }),
                 speed == 400.0 ? "passed through" : "gap of");
  }
}

TEST(Law, GravityMassAndJointsOfAnotherModelAreSeen) {
  expectBroken(retold(workshop(), [](Json& model, Json&) { model["gravity"][2] = -9.810001; }), "energy");
  expectBroken(retold(workshop(), [](Json& model, Json&) { model["bodies"][3]["joints"][0]["damping"] = 0.0501; }),
               "momentum balance");
  expectBroken(retold(workshop(), [](Json& model, Json&) { model["bodies"][2]["joints"][0]["stiffness"] = 100.1; }),
               "energy");
  expectBroken(retold(workshop(), [](Json& model, Json&) { model["bodies"][2]["joints"][0]["gear"] = 20.01; }),
               "energy");
  expectBroken(retold(workshop(), [](Json& model, Json&) { model["bodies"][3]["joints"][0]["pitch"] = 0.031; }),
               "energy");
}

TEST(Law, AJointBeyondItsRangeIsSeen) {
  expectBroken(
      retold(workshop(), [](Json& model, Json&) { model["bodies"][2]["joints"][0]["range"] = {-0.015, 0.04}; }),
      "range of joint");
}

TEST(Law, DryFrictionAboveItsBoundIsSeen) {
  expectBroken(retold(workshop(), [](Json& model, Json&) { model["bodies"][1]["joints"][0]["dry_friction"] = 0.04; }),
               "dry friction");
}

TEST(Law, AMotorAboveItsEffortIsSeen) {
  expectBroken(retold(workshop(), [](Json&, Json& header) { header["drives"]["holds"][0]["effort"] = 0.6; }), "motor");
  expectBroken(retold(workshop(), [](Json&, Json& header) { header["drives"]["holds"][1]["effort"] = 0.01; }),
               "effort");
  expectBroken(retold(workshop(), [](Json&, Json& header) { header["drives"]["holds"][1]["kp"] = 101.0; }), "torque");
}

TEST(Law, AnOpenLoopIsSeen) {
  const Recording recording = recordRun(makeLinkages(), 5);
  for (int loop = 0; loop < 3; ++loop)
    expectBroken(retold(recording, [&](Json& model, Json&) { model["loops"][loop]["frame_1"]["position"][0] = 0.001; }),
                 "open");
  expectBroken(retold(recording, [](Json& model, Json&) { model["loops"][3]["coefficients"][0] = 0.001; }), "open");
}

TEST(Law, AnOpenLoopOfAnyTypeIsSeen) {
  for (const std::string& name : jointTypeNames()) {
    if (name == "free") continue;
    SCOPED_TRACE(name);
    const Recording recording = recordRun(makeTied(*findJointType(name), Ties::kNoneOnLoop), 3);
    ASSERT_TRUE(verifyRecording(recording).holds);
    const bool turns = findJointType(name)->translation == Translation::kAll;
    expectBroken(retold(recording,
                        [&](Json& model, Json&) {
                          Json& frame = model["loops"][0]["frame_1"];
                          for (int k = 0; k < 3 && !turns; ++k)
                            frame["position"][k] = frame["position"][k].get<double>() + 0.001;
                          if (turns) frame["quaternion_wxyz"] = {1.0, 0.0, 0.0, 0.0};
                        }),
                 "open");
  }
}

TEST(Law, ASpringThatPullsOtherwiseIsSeen) {
  for (const Ties ties : {Ties::kSoft, Ties::kStiff}) {
    const Recording good = recordRun(makeTied(kCylindrical, ties), 5);
    ASSERT_TRUE(verifyRecording(good).holds);
    // the model has other springs than the run had
    expectBroken(retold(good, [](Json& model, Json&) { model["springs"][0]["damping"] = 0.401; }),
                 "damper of \"line\"");
    expectBroken(retold(good, [](Json& model, Json&) { model["loops"][0]["damping"] = 0.301; }), "damper of \"tie\"");
    expectBroken(retold(good, [](Json& model, Json&) { model["springs"][0]["length"] = 0.61; }), "energy");
    expectBroken(retold(good, [](Json& model, Json&) { model["loops"][0]["stiffness"] = 1.0; }), "energy");
    expectBroken(retold(good,
                        [](Json& model, Json&) {
                          Json more = model["springs"][0];
                          more["stiffness"] = 0.0;
                          model["springs"].push_back(more);
                        }),
                 "is missing");
    for (std::size_t row = 0; row < good.row_id.size(); ++row) {
      if (good.row_id[row].high >> 60 != 5) continue;
      Recording unknown = good;
      unknown.row_id[row].low += 1000;
      expectBroken(unknown, "unknown spring");
      Recording other = good;
      other.row_impulse[3 * row] *= 1.001;
      EXPECT_FALSE(verifyRecording(other).holds) << row;
    }
  }
}

TEST(Law, EnergyFromNothingIsSeen) {
  // velocity-dependent forces at the carried velocity gain energy: every step balances, the run does not
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/double_pendulum.toml");
  scene.integrator = "leapfrog_carried";
  Recording recording = recordRun(scene, 20000);
  expectBroken(recording, "energy gain");
}

// Written when ids of contacts had other bits.
TEST(Law, HoldsInARecordingOfVersionTwo) {
  const Recording recording = loadRecording(std::string(RIGOR_SOURCE_DIR) + "/tests/io/old/recording_2.npz");
  EXPECT_EQ(recording.version, 2);
  ASSERT_FALSE(recording.contact_id.empty());
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what;
}

// A recording that does not know that they may not touch lets them pass.
TEST(Law, TreesThatStepApartAndMeetAreSeen) {
  const Recording recording = recordRun(makeBouncePast(makeSphere(0.01)), 1);
  ASSERT_EQ(recording.steps(), 1);
  ASSERT_TRUE(std::find(recording.substep_kick.begin(), recording.substep_kick.end(), -1.0) !=
              recording.substep_kick.end());
  ASSERT_TRUE(verifyRecording(recording).holds) << verifyRecording(recording).first_bad.what;
  expectBroken(retold(recording, [](Json& model, Json&) { model["pairs"].push_back({0, 1}); }),
               "step apart and may meet");
}

// Written when all trees had the same sub-steps: two balls that bounce beside each other.
TEST(Law, HoldsInARecordingOfVersionThree) {
  Recording recording = loadRecording(std::string(RIGOR_SOURCE_DIR) + "/tests/io/old/recording_3.npz");
  EXPECT_EQ(recording.version, 3);
  EXPECT_EQ(recording.kick_columns, 1);
  ASSERT_GT(recording.substep_h.size(), static_cast<std::size_t>(recording.steps()));
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what;
  recording.substep_kick[50] *= 1.0 + 1e-9;
  EXPECT_FALSE(verifyRecording(recording).holds);
}

// Written when solids did not touch each other: the same two balls.
TEST(Law, HoldsInARecordingOfVersionFour) {
  Recording recording = loadRecording(std::string(RIGOR_SOURCE_DIR) + "/tests/io/old/recording_4.npz");
  EXPECT_EQ(recording.version, 4);
  EXPECT_EQ(recording.kick_columns, 2);
  ASSERT_FALSE(recording.contact_id.empty());
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what;
}

// Written when ids had 64 bits: a box that slides on another, a capsule on the ground.
TEST(Law, HoldsInARecordingOfVersionFive) {
  Recording recording = loadRecording(std::string(RIGOR_SOURCE_DIR) + "/tests/io/old/recording_5.npz");
  EXPECT_EQ(recording.version, 5);
  const auto ofSolids = [](const RowId& id) { return (id.high & 0xff) > 1; };
  ASSERT_TRUE(std::any_of(recording.contact_id.begin(), recording.contact_id.end(), ofSolids));
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what;
  recording.contact_id[0].low ^= 1;
  EXPECT_FALSE(verifyRecording(recording).holds);
}

// Written when loops had neither stops nor dry friction nor motors: three links closed by one.
TEST(Law, HoldsInARecordingOfVersionSeven) {
  Recording recording = loadRecording(std::string(RIGOR_SOURCE_DIR) + "/tests/io/old/recording_7.npz");
  EXPECT_EQ(recording.version, 7);
  ASSERT_FALSE(recording.row_id.empty());
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what;
  for (int k = 0; k < 3; ++k) recording.row_impulse[k] += 1e-5;  // across its plane a push does nothing
  EXPECT_FALSE(verifyRecording(recording).holds);
}

TEST(Law, ARecordingOfVersionOneIsJudgedAtItsNodes) {
  Recording recording = restingBall();
  recording.version = 1;
  recording.time.pop_back();
  recording.q.resize(recording.q.size() - 7);
  recording.v.resize(recording.v.size() - 6);
  recording.energy.resize(recording.energy.size() - 2);
  recording.momentum.resize(recording.momentum.size() - 6);
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what;
  ASSERT_EQ(verdict.unchecked.size(), 1u);
  EXPECT_NE(verdict.unchecked[0].find("version 1"), std::string::npos);
  recording.q[9] -= 1e-3;
  EXPECT_FALSE(verifyRecording(recording).holds);
}

TEST(Law, OldRecordingsOfTwoBallsAreJudgedAtTheirNodes) {
  Recording recording = restingBall();
  recording.version = 6;
  EXPECT_EQ(verifyRecording(recording).unchecked.size(), 0u);  // a ball on a plane slid by the same rule
  recording.contact_id[0].high |= std::uint64_t{1};
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what;
  ASSERT_EQ(verdict.unchecked.size(), 1u);
  EXPECT_NE(verdict.unchecked[0].find("before version 7"), std::string::npos);
}

}  // namespace
}  // namespace rigor
