// The kernels against school mechanics on every joint type.
#include <gtest/gtest.h>

#include "dynamics/tree_test.h"

namespace rigor {
namespace {

class AgainstSlowTree : public ::testing::TestWithParam<int> {
 protected:
  AgainstSlowTree() : model(sampleModels()[GetParam()]), random(GetParam()) {
    q = randomPosition(model, random);
    v = randomVelocity(model, random);
    vdot = randomVelocity(model, random);
  }
  Model model;
  Random random;
  Eigen::VectorXd q, v, vdot;
};

TEST_P(AgainstSlowTree, BodyPosesAgree) {
  const std::vector<Pose> poses = bodyPoses(model, q);
  const auto slow_motions = slow::computeMotions(model, q, v, vdot);
  for (int body = 0; body < model.bodyCount(); ++body) {
    EXPECT_LE(relativeError(poses[body].position, slow_motions[body].p()), kRounding) << "body " << body;
    EXPECT_LE(relativeError(poses[body].rotation.toRotationMatrix(), slow_motions[body].R()), kRounding)
        << "body " << body;
  }
}

TEST_P(AgainstSlowTree, MassMatricesAgree) {
  EXPECT_LE(relativeError(massMatrix(model, q), slow::computeMassMatrix(model, q)), kRounding);
}

TEST_P(AgainstSlowTree, InverseDynamicsAgree) {
  const Eigen::VectorXd tau = TreeAtPose(model, q).inverseDynamics(v, vdot);
  EXPECT_LE(relativeError(tau, slow::computeInverseDynamics(model, q, v, vdot)), kRounding);
}

TEST_P(AgainstSlowTree, EnergiesAndMomentaAgree) {
  const EnergyMomentum<double> energy = TreeAtPose(model, q).energy(v);
  const double kinetic = slow::computeKinetic(model, q, v), potential = slow::computePotential(model, q);
  EXPECT_NEAR(energy.kinetic, kinetic, kRounding * (1.0 + kinetic));
  EXPECT_NEAR(energy.potential, potential,
              kRounding * (1.0 + 10.0 * model.mass() * 10.0));  // g to 17 m/s², arms of metres
  const Eigen::Matrix<double, 6, 1> momentum = slow::computeMomentum(model, q, v);
  EXPECT_LE(relativeError(toEigen(energy.linear), momentum.head<3>()), kRounding);
  EXPECT_LE(relativeError(toEigen(energy.angular), momentum.tail<3>()), kRounding);
}

TEST_P(AgainstSlowTree, JacobianRowsOfAnyPointAgree) {
  const TreeAtPose tree(model, q);
  for (int body = 0; body < model.bodyCount(); ++body) {
    const int link = model.placements()[body].link;
    const Eigen::Vector3d point = random.vector(1.0), direction = random.vector(1.0), turn = random.vector(1.0);
    const Eigen::MatrixXd J = slow::computeJacobian(model, q, body, point);
    const Eigen::VectorXd expected = J.topRows(3).transpose() * direction + J.bottomRows(3).transpose() * turn;
    Eigen::VectorXd row = Eigen::VectorXd::Zero(model.nv());
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
}

TEST_P(AgainstSlowTree, IntegrationMovesBodiesAlike) {
  Eigen::VectorXd next(model.nq());
  integrate(model.topology(), q.data(), v.data(), 0.3, next.data());
  EXPECT_LE(relativeError(next, slow::moveAlong(model, q, v, 0.3)), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Samples, AgainstSlowTree, ::testing::Range(0, static_cast<int>(sampleModels().size())));

}  // namespace
}  // namespace rigor
