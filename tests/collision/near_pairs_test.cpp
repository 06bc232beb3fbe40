#include "collision/near_pairs.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <limits>

#include "dynamics/integrate.h"
#include "dynamics/poses.h"
#include "geometry/features.h"
#include "math/dual.h"
#include "reference/all_pairs.h"
#include "reference/touching_trees.h"
#include "rigor/error.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

constexpr double kRounding = 1e-14;  // numbers of a few metres
const double kRoot3 = std::sqrt(3.0);

Vector3d toEigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

Eigen::Quaterniond turn(double degrees, const Vector3d& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(degrees * M_PI / 180.0, axis));
}

Pose at(const Vector3d& position) { return {position, Eigen::Quaterniond::Identity()}; }

/// A model at one pose.
struct Placed {
  Placed(const Model& m, const Eigen::VectorXd& q)
      : model(m), table(makeCollisionTable(m)), pairs(listAllPairs(table).pairs) {
    kin.resize(model.topology());
    move(q);
  }
  void move(const Eigen::VectorXd& q) {
    computeKinematics(model.topology(), model.parameters(), q.data(), kin);
    placeFeatures(table, poses(), centres);
  }
  LinkPoses poses() const { return {kin.X_OL.data(), kin.origin.data(), model.topology().tree.data()}; }
  LinkPose<double> pose(int link) const {
    if (link < 0) return {Transform<double>::identity(), {}};
    return {kin.X_OL[link], kin.origin[model.topology().tree[link]]};
  }
  GapAtPose<double> geometry(int pair) const { return gapOf(table, pairs[pair], centres); }

  Model model;
  CollisionTable table;
  std::vector<FeaturePair> pairs;  ///< all
  Kinematics<double> kin;
  FeatureCentres centres;
};

BodySpec freeBody(const std::string& name, const Pose& pose, const Shape& shape) {
  BodySpec body;
  body.name = name;
  body.joint.name = name + "_joint";
  body.joint.type = kFree;
  body.joint.X_PJ = pose;
  body.mass = computeMassProperties(makeSphere(0.1), 1000.0);
  body.shapes.push_back({name, shape, {}});
  return body;
}

/// Through (0, 0, 0.1), normal (1/2, 0, √3/2).
ShapeSpec tiltedPlane() { return {"plane", makePlane(), {{0.0, 0.0, 0.1}, turn(30.0, Vector3d::UnitY())}}; }

/// Height above the plane of tiltedPlane().
double height(double x, double z) { return 0.5 * x + 0.5 * kRoot3 * (z - 0.1); }

Placed aboveTiltedPlane(const BodySpec& body) {
  ModelBuilder builder;
  builder.addWorldShape(tiltedPlane());
  builder.addBody(body);
  const Model model = builder.build();
  return Placed(model, model.q0());
}

TEST(ContactIds, AreUniqueAndInOrderAndTheSameForAModelBuiltAgain) {
  for (int seed = 0; seed < 20; ++seed) {
    const PairLists first = listAllPairs(makeCollisionTable(makeTouchingTrees(seed))),
                    again = listAllPairs(makeCollisionTable(makeTouchingTrees(seed)));
    ASSERT_EQ(first.pairs.size(), again.pairs.size());
    ASSERT_GE(first.pairs.size(), 2u);
    for (std::size_t i = 0; i < first.pairs.size(); ++i) {
      EXPECT_EQ(first.pairs[i].id, again.pairs[i].id);
      if (i > 0) {
        EXPECT_LT(first.pairs[i - 1].id, first.pairs[i].id);
      }
    }
  }
}

TEST(BallCentres, AreWhereTheBodyPosesPutTheFeaturesOfItsShape) {
  Random random(5);
  for (int seed = 0; seed < 20; ++seed) {
    const Model model = makeTouchingTrees(seed);
    const Eigen::VectorXd q = randomPosition(model, random);
    const Placed placed(model, q);
    const std::vector<Pose> poses = bodyPoses(model, q);
    std::size_t ball = 0;
    for (const ModelShape& shape : model.shapes()) {
      const std::vector<SphereFeature> features = sphereFeatures(shape.shape);
      const int count = static_cast<int>(features.size());
      const Pose X_WS = shape.body == kWorld ? shape.X_BS : poses[shape.body] * shape.X_BS;
      for (int k = 0; k < count; ++k, ++ball) {
        ASSERT_LT(ball, placed.centres.size());
        EXPECT_LE((toEigen(placed.centres[ball].world) - X_WS * toEigen(features[k].centre)).norm(), 1e-13);
        EXPECT_EQ(placed.table.shapes.balls[ball].radius, features[k].radius);
      }
    }
    EXPECT_EQ(ball, placed.centres.size());
  }
}

