// The kernels against school mechanics on every joint type.
#include <gtest/gtest.h>

#include "dynamics/samples.h"

namespace rigor {
namespace {

TEST(AgainstSlowTree, BodyPosesAgree) {
  forEachSample([](Sample& sample) {
    const std::vector<Pose> poses = bodyPoses(sample.model, sample.q);
    const auto slow_motions = slow::computeMotions(sample.model, sample.q, sample.v, sample.vdot);
    for (int body = 0; body < sample.model.bodyCount(); ++body) {
      EXPECT_LE(relativeError(poses[body].position, slow_motions[body].p()), kRounding) << "body " << body;
      EXPECT_LE(relativeError(poses[body].rotation.toRotationMatrix(), slow_motions[body].R()), kRounding)
          << "body " << body;
    }
  });
}

TEST(AgainstSlowTree, MassMatricesAgree) {
  forEachSample([](Sample& sample) {
    EXPECT_LE(relativeError(massMatrix(sample.model, sample.q), slow::computeMassMatrix(sample.model, sample.q)),
              kRounding);
  });
}

TEST(AgainstSlowTree, InverseDynamicsAgree) {
  forEachSample([](Sample& sample) {
    const Eigen::VectorXd tau = sample.tree.inverseDynamics(sample.v, sample.vdot);
    EXPECT_LE(relativeError(tau, slow::computeInverseDynamics(sample.model, sample.q, sample.v, sample.vdot)),
              kRounding);
  });
}

TEST(AgainstSlowTree, EnergiesAndMomentaAgree) {
  forEachSample([](Sample& sample) {
    const EnergyMomentum<double> energy = sample.tree.energy(sample.v);
    const double kinetic = slow::computeKinetic(sample.model, sample.q, sample.v),
                 potential = slow::computePotential(sample.model, sample.q);
    EXPECT_NEAR(energy.kinetic, kinetic, kRounding * (1.0 + kinetic));
    EXPECT_NEAR(energy.potential, potential,
                kRounding * (1.0 + 10.0 * sample.model.mass() * 10.0));  // g to 17 m/s², arms of metres
    const Eigen::Matrix<double, 6, 1> momentum = slow::computeMomentum(sample.model, sample.q, sample.v);
    EXPECT_LE(relativeError(toEigen(energy.linear), momentum.head<3>()), kRounding);
    EXPECT_LE(relativeError(toEigen(energy.angular), momentum.tail<3>()), kRounding);
  });
}

TEST(AgainstSlowTree, JacobianRowsOfAnyPointAgree) {
  forEachSample([](Sample& sample) {
    const TreeAtPose& tree = sample.tree;
    for (int body = 0; body < sample.model.bodyCount(); ++body) {
      const int link = sample.model.placements()[body].link;
      const Eigen::Vector3d point = sample.random.vector(1.0), direction = sample.random.vector(1.0),
                            turn = sample.random.vector(1.0);
      const Eigen::MatrixXd J = slow::computeJacobian(sample.model, sample.q, body, point);
      const Eigen::VectorXd expected = J.topRows(3).transpose() * direction + J.bottomRows(3).transpose() * turn;
      Eigen::VectorXd row = Eigen::VectorXd::Zero(sample.model.nv());
      if (link >= 0) {
        const Vec3<double> p = toVec3(point) - tree.kinematics.origin[tree.topology.tree[link]];
        std::vector<double> chain_row(tree.topology.chain_length[link]);
        jacobianRow(tree.topology, tree.kinematics.S.data(), link, forceAt(p, toVec3(direction), toVec3(turn)),
                    chain_row.data());
        for (int k = 0; k < tree.topology.chain_length[link]; ++k)
          row[tree.topology.chain[tree.topology.chain_start[link] + k]] = chain_row[k];
      }
      EXPECT_LE(relativeError(row, expected), kRounding) << "body " << body;
    }
  });
}

TEST(AgainstSlowTree, IntegrationMovesBodiesAlike) {
  forEachSample([](Sample& sample) {
    Eigen::VectorXd next(sample.model.nq());
    integrate(sample.model.topology(), sample.q.data(), sample.v.data(), 0.3, next.data());
    EXPECT_LE(relativeError(next, slow::moveAlong(sample.model, sample.q, sample.v, 0.3)), 1e-14);
  });
}

}  // namespace
}  // namespace rigor
