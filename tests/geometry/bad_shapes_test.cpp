// Shapes and poses that make no sense, or barely: an error that says what is wrong, or a defined answer.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "meshes.h"
#include "reference/random_shapes.h"
#include "rigor/collide.h"
#include "rigor/error.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Pose at(double x, double y, double z) { return {{x, y, z}, Eigen::Quaterniond::Identity()}; }

/// The message of the Error that `action` throws; empty if there is none.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    return error.what();
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void expectDefined(const Collision& c) {
  EXPECT_TRUE(std::isfinite(c.distance));
  EXPECT_NEAR(c.normal.norm(), 1.0, 1e-12);
  EXPECT_TRUE(c.point_1.allFinite() && c.point_2.allFinite());
  for (const TouchingPoint& p : c.manifold) EXPECT_TRUE(std::isfinite(p.gap) && p.point_1.allFinite());
}

Mesh scaled(Mesh mesh, double by) {
  for (Vector3d& v : mesh.vertices) v *= by;
  return mesh;
}

TEST(BadShape, OfNoSizeIsRefusedByNameAndNumber) {
  for (const double size : {0.0, -0.25, kNan, kInfinity}) {
    EXPECT_TRUE(mentions(refusal([&] { makeSphere(size); }), "sphere"));
    EXPECT_TRUE(mentions(refusal([&] { makeCapsule(size, 1.0); }), "capsule"));
    EXPECT_TRUE(mentions(refusal([&] { makeBox({1.0, size, 1.0}); }), "box"));
    EXPECT_TRUE(mentions(refusal([&] { makeCylinder(1.0, size); }), "cylinder"));
    EXPECT_TRUE(mentions(refusal([&] { makeCone(size, 1.0); }), "cone"));
    EXPECT_TRUE(mentions(refusal([&] { makeEllipsoid({1.0, 1.0, size}); }), "ellipsoid"));
  }
  EXPECT_TRUE(mentions(refusal([&] { makeCapsule(1.0, -0.25); }), "-0.25"));
  expectDefined(collide(makeCapsule(1.0, 0.0), at(0, 0, 0), makeSphere(1.0), at(0, 0, 3), 0.0));  // a sphere
}

TEST(BadShape, OfAnAbsurdSizeIsRefused) {
  EXPECT_TRUE(mentions(refusal([&] { collide(makeSphere(1e200), {}, makeSphere(1.0), {}, 0.0); }), "sphere"));
  EXPECT_TRUE(mentions(refusal([&] { makeHull(share(scaled(ballMesh(1), 1e200))); }), ""));
  EXPECT_FALSE(refusal([&] { makeTriangles(share(scaled(ballMesh(1), 1e200))); }).empty());
  HeightField field{"", 2, 2, 1e200, 1.0, {0.0, 0.0, 0.0, 0.0}};
  EXPECT_TRUE(
      mentions(refusal([&] { collide(makeHeightField(field), {}, makeSphere(1.0), {}, 0.0); }), "height field"));
}

TEST(BadShape, OfEnormousButPossibleSizeHasAnAnswer) {
  for (const double size : {1e-9, 1e9}) {
    const Shape shapes[] = {makeSphere(size), makeBox(Vector3d::Constant(size)),
                            makeEllipsoid(Vector3d::Constant(size)), makeHull(share(scaled(ballMesh(2), size))),
                            makeCone(size, size)};
    for (const Shape& a : shapes)
      for (const Shape& b : shapes) {
        const Collision c = collide(a, at(0, 0, 0), b, at(4.0 * size, 0.1 * size, 0.2 * size), 0.0);
        expectDefined(c);
        EXPECT_GT(c.distance, 0.5 * size);
        EXPECT_LT(c.distance, 2.3 * size);
      }
  }
}

TEST(BadMesh, WithoutVolumeHasNoHullButItsTrianglesCollide) {
  Mesh flat{"flat", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {1, 3, 2}}};
  EXPECT_TRUE(mentions(refusal([&] { makeHull(share(flat)); }), "flat"));
  const Collision c = collide(makeTriangles(share(flat)), {}, makeSphere(0.1), at(0.5, 0.5, 0.2), 0.0);
  EXPECT_NEAR(c.distance, 0.1, 1e-15);
  EXPECT_FALSE(refusal([&] { makeHull(share({"", {}, {}})); }).empty());
  EXPECT_FALSE(refusal([&] { makeTriangles(share({"", {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}})); }).empty());
}