TEST(Gap, OfASphereIsItsHeightLessItsRadius) {
  const Placed placed = aboveTiltedPlane(freeBody("ball", {{1, 2, 3}, turn(77, Vector3d::UnitX())}, makeSphere(0.2)));
  ASSERT_EQ(placed.pairs.size(), 1u);
  EXPECT_NEAR(placed.geometry(0).gap, 0.5 + 1.45 * kRoot3 - 0.2, kRounding);
  EXPECT_LE((toEigen(placed.geometry(0).normal) - Vector3d(0.5, 0.0, 0.5 * kRoot3)).norm(), kRounding);
}

TEST(Gap, OfABoxIsTheHeightOfEachCorner) {
  const Placed placed =
      aboveTiltedPlane(freeBody("box", {{1, 2, 3}, turn(90, Vector3d::UnitZ())}, makeBox({0.1, 0.2, 0.3})));
  ASSERT_EQ(placed.pairs.size(), 8u);
  for (int corner = 0; corner < 8; ++corner) {
    const double y = corner & 2 ? 0.2 : -0.2, z = corner & 4 ? 0.3 : -0.3;  // the quarter turn takes y to −x
    EXPECT_NEAR(placed.geometry(corner).gap, height(1.0 - y, 3.0 + z), kRounding) << "corner " << corner;
  }
}

TEST(Gap, OfACapsuleIsTheHeightOfEachEndLessItsRadius) {
  const Placed placed =
      aboveTiltedPlane(freeBody("rod", {{1, 2, 3}, turn(90, Vector3d::UnitY())}, makeCapsule(0.05, 0.4)));
  ASSERT_EQ(placed.pairs.size(), 2u);
  EXPECT_NEAR(placed.geometry(0).gap, height(0.6, 3.0) - 0.05, kRounding);  // the end at −z lies towards −x
  EXPECT_NEAR(placed.geometry(1).gap, height(1.4, 3.0) - 0.05, kRounding);
}

TEST(Gap, FollowsABodyThatIsFixedToALink) {
  ModelBuilder builder;
  builder.addWorldShape(tiltedPlane());
  BodySpec base = freeBody("base", {{1, 2, 3}, turn(90, Vector3d::UnitZ())}, makeSphere(0.2));
  base.shapes.clear();
  const int parent = builder.addBody(base);
  BodySpec tool = freeBody("tool", {{0, 0.7, 1}, turn(90, Vector3d::UnitX())}, makeSphere(0.2));
  tool.parent = parent;
  tool.joint.type = kFixed;
  tool.shapes[0].X_BS.position = {0.0, 0.5, 0.0};
  builder.addBody(tool);
  const Model model = builder.build();
  const Placed placed(model, model.q0());
  ASSERT_EQ(placed.pairs.size(), 1u);
  // tool frame at base (0, 0.7, 1), its y is the base's z: ball at base (0, 0.7, 1.5) = world (1 − 0.7, 2, 3 + 1.5)
  EXPECT_NEAR(placed.geometry(0).gap, height(0.3, 4.5) - 0.2, kRounding);
}

TEST(Gap, IsTakenFromAPlaneOnABodyThatIsFixedToTheWorld) {
  ModelBuilder builder;
  BodySpec table;
  table.name = "table";
  table.joint.name = "mount";
  table.joint.X_PJ = {{0, 0, 0.1}, turn(10, Vector3d::UnitY())};
  table.shapes.push_back({"top", makePlane(), {{0, 0, 0}, turn(20, Vector3d::UnitY())}});
  builder.addBody(table);
  builder.addBody(freeBody("ball", at({1, 2, 3}), makeSphere(0.2)));
  const Model model = builder.build();
  const Placed placed(model, model.q0());
  ASSERT_EQ(placed.pairs.size(), 1u);
  EXPECT_NEAR(placed.geometry(0).gap, height(1.0, 3.0) - 0.2, kRounding);
}

Placed twoBalls(const Vector3d& second) {
  ModelBuilder builder;
  builder.addBody(freeBody("first", at({1, 1, 1}), makeSphere(0.3)));
  builder.addBody(freeBody("second", at(Vector3d(1, 1, 1) + second), makeSphere(0.2)));
  const Model model = builder.build();
  return Placed(model, model.q0());
}

TEST(Gap, OfTwoSpheresIsTheirDistanceLessBothRadii) {
  const Placed placed = twoBalls({0.6, 0.8, 0.0});
  ASSERT_EQ(placed.pairs.size(), 1u);
  EXPECT_NEAR(placed.geometry(0).gap, 0.5, kRounding);
  EXPECT_LE((toEigen(placed.geometry(0).normal) - Vector3d(0.6, 0.8, 0.0)).norm(), kRounding);  // from first to second
}

