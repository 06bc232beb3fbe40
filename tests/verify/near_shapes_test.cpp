#include "verify/near_shapes.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "io/file.h"
#include "simulation/solid_scenes.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

using verify::Real;

/// Balls and boxes at random in a cube, on a floor, and the same a little later.
struct Crowd {
  explicit Crowd(int count, double spread) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    SolidWorld solids;
    solids.floor = true;
    for (int i = 0; i < count; ++i)
      solids.bodies.push_back(
          {i % 3 ? makeSphere(0.1) : makeBox({0.1, 0.05, 0.07}),
           {{spread * uniform(random), spread * uniform(random), spread * (1.2 + uniform(random))}}});
    const Scene scene = solids.scene();
    world = verify::readWorld(makeRecording(scene).header);
    Eigen::VectorXd q = scene.q, q_end = q;
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k) q_end[7 * i + k] += 0.3 * uniform(random);
    from = verify::computeMotion(world, {q.begin(), q.end()}, {});
    to = verify::computeMotion(world, {q_end.begin(), q_end.end()}, {});
  }
  /// Whether the balls around two shapes meet at one of many places on the way.
  bool meet(int a, int b) const {
    const auto at = [&](int shape, Real share) {
      const verify::Vec p = frameOf(from, world.shape_body[shape]).p, q = frameOf(to, world.shape_body[shape]).p;
      return p + share * (q - p);
    };
    for (int k = 0; k <= 100; ++k)
      if (norm(at(b, k / Real(100)) - at(a, k / Real(100))) <= world.solids[a].bound + world.solids[b].bound)
        return true;
    return false;
  }
  verify::World world;
  verify::Motion from, to;
};

TEST(NearShapes, AreAllThatMeetOnTheWayAndNotManyMore) {
  constexpr int kCount = 200;
  const Crowd crowd(kCount, 2.0);
  std::vector<std::pair<int, int>> near;
  for (const verify::ShapePair& pair : findNearShapes(crowd.world, crowd.from, crowd.to))
    near.emplace_back(pair.shape_1, pair.shape_2);
  EXPECT_TRUE(std::is_sorted(near.begin(), near.end()));
  int meeting = 0, planes = 0;
  const int shapes = static_cast<int>(crowd.world.solids.size());
  for (int a = 0; a < shapes; ++a)
    for (int b = 0; b < shapes; ++b) {
      const bool plane = crowd.world.solids[a].kind == verify::SolidKind::kHalfSpace;
      if (a == b || (!plane && b < a) || crowd.world.solids[b].kind == verify::SolidKind::kHalfSpace) continue;
      if (!plane && !crowd.meet(a, b)) continue;
      (plane ? planes : meeting) += 1;
      EXPECT_TRUE(std::binary_search(near.begin(), near.end(), std::pair(a, b))) << a << " " << b;
    }
  EXPECT_EQ(planes, kCount);
  EXPECT_GT(meeting, 20);
  // boxes around balls that are farther by their whole way: of 19900 pairs a tenth at this density
  EXPECT_LT(near.size(), kCount + 2000u);
}

TEST(NearShapes, AreLeftOutWhereTheModelDoes) {
  Crowd crowd(20, 0.1);
  const std::size_t all = findNearShapes(crowd.world, crowd.from, crowd.to).size();
  EXPECT_EQ(all, 20u + 190u) << "everything meets everything, and the floor";
  for (auto& runs : crowd.world.partners) runs.clear();
  EXPECT_TRUE(findNearShapes(crowd.world, crowd.from, crowd.to).empty());
}

// A number that is not finite proves nothing apart.
TEST(NearShapes, AreAllOthersOfAShapeThatHasNoPlace) {
  constexpr int kCount = 30;
  for (const int axis : {0, 1, 2}) {
    Crowd crowd(kCount, 1000.0);
    ASSERT_EQ(findNearShapes(crowd.world, crowd.from, crowd.to).size(), std::size_t{kCount}) << "the floor alone";
    verify::Vec& place = crowd.from.bodies[11].X.p;
    (axis == 0 ? place.x : axis == 1 ? place.y : place.z) = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_EQ(findNearShapes(crowd.world, crowd.from, crowd.to).size(), std::size_t{kCount + kCount - 1}) << axis;
  }
}

// Each touches the next one only, whichever axis they are lined up along.
TEST(NearShapes, AreNeighboursInARowAlongAnyAxis) {
  constexpr int kCount = 40;
  for (const int axis : {0, 1, 2}) {
    Crowd crowd(kCount, 1000.0);
    for (int i = 0; i < kCount; ++i) {
      verify::Vec& place = crowd.from.bodies[i].X.p;
      const Real along = Real(0.15) * (i * 7 % kCount);  // neighbours by place are not neighbours by number
      place = {axis == 0 ? along : 0, axis == 1 ? along : 0, axis == 2 ? along : 0};
    }
    const auto near = findNearShapes(crowd.world, crowd.from, crowd.from);
    EXPECT_EQ(near.size(), std::size_t{kCount + kCount - 1}) << axis;
  }
}

TEST(PairsOfAHeader, MayBeToldInRunsThatOverlap) {
  SolidWorld solids;
  for (int i = 0; i < 6; ++i) solids.bodies.push_back({makeSphere(0.1), {{0.5 * i, 0.0, 0.0}}});
  nlohmann::ordered_json header = nlohmann::ordered_json::parse(makeRecording(solids.scene()).header);
  header["model"]["pairs"] = {{0, 1, 4}, {0, 2, 2}, {2, 3, 3}, {2, 4, 5}};
  header["hash"] = computeHash(header["model"].dump());
  const verify::World world = verify::readWorld(header.dump());
  for (int b = 1; b < 6; ++b) EXPECT_EQ(world.pairOf(0, b).has_value(), b < 5) << b;
  for (int b = 3; b < 6; ++b) EXPECT_TRUE(world.pairOf(2, b).has_value()) << b;
  EXPECT_FALSE(world.pairOf(1, 2).has_value());
}

}  // namespace
}  // namespace rigor
