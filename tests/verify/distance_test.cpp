// The slow distance of the second opinion against distances that are known without it.
#include "verify/distance.h"

#include <gtest/gtest.h>

#include <random>

#include "verify/direction_search.h"

namespace rigor::verify {
namespace {

Solid makeSolid(const char* kind, const Vec& size) {
  return readSolid({{"kind", kind},
                    {"body", -1},
                    {"size", {static_cast<double>(size.x), static_cast<double>(size.y), static_cast<double>(size.z)}},
                    {"frame", {{"position", {0.0, 0.0, 0.0}}, {"quaternion_wxyz", {1.0, 0.0, 0.0, 0.0}}}}},
                   Json::array());
}

Pose at(const Vec& p, const Vec& turn = {}) { return {rotationOf(turnBy(turn)), p}; }

Real distanceOf(const Solid& a, const Pose& X_a, const Solid& b, const Pose& X_b) {
  const PlacedSolid placed_a = placeSolid(a, X_a), placed_b = placeSolid(b, X_b);
  const Separation found = findSeparation(placed_a, placed_b, {});
  EXPECT_NEAR(norm(found.direction), 1.0, 1e-15);
  return found.distance;
}

constexpr double kExact = 1e-16;  // long double, lengths of a metre

TEST(SlowDistance, IsThatOfFormulas) {
  const Solid box = makeSolid("box", {1, 2, 3}), ball = makeSolid("sphere", {0.5, 0, 0});
  const Solid capsule = makeSolid("capsule", {0.25, 1, 0}), plane = makeSolid("plane", {});
  const Real half = std::sqrt(Real(0.5));
  EXPECT_NEAR(distanceOf(box, at({}), box, at({2.5, 0, 0})), 0.5, kExact);                    // faces
  EXPECT_NEAR(distanceOf(box, at({}), box, at({1.9L, 0, 0})), -0.1L, kExact);                 // overlap
  EXPECT_NEAR(distanceOf(box, at({}), box, at({3, 5, 0})), std::sqrt(2.0L), kExact);          // edge and edge
  EXPECT_NEAR(distanceOf(box, at({}), box, at({3, 5, 7})), std::sqrt(3.0L), kExact);          // corner and corner
  EXPECT_NEAR(distanceOf(box, at({}), ball, at({2, 3, 4})), std::sqrt(3.0L) - 0.5L, kExact);  // corner and ball
  EXPECT_NEAR(distanceOf(ball, at({0.75L, 0, 0}), box, at({})), -0.75L, kExact);              // centre inside
  EXPECT_NEAR(distanceOf(capsule, at({}), capsule, at({1, 0, 0}, {1, 0, 0})), 0.5, kExact);
  EXPECT_NEAR(distanceOf(capsule, at({}), capsule, at({}, {1, 0, 0})), -0.5, kExact);  // axes cross
  EXPECT_NEAR(distanceOf(box, at({}), capsule, at({0, 0, 4}, {0, 1, 0})), 1 - std::cos(1.0L) - 0.25L, kExact);
  EXPECT_NEAR(distanceOf(plane, at({}), box, at({0, 0, 4}, {0.785398163397448309616L, 0, 0})), 4 - half * 5, kExact);
  // two cubes on edge, crossed
  const Solid cube = makeSolid("box", {1, 1, 1});
  const Real quarter = 0.785398163397448309616L;
  EXPECT_NEAR(distanceOf(cube, at({}, {quarter, 0, 0}), cube, at({0, 0, 2.8L}, {0, quarter, 0})), 2.8L - 4 * half,
              kExact);
}

TEST(SlowDistance, OfRoundShapesIsThatOfFormulas) {
  const Solid cylinder = makeSolid("cylinder", {0.5, 1, 0}), cone = makeSolid("cone", {1, 1, 0});
  const Solid ellipsoid = makeSolid("ellipsoid", {1, 2, 3}), box = makeSolid("box", {1, 1, 1});
  const Real right = 1.570796326794896619231L;
  const double search = 1e-14;  // golden sections end at angles of 1e-16
  EXPECT_NEAR(distanceOf(cylinder, at({}), box, at({0, 0, 2.25L})), 0.25, search);                      // stands
  EXPECT_NEAR(distanceOf(box, at({}), cylinder, at({0, 0, 1.5L}, {0, right, 0})), 0.0, search);         // lies
  EXPECT_NEAR(distanceOf(cylinder, at({}), cylinder, at({0.9L, 0, 0}, {right, 0, 0})), -0.1L, search);  // crossed
  EXPECT_NEAR(distanceOf(cylinder, at({}), cylinder, at({1.5L, 0, 2.5L})), std::sqrt(0.5L), 1e-9);  // rims: flat top
  EXPECT_NEAR(distanceOf(box, at({}), cone, at({0, 0, 3}, {2 * right, 0, 0})), 1.0, search);        // on its apex
  EXPECT_NEAR(distanceOf(ellipsoid, at({}), box, at({2.5L, 0, 0})), 0.5, search);
  EXPECT_NEAR(distanceOf(ellipsoid, at({}), ellipsoid, at({0, 0, 4 - 1e-11L}, {right, 0, 0})), -1 - 1e-11L, 1e-9);
  EXPECT_NEAR(distanceOf(ellipsoid, at({}), ellipsoid, at({0, 0, 6 - 1e-11L})), -1e-11L, 1e-15);  // a planted overlap
}

// The search over directions knows nothing of faces and edges, the other way is made of them.
TEST(SlowDistance, IsTheSameByFeaturesAndByDirections) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Solid box = makeSolid("box", {0.5, 0.3, 0.2}), capsule = makeSolid("capsule", {0.1, 0.4, 0});
  for (int i = 0; i < 60; ++i) {
    const Pose X_a = at({}, {unit(random), unit(random), unit(random)});
    const Pose X_b = at({unit(random), unit(random), unit(random)}, {unit(random), unit(random), unit(random)});
    for (const Solid* other : {&box, &capsule}) {
      const PlacedSolid a = placeSolid(box, X_a), b = placeSolid(*other, X_b);
      const Separation features = findSeparation(a, b, {}), directions = searchDirections(a, b, {});
      EXPECT_NEAR(separationAlong(a, b, features.direction), features.distance, 1e-15) << i;
      if (features.distance > 0)
        EXPECT_NEAR(directions.distance, features.distance, 1e-9) << i;  // the top is flat: half the digits
      else
        EXPECT_LE(directions.distance, features.distance + 1e-15) << i;  // never too little overlap
    }
  }
}

}  // namespace
}  // namespace rigor::verify
