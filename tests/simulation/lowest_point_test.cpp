// How far shapes reach in a direction, against the support mapping of contact.
#include "simulation/lowest_point.h"

#include <gtest/gtest.h>

#include <random>

#include "geometry/convert.h"
#include "geometry/solid.h"

namespace rigor {
namespace {

TEST(FarthestPoint, IsThatOfTheSupportMappingInAnyDirection) {
  std::mt19937_64 random(11);
  const auto number = [&] { return 2.0 * static_cast<double>(random() >> 11) * 0x1p-53 - 1.0; };
  const Shape shapes[] = {makeSphere(0.1), makeCapsule(0.05, 0.2), makeBox({0.1, 0.2, 0.3}), makeCylinder(0.1, 0.3),
                          makeEllipsoid({0.1, 0.2, 0.3})};
  for (const Shape& shape : shapes) {
    const Solid solid = makeSolid(shape);
    for (int k = 0; k < 200; ++k) {
      const Pose pose{{number(), number(), number()},
                      Eigen::Quaterniond(number(), number(), number(), number()).normalized()};
      const Eigen::Vector3d direction = Eigen::Vector3d(number(), number(), number()).normalized();
      const PlacedSolid placed{&solid, toTransform(pose), {}};
      const Vec3<double> expected = supportPoint(placed.view(), toVec3(direction));
      const Eigen::Vector3d found = pose.position + farthestPoint(shape, pose.rotation, direction);
      // to the 1e-6 below which something counts as level
      EXPECT_NEAR(direction.dot(found), direction.dot(Eigen::Vector3d(expected.x, expected.y, expected.z)), 1e-6);
    }
  }
}

// The foot of a leg that stands on the edge of a box, or along a capsule, is in the middle of what touches.
TEST(FarthestPoint, LiesInTheMiddleOfWhatIsLevel) {
  const Eigen::Quaterniond level = Eigen::Quaterniond::Identity();
  EXPECT_TRUE(
      farthestPoint(makeBox({0.1, 0.2, 0.3}), level, -Eigen::Vector3d::UnitZ()).isApprox(Eigen::Vector3d(0, 0, -0.3)));
  const Eigen::Quaterniond lying(Eigen::AngleAxisd(0.5 * M_PI, Eigen::Vector3d::UnitY()));
  EXPECT_TRUE(
      farthestPoint(makeCapsule(0.05, 0.2), lying, -Eigen::Vector3d::UnitZ()).isApprox(Eigen::Vector3d(0, 0, -0.05)));
  // tilted, it is the lower end, beside the centre by half its length
  const Eigen::Quaterniond tilted(Eigen::AngleAxisd(0.25 * M_PI, Eigen::Vector3d::UnitY()));
  const Eigen::Vector3d end = farthestPoint(makeCapsule(0.05, 0.2), tilted, -Eigen::Vector3d::UnitZ());
  EXPECT_NEAR(end.x(), -0.2 * std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(end.z(), -0.05 - 0.2 * std::sqrt(0.5), 1e-12);
}

}  // namespace
}  // namespace rigor
