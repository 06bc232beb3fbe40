#include "math/dual.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/rotation.h"

namespace rigor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

double slopeOf(const Dual<>& x) { return x.tangent[0]; }

TEST(Dual, FollowsTheRulesOfDifferentiation) {
  const Dual<2> x = Dual<2>::variable(3.0, 0), y = Dual<2>::variable(-2.0, 1);
  const auto expect = [](const Dual<2>& f, double value, double by_x, double by_y) {
    EXPECT_EQ(f.value, value);
    EXPECT_EQ(f.tangent[0], by_x);
    EXPECT_EQ(f.tangent[1], by_y);
  };
  expect(x + y, 1.0, 1.0, 1.0);
  expect(x - y, 5.0, 1.0, -1.0);
  expect(-x, -3.0, -1.0, 0.0);
  expect(x * y, -6.0, -2.0, 3.0);
  expect(x / y, -1.5, -0.5, -0.75);
  expect(2.0 * x - y / 4.0 + 1.0, 7.5, 2.0, -0.25);
  expect(squareRoot(x + 1.0), 2.0, 0.25, 0.0);
  expect(absolute(y) * absolute(x), 6.0, 2.0, -3.0);
  Dual<2> sum = x;
  sum += y, sum -= 1.0, sum *= y, sum /= x;  // (x + y − 1) y / x
  expect(sum, 0.0, -2.0 / 3.0, -2.0 / 3.0);
}

TEST(Dual, ComparesValuesAndSelectsSlopesWithThem) {
  const Dual<> x = Dual<>::variable(1.0), one = 1.0, two = 2.0;
  EXPECT_TRUE(x == one && x <= one && x >= one && x < two && two > x);
  EXPECT_FALSE(x < one || x > one || x == two);
  EXPECT_EQ(slopeOf(select(x < two, x, two)), 1.0);
  EXPECT_EQ(slopeOf(select(x > two, x, two)), 0.0);
  EXPECT_EQ(slopeOf(minimum(x, two)), 1.0);
  EXPECT_EQ(slopeOf(maximum(x, two)), 0.0);
}

TEST(Dual, RoundsToAnIntegerThatDoesNotMove) {
  const Dual<> k = roundToInteger(Dual<>::variable(2.7));
  EXPECT_EQ(k.value, 3.0);
  EXPECT_EQ(slopeOf(k), 0.0);
}

TEST(Dual, SlopeOfSineIsCosineInEveryQuadrant) {
  for (double x = -20.0; x < 20.0; x += 0.037) {
    const SinCos<Dual<>> sc = sincos(Dual<>::variable(x));
    // the series is differentiated term by term; each of its dozen terms may round
    EXPECT_NEAR(slopeOf(sc.sin), std::cos(x), 4 * kEps) << x;
    EXPECT_NEAR(slopeOf(sc.cos), -std::sin(x), 4 * kEps) << x;
  }
}

TEST(Dual, SlopeOfArctanRatioIsItsClosedForm) {
  for (double x = 0.03; x < 50.0; x *= 1.07) {
    const double expected = (x / (1.0 + x * x) - std::atan(x)) / (x * x);
    // the closed form cancels: its error is that of two terms of size 1/x
    EXPECT_NEAR(slopeOf(arctanRatio(Dual<>::variable(x))), expected, 8 * kEps * (1.0 + 1.0 / x)) << x;
  }
  EXPECT_EQ(slopeOf(arctanRatio(Dual<>::variable(0.0))), 0.0);
  EXPECT_NEAR(slopeOf(arctanRatio(Dual<>::variable(1e-4))), -2e-4 / 3.0, 1e-12);  // next term 4/5·x³
}

TEST(Dual, RootOfZeroHasNoSlopeInsteadOfNone) {
  const Vec3<Dual<>> still{Dual<>::variable(0.0), 0.0, 0.0};
  EXPECT_EQ(norm(still).value, 0.0);
  EXPECT_EQ(slopeOf(norm(still)), 0.0);
}

/// A vector whose three entries are the variables.
Vec3<Dual<3>> variables(const Vec3<double>& x) {
  return {Dual<3>::variable(x.x, 0), Dual<3>::variable(x.y, 1), Dual<3>::variable(x.z, 2)};
}

TEST(Dual, ExponentialAtZeroTurnsByHalfItsVector) {
  const Quat<Dual<3>> q = expQuat(variables({0.0, 0.0, 0.0}));
  EXPECT_EQ(q.w.value, 1.0);
  const std::array<double, 3> none{0.0, 0.0, 0.0}, x{0.5, 0.0, 0.0}, y{0.0, 0.5, 0.0}, z{0.0, 0.0, 0.5};
  EXPECT_EQ(q.w.tangent, none);
  EXPECT_EQ(q.x.tangent, x);
  EXPECT_EQ(q.y.tangent, y);
  EXPECT_EQ(q.z.tangent, z);
}

TEST(Dual, LogarithmOfExponentialHasTheIdentityAsJacobian) {
  for (const Vec3<double>& theta : {Vec3<double>{0.0, 0.0, 0.0}, Vec3<double>{1e-9, 0.0, -1e-9},
                                    Vec3<double>{0.003, 0.015, 0.012}, Vec3<double>{0.5, -1.0, 1.5}}) {
    const Vec3<Dual<3>> back = logQuat(expQuat(variables(theta)));
    const Dual<3> entries[] = {back.x, back.y, back.z};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(entries[i].tangent[k], i == k ? 1.0 : 0.0, 20 * kEps) << i << k;
  }
}

TEST(Dual, RotationRatesAreThoseOfTheLeftJacobian) {
  for (const double size : {0.0, 0.1, 0.249, 0.251, 2.0}) {
    const Vec3<double> theta = size * Vec3<double>{0.6, 0.0, 0.8};
    const Mat3<Dual<3>> R = toMatrix(expQuat(variables(theta)));
    const Mat3<double> J = leftJacobian(theta, expCoefficients(dot(theta, theta)));
    const Vec3<double> columns[] = {J.x, J.y, J.z};
    for (int k = 0; k < 3; ++k) {  // ∂R/∂θ_k = (column k of Jl) × R
      const Vec3<double> expected = cross(columns[k], Vec3<double>{R.x.x.value, R.x.y.value, R.x.z.value});
      EXPECT_NEAR(R.x.x.tangent[k], expected.x, 20 * kEps);
      EXPECT_NEAR(R.x.y.tangent[k], expected.y, 20 * kEps);
      EXPECT_NEAR(R.x.z.tangent[k], expected.z, 20 * kEps);
    }
  }
}

}  // namespace
}  // namespace rigor
