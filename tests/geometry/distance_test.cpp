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

// One of 280 000: a whole ring of ways out is equally long to a thousandth, and the climb began beside the wrong end of it.
TEST(Distance, OfASpeckInTheMiddleOfAnEllipsoidThatIsNearlyABallIsTheShortestWayOut) {
  const PosedPair pair{
      makeCapsule(0.00047184729455152316, 0.00061349307456993096),
      makeEllipsoid({0.31775764681106689, 0.33382205231380391, 0.31864005089020359}),
      {Eigen::Vector3d::Zero(),
       Eigen::Quaterniond(0.14287100488159626, -0.44990232699848925, -0.75159984999444307, -0.46073141591799222)},
      {{-9.8263481618602832e-05, -0.0002217811682683891, 5.3189433343691221e-05},
       Eigen::Quaterniond(-0.21454025143081146, -0.13345168668788071, 0.19283020859541056, -0.94814536780454406)}};
  const Separation found = separationOf(pair);
  const double slow = reference::slowDistance(pair.a, pair.X_WA, pair.b, pair.X_WB, toEigen(found.normal));
  EXPECT_NEAR(found.distance, slow, 1e-10 * sizeOf(pair));  // as for every round pair
}

// One of 10 000: an edge and a rim that are 1.6e-8 m apart. The separation is largest 0.6 rad along the normals of the edge from where the
// search began, and it gave up between 0.26 and 1 rad.
TEST(Distance, OfARimAndAnEdgeThatHardlyTouchIsThatOfTheBestNormalOfTheEdge) {
  const double k = 0.31754351981783452, m = 0.15877175990891726;
  const PosedPair pair{
      makeCone(0.54995144481975622, 0.91872593628675725),
      reference::slowHull(
          {{k, 0, -k}, {0, 0, -k}, {m, k, -k}, {k, k, -k}, {k, 0, 0}, {0, -k, 0}, {m, -k, k}, {-m, k, k}, {-k, 0, 0}}),
      {Eigen::Vector3d::Zero(),
       Eigen::Quaterniond(-0.10086722541615065, 0.74750836233404805, -0.15314816197023448, -0.63843769591296529)},
      {{1.1326051257501217, 0.12230977653709862, 0.75914131221582926},
       Eigen::Quaterniond(0.56061324293451631, 0.66724290477273029, -0.36593668005020219, 0.32648130738333303)}};
  const Separation found = separationOf(pair);
  const double slow = reference::slowDistance(pair.a, pair.X_WA, pair.b, pair.X_WB, toEigen(found.normal));
  EXPECT_NEAR(found.distance, slow, 1e-10 * sizeOf(pair));  // as for every round pair
  // the separation along any normal of the edge is a lower bound
  const ConvexShape cone = viewOf(pair.a, toTransform(pair.X_WA)), hull = viewOf(pair.b, toTransform(pair.X_WB));
  const Vec3<double> edge = hull.X_WS.R * (hull.polytope->vertices[8] - hull.polytope->vertices[7]);
  const Vec3<double> u = found.normal, v = (1.0 / norm(edge)) * cross(edge, u);
  ASSERT_NEAR(dot(edge, u), 0.0, 1e-12);
  for (double turn = -1.5; turn <= 1.5; turn += 1e-3)
    EXPECT_GE(found.distance, separationAlong(std::cos(turn) * u + std::sin(turn) * v, cone, hull) - 1e-15) << turn;
}

INSTANTIATE_TEST_SUITE_P(, EveryConvexPair, testing::ValuesIn(everyPair()), [](const auto& info) {
  return std::string(shapeKindName(info.param.a)) + "_" + shapeKindName(info.param.b);
});

}  // namespace
}  // namespace rigor
