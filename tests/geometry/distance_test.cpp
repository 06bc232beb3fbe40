// The signed distance of convex shapes against a slow twin.
#include "geometry/distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "geometry/convert.h"
#include "geometry/shape_check.h"
#include "reference/random_shapes.h"
#include "reference/slow_distance.h"

namespace rigor {
namespace {

using reference::PairStyle, reference::PosedPair;

constexpr ShapeKind kConvexKinds[] = {ShapeKind::kSphere, ShapeKind::kCapsule,   ShapeKind::kBox, ShapeKind::kCylinder,
                                      ShapeKind::kCone,   ShapeKind::kEllipsoid, ShapeKind::kHull};

Separation separationOf(const PosedPair& pair) {
  return findSeparation(viewOf(pair.a, toTransform(pair.X_WA)), viewOf(pair.b, toTransform(pair.X_WB)));
}

double sizeOf(const PosedPair& pair) {
  return std::max(radiusAbout(viewOf(pair.a, {})), radiusAbout(viewOf(pair.b, {})));
}

struct KindPair {
  ShapeKind a, b;
};

class EveryConvexPair : public testing::TestWithParam<KindPair> {};

std::vector<KindPair> everyPair() {
  std::vector<KindPair> pairs;
  for (const ShapeKind a : kConvexKinds)
    for (const ShapeKind b : kConvexKinds) pairs.push_back({a, b});
  return pairs;
}

/// RIGOR_PAIRS in the environment: how many pairs of poses of each style; the suite takes few of them.
int pairsPerStyle() {
  const char* text = std::getenv("RIGOR_PAIRS");
  return text ? std::atoi(text) : 4;
}

TEST_P(EveryConvexPair, HasTheDistanceOfTheSlowTwin) {
  const auto [a, b] = GetParam();
  std::mt19937_64 random(1 + 100 * static_cast<int>(a) + static_cast<int>(b));
  for (int style = 0; style < static_cast<int>(PairStyle::kCount); ++style)
    for (int i = 0; i < pairsPerStyle(); ++i) {
      const PosedPair pair = reference::randomPair(random, a, b, static_cast<PairStyle>(style));
      const Separation found = separationOf(pair);
      // 1e-12 of the size for polytopes is the promise; 1e-10 where round surfaces take part
      const bool sharp = pair.a.polytope && pair.b.polytope;
      const double slow = reference::slowDistance(pair.a, pair.X_WA, pair.b, pair.X_WB, toEigen(found.normal));
      EXPECT_NEAR(found.distance, slow, (sharp ? 1e-12 : 1e-10) * sizeOf(pair)) << "style " << style << " number " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(, EveryConvexPair, testing::ValuesIn(everyPair()), [](const auto& info) {
  return std::string(shapeKindName(info.param.a)) + "_" + shapeKindName(info.param.b);
});

}  // namespace
}  // namespace rigor
