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
  EXPECT_EQ(outcome.table.rows.size(), 8u);  // two sizes, two frictions, by time and by events
}

TEST(OsPendulum, GoesByEventsWithoutGivingUpWhileNothingTouches) {
  const Outcome outcome = runQuickly("os-pendulum");
  for (const int links : {3, 6}) {
    const std::string row =
        std::to_string(links) + " links, mu 0.5, by events";  // with what was given up, it would be longer
    EXPECT_EQ(cellOf(outcome.table, row, "fallbacks"), 0.0);
    EXPECT_LE(cellOf(outcome.table, row, "hinges open [m]"), 1e-13);  // rounding of 12 m, 2e-15, in six hinges
  }
}

TEST(OsAgreement, FollowsBothCoordinatesAlikeByStepperMaximalAndByEvents) {
  const Outcome outcome = runQuickly("os-agreement");
  EXPECT_TRUE(outcome.done);
  EXPECT_EQ(outcome.verdict(), Verdict::kNotShown);  // 0.05 s: nothing has touched
  // rounding of 12 m, 4e-15, over 500 steps; the equations are the same
  EXPECT_LE(cellOf(outcome.table, "stepper maximal", "largest difference [m]"), 1e-11);
  // errors of at most 1e-10 per second in both, which 12 links make ten times larger in 0.05 s
  EXPECT_LE(cellOf(outcome.table, "stepper event", "largest difference [m]"), 1e-10);
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
