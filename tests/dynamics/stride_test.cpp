// Strides, the momentum of bodies that move so, and the Newton matrix of two poses.
#include "dynamics/stride.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "dynamics/mass_factors.h"
#include "dynamics/samples.h"
#include "dynamics/two_pose_samples.h"
#include "math/dual.h"
#include "model/broadcast.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// P(v) = Σ_b J_b(q)ᵀ (p_b, L_b) of the strides q → q ⊕ h·v, in any scalar.
template <class T>
std::vector<T> momentumOf(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                          const T* v, double h) {
  std::vector<Stride<T>> strides(topology.links);
  placeCentres<T>(topology, parameters, kin, strides);
  computeStrides<T>(topology, parameters, kin, v, T(h), strides);
  std::vector<Force<T>> momenta(topology.links);
  for (int link = 0; link < topology.links; ++link) {
    const Force<T> about_centre = strideMomentum(parameters.inertia[link].mass, strides[link], T(h));
    momenta[link] = forceAt(strides[link].centre, about_centre.linear, about_centre.angular);
  }
  std::vector<T> P(topology.nv);
  sumTorques<T>(topology, kin, momenta, P.data());
  return P;
}

/// ∂P/∂v with armature, column by column, by dual numbers.
MatrixXd slopeOfMomentum(const Sample& s, double h) {
  const Topology& topology = s.tree.topology;
  const Parameters<Dual<>> parameters = broadcast<Dual<>>(s.tree.parameters);
  Kinematics<Dual<>> kin;
  kin.resize(topology);
  const std::vector<Dual<>> q(s.q.begin(), s.q.end());
  computeKinematics(topology, parameters, q.data(), kin);
  MatrixXd A(topology.nv, topology.nv);
  for (int j = 0; j < topology.nv; ++j) {
    std::vector<Dual<>> v(s.v.begin(), s.v.end());
    v[j].tangent[0] = 1.0;
    const std::vector<Dual<>> P = momentumOf(topology, parameters, kin, v.data(), h);
    for (int i = 0; i < topology.nv; ++i) A(i, j) = P[i].tangent[0];
    A(j, j) += s.tree.parameters.armature[j];  // without it several joints on one body may be singular
  }
  return A;
}

constexpr double kSteps[] = {1e-8, 1e-3, 0.05};  // [s] velocities are up to some m/s or rad/s

TEST(Stride, LeadsEveryLinkWhereItsNextPoseIs) {
  forEachSample([](Sample& s) {
    const Topology& topology = s.tree.topology;
    for (const double h : kSteps) {
      VectorXd q_end(topology.nq);
      integrate<double>(topology, s.q.data(), s.v.data(), h, q_end.data());
      const TreeAtPose end(s.model, q_end);
      std::vector<Stride<double>> strides(topology.links);
      placeCentres<double>(topology, s.tree.parameters, s.tree.kinematics, strides);
      computeStrides<double>(topology, s.tree.parameters, s.tree.kinematics, s.v.data(), h, strides);
      for (int link = 0; link < topology.links; ++link) {
        const int tree = topology.tree[link];
        const Vec3<double> com = s.tree.parameters.inertia[link].com;
        const Vec3<double> moved = (end.kinematics.origin[tree] + end.kinematics.X_OL[link] * com) -
                                   (s.tree.kinematics.origin[tree] + s.tree.kinematics.X_OL[link] * com);
        // poses of some metres, rounded at every joint of a chain
        EXPECT_LE(norm(strides[link].shift - moved), 1e-14 * (1.0 + norm(s.tree.kinematics.origin[tree])));
        const Mat3<double> turned = toMatrix(strides[link].turn) * s.tree.kinematics.X_OL[link].R;
        for (const auto& [a, b] :
             {std::pair{turned.x, end.kinematics.X_OL[link].R.x}, std::pair{turned.y, end.kinematics.X_OL[link].R.y}})
          EXPECT_LE(norm(a - b), 1e-14);
      }
    }
  });
}

