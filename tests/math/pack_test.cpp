// Packs in the registers that every CPU has; wider ones run the same kernels in tests/dynamics.
#include "math/pack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rigor {
namespace {

using Pack = Pack4<2>;

Pack make(double a, double b, double c, double d) {
  Pack result;
  const double lanes[] = {a, b, c, d};
  for (int i = 0; i < kLanes; ++i) result.setLane(i, lanes[i]);
  return result;
}

void expectLanes(const Pack& pack, double a, double b, double c, double d) {
  const double lanes[] = {a, b, c, d};
  for (int i = 0; i < kLanes; ++i) EXPECT_EQ(pack.lane(i), lanes[i]) << "lane " << i;
}

TEST(Pack, ComputesEachLaneByItself) {
  const Pack a = make(1.0, 2.0, 3.0, 4.0), b = make(0.5, -1.0, 0.25, 8.0);
  expectLanes(a + b, 1.5, 1.0, 3.25, 12.0);
  expectLanes(a - b, 0.5, 3.0, 2.75, -4.0);
  expectLanes(a * b, 0.5, -2.0, 0.75, 32.0);
  expectLanes(a / b, 2.0, -2.0, 12.0, 0.5);
  expectLanes(-a, -1.0, -2.0, -3.0, -4.0);
  expectLanes(1.0 - 2.0 * a / 4.0, 0.5, 0.0, -0.5, -1.0);
  expectLanes(absolute(b), 0.5, 1.0, 0.25, 8.0);
  expectLanes(squareRoot(make(0.0, 4.0, 9.0, 2.0)), 0.0, 2.0, 3.0, std::sqrt(2.0));
  Pack c = a;
  c += b, c -= 1.0, c *= 2.0, c /= b;
  expectLanes(c, 2.0, -0.0, 18.0, 2.75);
}

TEST(Pack, SelectsEachLaneByItself) {
  const Pack a = make(1.0, 2.0, 3.0, 4.0), b = make(4.0, 2.0, 2.0, 5.0), yes = 1.0, no = 0.0;
  expectLanes(select(a < b, yes, no), 1, 0, 0, 1);
  expectLanes(select(a > b, yes, no), 0, 0, 1, 0);
  expectLanes(select(a <= b, yes, no), 1, 1, 0, 1);
  expectLanes(select(a >= b, yes, no), 0, 1, 1, 0);
  expectLanes(select(a == b, yes, no), 0, 1, 0, 0);
  expectLanes(minimum(a, b), 1, 2, 2, 4);
  expectLanes(maximum(a, b), 4, 2, 3, 5);
}

TEST(Pack, NeitherComparesNorSpreadsANaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Pack a = make(nan, 1.0, nan, 2.0);
  expectLanes(select(a == a, Pack(1.0), Pack(0.0)), 0, 1, 0, 1);
  const Pack sum = a + 1.0;
  EXPECT_TRUE(std::isnan(sum.lane(0)) && std::isnan(sum.lane(2)));
  EXPECT_EQ(sum.lane(1), 2.0);
  EXPECT_EQ(sum.lane(3), 3.0);
}

TEST(Pack, KeepsTheSignOfZero) {
  const Pack zero = -0.0;
  for (int i = 0; i < kLanes; ++i) {
    EXPECT_TRUE(std::signbit(zero.lane(i)));
    EXPECT_FALSE(std::signbit(absolute(zero).lane(i)));
    EXPECT_FALSE(std::signbit((-zero).lane(i)));
  }
}

TEST(Pack, IsZeroWhenValueInitialised) { expectLanes(Pack{}, 0.0, 0.0, 0.0, 0.0); }

}  // namespace
}  // namespace rigor
