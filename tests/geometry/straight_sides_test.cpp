// Sides of cones beside each other and beside lines, against all pairs of their lines; rims that cross.
#include "geometry/straight_sides.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/rim_side.h"
#include "geometry/solid_elements.h"
#include "geometry/solid_gap.h"
#include "math/rotation.h"
#include "reference/random_tree.h"
#include "reference/slow_sides.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr int kSide = numberOf(ElementOf::kConeSide, 0), kAxis = numberOf(ElementOf::kEdge, 0);

Vec randomVec(Random& random) { return {random.number(-1, 1), random.number(-1, 1), random.number(-1, 1)}; }
Vec unit(const Vec& v) { return (1.0 / norm(v)) * v; }
Mat3<double> randomTurn(Random& random) { return toMatrix(expQuat(3.0 * randomVec(random))); }

/// Shapes with a straight side, and the number of its element.
struct Sided {
  Solid solid;
  int element;
};
std::vector<Sided> sided() {
  return {{makeSolid(makeCone(0.3, 0.2)), kSide},     {makeSolid(makeCone(0.05, 0.4)), kSide},
          {makeSolid(makeCone(0.2, 0.2)), kSide},     {makeSolid(makeCylinder(0.1, 0.3)), kAxis},
          {makeSolid(makeCapsule(0.05, 0.3)), kAxis}, {makeSolid(makeBox({0.1, 0.2, 0.3})), kAxis}};
}

