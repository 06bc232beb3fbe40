// Slip of two balls against closed forms: one body, pure rolling, pure sliding.
#include "minimal/ball_slip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/rotation.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kRounding = 4e-16;  // a few eps of numbers of size 1

struct Balls {
  std::mt19937 random;
  std::uniform_real_distribution<double> uniform{-1.0, 1.0};
  explicit Balls(int seed) : random(seed) {}

  Vec vector() { return {uniform(random), uniform(random), uniform(random)}; }
  Vec unit() {
    const Vec v = vector();
    return (1.0 / norm(v)) * v;
  }

  /// Their line of centres goes from n to n_end, and they turn by these rotation vectors.
  ContactDetail make(const Vec& n, const Vec& n_end, const Vec& turn_1, const Vec& turn_2) {
    ContactDetail contact;
    contact.pair.kind = FeatureKind::kBallBall;
    contact.start.normal = n;
    contact.end.normal = n_end;
    contact.end.gap = 0.0;
    contact.start.radius[0] = 0.3;
    contact.start.radius[1] = 0.7;
    contact.turn[0] = turn_1;
    contact.turn[1] = turn_2;
    return contact;
  }
};

Vec turned(const Vec& by, const Vec& v) { return toMatrix(expQuat(by)) * v; }

TEST(SlipOfBalls, IsZeroWhereBothMoveAsOneBody) {
  for (int seed = 0; seed < 200; ++seed) {
    Balls balls(seed);
    const Vec n = balls.unit(), turn = std::pow(10.0, -6.0 * (seed % 7) / 6.0) * 0.25 * balls.vector();
    ContactDetail contact = balls.make(n, turned(turn, n), turn, turn);
    ASSERT_TRUE(turnTogether(contact));
    EXPECT_LE(norm(slipOfBalls(contact)), kRounding) << seed;
  }
}

TEST(SlipOfBalls, IsZeroWhereOneRollsAroundTheOtherAndTheWholeArcWhereNeitherTurns) {
  for (const double angle : {1e-6, 1e-3, 0.1, 0.4}) {
    Balls balls(1);
    const Vec n = balls.unit(), guess = balls.unit(), across = cross(n, guess), axis = (1.0 / norm(across)) * across;
    const Vec n_end = turned(angle * axis, n), along = cross(axis, n);
    // around a ball of 0.3 m that stands, one of 0.7 m turns by (0.3 + 0.7)/0.7 of the angle of the line
    ContactDetail rolls = balls.make(n, n_end, {}, (angle / 0.7) * axis);
    EXPECT_LE(norm(slipOfBalls(rolls)), kRounding) << angle;
    ContactDetail slides = balls.make(n, n_end, {}, {});
    EXPECT_LE(norm(slipOfBalls(slides) - angle * along), kRounding) << angle;
  }
}

TEST(SlipOfBalls, IsThatOfRollingToSecondOrderWhereABallSpinsAboutTheLineOfCentres) {
  constexpr double kSpin = 0.3;  // [rad] about n, while the other turn leads it around a ball that stands
  for (const double angle : {1e-2, 1e-3, 1e-4}) {
    Balls balls(3);
    const Vec n{0.0, 0.0, 1.0}, axis{1.0, 0.0, 0.0};
    // what turns about an axis that itself turns with the line is, in its frame, a turn about a fixed axis
    const Quat<double> turn = expQuat(angle * axis) * expQuat(kSpin * n + (angle * 0.3 / 0.7) * axis);
    ContactDetail contact = balls.make(n, turned(angle * axis, n), {}, logQuat(turn));
    EXPECT_LE(norm(slipOfBalls(contact)), kRounding) << angle;
  }
}

TEST(SlipOfBalls, IsFollowedElsewhereWhereBallsTurnFar) {
  Balls balls(2);
  const Vec n = balls.unit();
  EXPECT_TRUE(turnTogether(balls.make(n, n, 2.4 * n, {})));
  EXPECT_FALSE(turnTogether(balls.make(n, n, {}, 2.6 * n)));
  EXPECT_FALSE(turnTogether(balls.make(n, -1.0 * n, {}, {})));
  const Vec across = cross(n, balls.unit()), axis = (1.0 / norm(across)) * across;
  EXPECT_TRUE(turnTogether(balls.make(n, turned(0.45 * axis, n), {}, {})));  // cos 0.45 = 0.9004
  EXPECT_FALSE(turnTogether(balls.make(n, turned(0.452 * axis, n), {}, {})));
  ContactDetail deep = balls.make(n, n, {}, {});
  deep.end.gap = -0.51;  // of radii 0.3 and 0.7: their line of centres says nothing any more
  EXPECT_FALSE(turnTogether(deep));
}

}  // namespace
}  // namespace rigor
