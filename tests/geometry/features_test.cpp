#include "geometry/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace rigor {
namespace {

/// How far the shape reaches along a direction, from its features: the hull of the balls is the shape.
double reach(const Shape& shape, const Vec3<double>& direction) {
  double most = -1e300;
  for (const SphereFeature& feature : sphereFeatures(shape))
    most = std::max(most, dot(feature.centre, direction) + feature.radius * norm(direction));
  return most;
}

TEST(SphereFeatures, SpanTheShapeInEveryDirection) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 100; ++i) {
    Vec3<double> d{normal(engine), normal(engine), normal(engine)};
    d = (1.0 / norm(d)) * d;
    EXPECT_NEAR(reach(makeSphere(0.3), d), 0.3, 1e-15);
    EXPECT_NEAR(reach(makeCapsule(0.2, 0.5), d), 0.2 + 0.5 * std::abs(d.z), 1e-15);
    EXPECT_NEAR(reach(makeBox({0.1, 0.2, 0.4}), d), 0.1 * std::abs(d.x) + 0.2 * std::abs(d.y) + 0.4 * std::abs(d.z),
                1e-15);
  }
}

TEST(SphereFeatures, OfABoxAreNumberedByTheirSigns) {
  const std::vector<SphereFeature> corners = sphereFeatures(makeBox({1.0, 2.0, 3.0}));
  ASSERT_EQ(corners.size(), 8u);
  for (int k = 0; k < 8; ++k) {
    EXPECT_EQ(corners[k].centre.x, k & 1 ? 1.0 : -1.0);
    EXPECT_EQ(corners[k].centre.y, k & 2 ? 2.0 : -2.0);
    EXPECT_EQ(corners[k].centre.z, k & 4 ? 3.0 : -3.0);
    EXPECT_EQ(corners[k].radius, 0.0);
  }
}

TEST(SphereFeatures, OfAPlaneAreNone) { EXPECT_TRUE(sphereFeatures(makePlane()).empty()); }

}  // namespace
}  // namespace rigor
