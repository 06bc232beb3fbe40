// Support points of hulls, and names of the places where shapes touch.
#include "geometry/support.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/convert.h"
#include "meshes.h"
#include "reference/random_shapes.h"
#include "rigor/collide.h"

namespace rigor {
namespace {

TEST(Support, OfAHullIsItsHighestVertexWhereverTheClimbBegins) {
  std::mt19937_64 random(31);
  const Shape hulls[] = {makeHull(share(ballMesh(3))), makeHull(share(boxMesh({-1, -2, -3}, {2, 4, 6}))),
                         reference::randomShape(random, ShapeKind::kHull, 1.0)};
  for (const Shape& hull : hulls) {
    const ConvexShape view = viewOf(hull, Transform<double>::identity());
    const std::vector<Vec3<double>>& vertices = hull.polytope->vertices;
    for (int i = 0; i < 2000; ++i) {
      const Eigen::Vector3d direction = reference::randomRotation(random) * Eigen::Vector3d::UnitX();
      const Vec3<double> d = toVec3(direction);
      double highest = -1e300;
      for (const Vec3<double>& v : vertices) highest = std::max(highest, dot(v, d));
      const int starts[] = {-1, 0, i % static_cast<int>(vertices.size()), 1 << 20};  // the last is none
      for (const int start : starts) ASSERT_EQ(dot(localCoreSupport(view, d, start).point, d), highest) << i;
    }
  }
}

TEST(FeatureAt, CountsFacesAndOverlooksLinesOnFlatSides) {
  const Shape box = makeBox({1, 2, 3}), shell = makeTriangles(share(boxMesh({-1, -2, -3}, {2, 4, 6})));
  const Pose X{{5, 6, 7}, Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()))};
  for (const Shape& shape : {box, shell}) {
    EXPECT_STREQ(featureAt(shape, X, X * Eigen::Vector3d(1, 2, 3)), "vertex");
    EXPECT_STREQ(featureAt(shape, X, X * Eigen::Vector3d(1, 2, 0.4)), "edge");
    EXPECT_STREQ(featureAt(shape, X, X * Eigen::Vector3d(1, 0.3, 0.4)), "face");
    EXPECT_STREQ(featureAt(shape, X, X * Eigen::Vector3d(1, 0, 0)), "face");  // on the diagonal of the side
  }
  EXPECT_STREQ(featureAt(makeCylinder(1, 2), X, X * Eigen::Vector3d(0, 1, 2)), "rim");
  EXPECT_STREQ(featureAt(makeCylinder(1, 2), X, X * Eigen::Vector3d(0, 0.5, -2)), "face");
  EXPECT_STREQ(featureAt(makeCylinder(1, 2), X, X * Eigen::Vector3d(0, 1, 1)), "side");
  EXPECT_STREQ(featureAt(makeCone(1, 2), X, X * Eigen::Vector3d(0, 0, 2)), "apex");
  EXPECT_STREQ(featureAt(makeCapsule(1, 2), X, X * Eigen::Vector3d(0, 1, 1)), "side");
  EXPECT_STREQ(featureAt(makeCapsule(1, 2), X, X * Eigen::Vector3d(0, 0, 3)), "cap");
  EXPECT_STREQ(featureAt(makeSphere(1), X, X * Eigen::Vector3d(0, 0, 1)), "surface");
}

// Lines of capsules that cross touch once; side by side they touch along a length.
TEST(Capsules, TouchOnceWhereTheyCrossAndTwiceSideBySide) {
  const Shape capsule = makeCapsule(0.1, 0.5);
  const auto points = [&](double angle, double x, double z) {
    const Eigen::Quaterniond q(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()));
    return collide(capsule, {}, capsule, {{x, 0, z}, q}, 1e-3).manifold;
  };
  EXPECT_EQ(points(1.0, 0.2, 0.0).size(), 1u);                     // crossing
  EXPECT_EQ(points(0.0, 0.2, 0.0).size(), 2u);                     // parallel
  EXPECT_EQ(points(0.0, 0.0, 1.2).size(), 1u);                     // end to end
  EXPECT_EQ(points(0.5 * 3.14159265358979, 0.0, 0.7).size(), 1u);  // a T
  const auto side_by_side = points(0.0, 0.2, 0.3);
  ASSERT_EQ(side_by_side.size(), 2u);
  EXPECT_NEAR((side_by_side[0].point_1 - side_by_side[1].point_1).norm(), 0.7, 1e-12);
  for (const double angle : {1e-2, 1e-3, 2e-4})  // nearly parallel: the gap at the ends grows with the angle
    for (const TouchingPoint& p : points(angle, 0.2, 0.0)) EXPECT_LE(p.gap, 1e-3);
}

}  // namespace
}  // namespace rigor
