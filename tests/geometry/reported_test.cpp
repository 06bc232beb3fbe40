// What users of other engines report broken between boxes and hulls, each with its closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "meshes.h"
#include "rigor/collide.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

Pose at(double x, double y, double z) { return {{x, y, z}, Eigen::Quaterniond::Identity()}; }

Eigen::Quaterniond about(const Vector3d& axis, double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

/// The box as a file of triangles has it.
Shape boxFromTriangles(const Vector3d& half) { return makeHull(share(boxMesh(-half, 2.0 * half))); }

/// All gaps are those of the distance, and the points are `count` corners at most `reach` from the axis of the normal.
void expectFlat(const Collision& c, double distance, std::size_t count, double tolerance) {
  EXPECT_NEAR(c.distance, distance, tolerance);
  ASSERT_EQ(c.manifold.size(), count);
  for (const TouchingPoint& p : c.manifold) EXPECT_NEAR(p.gap, distance, tolerance);
}

// A search that stops at a tolerance of its own gives boxes that kiss a depth of half an edge, or one corner of four.
TEST(EqualBoxes, ThatKissHaveTheirTrueDepthAndFourCornersHoweverSmallItIs) {
  const Vector3d half(0.5, 0.5, 0.5);
  for (const Shape& box : {makeBox(half), boxFromTriangles(half)})
    for (const double overlap : {1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 0.0})
      for (const double sign : {-1.0, 1.0}) {
        SCOPED_TRACE(testing::Message() << "gap " << sign * overlap);
        const Collision c = collide(box, at(0, 0, 0), box, at(0, 0, 1.0 + sign * overlap), 2e-3);
        // 1 + 1e-12 is known to 2e-16 only: that is what the gap is exact to
        expectFlat(c, sign * overlap, 4, 3e-16);
        EXPECT_EQ(c.normal, Vector3d::UnitZ());
        for (const TouchingPoint& p : c.manifold)
          for (const int axis : {0, 1}) EXPECT_NEAR(std::fabs(p.point_1[axis]), 0.5, 1e-15);
      }
}

TEST(EqualBoxes, ThatKissAtAnyRotationHaveTheirTrueDepthAndFourCorners) {
  const Shape box = makeBox({0.5, 0.5, 0.5});
  for (int turn = 0; turn < 50; ++turn)
    for (const double gap : {-1e-5, -1e-8, -1e-11, 1e-11, 1e-8, 1e-5}) {
      const Eigen::Quaterniond q = about({std::sin(turn), std::cos(turn), 0.3}, 0.37 * turn);
      const Collision c = collide(box, {{0, 0, 0}, q}, box, {q * Vector3d(0, 0, 1.0 + gap), q}, 1e-4);
      SCOPED_TRACE(testing::Message() << "turn " << turn << " gap " << gap);
      expectFlat(c, gap, 4, 1e-15);  // a few roundings of lengths of 1 m
    }
}

// Below its tolerance of 1e-6 Coal 3.0.3 takes such gaps for contact and has no depth for some.
TEST(CrossedEdges, KeepTheirGapHoweverSmallItIs) {
  const Shape lower = makeBox({0.5, 0.1, 0.1}), upper = boxFromTriangles({0.1, 0.4, 0.1});
  const double edge = 0.1 * std::sqrt(2.0);  // height of an edge that points straight up
  for (const double gap : {1e-3, 1e-6, 8.5e-7, 1e-8, 1e-10, 1e-12, -1e-12, -1e-10, -1e-8, -1e-6})
    for (const double slide : {0.0, 0.05}) {
      const Pose above{{slide, 0.5 * slide, 2.0 * edge + gap}, about(Vector3d::UnitY(), 0.25 * M_PI)};
      const Collision c = collide(lower, {{0, 0, 0}, about(Vector3d::UnitX(), 0.25 * M_PI)}, upper, above, 2e-3);
      EXPECT_NEAR(c.distance, gap, 2e-16) << gap;
      EXPECT_NEAR((c.normal - Vector3d::UnitZ()).norm(), 0.0, 1e-15) << gap;
    }
}

TEST(CoincidentBoxes, LeaveEachOtherAlongTheirShortestEdge) {
  const Vector3d half(0.3, 0.1, 0.2);
  for (const Shape& box : {makeBox(half), boxFromTriangles(half)}) {
    const Pose X{{1, 2, 3}, about({1, 2, 3}, 0.7)};
    const Collision c = collide(box, X, box, X, 0.0);
    EXPECT_NEAR(c.distance, -0.2, 1e-15);
    EXPECT_NEAR(std::fabs(c.normal.dot(X.rotation * Vector3d::UnitY())), 1.0, 1e-15);
    expectFlat(c, -0.2, 4, 1e-15);
  }
}

TEST(StlBox, OnAPlaneHasTheGapsOfThePrimitive) {
  const Vector3d half(0.1, 0.2, 0.05);
  const Shape mesh = boxFromTriangles(half), box = makeBox(half), plane = makePlane();
  EXPECT_EQ(countHull(mesh).vertices, 8);
  EXPECT_EQ(countHull(mesh).faces, 6);
  for (int turn = 0; turn < 40; ++turn) {
    const Eigen::Quaterniond q = turn < 4 ? about(Vector3d::UnitZ(), 0.4 * turn) : about({1.0, 0.1 * turn, -2.0}, turn);
    const Pose X{{0.3, -0.2, 0.05 - 1e-9 * turn}, q};
    const Collision expected = collide(plane, {}, box, X, 1e-6), c = collide(plane, {}, mesh, X, 1e-6);
    EXPECT_NEAR(c.distance, expected.distance, 1e-16);
    EXPECT_EQ(c.manifold.size(), expected.manifold.size());
  }
  expectFlat(collide(plane, {}, mesh, at(0, 0, 0.05 - 1e-8), 1e-6), -1e-8, 4, 1e-16);
}

// The larger box has coordinates of 50 m, whose last digit is 7e-15 m.
TEST(SmallBox, OnAHundredMetreBoxKeepsItsGap) {
  for (const Shape& large : {makeBox({50, 50, 50}), boxFromTriangles({50, 50, 50})})
    for (const double edge : {1e-3, 1e-2, 1e-1})
      for (const double gap : {-1e-9, -1e-11, 1e-11, 1e-9})
        for (const double yaw : {0.0, 1e-9, 0.3}) {
          const Shape small = makeBox(Vector3d::Constant(0.5 * edge));
          const Pose X{{31.7, -22.3, 50.0 + 0.5 * edge + gap}, about(Vector3d::UnitZ(), yaw)};
          SCOPED_TRACE(testing::Message() << "edge " << edge << " gap " << gap << " yaw " << yaw);
          expectFlat(collide(large, at(0, 0, 0), small, X, 1e-8), gap, 4, 1.5e-14);
        }
}

// A peg of 20 mm in a hole of 20.02 mm: four walls, each 10 µm away, with the whole side in common.
TEST(SquarePeg, InAHoleOfTenMicrometresClearanceIsTenMicrometresFromEveryWall) {
  const double clearance = 1e-5, half = 0.01;
  const Shape peg = makeBox({half, half, 0.05}), wall = makeBox({0.02, 0.1, 0.05});
  for (int side = 0; side < 4; ++side) {
    const Eigen::Quaterniond q = about(Vector3d::UnitZ(), 0.5 * M_PI * side);
    const Collision c = collide(peg, at(0, 0, 0), wall, {q * Vector3d(half + clearance + 0.02, 0, -0.02), q}, 1e-4);
    expectFlat(c, clearance, 4, 1e-16);
    for (const TouchingPoint& p : c.manifold) EXPECT_TRUE(p.point_1.z() < -0.0499 || p.point_1.z() > 0.0299);
  }
}

}  // namespace
}  // namespace rigor
