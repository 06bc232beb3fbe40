// Distance, normal, witnesses and manifold of every pair of kinds.
#include "rigor/collide.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/convert.h"
#include "geometry/shape_check.h"
#include "geometry/support.h"
#include "reference/random_shapes.h"
#include "rigor/error.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using reference::PairStyle, reference::PosedPair;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr ShapeKind kConvexKinds[] = {ShapeKind::kSphere, ShapeKind::kCapsule,   ShapeKind::kBox, ShapeKind::kCylinder,
                                      ShapeKind::kCone,   ShapeKind::kEllipsoid, ShapeKind::kHull};

Pose at(double x, double y, double z, const Eigen::Quaterniond& q = Eigen::Quaterniond::Identity()) {
  return {{x, y, z}, q};
}
Eigen::Quaterniond about(const Vector3d& axis, double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

/// A square of side 2 in z = 0 looking up, of two triangles.
Shape square() {
  auto mesh = std::make_shared<Mesh>();
  mesh->vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
  return makeTriangles(mesh);
}

Shape hills(int count = 9) {
  HeightField field;
  field.rows = field.columns = count;
  field.half_x = field.half_y = 1.0;
  for (int row = 0; row < count; ++row)
    for (int column = 0; column < count; ++column) field.heights.push_back(0.1 * std::sin(row) * std::cos(column));
  return makeHeightField(field);
}

/// The surface of a box, of triangles.
Shape boxOfTriangles(const Vector3d& half) {
  auto mesh = std::make_shared<Mesh>();
  for (int v = 0; v < 8; ++v)
    mesh->vertices.emplace_back(v & 1 ? half.x() : -half.x(), v & 2 ? half.y() : -half.y(),
                                v & 4 ? half.z() : -half.z());
  mesh->triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return makeTriangles(mesh);
}

void expectExchanged(const Collision& one, const Collision& other) {
  EXPECT_EQ(one.distance, other.distance);
  EXPECT_EQ(one.normal, -other.normal);
  EXPECT_EQ(one.point_1, other.point_2);
  EXPECT_EQ(one.point_2, other.point_1);
  ASSERT_EQ(one.manifold.size(), other.manifold.size());
  for (std::size_t i = 0; i < one.manifold.size(); ++i) {
    EXPECT_EQ(one.manifold[i].point_1, other.manifold[i].point_2);
    EXPECT_EQ(one.manifold[i].gap, other.manifold[i].gap);
  }
}

/// How far a point lies outside of a convex shape, measured along the normal: a point of the surface has 0.
double beyond(const Shape& shape, const Pose& X, const Vector3d& normal, const Vector3d& point) {
  const Vec3<double> n = toVec3(normal);
  return dot(n, toVec3(point) - supportPoint(viewOf(shape, toTransform(X)), n));
}

void expectSound(const PosedPair& pair, const Collision& c, double margin, double tolerance) {
  EXPECT_NEAR(c.normal.norm(), 1.0, 1e-14);
  EXPECT_LE((c.point_2 - c.point_1 - c.distance * c.normal).norm(), 1e-14 * (1.0 + c.point_1.norm()));
  // the witnesses lie on the planes that hold the shapes apart
  EXPECT_NEAR(beyond(pair.a, pair.X_WA, c.normal, c.point_1), 0.0, tolerance);
  EXPECT_NEAR(beyond(pair.b, pair.X_WB, -c.normal, c.point_2), 0.0, tolerance);
  double least = kInfinity;
  for (const TouchingPoint& p : c.manifold) {
    EXPECT_LE((p.point_2 - p.point_1 - p.gap * p.normal).norm(), 1e-14 * (1.0 + p.point_1.norm()));
    EXPECT_LE(p.gap, margin);
    EXPECT_GE(p.gap, c.distance - tolerance);
    least = std::min(least, p.gap);
  }
  EXPECT_EQ(c.distance > margin, c.manifold.empty());
  if (c.distance > margin) return;
  EXPECT_NEAR(least, c.distance, tolerance);
}

TEST(Collide, GivesTheExchangedAnswerForExchangedShapesAndPointsOnTheSurfaces) {
  std::mt19937_64 random(7);
  for (const ShapeKind a : kConvexKinds)
    for (const ShapeKind b : kConvexKinds)
      for (int style = 0; style < static_cast<int>(PairStyle::kCount); ++style)
        for (int i = 0; i < 20; ++i) {
          const PosedPair pair = reference::randomPair(random, a, b, static_cast<PairStyle>(style));
          SCOPED_TRACE(testing::Message()
                       << shapeKindName(a) << " " << shapeKindName(b) << " style " << style << " " << i);
          const Collision one = collide(pair.a, pair.X_WA, pair.b, pair.X_WB, 0.05);
          expectExchanged(one, collide(pair.b, pair.X_WB, pair.a, pair.X_WA, 0.05));
          // 1e-9 of the size is what is promised for points where surfaces are round
          expectSound(pair, one, 0.05, 1e-9);
        }
}

TEST(Collide, GivesFourCornersForEqualBoxesFaceToFace) {
  for (const double gap : {-1e-3, -1e-5, -1e-9, 0.0, 1e-9, 1e-5, 1e-3}) {
    const Shape box = makeBox({0.5, 0.5, 0.5});
    const Collision c = collide(box, at(0, 0, 0), box, at(0, 0, 1.0 + gap), 0.01);
    EXPECT_NEAR(c.distance, gap, 1e-15);
    EXPECT_NEAR((c.normal - Vector3d::UnitZ()).norm(), 0.0, 1e-15);
    ASSERT_EQ(c.manifold.size(), 4u) << gap;
    for (const TouchingPoint& p : c.manifold) {
      EXPECT_NEAR(p.gap, gap, 1e-15);
      EXPECT_NEAR(std::fabs(p.point_1.x()), 0.5, 1e-15);
      EXPECT_NEAR(std::fabs(p.point_1.y()), 0.5, 1e-15);
    }
  }
}

TEST(Collide, GivesEightPointsForSquaresTurnedByAnEighth) {
  const Shape box = makeBox({0.5, 0.5, 0.5});
  const Collision c =
      collide(box, at(0, 0, 0), box, at(0, 0, 1.0, about(Vector3d::UnitZ(), std::numbers::pi / 4.0)), 1e-6);
  EXPECT_EQ(c.manifold.size(), 8u);
  // the crossings of the outlines: at 0.5 from the axis, and tan 22.5° of that along the side
  const double r = 0.5 / std::cos(std::numbers::pi / 8.0);
  for (const TouchingPoint& p : c.manifold) EXPECT_NEAR(std::hypot(p.point_1.x(), p.point_1.y()), r, 1e-14);
}

TEST(Collide, GivesTwoPointsForACylinderThatLiesOnABox) {
  const Shape cylinder = makeCylinder(0.1, 0.3), box = makeBox({1.0, 1.0, 0.5});
  const Collision c =
      collide(box, at(0, 0, 0), cylinder, at(0, 0, 0.6, about(Vector3d::UnitY(), std::numbers::pi / 2.0)), 1e-6);
  EXPECT_NEAR(c.distance, 0.0, 1e-15);
  ASSERT_EQ(c.manifold.size(), 2u);
  EXPECT_NEAR((c.manifold[0].point_1 - c.manifold[1].point_1).norm(), 0.6, 1e-12);
}

TEST(Collide, GivesTheEndsOfACapsuleAcrossASmallerCube) {
  const Shape capsule = makeCapsule(0.05, 0.5), cube = makeBox({0.1, 0.1, 0.1});
  const Collision c =
      collide(cube, at(0, 0, 0), capsule, at(0, 0, 0.15, about(Vector3d::UnitY(), std::numbers::pi / 2.0)), 1e-6);
  EXPECT_NEAR(c.distance, 0.0, 1e-15);
  ASSERT_EQ(c.manifold.size(), 2u);
  for (const TouchingPoint& p : c.manifold) EXPECT_NEAR(std::fabs(p.point_1.x()), 0.1, 1e-14);
}

TEST(Collide, GivesRimPointsForACylinderThatStandsOnABox) {
  const Shape cylinder = makeCylinder(0.1, 0.3), box = makeBox({1.0, 1.0, 0.5});
  const Collision c = collide(box, at(0, 0, 0), cylinder, at(0.2, 0.1, 0.8), 1e-6);
  EXPECT_EQ(c.manifold.size(), 8u);
  for (const TouchingPoint& p : c.manifold)
    EXPECT_NEAR(std::hypot(p.point_2.x() - 0.2, p.point_2.y() - 0.1), 0.1, 1e-14);
  // over the edge of the box: two points of the rim lie on the edge
  const Collision over = collide(box, at(0, 0, 0), cylinder, at(1.05, 0.1, 0.8), 1e-6);
  int on_edge = 0;
  for (const TouchingPoint& p : over.manifold) on_edge += std::fabs(p.point_2.x() - 1.0) < 1e-12;
  EXPECT_EQ(on_edge, 2);
}

// Three depths in closed form where Coal 3.0.3 answers otherwise: it leaves a cylinder through its side only, and stops its
// search in cones and ellipsoids before 1e-4 of the size is reached.
TEST(Collide, LeavesACylinderThroughTheNearerOfSideAndEnd) {
  const Shape ball = makeSphere(0.2), cylinder = makeCylinder(0.4, 0.75);
  EXPECT_NEAR(collide(ball, at(0.1, 0, 0.7), cylinder, at(0, 0, 0), 0.0).distance, -0.05 - 0.2, 1e-15);
  EXPECT_NEAR(collide(ball, at(0.1, 0, 0.0), cylinder, at(0, 0, 0), 0.0).distance, -0.3 - 0.2, 1e-15);
}

TEST(Collide, LeavesAConeAcrossItsSide) {
  // from the axis at height z the side is (h − z) r / slant away
  const Collision c = collide(makeSphere(0.05), at(0, 0, 0.2), makeCone(0.3, 0.4), at(0, 0, 0), 0.0);
  EXPECT_NEAR(c.distance, -0.2 * 0.3 / std::hypot(0.3, 0.8) - 0.05, 1e-15);
}

TEST(Collide, LeavesAnEllipsoidAlongItsShortestAxis) {
  const Collision c = collide(makeSphere(0.1), at(0, 0, 0), makeEllipsoid({0.3, 0.2, 0.35}), at(0, 0, 0), 0.0);
  EXPECT_NEAR(c.distance, -0.2 - 0.1, 1e-14);
  EXPECT_NEAR(std::fabs(c.normal.y()), 1.0, 1e-12);
}

TEST(Collide, KeepsAllCornersOfABoxDeepInAPlane) {
  const Collision c = collide(makePlane(), at(0, 0, 0), makeBox({0.1, 0.2, 0.3}), at(0, 0, -5.0), 0.0);
  EXPECT_NEAR(c.distance, -5.3, 1e-15);
  EXPECT_EQ(c.manifold.size(), 8u);
}

TEST(Collide, MeetsPlanesWithEveryKind) {
  std::mt19937_64 random(3);
  for (const ShapeKind kind : kConvexKinds)
    for (int i = 0; i < 50; ++i) {
      const Shape shape = reference::randomShape(random, kind, 1.0);
      const Pose X_P{Vector3d(0.3, -0.2, 0.1), reference::randomRotation(random)};
      const Pose X_S{Vector3d(0.1, 0.2, 0.3), reference::randomRotation(random)};
      const Collision c = collide(makePlane(), X_P, shape, X_S, kInfinity);
      const Vector3d n = X_P.rotation * Vector3d::UnitZ();
      const Vec3<double> low = supportPoint(viewOf(shape, toTransform(X_S)), toVec3(-n));
      EXPECT_NEAR(c.distance, n.dot(toEigen(low) - X_P.position), 1e-14);
      EXPECT_NEAR((c.normal - n).norm(), 0.0, 1e-15);
      expectExchanged(c, collide(shape, X_S, makePlane(), X_P, kInfinity));
    }
}

// What users of other engines report broken: a phantom depth of boxes that kiss, a box on one a hundred times larger.
TEST(Collide, KeepsItsDigitsOnAFloorOfAHundredMetres) {
  const Collision c =
      collide(makeBox({50, 50, 0.5}), at(0, 0, 0), makeBox({0.1, 0.1, 0.1}), at(30, -20, 0.6 - 1e-7), 1e-6);
  EXPECT_NEAR(c.distance, -1e-7, 1e-14);
  EXPECT_EQ(c.manifold.size(), 4u);
}

TEST(Collide, SlidesOverASeamOfTrianglesAsOverABox) {
  const Shape flat = square();
  for (const Shape& shape : {makeBox({0.1, 0.1, 0.1}), makeCylinder(0.1, 0.1), makeSphere(0.1), makeCapsule(0.05, 0.05),
                             makeEllipsoid({0.05, 0.07, 0.1})})
    for (double x = -0.5; x < 0.5; x += 0.0371)
      for (const double gap : {-1e-6, 0.0, 1e-6, 1e-3}) {
        const Collision c = collide(flat, at(0, 0, 0), shape, at(x, 0.3, 0.1 + gap), 0.01);
        EXPECT_NEAR(c.distance, gap, 1e-12) << shapeKindName(shape.kind) << " at " << x;
        ASSERT_FALSE(c.manifold.empty());
        for (const TouchingPoint& p : c.manifold)
          EXPECT_NEAR((p.normal - Vector3d::UnitZ()).norm(), 0.0, 1e-7) << shapeKindName(shape.kind) << " at " << x;
      }
}

TEST(Collide, TreatsABoxOfTrianglesAsTheBox) {
  std::mt19937_64 random(11);
  const Vector3d half(0.4, 0.5, 0.3);
  const Shape solid = makeBox(half), shell = boxOfTriangles(half);
  int apart = 0;
  for (const ShapeKind kind : kConvexKinds)
    for (int i = 0; i < 60; ++i) {
      const Shape shape = reference::randomShape(random, kind, 0.3);
      const Pose X_S{0.8 * Vector3d::Random(), reference::randomRotation(random)};
      const Collision expected = collide(solid, at(0, 0, 0), shape, X_S, 0.01);
      if (expected.distance < 1e-6) continue;
      ++apart;
      const Collision c = collide(shell, at(0, 0, 0), shape, X_S, 0.01);
      EXPECT_NEAR(c.distance, expected.distance, 1e-10) << shapeKindName(kind) << " " << i;
      EXPECT_NEAR((c.normal - expected.normal).norm(), 0.0, 1e-6) << shapeKindName(kind) << " " << i;
    }
  EXPECT_GT(apart, 100);
}

TEST(Collide, LeavesASurfaceThatItIsWhollyBehindThroughTheNearestTriangle) {
  const Shape ball = makeSphere(0.1);
  const Collision c = collide(boxOfTriangles({1, 1, 1}), at(0, 0, 0), ball, at(0.2, 0.1, 0.7), 0.0);
  EXPECT_NEAR(c.distance, -0.4, 1e-14);
  EXPECT_NEAR((c.normal - Vector3d::UnitZ()).norm(), 0.0, 1e-14);
  EXPECT_EQ(c.manifold.size(), 1u);
  const Collision ground = collide(hills(), at(0, 0, 0), ball, at(0, 0, -3.0), 0.0);
  EXPECT_LT(ground.distance, -2.5);
}

TEST(Collide, MeetsHeightFieldsWithEveryKind) {
  std::mt19937_64 random(5);
  const Shape ground = hills();
  for (const ShapeKind kind : kConvexKinds)
    for (int i = 0; i < 30; ++i) {
      const Shape shape = reference::randomShape(random, kind, 0.3);
      const Pose X_S{Vector3d(0.3 * std::sin(i), 0.3 * std::cos(i), 0.05 * i), reference::randomRotation(random)};
      const Collision c = collide(ground, at(0, 0, 0), shape, X_S, 0.02);
      ASSERT_TRUE(std::isfinite(c.distance));
      EXPECT_GT(c.normal.z(), 0.0);
      expectExchanged(c, collide(shape, X_S, ground, at(0, 0, 0), 0.02));
    }
}

TEST(Collide, NamesThePairsThatItDoesNotKnow) {
  const Shape plane = makePlane(), mesh = square(), ground = hills();
  for (const auto& [a, b] :
       {std::pair{plane, plane}, {plane, ground}, {mesh, mesh}, {mesh, ground}, {ground, ground}}) {
    EXPECT_FALSE(canCollide(a.kind, b.kind));
    try {
      collide(a, at(0, 0, 0), b, at(0, 0, 1), 0.0);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(shapeKindName(a.kind)), std::string::npos);
    }
  }
  EXPECT_NEAR(collide(plane, at(0, 0, 0), mesh, at(0, 0, 1), 0.0).distance, 1.0, 1e-15);
}

