// What a recording may show more energy for, and what not.
#include "verify/energy_gain.h"
#include "verify/breathing.h"

#include <gtest/gtest.h>

#include "verify/recorded_runs.h"

namespace rigor {
namespace {

Recording recordScene(const char* name) {
  const Scene scene = loadScene(RIGOR_SOURCE_DIR "/tests/verify/scenes/" + std::string(name));
  return recordRun(scene, static_cast<int>(std::lround(scene.time / scene.dt)));
}

// The increment of the velocity at the node behind which nothing carries the ball is h g, half of it before the node: the node
// has ⅛m(hg)² more energy than the one before, and so have all later ones.
TEST(EnergyGain, OfAWeightThatLosesItsSupportIsThatOfHalfAKickAndNoFault) {
  const Recording recording = recordScene("off_the_table.toml");
  const double kick = 0.005 * 9.81, expected = 0.125 * 1.0 * kick * kick;
  const Verdict verdict = verifyRecording(recording);
  EXPECT_NEAR(verdict.worst.energy_gain, expected, 1e-13);  // of 13 J, rounded a few times
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " at step " << verdict.first_bad.step;
}

/// Judges the energies of nodes alone, with what contacts may keep [J] in every sub-step.
Verdict judgeEnergies(const Recording& recording, double curved) {
  const verify::World world = verify::readWorld(recording.header);
  Verdict verdict;
  verify::Findings findings(verdict);
  verify::EnergyGain gain(world, recording);
  for (std::int64_t step = 0; step < recording.steps(); ++step) {
    verify::SubstepData data;
    data.step = data.index = step, data.h = recording.substep_h[step];
    data.takes = data.first = std::vector<char>(world.trees, 1);
    data.kick.assign(recording.nv, recording.substep_kick[step * recording.kick_columns]);
    data.q = verify::Reals(&recording.substep_q[step * recording.nq], &recording.substep_q[(step + 1) * recording.nq]);
    const auto velocity = [&](const std::vector<double>& values) {
      return verify::Reals(&values[step * recording.nv], &values[(step + 1) * recording.nv]);
    };
    data.v = velocity(recording.substep_v), data.v_end = velocity(recording.substep_v_end);
    data.v_mean = velocity(recording.substep_v_mean);
    gain.add(data, curved);
  }
  gain.judge(verdict, findings);
  return verdict;
}

/// The energies of the last `nodes` nodes rise by `rise` [J] from each to the next.
Recording withRise(Recording recording, int nodes, double rise) {
  const std::size_t end = recording.time.size();
  for (int k = 1; k <= nodes; ++k) recording.energy[2 * (end - nodes + k - 1)] += k * rise;
  return recording;
}

// Rounding is excused by 1e-10 of 13 J; the ball does not turn, so nothing breathes in it.
TEST(EnergyGain, IsSeenIfItIsMoreThanABillionthOfAJoule) {
  const Recording recording = recordScene("off_the_table.toml");
  EXPECT_TRUE(judgeEnergies(withRise(recording, 1, 1e-9), 0.0).holds);
  const Verdict verdict = judgeEnergies(withRise(recording, 1, 2e-9), 0.0);
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.first_bad.step, recording.steps());
}

TEST(EnergyGain, IsExcusedOnceByAContactThatLetsGoOfACurvedSurfaceAndNotInEveryStep) {
  const Recording recording = recordScene("off_the_table.toml");
  EXPECT_TRUE(judgeEnergies(withRise(recording, 1, 1e-4), 1e-4).holds);
  EXPECT_FALSE(judgeEnergies(withRise(recording, 2, 1e-4), 1e-4).holds);
}

/// A ton at 1 m/s, and a marble beside it that spins at 100 rad/s and never touches it.
Recording recordMarbleAndTon(bool together) {
  ModelBuilder builder("marble and ton");
  builder.setGravity(Eigen::Vector3d::Zero());
  for (const bool heavy : {true, false}) {
    BodySpec ball;
    ball.name = heavy ? "ton" : "marble", ball.joint.name = ball.name + "_joint", ball.joint.type = kFree;
    ball.shapes.push_back({ball.name, makeSphere(0.01), {}, "default"});
    ball.mass = computeMassProperties(ball.shapes[0].shape, 1000.0);
    if (heavy) ball.mass = {1000.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
    ball.joint.X_PJ.position = {0.0, heavy ? 0.0 : together ? 0.02 : 1.0, 0.0};
    builder.addBody(ball);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0(), scene.v = Eigen::VectorXd::Zero(12);
  scene.v[0] = scene.v[6] = 1.0, scene.v[11] = 100.0;
  return recordRun(scene, 20);
}

// For both of them as one (h ω)² T would be 5 J; for each on its own it is 1e-6 J.
TEST(EnergyGain, OfAHeavyBodyIsNotExcusedByAFastOneThatItNeverMeets) {
  const Recording apart = recordMarbleAndTon(false), together = recordMarbleAndTon(true);
  ASSERT_TRUE(apart.contact_id.empty());
  ASSERT_FALSE(together.contact_id.empty());
  EXPECT_TRUE(judgeEnergies(apart, 0.0).holds);
  EXPECT_FALSE(judgeEnergies(withRise(apart, 1, 1e-3), 0.0).holds);
  EXPECT_TRUE(judgeEnergies(withRise(together, 1, 1e-3), 0.0).holds);
}

// Where the contact on the rim lets go, it has pushed for half a kick along a row that it was to follow for the other half:
// 9.6e-4 J of 0.1 J, which no node before or after explains.
TEST(EnergyGain, OfContactsThatRunAroundARimAndLetGoIsNoFault) {
  const Verdict verdict = verifyRecording(recordScene("rim_on_rim.toml"));
  EXPECT_GT(verdict.worst.energy_gain, 1e-4);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " at step " << verdict.first_bad.step;
}

/// A ball on a spring to the world, pulled out by 1 cm; (h ω)² is given.
Recording recordBallOnSpring(double square) {
  ModelBuilder builder("ball on a spring");
  BodySpec ball;
  ball.name = "ball", ball.joint.name = "ball_joint", ball.joint.type = kFree;
  ball.mass = {1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  builder.addBody(ball);
  Scene scene;
  SpringSpec spring;
  spring.body_1 = kWorld, spring.body_2 = 0;
  spring.point_1 = {-1.0, 0.0, 0.0}, spring.length = 0.99, spring.stiffness = square / (scene.dt * scene.dt);
  builder.addSpring(spring);
  builder.setGravity(Eigen::Vector3d::Zero());
  scene.model = builder.build();
  scene.q = scene.model.q0(), scene.v = Eigen::VectorXd::Zero(6);
  return recordRun(scene, 50);
}

// The limit is 2 (h ω)² of the kinetic energy: from ½ on it is all of it, and the check could not fail.
TEST(EnergyGain, IsSaidToBeUnjudgedWhereStepsAreTooLongForASpring) {
  const auto told = [](double square) {
    const Verdict verdict = verifyRecording(recordBallOnSpring(square));
    EXPECT_TRUE(verdict.holds) << verdict.first_bad.what;
    return std::count_if(verdict.unchecked.begin(), verdict.unchecked.end(),
                         [](const std::string& line) { return line.starts_with("energy gain up to"); });
  };
  for (const double square : {1e-4, 0.1, 0.49}) EXPECT_EQ(told(square), 0) << square;
  for (const double square : {0.51, 2.0, 1e4}) EXPECT_EQ(told(square), 1) << square;
}

// Of (h ω)² = 1e4 the limit is 2e4 times the kinetic energy: no number that a recording may have fails it, so it is no limit.
TEST(EnergyGain, HasNoLimitThatIsAboveAllEnergyThereIs) {
  for (const double square : {1e-4, 0.1, 0.3}) {
    const Verdict verdict = verifyRecording(recordBallOnSpring(square));
    EXPECT_GE(verdict.limit.energy_gain, 0.0) << square;
    EXPECT_FALSE(verdict.gain_too_coarse) << square;
  }
  for (const double square : {100.0, 1e4, 1e6}) {
    const Verdict verdict = verifyRecording(recordBallOnSpring(square));
    EXPECT_EQ(verdict.limit.energy_gain, -1.0) << square;
    EXPECT_TRUE(verdict.gain_too_coarse) << square;
    EXPECT_TRUE(verdict.holds) << square;
  }
}

/// A wheel on a loop whose spring it turns round, three times in 200 steps.
Recording recordWheelOnLoop(double stiffness) {
  ModelBuilder builder("wheel");
  builder.setGravity(Eigen::Vector3d::Zero());
  BodySpec body;
  body.name = "wheel", body.joint.name = "wheel_joint", body.joint.type = kFree;
  body.mass = {1.0, Eigen::Vector3d::Zero(), Eigen::Vector3d(0.1, 0.1, 0.2).asDiagonal()};
  builder.addBody(body);
  LoopSpec loop;
  loop.name = "hub", loop.kind = LoopKind::kOfType, loop.type = kHinge;
  loop.body_1 = kWorld, loop.body_2 = 0;
  loop.stiffness = stiffness;
  builder.addLoop(loop);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0(), scene.v = Eigen::VectorXd::Zero(6);
  scene.v[5] = 94.3;
  return recordRun(scene, 200);
}

// The leapfrog steps over the jump of the torque: π k times the difference of the ways before and behind it, of 0.09 rad in all.
TEST(EnergyGain, OfALoopSpringThatPassesHalfATurnIsExcusedByItsJumpAndNoMore) {
  const Recording recording = recordWheelOnLoop(2.0);
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " at step " << verdict.first_bad.step;
  EXPECT_GT(verdict.worst.energy_gain, 0.1);  // the jumps give and take up to 0.6 J each
  ASSERT_EQ(verdict.unchecked.size(), 1u);
  EXPECT_NE(verdict.unchecked[0].find("loop \"hub\" passes half a turn, first in step 33"), std::string::npos)
      << verdict.unchecked[0];
  const double jumps = 3.0 * 3.1416 * 2.0 * 0.0943, breathing = 2.0 * 0.0943 * 0.0943 * 889.0;
  EXPECT_FALSE(judgeEnergies(withRise(recording, 1, 1.1 * (jumps + breathing)), 0.0).holds);
}

// A free body turns by 0.3 rad in a sub-step at most, and breathes no more however fast it is.
TEST(EnergyGain, OfABodyThatTurnsManyTimesInAStepIsNotExcusedByItsSpeed) {
  Scene scene = loadScene(RIGOR_SOURCE_DIR "/tests/verify/scenes/spinner.toml");
  scene.v.setZero();
  scene.v.segment<3>(3) << 0.0, 0.0, 6.0 / scene.dt;  // 6 rad per step
  const Recording recording = recordRun(scene, 2);
  ASSERT_EQ(recording.steps(), 2);
  const double kinetic = recording.energy[0];
  EXPECT_NEAR(static_cast<double>(verify::breathingOfIslands(verify::readWorld(recording.header), recording).energy),
              0.09 * kinetic, 1e-3 * kinetic);  // its energy breathes a little
}

}  // namespace
}  // namespace rigor
