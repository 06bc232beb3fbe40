// Limp robots and a box thrown at the ground: many things strike in a step, others answer, and the step is cut off where the first one does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "verify/recorded_runs.h"

namespace rigor {
namespace {

Scene loadThrown(const std::string& name) {
  return loadScene(std::string(RIGOR_SOURCE_DIR) + "/tests/verify/scenes/thrown/" + name + ".toml");
}

class ThrownRobot : public testing::TestWithParam<const char*> {};

// In the tries of a landing who strikes pushes nothing: what they pass through must not be taken for the step.
TEST_P(ThrownRobot, PassesThroughNothingWhereItLands) { expectAgreement(recordRun(loadThrown(GetParam()), 400)); }

// What an earlier landing left in the stepper is not in the snapshot, and must not matter.
TEST_P(ThrownRobot, GoesOnWithTheSameBitsFromASnapshot) {
  Simulator sim(loadThrown(GetParam()));
  ASSERT_TRUE(sim.run(1.0).accepted());
  Simulator other(loadThrown(GetParam()));
  other.restore(sim.save());
  ASSERT_TRUE(sim.run(1.0).accepted());
  ASSERT_TRUE(other.run(1.0).accepted());
  EXPECT_EQ(sim.state().q, other.state().q);
  EXPECT_EQ(sim.state().v, other.state().v);
}

INSTANTIATE_TEST_SUITE_P(Landing, ThrownRobot,
                         testing::Values("dog_at_its_joint_ranges", "humanoid_that_skips", "dog_on_ice"));

// Who touches in a half kick is decided by its mean velocity, 8 mm/s here where the corners come at 2 mm/s before it.
TEST(BoxThatClattersToRest, IsPushedAtCornersThatTouchBeforeTimeIsResolved) {
  const Scene scene = loadScene(RIGOR_SOURCE_DIR "/tests/verify/scenes/rocking_box.toml");
  expectAgreement(recordRun(scene, static_cast<int>(std::lround(scene.time / scene.dt))));
}

// 45 at most; a foot that pushed in the tries needed up to 386, because others answered to it by jumps.
TEST(RandomAnymal, LandsInFewSolves) {
  Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/anymal_random.toml"));
  sim.wanted() = {};
  int most = 0;
  for (int step = 0; step < 11000; ++step) {
    ASSERT_TRUE(sim.step().accepted());
    most = std::max(most, sim.report().solves);
  }
  EXPECT_LE(most, 60);
}

}  // namespace
}  // namespace rigor
