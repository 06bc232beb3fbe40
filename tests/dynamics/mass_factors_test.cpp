// The two ways to factor the mass matrix hold the same L and D.
#include "dynamics/mass_factors.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "dynamics/samples.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One sample factored both ways, with random numbers on the diagonal.
struct BothWays {
  explicit BothWays(Sample& sample) : topology(sample.tree.topology), passive(topology.nv), held(topology.nv) {
    for (int j = 0; j < topology.nv; ++j) {
      passive[j] = sample.tree.parameters.armature[j] + sample.random.number(0.0, 0.1);
      held[j] = sample.random.number(0.0, 0.1);
    }
    for (auto& [mass, method] :
         {std::pair{&packed, MassMethod::kPacked}, std::pair{&articulated, MassMethod::kArticulated}}) {
      mass->resize(topology, method);
      mass->setMass(topology, sample.tree.kinematics, sample.tree.inertias, passive.data());
      mass->factor(topology, held.data());
    }
    M = massMatrix(sample.model, sample.q);
    for (int j = 0; j < topology.nv; ++j) M(j, j) += passive[j] + held[j] - sample.tree.parameters.armature[j];
  }

  /// What rounding may change in a solve: eps times the condition of L, whose square is that of M, and some hundred sums.
  double tolerance() const { return 1e-14 * (1.0 + std::sqrt(M.norm() * M.inverse().norm())); }

  const Topology& topology;
  VectorXd passive, held;
  MassFactors<double> packed, articulated;
  MatrixXd M;
};

TEST(MassFactors, OfArticulatedBodiesAreThoseOfPackedRows) {
  forEachSample([](Sample& s) {
    const BothWays both(s);
    const int n = both.topology.nv;
    const auto solved = [&](const MassFactors<double>& mass, bool transposed) {
      MatrixXd X = MatrixXd::Identity(n, n);
      for (int j = 0; j < n; ++j)
        transposed ? mass.solveLTranspose(both.topology, X.col(j).data()) : mass.solveU(both.topology, X.col(j).data());
      return X;
    };
    for (const bool transposed : {true, false})
      EXPECT_LE(relativeError(solved(both.articulated, transposed), solved(both.packed, transposed)), both.tolerance());
    for (int j = 0; j < n; ++j) {
      const double D = both.packed.pivot(both.topology, j);
      EXPECT_NEAR(both.articulated.pivot(both.topology, j), D, both.tolerance() * D);
      EXPECT_NEAR(both.articulated.inverseD()[j] * D, 1.0, both.tolerance());
    }
  });
}

TEST(MassFactors, MultipliedAreTheMassMatrix) {
  forEachSample([](Sample& s) {
    const BothWays both(s);
    const int n = both.topology.nv;
    for (const MassFactors<double>* mass : {&both.packed, &both.articulated}) {
      MatrixXd X = both.M;  // M = Lᵀ D L, so D⁻¹ L⁻ᵀ M L⁻¹ = 1
      for (int j = 0; j < n; ++j) mass->solveLTranspose(both.topology, X.col(j).data());
      X = Eigen::Map<const VectorXd>(mass->inverseD().data(), n).asDiagonal() * X;
      for (int j = 0; j < n; ++j) mass->solveU(both.topology, X.col(j).data());
      EXPECT_LE(relativeError(X, MatrixXd(MatrixXd::Identity(n, n))),
                1e-15 * n * both.M.norm() * both.M.inverse().norm());
    }
  });
}

TEST(MassFactors, SolveOneToSixRowsOnAChainAsTheyDoOnTheWholeTree) {
  forEachSample([](Sample& s) {
    const BothWays both(s);
    const Topology& topology = both.topology;
    for (const MassFactors<double>* mass : {&both.packed, &both.articulated})
      for (int link = 0; link < topology.links; ++link)
        for (int rows = 1; rows <= 6; ++rows) {
          const int length = topology.chain_length[link];
          const int* chain = topology.chain.data() + topology.chain_start[link];
          VectorXd X(rows * length);
          for (double& x : X) x = s.random.number(-1.0, 1.0);
          MatrixXd whole = MatrixXd::Zero(topology.nv, rows);
          for (int k = 0; k < length; ++k)
            for (int r = 0; r < rows; ++r) whole(chain[k], r) = X[k * rows + r];
          mass->solveChainLTranspose(topology, link, rows, X.data());
          for (int r = 0; r < rows; ++r) mass->solveLTranspose(topology, whole.col(r).data());
          for (int k = 0; k < length; ++k)
            for (int r = 0; r < rows; ++r)
              EXPECT_NEAR(X[k * rows + r], whole(chain[k], r), 1e-13 * (1.0 + whole.cwiseAbs().maxCoeff()));
        }
  });
}

TEST(MassFactors, WeighTheDiagonalOfTheInverse) {
  forEachSample([](Sample& s) {
    const BothWays both(s);
    const int n = both.topology.nv;
    std::vector<double> weight(n, 0.0), column(n);
    std::vector<int> freedoms;
    for (int j = 0; j < n; j += 2) {
      weight[j] = s.random.number(0.1, 1.0);
      freedoms.push_back(j);
    }
    const double expected = both.M.inverse().diagonal().dot(Eigen::Map<VectorXd>(weight.data(), n));
    for (const MassFactors<double>* mass : {&both.packed, &both.articulated})
      EXPECT_NEAR(mass->weighInverse(both.topology, freedoms, weight, column.data()), expected,
                  1e-14 * both.M.norm() * both.M.inverse().norm() * expected);
  });
}

Model makeHinges(int links) {
  ModelBuilder builder("chain");
  Random random(3);
  for (int i = 0; i < links; ++i) {
    BodySpec body;
    body.parent = i - 1;
    body.joint.type = kHinge;
    body.joint.axis = random.vector(1.0);
    body.joint.X_PJ.position = random.vector(0.1);
    body.mass = random.mass();
    builder.addBody(body);
  }
  return builder.build();
}

TEST(MassFactors, OfLongChainsAgreeAndNeedNoMassMatrix) {
  EXPECT_EQ(chooseMassMethod(makeHinges(10).topology()), MassMethod::kPacked);
  const Model model = makeHinges(200);
  EXPECT_EQ(chooseMassMethod(model.topology()), MassMethod::kArticulated);
  Sample sample(model, 5);
  const BothWays both(sample);
  VectorXd packed = sample.v, articulated = sample.v;
  both.packed.solveLTranspose(both.topology, packed.data());
  both.articulated.solveLTranspose(both.topology, articulated.data());
  EXPECT_LE(relativeError(articulated, packed), both.tolerance());
  both.packed.solveU(both.topology, packed.data());
  both.articulated.solveU(both.topology, articulated.data());
  EXPECT_LE(relativeError(articulated, packed), both.tolerance());
}

}  // namespace
}  // namespace rigor
