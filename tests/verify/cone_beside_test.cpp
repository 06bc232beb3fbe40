// The second opinion on sides of cones beside the first one: two ways to the same lines.
#include "verify/cone_beside.h"

#include <gtest/gtest.h>

#include <random>

#include "geometry/straight_sides.h"

namespace rigor {
namespace {

using verify::Real;

struct RandomSide {
  Element first;
  verify::Element second;
};

Vec3<double> randomVector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

RandomSide randomSide(std::mt19937& random, bool cone) {
  std::uniform_real_distribution<double> uniform(0.05, 2.0);
  const Vec3<double> p = randomVector(random), way = randomVector(random), axis = (1.0 / norm(way)) * way;
  const double radius = cone ? 0.0 : 0.1 * uniform(random), slope = cone ? uniform(random) : 0.0;
  const auto widened = [](const Vec3<double>& v) { return verify::Vec{Real(v.x), Real(v.y), Real(v.z)}; };
  return {{.kind = cone ? ElementKind::kConeSide : ElementKind::kLine,
           .p = p,
           .axis = axis,
           .radius = radius,
           .slope = slope},
          {cone ? verify::ElementKind::kConeSide : verify::ElementKind::kLine,
           widened(p),
           widened(axis),
           radius,
           slope,
           {},
           {}}};
}

TEST(ConeBeside, FindsTheLinesOfTheClosedForm) {
  std::mt19937 random(12);
  int compared = 0;
  for (int k = 0; k < 4000; ++k) {
    const RandomSide cone = randomSide(random, true), other = randomSide(random, k % 2 == 0);
    Facing facing;
    const bool faces = faceStraightSides(cone.first, other.first, facing);
    const auto found = verify::findConeBeside(cone.second, other.second);
    ASSERT_EQ(faces, found.has_value()) << k;
    if (!faces || found->shift > 100) continue;  // nearly parallel: known less well
    ++compared;
    // numbers of a few metres in doubles, and 1/sine² of that along the lines
    const double floor = 1e-14 * double(found->shift * found->shift);
    EXPECT_NEAR(facing.gap, double(found->facing.gap), floor) << k;
    const auto miss = [](const Vec3<double>& v, const verify::Vec& w) {
      return std::hypot(v.x - double(w.x), v.y - double(w.y), v.z - double(w.z));
    };
    EXPECT_LT(miss(facing.normal, found->facing.normal), floor) << k;
    EXPECT_LT(miss(facing.point_a, found->facing.point_1), 10 * floor * (1 + norm(facing.point_a))) << k;
    EXPECT_LT(miss(facing.point_b, found->facing.point_2), 10 * floor * (1 + norm(facing.point_b))) << k;
  }
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace rigor
