#include "math/tiny_is_zero.h"

#include <gtest/gtest.h>

#include <limits>

namespace rigor {
namespace {

constexpr double kLeast = std::numeric_limits<double>::min();  // of the numbers that doubles hold in full

double halve(double number) {
  volatile double half = 0.5;
  return half * number;
}

TEST(TinyIsZero, TakesTinyResultsAndOperandsForZeroWhileItLives) {
#if defined(__SSE2__)
  volatile double tiny = halve(kLeast);
  EXPECT_NE(tiny, 0.0);
  {
    const TinyIsZero scope;
    EXPECT_EQ(halve(kLeast), 0.0);
    EXPECT_EQ(tiny * 1e200, 0.0);
    EXPECT_EQ(halve(4.0 * kLeast), 2.0 * kLeast);
    {
      const TinyIsZero inner;
    }
    EXPECT_EQ(halve(kLeast), 0.0);  // the outer one still lives
  }
  EXPECT_NE(halve(kLeast), 0.0);
#endif
}

}  // namespace
}  // namespace rigor
