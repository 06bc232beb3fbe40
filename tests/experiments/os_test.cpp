// OS's experiments in their short form.
#include "experiments/os.h"

#include <gtest/gtest.h>

#include "experiments/os_scene.h"
#include "quick_run.h"

namespace rigor::experiments {
namespace {

TEST(OsPendulum, IsDoneWithHardContactAndHingesAndTellsNoFactorFromShortRuns) {
  const Outcome outcome = runQuickly("os-pendulum");
  EXPECT_TRUE(outcome.done);
  EXPECT_EQ(outcome.verdict(), Verdict::kNotShown);
  EXPECT_EQ(outcome.table.rows.size(), 4u);  // two sizes, two frictions
}

TEST(OsAgreement, FollowsBothCoordinatesAlikeByStepperMaximal) {
  const Outcome outcome = runQuickly("os-agreement");
  EXPECT_TRUE(outcome.done);
  EXPECT_EQ(outcome.verdict(), Verdict::kNotShown);  // 0.05 s: nothing has touched
  // rounding of 12 m, 4e-15, over 500 steps; the equations are the same
  EXPECT_LE(cellOf(outcome.table, "stepper maximal", "largest difference [m]"), 1e-11);
}

TEST(OsScene, LetsAllBallsButNeighboursMeetInBothCoordinates) {
  for (const bool redundant : {false, true}) {
    const Model model = makeOsPendulum({.links = 5, .redundant = redundant}).model;
    for (int i = 0; i < 5; ++i)
      for (int j = i + 1; j < 5; ++j) EXPECT_EQ(model.mayCollide(i, j), j > i + 1) << i << ", " << j;
  }
}

}  // namespace
}  // namespace rigor::experiments
