#include "geometry/separation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace rigor {
namespace {

using Eigen::Quaterniond, Eigen::Vector3d;

class Dice {
 public:
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vector3d vector(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
  Pose pose(double reach) {
    return {vector(reach), Quaterniond(Eigen::AngleAxisd(between(0, 6), vector(1).normalized()))};
  }
  Shape shape() {
    switch (engine_() % 3) {
      case 0:
        return makeSphere(between(0.05, 0.5));
      case 1:
        return makeCapsule(between(0.05, 0.3), between(0.0, 0.5));
      default:
        return makeBox({between(0.05, 0.5), between(0.05, 0.5), between(0.05, 0.5)});
    }
  }

 private:
  std::mt19937 engine_{7};
};

/// Points on the skeleton of a shape, and the radius around it. Denser points only bring the distance below down.
std::vector<Vector3d> corePoints(const Shape& shape, const Pose& pose) {
  constexpr int n = 6;
  std::vector<Vector3d> points;
  const Vector3d half = shape.kind == ShapeKind::kBox       ? shape.size
                        : shape.kind == ShapeKind::kCapsule ? Vector3d(0, 0, shape.size[1])
                                                            : Vector3d::Zero().eval();
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      for (int k = 0; k <= n; ++k)
        points.push_back(pose *
                         Vector3d(half.cwiseProduct(Vector3d(2.0 * i / n - 1, 2.0 * j / n - 1, 2.0 * k / n - 1))));
  return points;
}

double sampledDistance(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Vector3d& p : corePoints(a, X_WA))
    for (const Vector3d& q : corePoints(b, X_WB)) nearest = std::min(nearest, (p - q).norm());
  const auto radius = [](const Shape& shape) { return shape.kind == ShapeKind::kBox ? 0.0 : shape.size[0]; };
  return nearest - radius(a) - radius(b);
}

TEST(ProvenDistance, IsNeverAboveTheDistanceOfTwoPoints) {
  Dice dice;
  for (int i = 0; i < 300; ++i) {
    const Shape a = dice.shape(), b = dice.shape();
    const Pose X_WA = dice.pose(0.7), X_WB = dice.pose(0.7);
    // rounding of lengths below 3 m
    EXPECT_LE(provenDistance(a, X_WA, b, X_WB), sampledDistance(a, X_WA, b, X_WB) + 1e-14) << i;
  }
}

TEST(ProvenDistance, FindsAGapOfAMillimetreBetweenAnyTwoShapes) {
  Dice dice;
  for (int i = 0; i < 2000; ++i) {
    const Shape a = dice.shape(), b = dice.shape();
    const Pose X_WA = dice.pose(0.5);
    Pose X_WB = dice.pose(0.5);
    // B is pushed away from A along some direction until the supports have a gap of 1 mm
    const Vector3d d = dice.vector(1.0).normalized();
    double high = -1e9, low = 1e9;
    for (const Vector3d& p : corePoints(a, X_WA)) high = std::max(high, d.dot(p));
    for (const Vector3d& p : corePoints(b, X_WB)) low = std::min(low, d.dot(p));
    const auto radius = [](const Shape& shape) { return shape.kind == ShapeKind::kBox ? 0.0 : shape.size[0]; };
    X_WB.position += (high + radius(a) - low + radius(b) + 1e-3) * d;
    EXPECT_GT(provenDistance(a, X_WA, b, X_WB), 0.0) << i;
  }
}

TEST(ProvenDistance, IsExactForBallsAndForBoxesFaceToFace) {
  const Pose far{{3.0, 4.0, 0.0}, Quaterniond::Identity()};
  EXPECT_NEAR(provenDistance(makeSphere(1.0), {}, makeSphere(0.5), far), 3.5, 1e-14);
  const Pose beside{{0.0, 0.0, 2.5}, Quaterniond::Identity()};
  EXPECT_NEAR(provenDistance(makeBox({1, 1, 1}), {}, makeBox({9, 9, 1}), beside), 0.5, 1e-14);
}

TEST(ProvenDistance, IsNotPositiveForShapesInOnePlaceOrTouching) {
  const Shape box = makeBox({0.1, 0.1, 0.1});
  EXPECT_LE(provenDistance(box, {}, box, {}), 0.0);
  EXPECT_LE(provenDistance(makeSphere(0.1), {}, box, {}), 0.0);
  EXPECT_LE(provenDistance(box, {}, box, {{0.2, 0.0, 0.0}, Quaterniond::Identity()}), 0.0);
  EXPECT_LE(provenDistance(makeCapsule(0.1, 0.0), {}, makeSphere(0.1), {}), 0.0);
}

TEST(ProvenDistance, ToAPlaneIsTheHeightOfTheLowestPoint) {
  const Pose plane{{0, 0, 1}, Eigen::Quaterniond::Identity()};
  const Pose turned{{5, 6, 3},
                    Eigen::Quaterniond(Eigen::AngleAxisd(0.25 * 3.141592653589793, Eigen::Vector3d::UnitX()))};
  const Shape box = makeBox({1.0, 1.0, 1.0});
  const double rounding = 1e-14;  // a few of coordinates up to 6 m
  EXPECT_NEAR(provenDistance(makePlane(), plane, box, turned), 2.0 - std::sqrt(2.0), rounding);
  EXPECT_NEAR(provenDistance(box, turned, makePlane(), plane), 2.0 - std::sqrt(2.0), rounding);
  EXPECT_LT(provenDistance(makePlane(), plane, makeCylinder(1.0, 2.5), turned), 0.0);
  EXPECT_EQ(boundingRadius(makePlane()), 0.0);
}

}  // namespace
}  // namespace rigor
