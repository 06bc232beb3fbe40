#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "contact/friction_cone.h"
#include "contact/half_line.h"
#include "contact/interval.h"
#include "reference/mechanism.h"
#include "reference/slow_projection.h"

namespace rigor {
namespace {

// The nearest point p of a closed convex cone is the one with p ∈ K, p − x ∈ K* and p·(p − x) = 0.
TEST(FrictionCone, ProjectionIsThePointWithTheConesOptimalityConditions) {
  reference::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double mu = i % 10 == 0 ? 0.0 : random.logUniform(1e-3, 10.0);
    const double size = random.logUniform(1e-6, 1e6);
    const double x[3] = {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
    double p[3] = {x[0], x[1], x[2]};
    projectOnFrictionCone(mu, p);
    const double rest[3] = {p[0] - x[0], p[1] - x[1], p[2] - x[2]};
    const double rounding = 1e-14 * size;
    EXPECT_LE(std::hypot(p[1], p[2]), mu * p[0] + rounding);
    // K* = {|t| ≤ n/μ}
    EXPECT_LE(mu * std::hypot(rest[1], rest[2]), rest[0] + rounding * (1.0 + mu));
    EXPECT_NEAR(p[0] * rest[0] + p[1] * rest[1] + p[2] * rest[2], 0.0, rounding * size);
  }
}

// Every sign, zero, −0, tiny and huge, in every combination, for cones from the half line to almost the half space.
TEST(FrictionCone, ProjectionIsTheNearestPointThatASearchFinds) {
  const double sizes[] = {0.0, 5e-324, 1e-300, 1e-160, 1e-20, 1e-3, 0.3, 1.0, 7.0, 1e8, 1e160, 1e300};
  std::vector<double> values;
  for (double size : sizes) values.insert(values.end(), {size, -size});
  for (double mu : {0.0, 5e-324, 1e-160, 1e-9, 0.1, 0.5, 1.0, 1.0 + 1e-15, 3.0, 1e6, 1e160, 1e300})
    for (double n : values)
      for (double t1 : values)
        for (double t2 : {0.0, -0.0, 0.5 * t1, -1.0, 1e-300}) {
          double p[3] = {n, t1, t2};
          projectOnFrictionCone(mu, p);
          const auto nearest = reference::searchNearestInCone(mu, {n, t1, t2});
          const double size = std::max({std::abs(n), std::abs(t1), std::abs(t2)});
          // Some roundings of the largest entry; below the smallest normal double there are no digits to keep.
          const double rounding = 1e-15 * size + 2.0 * std::numeric_limits<double>::min();
          for (int r = 0; r < 3; ++r)
            ASSERT_NEAR(p[r], static_cast<double>(nearest[r]), rounding)
                << "mu " << mu << " x " << n << " " << t1 << " " << t2 << " entry " << r;
          ASSERT_GE(p[0], 0.0) << "mu " << mu << " x " << n << " " << t1 << " " << t2;
        }
}

TEST(FrictionCone, AHalfLineAcceptsNoPull) {
  for (double zero : {0.0, -0.0}) {
    double pull[3] = {-1.0, zero, -zero};
    projectOnFrictionCone(zero, pull);
    EXPECT_EQ(pull[0], 0.0);
  }
}

TEST(FrictionCone, NotANumberStaysOne) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double mu : {0.0, 0.5, 2.0})
    for (int i = 0; i < 3; ++i)
      for (double n : {-1.0, 0.0, 1.0}) {
        double x[3] = {n, 0.2, 0.0};
        x[i] = nan;
        projectOnFrictionCone(mu, x);
        EXPECT_FALSE(std::isfinite(x[0] + x[1] + x[2])) << mu << " " << i << " " << n;
      }
  EXPECT_TRUE(std::isnan(projectOnHalfLine(nan)));
  EXPECT_TRUE(std::isnan(projectOnInterval(-1.0, 1.0, nan)));
}

TEST(FrictionCone, ProjectionLeavesItsOwnPointsToTheBit) {
  double inside[3] = {1.0, 0.3, -0.1}, apex[3] = {0, 0, 0}, axis[3] = {2.0, 0, 0};
  projectOnFrictionCone(0.5, inside);
  projectOnFrictionCone(0.5, apex);
  projectOnFrictionCone(0.0, axis);
  EXPECT_EQ(inside[0], 1.0);
  EXPECT_EQ(inside[1], 0.3);
  EXPECT_EQ(inside[2], -0.1);
  EXPECT_EQ(apex[0], 0.0);
  EXPECT_EQ(axis[0], 2.0);
}

TEST(Interval, ProjectionKeepsInfiniteBoundsOpen) {
  EXPECT_EQ(projectOnInterval(-INFINITY, INFINITY, -3.0), -3.0);
  EXPECT_EQ(projectOnInterval(-INFINITY, 1.0, 3.0), 1.0);
  EXPECT_EQ(projectOnInterval(-1.0, 1.0, -3.0), -1.0);
  EXPECT_EQ(projectOnHalfLine(-2.0), 0.0);
}

TEST(Interval, ProjectionIsTheNearestPointThatASearchFinds) {
  const double inf = std::numeric_limits<double>::infinity();
  const double ends[] = {-inf, -1e300, -1.0, -1e-300, -0.0, 0.0, 1e-300, 1.0, 1e300, inf};
  Block box, limit;
  box.kind = BlockKind::kBox;
  limit.kind = BlockKind::kAtLeast;
  for (double x : {-1e300, -2.0, -1.0, -1e-300, -0.0, 0.0, 5e-324, 1.0, 1.5, 1e300}) {
    EXPECT_EQ(projectOnHalfLine(x), static_cast<double>(reference::searchNearest(ContactProblem(), limit, {x})[0]))
        << x;
    for (double lo : ends)
      for (double hi : ends) {
        if (!(lo <= hi) || lo == inf || hi == -inf) continue;
        box.lo = lo, box.hi = hi;
        const double nearest = static_cast<double>(reference::searchNearest(ContactProblem(), box, {x})[0]);
        EXPECT_EQ(projectOnInterval(lo, hi, x), nearest) << x << " in " << lo << " " << hi;
      }
  }
}

}  // namespace
}  // namespace rigor
