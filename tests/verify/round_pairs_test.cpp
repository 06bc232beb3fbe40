// Scenes that were refused or denied once: round solids that touch next to the end of something (an apex, a rim, a line that two
// sides share), and balls that are fast, or driven by others.
#include <gtest/gtest.h>

#include <cmath>

#include "rigor/verify.h"
#include "simulation/solid_scenes.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

/// Each of these was refused, or the second opinion found another point, gap or normal than the run.
class RoundPairs : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Scenes, RoundPairs,
                         testing::Values("disc_over_apex", "rim_beside_apex", "rim_onto_disc", "cone_onto_disc",
                                         "disc_flat_on_cone", "coin_under_cylinder", "thin_cone_under_box",
                                         "apex_along_cylinder", "side_beyond_rim", "cone_along_cone",
                                         "sides_nearly_parallel", "rims_that_stand", "rims_that_cross"),
                         [](const auto& info) { return std::string(info.param); });

class FastBalls : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Scenes, FastBalls,
                         testing::Values("spinning_heap", "quick_heap", "two_kinematic_parts", "fast_roller",
                                         "fast_cradle", "faster_cradle"),
                         [](const auto& info) { return std::string(info.param); });

Scene sceneOf(const std::string& name) { return loadScene(RIGOR_SOURCE_DIR "/tests/verify/scenes/" + name + ".toml"); }

void expectAgreement(const std::string& name) {
  Simulator simulator(sceneOf(name));
  Recorder recorder(simulator.scene());
  const auto steps = static_cast<std::int64_t>(std::lround(simulator.scene().time / simulator.scene().dt));
  ASSERT_GE(steps, 10);
  ASSERT_EQ(run(simulator, steps, {}, {&recorder}).status, RunStatus::kDone);
  const Verdict verdict = verifyRecording(recorder.recording());
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " in step " << verdict.first_bad.step << ", "
                             << verdict.first_bad.value << " of " << verdict.first_bad.limit;
}

TEST_P(RoundPairs, GoThroughAllStepsAndTheSecondOpinionAgrees) { expectAgreement(std::string("round/") + GetParam()); }
TEST_P(FastBalls, GoThroughAllStepsAndTheSecondOpinionAgrees) { expectAgreement(std::string("balls/") + GetParam()); }

// Two poses do not tell how often something turned round between them.
TEST(KinematicBall, DrivesAnotherTheSameWayHoweverFarItTurnsInAStep) {
  double spin[2];
  for (const int fine : {0, 1}) {
    Scene scene = sceneOf("balls/fast_roller");
    if (fine) scene.dt = 5e-4;
    Simulator simulator(std::move(scene));
    ASSERT_TRUE(simulator.run(0.5).accepted()) << simulator.report().explain();
    spin[fine] = simulator.velocity()[10];
  }
  EXPECT_LT(spin[1], -60.0);
  EXPECT_NEAR(spin[0], spin[1], 0.1);  // friction drives it by μg all the while, whatever the step: to a step of that
}

}  // namespace
}  // namespace rigor
