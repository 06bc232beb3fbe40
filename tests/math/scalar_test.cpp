#include "math/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace rigor {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Largest error of both against 64-bit long double over samples of one size, random and near multiples of π/2, where
/// cancellation is worst.
double worstSinCosError(double size, int samples) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> uniform(-size, size);
  double worst = 0.0;
  for (int i = 0; i < samples; ++i) {
    double x = uniform(engine);
    if (i % 4 == 0) x = std::round(x / (kPi / 2)) * (kPi / 2) * (1.0 + (i % 8 ? 1e-16 : 1e-9));
    if (std::abs(x) > size) continue;
    const SinCos<double> sc = sincos(x);
    const long double exact = x;
    worst = std::max(worst, static_cast<double>(std::abs(sc.sin - std::sin(exact))));
    worst = std::max(worst, static_cast<double>(std::abs(sc.cos - std::cos(exact))));
  }
  return worst;
}

TEST(SinCos, ErrAtMostOneUnitOfTheLastPlaceOfOne) {
  EXPECT_LE(worstSinCosError(4.0, 1000000), 2.3e-16);
  EXPECT_LE(worstSinCosError(1000.0, 300000), 2.3e-16);
  EXPECT_LE(worstSinCosError(1.6e6, 300000), 2.3e-16);
}

TEST(SinCos, KeepAllDigitsOfSmallAngles) {
  for (double x = 1e-300; x < 0.5; x *= 3.7) {
    const SinCos<double> sc = sincos(x);
    // one unit in the last place of the sine itself
    EXPECT_LE(std::abs(sc.sin - std::sin(x)), std::numeric_limits<double>::epsilon() * x) << x;
    EXPECT_EQ(sincos(-x).sin, -sc.sin);
    EXPECT_EQ(sincos(-x).cos, sc.cos);
  }
  EXPECT_EQ(sincos(0.0).sin, 0.0);
  EXPECT_EQ(sincos(0.0).cos, 1.0);
}

TEST(SinCos, StayOnTheUnitCircleForArgumentsOfAnySize) {
  for (double x = 1.0; x < 1e15; x *= 2.3) {
    const SinCos<double> sc = sincos(x);
    EXPECT_NEAR(sc.sin * sc.sin + sc.cos * sc.cos, 1.0, 1e-15) << x;
  }
}

TEST(SinCos, PassNonFiniteNumbersOn) {
  for (double x : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sincos(x).sin));
    EXPECT_TRUE(std::isnan(sincos(x).cos));
  }
}

TEST(ArctanRatio, HasARelativeErrorBelowItsBoundForAllSizes) {
  for (double x = 1e-300; x < 1e300; x *= 1.0137) {
    const long double exact = std::atan(static_cast<long double>(x)) / static_cast<long double>(x);
    EXPECT_LE(std::abs(arctanRatio(x) - exact), 1e-15L * exact) << x;
  }
  EXPECT_EQ(arctanRatio(0.0), 1.0);
  EXPECT_EQ(arctanRatioOfSquare(0.0), 1.0);
  for (double s = 1e-300; s < 1e6; s *= s < 1e-6 ? 100.0 : 1.05) {
    const long double root = std::sqrt(static_cast<long double>(s)), exact = std::atan(root) / root;
    EXPECT_LE(std::abs(arctanRatioOfSquare(s) - exact), (s < 0.0228 ? 3e-16L : 1e-15L) * exact) << s;
  }
}

// The ratio is good to 1e-15 of at most π/4; what is taken from π/2 or π rounds to half a unit of them, 2.2e-16.
TEST(OwnArctan, TellsTheAngleOfAPointInEveryQuadrantAndOnTheAxes) {
  for (int i = -200; i <= 200; ++i) {
    const double angle = 0.0157 * i;
    for (const double length : {1e-200, 1e-3, 1.0, 1e100}) {
      const double x = length * std::cos(angle), y = length * std::sin(angle);
      EXPECT_NEAR(static_cast<double>(arctan2(y, x) - std::atan2(static_cast<long double>(y), x)), 0.0, 1e-15) << angle;
    }
  }
  EXPECT_EQ(arctan2(0.0, 1.0), 0.0);
  EXPECT_EQ(arctan2(0.0, 0.0), 0.0);
  EXPECT_EQ(arctan2(1.0, 0.0), std::numbers::pi / 2);
  EXPECT_EQ(arctan2(-1.0, 0.0), -std::numbers::pi / 2);
  EXPECT_EQ(arctan2(0.0, -1.0), std::numbers::pi);
}

TEST(RoundToInteger, GivesTheNearestInteger) {
  for (double x : {0.0, 0.4999, 0.50001, -0.4999, -0.50001, 1.5e9 + 0.3, -1e15 + 0.25}) {
    EXPECT_EQ(roundToInteger(x), std::nearbyint(x)) << x;
  }
}

TEST(Extrema, TakeTheSecondArgumentWhereTheFirstIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(minimum(1.0, 2.0), 1.0);
  EXPECT_EQ(maximum(1.0, 2.0), 2.0);
  EXPECT_EQ(minimum(nan, 2.0), 2.0);  // select(nan < b) is false: callers test finiteness first
  EXPECT_EQ(maximum(nan, 2.0), 2.0);
}

}  // namespace
}  // namespace rigor
