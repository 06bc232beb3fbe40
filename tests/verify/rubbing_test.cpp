// Friction of several kinds at once, of which some have no coefficient or two: what the run records of it holds.
#include <gtest/gtest.h>

#include "verify/recorded_runs.h"

namespace rigor {
namespace {

Recording recordRubbing(const std::string& name) {
  const Scene scene = loadScene(RIGOR_SOURCE_DIR "/tests/verify/scenes/rubbing/" + name + ".toml");
  return recordRun(scene, static_cast<int>(scene.time / scene.dt));
}

class Rubbing : public testing::TestWithParam<const char*> {};

TEST_P(Rubbing, IsRecordedAsItIs) { expectAgreement(recordRubbing(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Surfaces, Rubbing,
                         testing::Values("rolling_alone_on_a_slope", "torsion_alone_on_a_slope",
                                         "slides_and_does_not_roll", "comes_to_rest_by_dissipation"));

// Rows of sliding have no friction here: their impulses do nothing and fill the cone all the same.
TEST(TurningAlone, AtRestIsCalledStickWhateverTheImpulsesThatDoNothing) {
  const Verdict verdict = verifyRecording(recordRubbing("turning_alone_at_rest"));
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " at step " << verdict.first_bad.step;
}

}  // namespace
}  // namespace rigor
