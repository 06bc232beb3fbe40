// Pairs and triples of round solids that touch next to the end of something: an apex, a rim, a line that two sides share.
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

TEST_P(RoundPairs, GoThroughAllStepsAndTheSecondOpinionAgrees) {
  Simulator simulator(loadScene(std::string(RIGOR_SOURCE_DIR "/tests/verify/scenes/round/") + GetParam() + ".toml"));
  Recorder recorder(simulator.scene());
  const auto steps = static_cast<std::int64_t>(std::lround(simulator.scene().time / simulator.scene().dt));
  ASSERT_GE(steps, 10);
  ASSERT_EQ(run(simulator, steps, {}, {&recorder}).status, RunStatus::kDone);
  const Verdict verdict = verifyRecording(recorder.recording());
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " in step " << verdict.first_bad.step << ", "
                             << verdict.first_bad.value << " of " << verdict.first_bad.limit;
}

}  // namespace
}  // namespace rigor
