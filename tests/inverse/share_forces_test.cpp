// Forces that a motion leaves open: shared as asked, or proved to be impossible.
#include "inverse/share_forces.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

namespace rigor {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// A body of six freedoms on `feet` point contacts around it, floor below, with `driven` joints more that contacts move at random.
struct Stand {
  ForceShare share;
  Eigen::VectorXd planted;  // forces inside their cones that make f, with the torques
};

Stand makeStand(int feet, int driven, std::uint64_t seed, double mu = 0.7) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Stand stand;
  ForceShare& share = stand.share;
  const int n = 6 + driven, m = 3 * feet;
  share.J.setZero(m, n);
  stand.planted.setZero(m);
  for (int i = 0; i < feet; ++i) {
    const Eigen::Vector3d p(0.5 * uniform(random), 0.5 * uniform(random), -0.5);
    const Eigen::Vector3d axes[3] = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY()};
    for (int r = 0; r < 3; ++r) {
      share.J.block<1, 3>(3 * i + r, 0) = axes[r].transpose();
      share.J.block<1, 3>(3 * i + r, 3) = p.cross(axes[r]).transpose();
      for (int j = 6; j < n; ++j) share.J(3 * i + r, j) = 0.3 * uniform(random);
    }
    share.sets.push_back({.kind = ForceSet::Kind::kCone, .row = 3 * i, .size = 3, .mu = mu});
    const double push = 1.0 + uniform(random);
    stand.planted.segment<3>(3 * i) << push, 0.5 * mu * push * uniform(random), 0.5 * mu * push * uniform(random);
  }
  share.weight.setOnes(m);
  share.near.setZero(m);
  for (int j = 6; j < n; ++j) share.driven.push_back(j);
  share.cost.setConstant(driven, 1e-3);
  share.bias.setZero(driven);
  share.limit.setConstant(driven, kNone);
  share.wanted = share.J.transpose() * stand.planted;
  for (int j = 6; j < n; ++j) share.wanted[j] += uniform(random);
  return stand;
}

/// The same minimum by a slow way: gradient steps on the forces with torques eliminated, f held by an augmented Lagrangian.
Eigen::VectorXd shareSlowly(const ForceShare& share) {
  const Eigen::Index n = share.wanted.size(), m = share.J.rows();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(m), y = Eigen::VectorXd::Zero(6);
  const Eigen::MatrixXd U = share.J.leftCols(6), P = share.J.rightCols(n - 6);
  const Eigen::VectorXd f = share.wanted.head(6), t = share.wanted.tail(n - 6);
  const double penalty = 10.0;
  const Eigen::MatrixXd H =
      Eigen::MatrixXd::Identity(m, m) + share.cost[0] * P * P.transpose() + penalty * U * U.transpose();
  const double step = 1.0 / H.norm();
  for (int outer = 0; outer < 300; ++outer) {
    for (int k = 0; k < 2000; ++k) {
      const Eigen::VectorXd g =
          x - share.cost[0] * P * (t - P.transpose() * x) + penalty * U * (U.transpose() * x - f + y);
      x -= step * g;
      for (const ForceSet& set : share.sets) projectOn(set, &x[set.row]);
    }
    y += U.transpose() * x - f;
  }
  return x;
}

TEST(ForceSharer, MakesTheImpulseThatIsWantedWithForcesInTheirCones) {
  ForceSharer sharer;
  int failed = 0;
  double steps = 0.0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const int feet = 3 + static_cast<int>(seed % 6), driven = static_cast<int>(seed % 13);
    const Stand stand = makeStand(feet, driven, seed);
    failed += !sharer.solve(stand.share);
    // the sharer stops at 1e-13 of all terms, weighed by the square roots of their freedoms' compliances (up to a thousand)
    EXPECT_LE(sharer.residual().cwiseAbs().maxCoeff(), 1e-10) << seed;
    for (const ForceSet& set : stand.share.sets) {
      const Eigen::Vector3d force = sharer.forces().segment<3>(set.row);
      EXPECT_LE(force.tail<2>().norm(), set.mu * force[0] + 1e-14) << seed;
    }
    EXPECT_LE(sharer.forces().norm(), stand.planted.norm() * (1.0 + 1e-3) + 1e-3) << seed;  // no more than the planted
    steps += sharer.steps();
  }
  EXPECT_LE(failed, 1);  // three feet nearly in a line, forces at the edge of a cone: thousands of steps
  EXPECT_LE(steps / 1000, 30.0);
}

