// The sampling that teaches A1 to walk.
#include "experiments/gait_learning.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/a1.h"
#include "quick_run.h"

namespace rigor::experiments {
namespace {

TEST(Gait, StandsStillWhereThePaperBeginsAndHasTheLegsOfAPairHalfAPeriodApart) {
  const Gait standing;
  for (double time : {0.0, 0.3}) EXPECT_EQ(standing.anglesAt(time, false), (std::array{0.0, 1.0, -1.5}));
  const Gait gait{{0.1, 0.2, 1.0, 0.3, -1.5}};  // 1 Hz
  EXPECT_NEAR(gait.anglesAt(0.0, false)[1], 1.2, 1e-15);
  EXPECT_NEAR(gait.anglesAt(0.25, false)[2], -1.2, 1e-15);  // calves a quarter behind: cos(φ − π/2)
  for (int part : {1, 2}) EXPECT_NEAR(gait.anglesAt(0.1, true)[part], gait.anglesAt(0.6, false)[part], 1e-12);
}

TEST(LearnedGait, StartsWithTheFootOneCentimetreUp) {
  const Scene robot = makeA1(quickRequest());
  for (const Gait& gait : {Gait{}, Gait{{0.5, 0.2, 0.8, 0.3, -1.7}}}) {
    const Simulator simulator(startOf(robot, gait));
    for (double height : footHeights(simulator)) EXPECT_NEAR(height, 0.01, 1e-12);  // a level robot has all feet alike
  }
}

TEST(LearnedGait, IsTheSameForASeedAndNeverFallsBack) {
  const Scene robot = makeA1(quickRequest());
  const StopFlag stop = false;
  std::atomic<std::int64_t> done = 0;
  const LearningOptions options{.episodes = 4, .seconds = 0.5, .seed = 3};
  const Learned once = learnGait(robot, options, stop, done), again = learnGait(robot, options, stop, done);
  EXPECT_EQ(once.best.numbers, again.best.numbers);
  EXPECT_EQ(once.farthest, again.farthest);
  EXPECT_EQ(once.refused, 0) << once.complaint;
  EXPECT_EQ(done, 2 * 4 * 500);
  for (std::size_t i = 1; i < once.farthest.size(); ++i) EXPECT_GE(once.farthest[i], once.farthest[i - 1]);
  EXPECT_NE(learnGait(robot, {.episodes = 4, .seconds = 0.5, .seed = 4}, stop, done).distance, once.distance);
}

}  // namespace
}  // namespace rigor::experiments