TEST(Gap, OfConcentricSpheresIsMinusBothRadiiWithSomeUnitNormal) {
  const Placed placed = twoBalls(Vector3d::Zero());
  EXPECT_NEAR(placed.geometry(0).gap, -0.5, kRounding);
  EXPECT_NEAR(toEigen(placed.geometry(0).normal).norm(), 1.0, kRounding);
}

TEST(GapRate, IsTheDerivativeOfTheGapAlongTheMotion) {
  Random random(6);
  int with_two_sides = 0;
  for (int seed = 0; seed < 20; ++seed) {
    const Model model = makeTouchingTrees(seed);
    const Eigen::VectorXd q = randomPosition(model, random), v = randomVelocity(model, random);
    Placed placed(model, q), before(model, q), after(model, q);
    std::vector<Motion<double>> V(model.topology().links);
    computeVelocities(model.topology(), placed.kin, v.data(), V);
    constexpr double kStep = 1e-5;
    Eigen::VectorXd moved(model.nq());
    integrate(model.topology(), q.data(), v.data(), -kStep, moved.data());
    before.move(moved);
    integrate(model.topology(), q.data(), v.data(), kStep, moved.data());
    after.move(moved);
    for (std::size_t i = 0; i < placed.pairs.size(); ++i) {
      const FeaturePair& pair = placed.pairs[i];
      with_two_sides += pair.kind == FeatureKind::kBallBall;
      const double rate = gapRate(pair, placed.geometry(i), V);
      const double slope = (after.geometry(i).gap - before.geometry(i).gap) / (2 * kStep);
      EXPECT_NEAR(rate, slope, 1e-7) << "seed " << seed;  // central difference: 1e-10 curvature, 1e-9 rounding
    }
  }
  EXPECT_GE(with_two_sides, 50);
}

TEST(EvaluatedGap, FromTwoLinkPosesIsThatOfThePlacedFeaturesToTheLastBit) {
  Random random(8);
  for (int seed = 0; seed < 20; ++seed) {
    const Model model = makeTouchingTrees(seed);
    const Placed placed(model, randomPosition(model, random));
    for (std::size_t i = 0; i < placed.pairs.size(); ++i) {
      const FeaturePair& pair = placed.pairs[i];
      const GapAtPose<double> at =
          evaluateGap(pair, placed.table.shapes, placed.pose(pair.link[0]), placed.pose(pair.link[1]));
      const GapAtPose<double> expected = placed.geometry(i);
      EXPECT_EQ(at.gap, expected.gap);
      EXPECT_EQ(toEigen(at.normal), toEigen(expected.normal));
      EXPECT_EQ(toEigen(at.point), toEigen(expected.point));
      EXPECT_EQ(toEigen(at.centre[1].relative), toEigen(expected.centre[1].relative));
      EXPECT_EQ(at.radius[1], expected.radius[1]);
    }
  }
}

TEST(EvaluatedGap, OfDualNumbersHasTheRateOfTheGapAsItsDerivative) {
  using D = Dual<1>;
  Random random(9);
  for (int seed = 0; seed < 10; ++seed) {
    const Model model = makeTouchingTrees(seed);
    const Eigen::VectorXd q = randomPosition(model, random), v = randomVelocity(model, random);
    const Placed placed(model, q);
    std::vector<Motion<double>> V(model.topology().links);
    computeVelocities(model.topology(), placed.kin, v.data(), V);
    /// A pose that moves with the velocity of its link.
    const auto moving = [&](int link) {
      const LinkPose<double> pose = placed.pose(link);
      const Motion<double> motion = link < 0 ? Motion<double>{} : V[link];
      const auto dual = [](const Vec3<double>& a, const Vec3<double>& rate) {
        return Vec3<D>{D(a.x, {rate.x}), D(a.y, {rate.y}), D(a.z, {rate.z})};
      };
      const auto turned = [&](const Vec3<double>& axis) { return dual(axis, cross(motion.angular, axis)); };
      const Mat3<double>& R = pose.X_OL.R;
      return LinkPose<D>{{{turned(R.x), turned(R.y), turned(R.z)},
                          dual(pose.X_OL.p, motion.linear + cross(motion.angular, pose.X_OL.p))},
                         dual(pose.origin, {})};
    };
    for (std::size_t i = 0; i < placed.pairs.size(); ++i) {
      const FeaturePair& pair = placed.pairs[i];
      const GapAtPose<D> at = evaluateGap(pair, placed.table.shapes, moving(pair.link[0]), moving(pair.link[1]));
      EXPECT_NEAR(at.gap.value, placed.geometry(i).gap, 1e-15);
      EXPECT_NEAR(at.gap.tangent[0], gapRate(pair, placed.geometry(i), V), 1e-12)
          << "seed " << seed;  // a few metres per second
    }
  }
}

