#include "contact/cones.h"

#include <gtest/gtest.h>

#include "reference/mechanism.h"

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

}  // namespace
}  // namespace rigor