TEST(ForceSharer, FindsTheMinimumOfASlowTwin) {
  ForceSharer sharer;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Stand stand = makeStand(4, 3, seed, 0.4);
    ASSERT_TRUE(sharer.solve(stand.share));
    // the twin creeps where few forces differ much
    EXPECT_LE((sharer.forces() - shareSlowly(stand.share)).cwiseAbs().maxCoeff(), 1e-4) << seed;
  }
}

TEST(ForceSharer, IsThePseudoinverseWhereNoConeIsInTheWay) {
  ForceSharer sharer;
  const Stand stand = makeStand(4, 0, 7, 1e6);  // cones as wide as half spaces, forces that push
  ASSERT_TRUE(sharer.solve(stand.share));
  const Eigen::VectorXd least = stand.share.J.transpose().completeOrthogonalDecomposition().solve(stand.share.wanted);
  ASSERT_GT(least(0), 0.0);
  EXPECT_LE((sharer.forces() - least).cwiseAbs().maxCoeff(), 1e-9);  // 1e-13 of the terms over the least compliance
}

TEST(ForceSharer, ProvesThatNothingCarriesABodyInTheAir) {
  ForceSharer sharer;
  Stand stand = makeStand(0, 4, 3);
  stand.share.wanted << 0, 0, 1, 0, 0, 0, 1, 2, 3, 4;
  EXPECT_FALSE(sharer.solve(stand.share));
  EXPECT_NEAR(sharer.residual()[2], 1.0, 1e-12);
  EXPECT_GT(provesImpossible(stand.share, sharer.residual()), 1e8);
}

TEST(ForceSharer, ProvesThatFeetDoNotPull) {
  ForceSharer sharer;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Stand stand = makeStand(4, 5, seed);
    stand.share.wanted[2] = -1.0;
    EXPECT_FALSE(sharer.solve(stand.share)) << seed;
    EXPECT_GT(provesImpossible(stand.share, sharer.residual()), 1e6) << seed;
  }
}

TEST(ForceSharer, KeepsLimitsOfTorqueByForcesThatNeedLess) {
  ForceSharer sharer;
  int limited = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Stand stand = makeStand(6, 6, seed);
    ASSERT_TRUE(sharer.solve(stand.share));
    const double most = sharer.torques().cwiseAbs().maxCoeff();
    stand.share.limit.setConstant(0.9 * most);
    if (!sharer.solve(stand.share)) {
      EXPECT_GT(provesImpossible(stand.share, sharer.residual()), 1e6) << seed;
      continue;
    }
    ++limited;
    EXPECT_LE(sharer.torques().cwiseAbs().maxCoeff(), 0.9 * most) << seed;
    EXPECT_LE(sharer.residual().cwiseAbs().maxCoeff(), 1e-10) << seed;
  }
  EXPECT_GT(limited, 100);  // of 300, or the test says nothing
}

TEST(ForceSets, ProjectionsHaveTheDerivativesOfCentralDifferences) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const ForceSet sets[] = {{.kind = ForceSet::Kind::kCone, .size = 3, .mu = 0.6},
                           {.kind = ForceSet::Kind::kRay, .size = 3, .direction = {1.0, 0.3, -0.4}},
                           {.kind = ForceSet::Kind::kAny, .size = 3}};
  for (const ForceSet& set : sets)
    for (int k = 0; k < 200; ++k) {
      const Eigen::Vector3d x(normal(random), normal(random), normal(random));
      const Eigen::Matrix3d D = derivativeOfProjection(set, x.data());
      for (int c = 0; c < 3; ++c) {
        constexpr double kStep = 1e-6;
        Eigen::Vector3d plus = x, minus = x;
        plus[c] += kStep, minus[c] -= kStep;
        projectOn(set, plus.data()), projectOn(set, minus.data());
        // second derivatives of a cone of size 1, times the square of the step, and rounding over the step
        EXPECT_LE((D.col(c) - (plus - minus) / (2.0 * kStep)).norm(), 1e-8);
      }
    }
}

}  // namespace
}  // namespace rigor
