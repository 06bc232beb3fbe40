// Balls that meet between two poses, against a walk along the way in small steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "geometry/gap.h"
#include "reference/random_tree.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// A ball at rest at the origin and one that moves.
struct TwoBalls {
  TwoBalls(double radius_1, double radius_2) {
    table.balls = {{{}, radius_1}, {{}, radius_2}};
    pair.kind = FeatureKind::kBallBall;
    pair.feature[0] = 0, pair.feature[1] = 1;
  }
  void move(const Vec& from, const Vec& to) { from_2 = from, to_2 = to; }
  bool cross() const { return passThrough(pair, table, {rest, from_2, rest, to_2}); }
  double reach() const { return table.balls[0].radius + table.balls[1].radius; }
  double nearest(int samples) const {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= samples; ++k) least = std::min(least, norm(from_2 + (double(k) / samples) * (to_2 - from_2)));
    return least;
  }

  ShapeTable table;
  FeaturePair pair;
  Vec rest{}, from_2{}, to_2{};
};

TEST(BallsCross, ExactlyWhereAWalkAlongTheWayFindsThemOverlappingInBetween) {
  Random random(5);
  int crossing = 0;
  for (int k = 0; k < 20000; ++k) {
    TwoBalls balls(random.number(0.01, 0.5), random.number(0.01, 0.5));
    const auto place = [&] {
      Vec p{random.number(-2, 2), random.number(-2, 2), random.number(-2, 2)};
      const double distance = norm(p);
      return distance < 1.001 * balls.reach() ? (1.001 * balls.reach() / distance) * p : p;  // apart at both ends
    };
    balls.move(place(), place());
    const double nearest = balls.nearest(1000);
    if (std::fabs(nearest - balls.reach()) < 1e-4) continue;  // as near as the walk can tell
    const bool overlap = nearest < balls.reach();
    crossing += overlap;
    ASSERT_EQ(balls.cross(), overlap) << "case " << k;
  }
  EXPECT_GT(crossing, 500);
}

TEST(BallsCross, NeitherAtRestNorApartNorWhenTheyEndInTouch) {
  TwoBalls balls(0.1, 0.1);
  balls.move({0.2, 0, 0}, {0.2, 0, 0});
  EXPECT_FALSE(balls.cross());  // at rest in touch
  balls.move({0.2, 0, 0}, {5.0, 0, 0});
  EXPECT_FALSE(balls.cross());  // apart
  balls.move({0.2, 0, 0}, {0.2, 100.0, 0});
  EXPECT_FALSE(balls.cross());  // straight along the tangent
  balls.move({3.0, 0, 0}, {0.2, 0, 0});
  EXPECT_FALSE(balls.cross());  // up to touching: the gap of the end tells
  balls.move({3.0, 0, 0}, {0.1, 0, 0});
  EXPECT_FALSE(balls.cross());  // overlap at the end: the same
  balls.move({3.0, 0, 0}, {-3.0, 0, 0});
  EXPECT_TRUE(balls.cross());
  balls.move({3.0, 0, 0}, {-0.1, 0, 0});
  EXPECT_TRUE(balls.cross());  // still overlapping, but on the other side
  balls.move({1e6, 0.199, 0}, {-1e6, 0.199, 0});
  EXPECT_TRUE(balls.cross());
  balls.move({1e6, 0.201, 0}, {-1e6, 0.201, 0});
  EXPECT_FALSE(balls.cross());
}

TEST(BallsCross, NotWhenOneRollsAroundTheOtherInSmallSteps) {
  TwoBalls balls(0.1, 0.1);
  for (const double turn : {1e-6, 1e-3, 0.1, 0.4}) {
    balls.move({0.2, 0, 0}, {0.2 * std::cos(turn), 0.2 * std::sin(turn), 0});
    EXPECT_FALSE(balls.cross()) << turn;
  }
  balls.move({0.2, 0, 0}, {0.2 * std::cos(1.0), 0.2 * std::sin(1.0), 0});
  EXPECT_TRUE(balls.cross());  // this is through, not around
  const double far = 0.2 + 1e-3;
  balls.move({far, 0, 0}, {far * std::cos(0.4), far * std::sin(0.4), 0});
  EXPECT_TRUE(balls.cross());  // nor does one roll that does not touch
}

TEST(Points, NeverCross) {
  TwoBalls balls(0.0, 0.0);
  balls.move({1, 0, 0}, {-1, 0, 0});
  EXPECT_FALSE(balls.cross());
}

}  // namespace
}  // namespace rigor
