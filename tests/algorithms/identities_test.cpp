// What must hold between the algorithms, whoever wrote them.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "dynamics/samples.h"

namespace rigor {
namespace {

using Eigen::VectorXd;

std::vector<Force<double>> randomForces(int links, Random& random) {
  std::vector<Force<double>> forces;
  for (int link = 0; link < links; ++link) forces.push_back({toVec3(random.vector(5.0)), toVec3(random.vector(5.0))});
  return forces;
}

/// M⁻¹ enlarges the rounding of τ by the condition of M.
double conditionOf(const Model& model, const VectorXd& q) {
  const Eigen::MatrixXd M = massMatrix(model, q);
  return M.norm() * M.inverse().norm();
}

TEST(Dynamics, ForwardUndoesInverse) {
  forEachSample([](Sample& s) {
    const auto forces = randomForces(s.tree.topology.links, s.random);
    const VectorXd tau = s.tree.inverseDynamics(s.v, s.vdot, forces.data());
    const VectorXd back = s.tree.forwardDynamics(s.v, tau, forces.data());
    EXPECT_LE(relativeError(back, s.vdot), 1e-14 * conditionOf(s.model, s.q) + 1e-12);
  });
}

TEST(Dynamics, MassMatrixHasTheColumnsOfInverseDynamics) {
  forEachSample([](Sample& s) {
    const int n = s.model.nv();
    const VectorXd zero = VectorXd::Zero(n), rest = s.tree.inverseDynamics(zero, zero);
    Eigen::MatrixXd columns(n, n);
    for (int j = 0; j < n; ++j) columns.col(j) = s.tree.inverseDynamics(zero, VectorXd::Unit(n, j)) - rest;
    EXPECT_LE(relativeError(massMatrix(s.model, s.q), columns), kRounding);
  });
}

TEST(Dynamics, BiasIsInverseDynamicsWithoutAcceleration) {
  forEachSample([](Sample& s) {
    RneaScratch<double> scratch;
    scratch.resize(s.tree.topology);
    VectorXd bias(s.model.nv());
    rnea<double>(s.tree.topology, s.tree.parameters, s.tree.kinematics, s.tree.inertias, s.v.data(), nullptr, nullptr,
                 scratch, bias.data());
    EXPECT_EQ(bias, s.tree.inverseDynamics(s.v, VectorXd::Zero(s.model.nv())));
  });
}

TEST(Dynamics, ExternalForcesActThroughTheJacobian) {
  forEachSample([](Sample& s) {
    const Topology& topology = s.tree.topology;
    const auto forces = randomForces(topology.links, s.random);
    VectorXd expected = s.tree.inverseDynamics(s.v, s.vdot);
    for (int link = 0; link < topology.links; ++link) {
      std::vector<double> row(topology.chain_length[link]);
      jacobianRow(topology, s.tree.kinematics.S.data(), link, forces[link], row.data());
      for (std::size_t k = 0; k < row.size(); ++k) expected[topology.chain[topology.chain_start[link] + k]] -= row[k];
    }
    EXPECT_LE(relativeError(s.tree.inverseDynamics(s.v, s.vdot, forces.data()), expected), kRounding);
  });
}

TEST(Factorisation, GivesBackTheMassMatrix) {
  forEachSample([](Sample& s) {
    const Topology& topology = s.tree.topology;
    const int n = topology.nv;
    std::vector<double> packed = s.tree.packedMassMatrix(), inverse_D(n);
    factorLtl(topology, packed.data(), inverse_D.data());
    Eigen::MatrixXd L = Eigen::MatrixXd::Identity(n, n);
    VectorXd D(n);
    for (int i = 0; i < n; ++i) {
      const double* row = packed.data() + topology.row_start[i];
      const int* chain = topology.chain.data() + topology.chain_start[topology.dof_link[i]];
      for (int k = 0; k < topology.dof_depth[i]; ++k) L(i, chain[k]) = row[k];
      D[i] = row[topology.dof_depth[i]];
      EXPECT_DOUBLE_EQ(D[i] * inverse_D[i], 1.0);
      EXPECT_GT(D[i], 0.0);
    }
    EXPECT_LE(relativeError(L.transpose() * D.asDiagonal() * L, massMatrix(s.model, s.q)), kRounding);
  });
}

TEST(Factorisation, SolvesLikeADenseSolver) {
  forEachSample([](Sample& s) {
    const Topology& topology = s.tree.topology;
    std::vector<double> packed = s.tree.packedMassMatrix(), inverse_D(topology.nv);
    factorLtl(topology, packed.data(), inverse_D.data());
    VectorXd x = s.vdot;
    solveMass(topology, packed.data(), inverse_D.data(), x.data());
    const VectorXd dense = massMatrix(s.model, s.q).ldlt().solve(s.vdot);
    EXPECT_LE(relativeError(x, dense), 1e-14 * conditionOf(s.model, s.q) + 1e-12);
  });
}

TEST(Factorisation, HalfSolveOnAChainIsTheHalfSolveOfTheWholeVector) {
  forEachSample([](Sample& s) {
    const Topology& topology = s.tree.topology;
    std::vector<double> packed = s.tree.packedMassMatrix(), inverse_D(topology.nv);
    factorLtl(topology, packed.data(), inverse_D.data());
    for (int link = 0; link < topology.links; ++link) {
      const int* chain = topology.chain.data() + topology.chain_start[link];
      std::vector<double> on_chain(topology.chain_length[link]);
      VectorXd whole = VectorXd::Zero(topology.nv);
      for (std::size_t k = 0; k < on_chain.size(); ++k) whole[chain[k]] = on_chain[k] = s.random.number(-1.0, 1.0);
      solveChainLTranspose<1>(topology, packed.data(), link, on_chain.data());
      solveLTranspose(topology, packed.data(), whole.data());
      for (std::size_t k = 0; k < on_chain.size(); ++k) {
        EXPECT_NEAR(on_chain[k], whole[chain[k]], kRounding * (1.0 + whole.norm()));
        whole[chain[k]] = 0.0;
      }
      EXPECT_EQ(whole.cwiseAbs().maxCoeff(), 0.0) << "the solve left the chain of link " << link;
    }
  });
}

}  // namespace
}  // namespace rigor
