// Points of rims and sides against a scan of all of them.
#include "geometry/rim_side.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/side_points.h"
#include "geometry/solid_elements.h"
#include "math/rotation.h"
#include "reference/random_tree.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

Vec randomVec(Random& random) { return {random.number(-1, 1), random.number(-1, 1), random.number(-1, 1)}; }

PlacedSolid place(const Solid& solid, Random& random, double far) {
  return {&solid, {toMatrix(expQuat(3.0 * randomVec(random))), far * randomVec(random)}, {}};
}

Vec radialAt(const Element& rim, double angle) {
  const Vec any = std::fabs(rim.axis.x) < 0.6 ? Vec{1.0, 0.0, 0.0} : Vec{0.0, 1.0, 0.0};
  const Vec across = cross(rim.axis, any), first = (1.0 / norm(across)) * across;
  return std::cos(angle) * first + std::sin(angle) * cross(rim.axis, first);
}

// Of two least distances either may be the smaller one; all other points of the rim are farther away.
TEST(RimBesideASide, IsNearestWhereItsSpotsAre) {
  Random random(7);
  const Solid coin = makeSolid(makeCylinder(0.1, 0.01)), cylinder = makeSolid(makeCylinder(0.3, 1.0));
  const Solid cone = makeSolid(makeCone(0.5, 0.4));
  int chords = 0;
  for (int k = 0; k < 2000; ++k) {
    const bool of_cone = k % 2 == 1;
    const PlacedSolid upright{of_cone ? &cone : &cylinder, Transform<double>::identity(), {}};
    // a disc that nearly lies on the side, or stands beside it
    PlacedSolid round = place(coin, random, 0.5);
    if (k % 4 < 2) {
      const Vec tilt = 0.1 * randomVec(random);
      round.X_WS.R = toMatrix(expQuat(tilt)) * Mat3<double>{{0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
      round.X_WS.p = {0.4, 0.1 * random.number(-1, 1), 0.1 * random.number(-1, 1)};
    }
    const Element rim = rimElement(round, k % 2);
    const Element side = elementOf(upright, numberOf(of_cone ? ElementOf::kConeSide : ElementOf::kEdge, 0));
    const Vec apart = rim.p - side.p;  // the rim is outside of the side, and its disc looks at it
    if (norm(apart - dot(side.axis, apart) * side.axis) < 0.35 || std::fabs(dot(rim.axis, side.axis)) > 0.7) continue;
    const RimSpots spots = findRimSpots(rim, side);
    ASSERT_GE(spots.count, 1);
    chords += spots.count == 2;
    double least = 1e9;
    for (int i = 0; i < spots.count; ++i)
      least = std::min(least, lookBeside(side, rim.p + rim.radius * spots.radial[i]).gap);
    double scanned = 1e9;
    constexpr int kSamples = 2000;
    for (int i = 0; i < kSamples; ++i)
      scanned = std::min(scanned, lookBeside(side, rim.p + rim.radius * radialAt(rim, 2 * M_PI * i / kSamples)).gap);
    if (spots.count == 1 && dot(spots.radial[0], apart) > 0.0) continue;  // the far side of it is a least one too
    EXPECT_LE(least, scanned + 1e-12) << k;
    // between samples the gap changes by at most r (π/n)² of its curvature 1/r
    EXPECT_GE(least, scanned - rim.radius * std::pow(M_PI / kSamples, 2) * 2) << k;
  }
  EXPECT_GT(chords, 50);
}

TEST(PointsOfTheSideOfACone, AreBallsThatTouchItFromInside) {
  const Solid cone = makeSolid(makeCone(0.3, 0.2));
  Random random(3);
  const PlacedSolid placed = place(cone, random, 1.0);
  const Element side = elementOf(placed, numberOf(ElementOf::kConeSide, 0));
  for (const int share : {0, 1, 1000, sharesOf(0) / 2, sharesOf(0)}) {
    const int point = edgePoint(0, share);
    const Vec centre = placed.vertex(point);
    const double radius = placed.vertexRadius(point);
    EXPECT_NEAR(lookBeside(side, centre).gap, -radius, 1e-15) << share;
    // it touches at the square of this share of the way from the apex to the rim
    const Vec any = cross(placed.axis(), Vec{0.3, 0.7, 0.1}), radial = (1.0 / norm(any)) * any;
    const double slant = std::hypot(0.3, 0.4);
    const Vec normal = (1.0 / slant) * (0.4 * radial + 0.3 * placed.axis());
    const Vec touched =
        placed.vertex(0) + std::pow(double(share) / sharesOf(0), 2) * (0.3 * radial - 0.4 * placed.axis());
    EXPECT_NEAR(norm(centre + radius * normal - touched), 0.0, 1e-15) << share;
  }
}

TEST(StraightSides, RunAlongEachOtherWhereTheyAreNearlyParallelAndNotWhereTheyCross) {
  const Solid cylinder = makeSolid(makeCylinder(0.1, 0.5));
  const PlacedSolid a{&cylinder, Transform<double>::identity(), {}};
  for (const auto& [angle, runs] : {std::pair{0.01, true}, {1.0, false}}) {
    const PlacedSolid b{&cylinder, {toMatrix(expQuat(Vec{angle, 0.0, 0.0})), {0.2, 0.0, 0.0}}, {}};
    const SolidFeatures sides{
        FeatureKind::kWhole, {numberOf(ElementOf::kEdge, 0), numberOf(ElementOf::kEdge, 0)}, {1.0, 0.0, 0.0}};
    ASSERT_TRUE(areStraightSides(sides));
    // a shift across by 1 mm moves the crossing by 1 mm / sin(angle)
    EXPECT_EQ(runsAlong(sides, a, b, {Mat3<double>::identity(), {0.0, 1e-3, 0.0}}), runs) << angle;
    const SolidFeatures point = pointOfSides(sides, a, b);
    EXPECT_EQ(point.kind, FeatureKind::kEdgeVertex);
    EXPECT_NEAR(shareOfPoint(point.feature[1]), 0.5 * sharesOf(0), 1.0);
    EXPECT_NEAR(gapOfSolids(point, a, b).gap, 0.0, 1e-9);  // to the square of half a share
  }
}

}  // namespace
}  // namespace rigor
