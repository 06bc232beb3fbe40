// The quick proof that two solids are apart, against the slow distance.
#include "verify/apart.h"

#include <gtest/gtest.h>

#include <random>

namespace rigor::verify {
namespace {

Solid makeSolid(const char* kind, double x, double y, double z) {
  return readSolid({{"kind", kind},
                    {"body", -1},
                    {"size", {x, y, z}},
                    {"frame", {{"position", {0.0, 0.0, 0.0}}, {"quaternion_wxyz", {1.0, 0.0, 0.0, 0.0}}}}},
                   Json::array());
}

/// Solids of every convex kind at poses by chance, from deep in each other to a few sizes apart.
class PairsByChance {
 public:
  PairsByChance()
      : solids_{makeSolid("box", 0.3, 0.2, 0.1),   makeSolid("sphere", 0.2, 0, 0),
                makeSolid("capsule", 0.1, 0.3, 0), makeSolid("cylinder", 0.2, 0.1, 0),
                makeSolid("cone", 0.2, 0.2, 0),    makeSolid("ellipsoid", 0.1, 0.2, 0.3)} {}

  PlacedSolid next() {
    std::uniform_real_distribution<double> place(-0.5, 0.5), turn(-3, 3);
    const Vec p{place(random_), place(random_), place(random_)};
    return placeAt(solids_[random_() % solids_.size()],
                   {rotationOf(turnBy({turn(random_), turn(random_), turn(random_)})), p});
  }

 private:
  std::vector<Solid> solids_;
  std::mt19937 random_{5};
};

TEST(QuickProof, NeverSaysMoreThanTheTrueDistance) {
  PairsByChance pairs;
  for (int i = 0; i < 60; ++i) {
    const PlacedSolid a = pairs.next(), b = pairs.next();
    const Real slow = findSeparation(a, b, {}).distance;
    EXPECT_LE(findApart(a, b, {}, 1).distance, slow + 1e-14L);  // golden sections end at angles of 1e-16
  }
}

TEST(QuickProof, IsFoundForAllThatAreAMillimetreApart) {
  PairsByChance pairs;
  int apart = 0;
  for (int i = 0; i < 60; ++i) {
    const PlacedSolid a = pairs.next(), b = pairs.next();
    const Real slow = findSeparation(a, b, {}).distance;
    if (slow < 1e-3L) continue;
    ++apart;
    const Separation quick = findApart(a, b, {}, 0);
    EXPECT_GE(quick.distance, 0) << "pair " << i << ", apart by " << slow;
    EXPECT_EQ(quick.distance, separationAlong(a, b, quick.direction));
    // sixty tries come as near to the distance of round solids as a few per mille
    EXPECT_NEAR(findApart(a, b, {}, 1).distance, slow, 0.01L * slow);
  }
  EXPECT_GT(apart, 20);
}

TEST(QuickProof, SaysNothingOfSurfacesAndHalfSpaces) {
  const Solid plane = makeSolid("plane", 0, 0, 0), ball = makeSolid("sphere", 0.1, 0, 0);
  EXPECT_LT(findApart(placeAt(plane, {}), placeAt(ball, {{}, {0, 0, 1}}), {}, 0).distance, 0);
}

}  // namespace
}  // namespace rigor::verify