TEST(BadMesh, WithVerticesThatAreNoNumbersIsRefused) {
  for (const double bad : {kNan, kInfinity}) {
    Mesh mesh = ballMesh(0);
    mesh.vertices[3].y() = bad;
    EXPECT_FALSE(refusal([&] { makeHull(share(mesh)); }).empty());
    EXPECT_FALSE(refusal([&] { makeTriangles(share(mesh)); }).empty());
  }
}

// Two balls of triangles through each other in one mesh: what is inside the one sticks out of the other.
TEST(BadMesh, ThatIntersectsItselfTouchesWithEveryTriangle) {
  Mesh both = ballMesh(2);
  const Mesh other = ballMesh(2);
  const int count = static_cast<int>(both.vertices.size());
  for (const Vector3d& v : other.vertices) both.vertices.push_back(v + Vector3d(1, 0, 0));
  for (const auto& t : other.triangles) both.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
  const Shape mesh = makeTriangles(share(both));
  // along x the corner of the second ball is at 2, along −x that of the first at −1
  EXPECT_NEAR(collide(mesh, {}, makeSphere(0.5), at(3.0, 0, 0), 0.0).distance, 0.5, 1e-14);
  EXPECT_NEAR(collide(mesh, {}, makeSphere(0.5), at(-2.0, 0, 0), 0.0).distance, 0.5, 1e-14);
  for (const Shape& shape : {makeSphere(0.4), makeBox({0.4, 0.3, 0.2}), makeCylinder(0.3, 0.2)})
    for (double x = -1.5; x < 2.5; x += 0.13) expectDefined(collide(mesh, {}, shape, at(x, 0.9, 0.3), 0.01));
}

TEST(BadPose, IsRefusedWithTheNumberOfTheShape) {
  const Shape ball = makeSphere(1.0);
  EXPECT_TRUE(mentions(refusal([&] { collide(ball, at(0, kNan, 0), ball, {}, 0.0); }), "shape 1"));
  EXPECT_TRUE(mentions(refusal([&] { collide(ball, {}, ball, at(0, 0, -kInfinity), 0.0); }), "shape 2"));
  const Pose no_rotation{{0, 0, 0}, Eigen::Quaterniond(kNan, 0, 0, 0)};
  EXPECT_TRUE(mentions(refusal([&] { collide(ball, {}, ball, no_rotation, 0.0); }), "rotation"));
  EXPECT_TRUE(mentions(refusal([&] { collide(ball, {}, ball, {}, kNan); }), "margin"));
}

TEST(BadPose, WithARotationThatIsNotUnitIsTakenAsTheRotationItMeans) {
  const Shape box = makeBox({0.1, 0.2, 0.3}), cone = makeCone(0.2, 0.3);
  const Eigen::Quaterniond q(0.3, -0.4, 0.5, 0.6);
  const Collision unit = collide(box, at(0, 0, 0), cone, {{0.4, 0, 0}, q.normalized()}, 0.1);
  for (const double scale : {1e-20, 0.5, 7.0, 1e20}) {
    const Eigen::Quaterniond longer(scale * q.w(), scale * q.x(), scale * q.y(), scale * q.z());
    EXPECT_NEAR(collide(box, at(0, 0, 0), cone, {{0.4, 0, 0}, longer}, 0.1).distance, unit.distance, 1e-15);
  }
}

TEST(IdenticalPoses, OfEveryKindWithEveryKindHaveADefinedAnswer) {
  std::mt19937_64 random(5);
  HeightField field{"", 3, 3, 1.0, 1.0, {0, 0.1, 0, 0.1, 0.3, 0, 0, 0, 0.1}};
  std::vector<Shape> shapes{makePlane(), makeTriangles(share(ballMesh(1))), makeHeightField(field)};
  for (const ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kCapsule, ShapeKind::kBox, ShapeKind::kCylinder,
                               ShapeKind::kCone, ShapeKind::kEllipsoid, ShapeKind::kHull})
    shapes.push_back(reference::randomShape(random, kind, 1.0));
  const Pose X{{0.3, 0.2, 0.1}, reference::randomRotation(random)};
  for (const Shape& a : shapes)
    for (const Shape& b : shapes) {
      if (!canCollide(a.kind, b.kind)) continue;
      for (const double margin : {0.0, 100.0, kInfinity}) {
        const Collision c = collide(a, X, b, X, margin);
        expectDefined(c);
        EXPECT_LT(c.distance, 0.0);
        EXPECT_FALSE(c.manifold.empty());
      }
    }
}

}  // namespace
}  // namespace rigor