TEST(NearPairs, AreAllWhoseGapMayCloseAndNoOthers) {
  Random random(10);
  int near_pairs = 0, far_pairs = 0;
  for (int seed = 0; seed < 20; ++seed) {
    const Model model = makeTouchingTrees(seed);
    const Eigen::VectorXd v = randomVelocity(model, random);
    const Placed placed(model, randomPosition(model, random));
    std::vector<Motion<double>> V(model.topology().links);
    computeVelocities(model.topology(), placed.kin, v.data(), V);
    std::vector<NearPair> near;
    findNear(placed.table, placed.pairs, allIndices(placed.pairs.size()), placed.centres, V, 1e-2, near);
    std::size_t next = 0;
    for (std::size_t i = 0; i < placed.pairs.size(); ++i) {
      const double gap = placed.geometry(i).gap, rate = gapRate(placed.pairs[i], placed.geometry(i), V);
      const bool expected = gap + 1e-2 * rate < 1e-6 + 1e-3 * std::fabs(rate) + 20.0 * 1e-4;
      const bool found = next < near.size() && near[next].pair == static_cast<int>(i);
      EXPECT_EQ(found, expected) << "seed " << seed << ", pair " << i;
      if (found) {
        EXPECT_EQ(near[next++].at.gap, gap);
      }
      ++(found ? near_pairs : far_pairs);
    }
    EXPECT_EQ(next, near.size());
  }
  EXPECT_GE(near_pairs, 50);
  EXPECT_GE(far_pairs, 50);
}

TEST(ViolatedPairs, AreThoseThatEachPairSaysItself) {
  Random random(11);
  int violated_pairs = 0;
  for (int seed = 0; seed < 20; ++seed) {
    const Model model = makeTouchingTrees(seed);
    const Placed from(model, randomPosition(model, random)), to(model, randomPosition(model, random));
    std::vector<int> violated, expected;
    findViolated(from.table, from.pairs, allIndices(from.pairs.size()), from.centres, to.centres, violated);
    for (std::size_t i = 0; i < from.pairs.size(); ++i) {
      const FeaturePair& pair = from.pairs[i];
      if (isViolated(pair, from.table.shapes, wayOf(pair, from.centres, to.centres)))
        expected.push_back(static_cast<int>(i));
    }
    EXPECT_EQ(violated, expected) << "seed " << seed;
    violated_pairs += static_cast<int>(violated.size());
  }
  EXPECT_GE(violated_pairs, 50);
}

TEST(FeaturePairId, IsInTheOrderOfShapesKindAndFeaturesAndTellsThemAll) {
  Random random(11);
  using Names = std::array<int, 5>;
  const auto draw = [&](int most) { return random.index(2) ? random.index(3) : random.index(most); };
  constexpr int kLast = static_cast<int>(FeatureKind::kWhole), kMost = std::numeric_limits<int>::max();
  Names before{};
  for (int i = 0; i < 10000; ++i) {
    const Names names{draw(kMostShapes), draw(kMostShapes), draw(kLast + 1), draw(kMost), draw(kMost)};
    const auto idOf = [](const Names& n) {
      return makeFeaturePairId(n[0], n[1], static_cast<FeatureKind>(n[2]), n[3], n[4]);
    };
    const RowId id = idOf(names);
    EXPECT_EQ(id < idOf(before), names < before);
    EXPECT_EQ(id == idOf(before), names == before);
    EXPECT_EQ(static_cast<int>(kindOfId(id)), names[2]);
    EXPECT_TRUE(featureOfId(id, 0) == names[3] && featureOfId(id, 1) == names[4]);
    EXPECT_TRUE(id >= firstIdOf(names[0], names[1]) && id < endOfIds(names[0], names[1]));
    EXPECT_LT(endOfIds(names[0], names[1]).high >> 60, 2u);  // the last shapes end where other rows begin
    before = names;
  }
}

TEST(Tangents, MakeARightHandedFrameWithEveryNormal) {
  Random random(7);
  for (int i = 0; i < 1000; ++i) {
    Vector3d n = random.rotation() * Vector3d::UnitZ();
    if (i < 6) n = (i < 3 ? 1.0 : -1.0) * Vector3d::Unit(i % 3);
    Vec3<double> t1, t2;
    makeTangents({n.x(), n.y(), n.z()}, t1, t2);
    Eigen::Matrix3d frame;
    frame << n, toEigen(t1), toEigen(t2);
    EXPECT_LE((frame.transpose() * frame - Eigen::Matrix3d::Identity()).norm(), 4e-15);
    EXPECT_NEAR(frame.determinant(), 1.0, 4e-15);
  }
}

}  // namespace
}  // namespace rigor