// Whoever asks has a normal of another pose at hand, and of two cones that cross either of two normals could be meant.
TEST(SidesOfCones, AreNearestWhereAnyTwoOfTheirLinesAre) {
  Random random(5);
  const std::vector<Sided> shapes = sided();
  int compared = 0;
  for (int k = 0; k < 1500; ++k) {
    const Sided &first = shapes[k % 3], &second = shapes[k / 3 % shapes.size()];
    const PlacedSolid a{&first.solid, {randomTurn(random), {}}, {}};
    const PlacedSolid b{&second.solid, {randomTurn(random), 0.8 * unit(randomVec(random))}, {}};
    const Element side_a = elementOf(a, first.element), side_b = elementOf(b, second.element);
    const SlowSides slow = reference::slowSides(side_a, side_b, 1.0);
    if (slow.at_an_end || slow.gap < 1e-3) continue;  // an apex or a rim is nearest, or they overlap
    ++compared;
    Facing facing;
    ASSERT_TRUE(faceStraightSides(side_a, side_b, facing)) << k;
    EXPECT_NEAR(facing.gap, slow.gap, 1e-9) << k;  // golden sections end where the gap changes by rounding
    EXPECT_NEAR(norm(facing.point_b - facing.point_a - facing.gap * facing.normal), 0.0, 1e-14) << k;
    for (int i = 0; i < 3; ++i) {
      Facing again;
      ASSERT_TRUE(faceElements(side_a, side_b, unit(randomVec(random)), again));
      EXPECT_EQ(again.gap, facing.gap) << "the guess must not matter";
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(SidesOfCones, HaveTheDistanceOfTheirSolidsWhereThatIsBetweenThem) {
  Random random(8);
  const std::vector<Sided> shapes = sided();
  int compared = 0;
  for (int k = 0; k < 20000; ++k) {
    const Sided &first = shapes[k % 3], &second = shapes[k / 3 % 3];
    const PlacedSolid a{&first.solid, {randomTurn(random), {}}, {}};
    const PlacedSolid b{&second.solid, {randomTurn(random), random.number(0.1, 0.6) * unit(randomVec(random))}, {}};
    const SolidSeparation found = separateSolids(a, b);
    if (found.element_1 != kSide || found.element_2 != kSide) continue;
    ++compared;
    const GapAtPose<double> at = gapOfSolids({FeatureKind::kWhole, {kSide, kSide}, found.normal}, a, b);
    EXPECT_NEAR(at.gap, found.distance, 1e-13) << k;
    EXPECT_NEAR(norm(at.normal - found.normal), 0.0, 1e-9) << k;
  }
  EXPECT_GT(compared, 200);
}

// All along the way to where the two lines that touch are parallel, 1e-12 rad before it.
TEST(SidesOfCones, KeepTheirNormalWhereTheirLinesBecomeParallel) {
  const Solid cone = makeSolid(makeCone(0.3, 0.2)), needle = makeSolid(makeCone(0.05, 0.4));
  const double half_a = std::atan(0.3 / 0.4), half_b = std::atan(0.05 / 0.8);
  for (double beyond = 1e-1; beyond > 1e-12; beyond *= 0.1) {
    const PlacedSolid a{&cone, Transform<double>::identity(), {}};
    // side by side with the apexes up, the axes half_a + half_b apart and a little more
    const PlacedSolid b{&needle, {toMatrix(expQuat(Vec{0.0, half_a + half_b + beyond, 0.0})), {0.5, 0.05, 0.0}}, {}};
    Facing facing;
    const Element side_a = elementOf(a, kSide), side_b = elementOf(b, kSide);
    ASSERT_TRUE(faceStraightSides(side_a, side_b, facing)) << beyond;
    EXPECT_NEAR(dot(facing.normal, side_a.axis), std::sin(half_a), 1e-14) << beyond;
    EXPECT_NEAR(dot(facing.normal, side_b.axis), -std::sin(half_b), 1e-14 / beyond) << beyond;
  }
}

/// Two coins: one lies, the other stands on its rim with this tilt, and its lowest point is `inside` of that rim.
struct TwoCoins {
  Solid coin = makeSolid(makeCylinder(0.1, 0.005));
  PlacedSolid lying, tilted;
  TwoCoins(double tilt, double inside, double turn) {
    lying = {&coin, {Mat3<double>::identity(), {0.0, 0.0, -0.005}}, {}};
    const Mat3<double> R = toMatrix(expQuat(Vec{0.0, 0.0, turn})) * toMatrix(expQuat(Vec{tilt, 0.0, 0.0}));
    const Vec lowest = R * Vec{0.0, -0.1, -0.005};  // y is tilted up
    tilted = {&coin, {R, Vec{0.1 - inside, 0.0, 0.0} - lowest}, {}};
  }
};

// The lowest point of the tilted rim comes from outside onto the disc. Before, the rims touch where they cross; after, the
// crossing must open, since the lowest point holds them: by about κ s², s the way along the rim to the crossing.
TEST(RimsThatCross, GoOnAndOpenWhereOneComesToLieOnTheDiscOfTheOther) {
  constexpr double kWay = 1e-4;  // [m] from pose to pose
  // across the tangents (0, 1, 0) and (cos 1, sin 1, slope) where they cross: 3.7e-3 m from the lowest point, slope −0.024
  SolidFeatures rims{
      FeatureKind::kWhole, {numberOf(ElementOf::kRim, 1), numberOf(ElementOf::kRim, 0)}, unit({0.044, 0.0, 1.0})};
  double before = 0.0;
  for (int k = -20; k <= 20; ++k) {
    const double inside = k * kWay;
    const TwoCoins coins(0.7, inside, 1.0);
    ASSERT_TRUE(faceEachOther(rims, coins.lying, coins.tilted)) << inside;
    const GapAtPose<double> at = gapOfSolids(rims, coins.lying, coins.tilted);
    const auto onRim = [&](const PlacedSolid& coin, int disc, const Vec& point) {
      const Element rim = rimElement(coin, disc);
      const Vec way = point - rim.p;
      return std::fabs(dot(rim.axis, way)) + std::fabs(norm(way) - rim.radius);
    };
    EXPECT_LT(onRim(coins.lying, 1, at.point - 0.5 * at.gap * at.normal), 1e-14) << inside;
    EXPECT_LT(onRim(coins.tilted, 0, at.point + 0.5 * at.gap * at.normal), 1e-14) << inside;
    if (inside > 0.0) {
      EXPECT_GT(at.gap, 0.0) << inside;
    }
    EXPECT_LT(std::fabs(at.gap - before), kWay) << inside << ": no more than the coin moved";
    before = at.gap;
    rims.normal = at.normal;  // as from one step to the next
  }
}

// Tilted by 1° under a lying cylinder, both rims of a coin face it along the same normal; one of them is 1.7e-4 m higher.
TEST(SeparateSolids, NamesTheRimThatTouches) {
  Random random(4);
  const Solid coin = makeSolid(makeCylinder(0.13, 0.005)), cylinder = makeSolid(makeCylinder(0.13, 0.2));
  const Mat3<double> lies = toMatrix(expQuat(Vec{0.0, M_PI / 2, 0.0}));
  int rims = 0;
  for (int k = 0; k < 200; ++k) {
    const double tilt = 0.03 * random.number(-1, 1);
    const PlacedSolid a{&coin, {toMatrix(expQuat(Vec{0.0, tilt, 0.0})) * lies, {}}, {}};
    const PlacedSolid b{&cylinder, {lies, {0.0, 0.0, 0.2602 + 1e-5 * random.number(-1, 1)}}, {}};
    const SolidSeparation found = separateSolids(a, b);
    if (found.element_1 < 0) continue;
    ++rims;
    const SolidFeatures features{FeatureKind::kWhole, {found.element_1, found.element_2}, found.normal};
    EXPECT_NEAR(gapOfSolids(features, a, b).gap, found.distance, 1e-12) << k;
  }
  EXPECT_GT(rims, 100);
}

}  // namespace
}  // namespace rigor
