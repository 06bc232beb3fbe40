// Motion on the configuration manifold.
#include "dynamics/integrate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dynamics/samples.h"

namespace rigor {
namespace {

using Eigen::VectorXd;

TEST(Integrate, WorksInPlace) {
  forEachSample([](Sample& s) {
    VectorXd elsewhere(s.model.nq()), in_place = s.q;
    integrate(s.tree.topology, s.q.data(), s.v.data(), 0.01, elsewhere.data());
    integrate(s.tree.topology, in_place.data(), s.v.data(), 0.01, in_place.data());
    EXPECT_EQ(elsewhere, in_place);
  });
}

TEST(Integrate, ManySmallStepsAtConstantVelocityEqualOneLargeStep) {
  forEachSample([](Sample& s) {
    VectorXd many = s.q, one(s.model.nq());
    for (int i = 0; i < 1000; ++i) integrate(s.tree.topology, many.data(), s.v.data(), 1e-3, many.data());
    integrate(s.tree.topology, s.q.data(), s.v.data(), 1.0, one.data());
    // 1000 roundings of numbers of size 4, quaternion sign is kept by both
    EXPECT_LE((many - one).cwiseAbs().maxCoeff(), 1e-12);
  });
}

TEST(Integrate, KeepsQuaternionsAtUnitLength) {
  const Model model = makeJointSample(kBall, 1);
  Random random(5);
  VectorXd q = randomPosition(model, random);
  const VectorXd v = randomVelocity(model, random);
  for (int i = 0; i < 100000; ++i) integrate(model.topology(), q.data(), v.data(), 1e-2, q.data());
  EXPECT_NEAR(q.segment<4>(3).norm(), 1.0, 1e-15);
  EXPECT_NEAR(q.tail<4>().norm(), 1.0, 1e-15);
}

/// Motion of a link about O that carries it from one pose to another, both close to each other.
Motion<double> motionBetween(const slow::BodyMotion& from, const slow::BodyMotion& to, const Vec3<double>& O) {
  const Eigen::Matrix3d turn = to.R() * from.R().transpose();
  const Eigen::Vector3d omega =
      0.5 * Eigen::Vector3d(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
  const Eigen::Vector3d centre = 0.5 * (from.p() + to.p());
  return {toVec3(to.p() - from.p() + omega.cross(toEigen(O) - centre)), toVec3(omega)};
}

TEST(PullBackColumns, AreTheDerivativesOfTheNextPoseByTheVelocity) {
  const double h = 0.2, d = 1e-5;
  forEachSample([&](Sample& s) {
    const Topology& topology = s.tree.topology;
    VectorXd next(s.model.nq());
    integrate(topology, s.q.data(), s.v.data(), h, next.data());
    const TreeAtPose tree(s.model, next);
    std::vector<Motion<double>> columns(topology.nv);
    pullBackColumns(topology, tree.kinematics.S.data(), s.v.data(), h, columns.data());

    for (int j = 0; j < topology.nv; ++j) {
      const VectorXd direction = (d / h) * VectorXd::Unit(topology.nv, j), zero = VectorXd::Zero(topology.nv);
      const auto forth = slow::computeMotions(s.model, slow::moveAlong(s.model, s.q, s.v + direction, h), zero, zero);
      const auto back = slow::computeMotions(s.model, slow::moveAlong(s.model, s.q, s.v - direction, h), zero, zero);
      for (int body = 0; body < s.model.bodyCount(); ++body) {
        const int link = s.model.placements()[body].link;
        if (link < 0) continue;
        const int* chain = topology.chain.data() + topology.chain_start[link];
        const bool moves =
            std::find(chain, chain + topology.chain_length[link], j) != chain + topology.chain_length[link];
        const Vec3<double>& O = tree.kinematics.origin[topology.tree[link]];
        const Motion<double> difference = (0.5 / d) * motionBetween(back[body], forth[body], O);
        const Motion<double> expected = moves ? columns[j] : Motion<double>{};
        // central difference: d² ≈ 1e-10 and eps/d ≈ 1e-11, times lever arms of metres
        EXPECT_LE(norm(difference.linear - expected.linear), 1e-8) << "dof " << j << " body " << body;
        EXPECT_LE(norm(difference.angular - expected.angular), 1e-8) << "dof " << j << " body " << body;
      }
    }
  });
}

}  // namespace
}  // namespace rigor
