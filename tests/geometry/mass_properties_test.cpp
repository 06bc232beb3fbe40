// Mass properties against sums over many small cubes: slow, rough and free of formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "rigor/error.h"
#include "rigor/shape.h"

namespace rigor {
namespace {

constexpr double kPi = std::numbers::pi;

bool contains(const Shape& shape, const Eigen::Vector3d& point) {
  const Eigen::Vector3d& size = shape.size;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return point.norm() <= size[0];
    case ShapeKind::kCapsule:
      return (point - Eigen::Vector3d(0, 0, std::clamp(point.z(), -size[1], size[1]))).norm() <= size[0];
    case ShapeKind::kBox:
      return (point.cwiseAbs() - size).maxCoeff() <= 0.0;
    case ShapeKind::kCylinder:
      return std::fabs(point.z()) <= size[1] && point.head<2>().norm() <= size[0];
    case ShapeKind::kCone:
      return std::fabs(point.z()) <= size[1] && point.head<2>().norm() <= size[0] * 0.5 * (1.0 - point.z() / size[1]);
    case ShapeKind::kEllipsoid:
      return point.cwiseQuotient(size).norm() <= 1.0;
    default:
      break;
  }
  return point.z() <= 0.0;
}

MassProperties integrateMass(const Shape& shape, double density, int cells) {
  Eigen::Vector3d reach = shape.size;
  if (shape.kind == ShapeKind::kSphere) reach.setConstant(shape.size[0]);
  if (shape.kind == ShapeKind::kCapsule) reach = {shape.size[0], shape.size[0], shape.size[0] + shape.size[1]};
  if (shape.kind == ShapeKind::kCylinder || shape.kind == ShapeKind::kCone)
    reach = {shape.size[0], shape.size[0], shape.size[1]};
  const Eigen::Vector3d cell = 2.0 * reach / cells;
  const double mass = density * cell.prod();
  MassProperties sum;
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j)
      for (int k = 0; k < cells; ++k) {
        const Eigen::Vector3d p = cell.cwiseProduct(Eigen::Vector3d(i + 0.5, j + 0.5, k + 0.5)) - reach;
        if (!contains(shape, p)) continue;
        sum.mass += mass;
        sum.com += mass * p;
        sum.inertia += mass * (p.squaredNorm() * Eigen::Matrix3d::Identity() - p * p.transpose());
      }
  sum.com /= sum.mass;
  sum.inertia -= sum.mass * (sum.com.squaredNorm() * Eigen::Matrix3d::Identity() - sum.com * sum.com.transpose());
  return sum;
}

TEST(MassProperties, AgreeWithNumericalIntegration) {
  for (const Shape& shape : {makeSphere(0.3), makeCapsule(0.2, 0.5), makeCapsule(0.5, 0.1), makeBox({0.1, 0.2, 0.4}),
                             makeCylinder(0.2, 0.5), makeCone(0.3, 0.4), makeEllipsoid({0.1, 0.2, 0.4})}) {
    const MassProperties exact = computeMassProperties(shape, 700.0), sum = integrateMass(shape, 700.0, 160);
    // cells on a curved surface are counted whole or not at all: 1/160 of the size, averaged over 3·160² of them
    EXPECT_NEAR(exact.mass, sum.mass, 5e-4 * sum.mass);
    EXPECT_LE((exact.com - sum.com).norm(), shape.kind == ShapeKind::kCone ? 1e-4 : 1e-12);  // others by symmetry
    EXPECT_LE((exact.inertia - sum.inertia).norm(), 1e-3 * sum.inertia.norm());
  }
}

TEST(MassProperties, AreTheTextbookOnes) {
  const MassProperties sphere = computeMassProperties(makeSphere(2.0), 3.0);
  EXPECT_DOUBLE_EQ(sphere.mass, 3.0 * 4.0 / 3.0 * kPi * 8.0);
  EXPECT_DOUBLE_EQ(sphere.inertia(0, 0), 0.4 * sphere.mass * 4.0);
  const MassProperties box = computeMassProperties(makeBox({0.5, 1.0, 1.5}), 2.0);
  EXPECT_DOUBLE_EQ(box.mass, 12.0);
  EXPECT_DOUBLE_EQ(box.inertia(0, 0), box.mass / 12.0 * (4.0 + 9.0));
  EXPECT_DOUBLE_EQ(box.inertia(2, 2), box.mass / 12.0 * (1.0 + 4.0));
}

TEST(MassProperties, OfACapsuleEndsAsThoseOfASphereAndOfARod) {
  const MassProperties ball = computeMassProperties(makeSphere(0.3), 1.0);
  const MassProperties short_capsule = computeMassProperties(makeCapsule(0.3, 0.0), 1.0);
  EXPECT_NEAR(short_capsule.mass, ball.mass, 1e-16);
  EXPECT_LE((short_capsule.inertia - ball.inertia).norm(), 1e-16);
  const MassProperties rod = computeMassProperties(makeCapsule(1e-6, 0.5), 1.0);
  EXPECT_NEAR(rod.inertia(0, 0) / rod.mass, 1.0 / 12.0, 1e-6);  // length 1 up to the radius
}

TEST(Volume, IsMassAtUnitDensity) {
  for (const Shape& shape : {makeSphere(0.3), makeCapsule(0.2, 0.5), makeBox({0.1, 0.2, 0.4})})
    EXPECT_EQ(computeVolume(shape), computeMassProperties(shape, 1.0).mass);
  EXPECT_TRUE(std::isinf(computeVolume(makePlane())));
}

TEST(MassProperties, OfAPlaneDoNotExist) { EXPECT_THROW(computeMassProperties(makePlane(), 1.0), Error); }

TEST(MassProperties, AreRefusedForABadDensity) {
  for (double density : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(computeMassProperties(makeSphere(1.0), density), Error) << density;
}

TEST(Shape, SizesMustBePositiveAndFinite) {
  for (double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(makeSphere(bad), Error) << bad;
    EXPECT_THROW(makeCapsule(bad, 1.0), Error) << bad;
    EXPECT_THROW(makeBox({1.0, bad, 1.0}), Error) << bad;
    if (bad != 0.0) {
      EXPECT_THROW(makeCapsule(1.0, bad), Error) << bad;
    }
  }
  EXPECT_NO_THROW(makeCapsule(1.0, 0.0));
}

}  // namespace
}  // namespace rigor
