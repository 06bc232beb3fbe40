// Recordings of runs whose drives have moving targets: what acted is recorded, and believed only if it fits the motion.
#include <gtest/gtest.h>

#include <cmath>

#include "io/files.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

constexpr int kSteps = 60;
constexpr int kStrong = 1;  // drive of the workshop that never reaches its bounds

/// The workshop with both targets moving from step 20 on.
Recording recordMovingTargets() {
  const Scene scene = makeWorkshop();
  Simulator simulator(scene);
  simulator.setController([](const State& state, Input& input) {
    if (state.time < 0.0195) return;
    input.ctrl = Eigen::Vector2d(0.4 + std::sin(20.0 * state.time), -0.3 - 2.0 * state.time);
  });
  Recorder recorder(scene);
  EXPECT_EQ(run(simulator, kSteps, {}, {&recorder}).status, RunStatus::kDone);
  return recorder.recording();
}

class MovingTargets : public testing::Test {
 protected:
  static const Recording& good() {
    static const Recording recording = recordMovingTargets();
    return recording;
  }
  static double& strong(Recording& r, int step) { return r.ctrl[static_cast<std::size_t>(step) * r.nu + kStrong]; }
};

TEST_F(MovingTargets, AreRecordedAsTheyActed) {
  ASSERT_EQ(good().nu, 2);
  ASSERT_EQ(good().ctrl.size(), 2u * kSteps);
  for (int step = 0; step < kSteps; ++step) {
    const double time = good().time[step];
    EXPECT_EQ(good().ctrl[2 * step], step < 20 ? 0.4 : 0.4 + std::sin(20.0 * time)) << "step " << step;
    EXPECT_EQ(good().ctrl[2 * step + 1], step < 20 ? -0.3 : -0.3 - 2.0 * time) << "step " << step;
  }
}

TEST_F(MovingTargets, AreFoundToHold) {
  const Verdict verdict = verifyRecording(good());
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " in step " << verdict.first_bad.step;
}

// A millionth of a radian at 100 N m/rad is a torque of 1e-4 N m: far above rounding.
TEST_F(MovingTargets, ThatWereChangedAfterwardsAreSeenInTheirStep) {
  for (const int step : {0, 19, 20, 41, kSteps - 1}) {
    Recording bad = good();
    strong(bad, step) += 1e-6;
    const Verdict verdict = verifyRecording(bad);
    EXPECT_FALSE(verdict.holds) << "step " << step;
    EXPECT_EQ(verdict.first_bad.step, step);
  }
}

TEST_F(MovingTargets, OfAMotorAtItsBoundAreSeenWhenTheyAskForTheOtherOne) {
  Recording bad = good();
  for (int step = 0; step < kSteps; ++step) bad.ctrl[2 * step] -= 2.0;
  EXPECT_FALSE(verifyRecording(bad).holds);
}

TEST_F(MovingTargets, ShiftedByOneStepAreSeen) {
  Recording bad = good();
  for (int step = kSteps - 1; step > 0; --step) strong(bad, step) = strong(bad, step - 1);
  const Verdict verdict = verifyRecording(bad);
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.first_bad.step, 20);  // before it nothing moved
}

TEST_F(MovingTargets, OfAnotherNumberThanTheDrivesAreRefused) {
  Recording bad = good();
  bad.ctrl.pop_back();
  EXPECT_THROW(verifyRecording(bad), Error);
  bad = good();
  bad.nu = 3;
  bad.ctrl.resize(3 * kSteps);
  EXPECT_THROW(verifyRecording(bad), Error);
}

TEST_F(MovingTargets, ComeBackFromAFileWithTheSameBits) {
  const TemporaryFolder folder;
  saveRecording(folder("a.npz"), good());
  const Recording back = loadRecording(folder("a.npz"));
  EXPECT_EQ(back.nu, 2);
  EXPECT_EQ(back.ctrl, good().ctrl);
  EXPECT_TRUE(verifyRecording(back).holds);
}

TEST_F(MovingTargets, LeftOutOfTheFileAreThoseOfTheHeaderAndDoNotFitTheMotion) {
  const TemporaryFolder folder;
  Recording still = good();
  for (int step = 0; step < kSteps; ++step) still.ctrl[2 * step] = 0.4, still.ctrl[2 * step + 1] = -0.3;
  saveRecording(folder("a.npz"), still);
  EXPECT_EQ(readText(folder("a.npz")).find("ctrl.npy"), std::string::npos);
  const Recording back = loadRecording(folder("a.npz"));
  EXPECT_EQ(back.ctrl, still.ctrl);
  EXPECT_FALSE(verifyRecording(back).holds);
}

TEST(TargetsOfControllers, AreRecordedAndFoundToHold) {
  for (const char* name : {"anymal_trot", "anymal_random"}) {
    SCOPED_TRACE(name);
    const Scene scene = loadScene(scenePath(std::string(name) + ".toml"));
    const Recording recording = recordRun(scene, 800);
    ASSERT_EQ(recording.ctrl.size(), 12u * 800u);
    EXPECT_NE(recording.ctrl[0], recording.ctrl[12 * 799]);
    const Verdict verdict = verifyRecording(recording);
    EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " in step " << verdict.first_bad.step;
  }
}

TEST(StillTargets, TakeNoRoomAndHold) {
  const TemporaryFolder folder;
  saveRecording(folder("a.npz"), recordRun(makeWorkshop(), kSteps));
  EXPECT_EQ(readText(folder("a.npz")).find("ctrl.npy"), std::string::npos);
  EXPECT_TRUE(verifyRecording(loadRecording(folder("a.npz"))).holds);
}

}  // namespace
}  // namespace rigor
