#include "math/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rigor {
namespace {

TEST(NaturalLog, IsThatOfTheLibraryToRounding) {
  double worst = 0.0;
  for (int i = 0; i < 200000; ++i) {
    const double x = std::exp2(-60.0 + 70.0 * uniformOf(mixBits(i)));
    const double scale = std::fmax(std::fabs(std::log(x)), 1e-3);  // near 1 the sum of the series decides
    worst = std::fmax(worst, std::fabs(naturalLog(x) - std::log(x)) / scale);
  }
  EXPECT_LT(worst, 8 * std::numeric_limits<double>::epsilon());  // a division, a sum of 11 terms, a product, a sum
  EXPECT_EQ(naturalLog(1.0), 0.0);
}

// Means of n draws scatter by 1/√n times the deviation of one: 1 for x, √2 for x², √96 for x⁴. Five of these.
TEST(StandardNormal, HasTheMomentsOfTheNormalDistributionAndNoMemory) {
  constexpr int kDraws = 200000;
  const double scatter = 5.0 / std::sqrt(static_cast<double>(kDraws));
  double sum = 0, square = 0, fourth = 0, next = 0, other_index = 0, other_seed = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = standardNormal(3, i, 2);
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
    next += x * standardNormal(3, i + 1, 2);
    other_index += x * standardNormal(3, i, 3);
    other_seed += x * standardNormal(4, i, 2);
  }
  EXPECT_NEAR(sum / kDraws, 0.0, scatter);
  EXPECT_NEAR(square / kDraws, 1.0, std::sqrt(2.0) * scatter);
  EXPECT_NEAR(fourth / kDraws, 3.0, std::sqrt(96.0) * scatter);
  for (const double product : {next, other_index, other_seed}) EXPECT_NEAR(product / kDraws, 0.0, scatter);
}

TEST(StandardNormal, HasTheseBits) {  // scenes with random targets depend on them
  EXPECT_EQ(standardNormal(1, 0, 0), standardNormal(1, 0, 0));
  EXPECT_NE(standardNormal(1, 0, 0), standardNormal(1, 0, 1));
  EXPECT_EQ(mixBits(0), 0xe220a8397b1dcdafu);  // first number of SplitMix64 from the seed 0
}

}  // namespace
}  // namespace rigor