TEST(Stride, HasTheMomentumOfTheVelocityWhenTheStepIsShort) {
  forEachSample([](Sample& s) {
    const MatrixXd M = massMatrix(s.model, s.q);
    VectorXd expected = M * s.v;
    for (int j = 0; j < expected.size(); ++j) expected[j] -= s.tree.parameters.armature[j] * s.v[j];
    const std::vector<double> P = momentumOf(s.tree.topology, s.tree.parameters, s.tree.kinematics, s.v.data(), 1e-9);
    // the chord of an arc differs by h·|v|, some 1e-8
    EXPECT_LE(relativeError(Eigen::Map<const VectorXd>(P.data(), expected.size()), expected), 1e-7);
  });
}

TEST(Stride, HasTheMomentumOfMoserAndVeselov) {
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const MassProperties mass = random.mass();
    const Eigen::Matrix3d R = random.rotation().toRotationMatrix();
    const Eigen::Vector3d turn = random.vector(0.5);
    const Eigen::Matrix3d E = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
    const Eigen::Matrix3d J = R * mass.inertia * R.transpose();
    const Eigen::Matrix3d N = E * (0.5 * J.trace() * Eigen::Matrix3d::Identity() - J);
    const Eigen::Vector3d expected = Eigen::Vector3d(N(2, 1) - N(1, 2), N(0, 2) - N(2, 0), N(1, 0) - N(0, 1)) / 0.01;
    Stride<double> stride;
    stride.turn = expQuat(toVec3(turn));
    stride.inertia = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
    const Vec3<double> L = strideMomentum(mass.mass, stride, 0.01).angular;
    EXPECT_LE((toEigen(L) - expected).norm(), 1e-13 * J.norm() / 0.01);  // N has the size of J, whatever its skew part
  }
}

TEST(TwoPoseMass, IsTheSlopeOfTheMomentum) {
  forEachSample([](Sample& s) {
    const int n = s.tree.topology.nv;
    for (const double h : kSteps) {
      const MatrixXd A = slopeOfMomentum(s, h);
      const MassFactors<double> factors = factorTwoPoses(s, h);
      MatrixXd X = A;  // A = LᵀDU, so U⁻¹ D⁻¹ L⁻ᵀ A = 1
      for (int j = 0; j < n; ++j) factors.solveLTranspose(s.tree.topology, X.col(j).data());
      X = Eigen::Map<const VectorXd>(factors.inverseD().data(), n).asDiagonal() * X;
      for (int j = 0; j < n; ++j) factors.solveU(s.tree.topology, X.col(j).data());
      const double condition = A.norm() * A.inverse().norm();
      EXPECT_LE(relativeError(X, MatrixXd(MatrixXd::Identity(n, n))), 1e-14 * n * condition) << h;
    }
  });
}

TEST(TwoPoseMass, SolvesRowsOnAChainAsOnTheWholeTree) {
  forEachSample([](Sample& s) {
    const Topology& topology = s.tree.topology;
    const double h = 0.05;
    const MassFactors<double> factors = factorTwoPoses(s, h);
    const MatrixXd inverse = slopeOfMomentum(s, h).inverse();
    for (int link = 0; link < topology.links; ++link)
      for (int other = 0; other < topology.links; ++other) {
        if (topology.tree[link] != topology.tree[other]) continue;
        const int length = topology.chain_length[link], width = topology.chain_length[other];
        const int *chain = topology.chain.data() + topology.chain_start[link],
                  *across = topology.chain.data() + topology.chain_start[other];
        VectorXd row(length), column(width);
        for (double& x : row) x = s.random.number(-1.0, 1.0);
        for (double& x : column) x = s.random.number(-1.0, 1.0);
        double expected = 0.0, size = 0.0;
        for (int a = 0; a < length; ++a)
          for (int b = 0; b < width; ++b)
            expected += row[a] * inverse(chain[a], across[b]) * column[b],
                size += std::fabs(inverse(chain[a], across[b]));
        factors.solveChainUTranspose(topology, link, 1, row.data());
        factors.solveChainLTranspose(topology, other, 1, column.data());
        double found = 0.0;
        for (int k = 0; k < topology.commonPrefix(link, other); ++k)
          found += row[k] * factors.inverseD()[chain[k]] * column[k];
        EXPECT_NEAR(found, expected, 1e-11 * size);  // of the inverse, whose condition is up to some 1e4
      }
  });
}

}  // namespace
}  // namespace rigor