TEST(Collide, RefusesWhatIsNoNumberAndSizesThatNoSolidHas) {
  const Shape ball = makeSphere(1.0);
  const double nan = std::nan("");
  EXPECT_THROW(collide(ball, at(nan, 0, 0), ball, at(0, 0, 1), 0.0), Error);
  EXPECT_THROW(collide(ball, at(0, 0, 0), ball, at(0, kInfinity, 1), 0.0), Error);
  EXPECT_THROW(collide(ball, at(0, 0, 0, Eigen::Quaterniond(0, 0, 0, 0)), ball, at(0, 0, 1), 0.0), Error);
  EXPECT_THROW(collide(ball, at(0, 0, 0), ball, at(0, 0, 1), nan), Error);
  for (const ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kCapsule, ShapeKind::kBox, ShapeKind::kCylinder,
                               ShapeKind::kCone, ShapeKind::kEllipsoid})
    for (const double size : {0.0, -1.0, nan, kInfinity})
      EXPECT_THROW(collide({kind, {size, 1.0, 1.0}}, at(0, 0, 0), ball, at(0, 0, 1), 0.0), Error);
  EXPECT_THROW(collide({ShapeKind::kHull}, at(0, 0, 0), ball, at(0, 0, 1), 0.0), Error);
  EXPECT_THROW(collide({ShapeKind::kTriangles}, at(0, 0, 0), ball, at(0, 0, 1), 0.0), Error);
}

TEST(Collide, HasAnAnswerForIdenticalPosesAndForMarginsLargerThanTheShapes) {
  std::mt19937_64 random(13);
  for (const ShapeKind kind : kConvexKinds) {
    const Shape shape = reference::randomShape(random, kind, 1.0);
    const Pose X{Vector3d(1, 2, 3), reference::randomRotation(random)};
    const Collision c = collide(shape, X, shape, X, 1e3);
    EXPECT_LT(c.distance, 0.0);
    EXPECT_NEAR(c.normal.norm(), 1.0, 1e-14);
    EXPECT_FALSE(c.manifold.empty());
    for (const TouchingPoint& p : c.manifold) EXPECT_TRUE(std::isfinite(p.gap));
  }
  EXPECT_TRUE(collide(makeSphere(1), at(0, 0, 0), makeSphere(1), at(0, 0, 3), -0.5).manifold.empty());
}

}  // namespace
}  // namespace rigor
