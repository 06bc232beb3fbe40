// Means, quantiles and shares.
#include "experiments/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rigor::experiments {
namespace {

TEST(Statistics, OfFiveNumbers) {
  const std::vector<double> values = {5.0, 1.0, 4.0, 2.0, 3.0};
  EXPECT_EQ(meanOf(values), 3.0);
  EXPECT_EQ(quantileOf(values, 0.0), 1.0);
  EXPECT_EQ(quantileOf(values, 0.5), 3.0);
  EXPECT_EQ(quantileOf(values, 1.0), 5.0);
  EXPECT_EQ(shareBelow(values, 3.0), 40.0);  // 3 itself is not below
}

TEST(Statistics, OfNothingAreNotANumber) {
  EXPECT_TRUE(std::isnan(meanOf({})));
  EXPECT_TRUE(std::isnan(quantileOf({}, 0.5)));
  EXPECT_TRUE(std::isnan(shareBelow({}, 1.0)));
}

TEST(Shares, AddUpToAHundredPerCentWithWhatIsBeyondTheEdges) {
  const std::vector<double> shares = sharesBetween({-5.0, 0.5, 1.0, 1.5, 99.0}, {0.0, 1.0, 2.0});
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_DOUBLE_EQ(shares[0], 40.0);  // −5 and 0.5
  EXPECT_DOUBLE_EQ(shares[1], 60.0);  // an edge belongs to what is above it
  EXPECT_EQ(sharesBetween({}, {0.0, 1.0})[0], 0.0);
}

TEST(Growth, IsThePowerOfTheLawFromAFifthOfTheLargestSizeOn) {
  const std::vector<double> sizes = {1, 2, 5, 20, 50, 100};
  std::vector<double> times;
  for (double size : sizes)
    times.push_back(3.0 * size * size + (size < 20 ? 1e6 : 0.0));  // small sizes have other costs
  EXPECT_NEAR(growthOf(sizes, times), 2.0, 1e-12);
  EXPECT_TRUE(std::isnan(growthOf({}, {})));
  EXPECT_TRUE(std::isnan(growthOf({3.0}, {1.0})));
}

}  // namespace
}  // namespace rigor::experiments
