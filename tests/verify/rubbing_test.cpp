// Friction of several kinds at once, of which some have no coefficient or two: what the run records of it holds.
#include <gtest/gtest.h>

#include "verify/recorded_runs.h"

namespace rigor {
namespace {

class Rubbing : public testing::TestWithParam<const char*> {};

TEST_P(Rubbing, IsRecordedAsItIs) {
  const Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/tests/verify/scenes/rubbing/" + GetParam() + ".toml");
  expectAgreement(recordRun(scene, static_cast<int>(scene.time / scene.dt)));
}

INSTANTIATE_TEST_SUITE_P(Surfaces, Rubbing,
                         testing::Values("rolling_alone_on_a_slope", "torsion_alone_on_a_slope",
                                         "turning_alone_at_rest", "slides_and_does_not_roll",
                                         "comes_to_rest_by_dissipation"));

}  // namespace
}  // namespace rigor
