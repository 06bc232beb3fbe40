// The compliances of operational space (OS §V) against J M⁻¹ Jᵀ with dense matrices.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "dynamics/samples.h"
#include "rigor/algorithms.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;

/// J of all nodes, then a dense inverse.
MatrixXd slowCompliance(Sample& s, Data& data, const std::vector<Node>& nodes) {
  MatrixXd J(6 * nodes.size(), s.model.nv());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    J.middleRows(6 * n, 6) = getFrameJacobian(s.model, data, s.q, nodes[n].body, nodes[n].point);
  return J * crba(s.model, data, s.q).inverse() * J.transpose();
}

std::vector<Node> nodesOfAllBodies(const Model& model) {
  std::vector<Node> nodes;
  for (int body = 0; body < model.bodyCount(); ++body) nodes.push_back({body});
  return nodes;
}

// Both sides lose digits with the condition of M, up to 1e4 here; 1e-10 of the largest entry leaves two digits above that.
constexpr double kAgree = 1e-10;

TEST(ComplianceKernel, IsTheDiagonalOfJMinvJtOfAllBodies) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const MatrixXd slow = slowCompliance(s, data, nodesOfAllBodies(s.model));
    const std::vector<Matrix6d>& kernel = computeComplianceKernel(s.model, data, s.q);
    ASSERT_EQ(static_cast<int>(kernel.size()), s.model.bodyCount());
    for (int k = 0; k < s.model.bodyCount(); ++k)
      EXPECT_LE((kernel[k] - slow.block<6, 6>(6 * k, 6 * k)).cwiseAbs().maxCoeff(),
                kAgree * (1.0 + slow.cwiseAbs().maxCoeff()))
          << "body " << k;
  });
}

TEST(ExtendedCompliance, IsJMinvJtOfEveryTwoBodiesAndTheKernelOfEachWithItself) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const MatrixXd slow = slowCompliance(s, data, nodesOfAllBodies(s.model));
    const std::vector<Matrix6d> kernel = computeComplianceKernel(s.model, data, s.q);
    for (int i = 0; i < s.model.bodyCount(); ++i)
      for (int j = 0; j < s.model.bodyCount(); ++j) {
        const Matrix6d block = computeExtendedCompliance(s.model, data, s.q, i, j);
        EXPECT_LE((block - slow.block<6, 6>(6 * i, 6 * j)).cwiseAbs().maxCoeff(),
                  kAgree * (1.0 + slow.cwiseAbs().maxCoeff()))
            << "bodies " << i << ", " << j;
        if (i == j) {
          EXPECT_EQ(block, kernel[i]);  // the same operations
        }
      }
  });
}

TEST(OperationalSpaceCompliance, IsJMinvJtOfNodesAnywhereOnTheBodies) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    std::vector<Node> nodes;  // some bodies have several, some none
    for (int n = 0; n < 5; ++n) nodes.push_back({s.random.index(s.model.bodyCount()), s.random.vector(0.5)});
    const MatrixXd slow = slowCompliance(s, data, nodes);
    const MatrixXd& fast = computeOperationalSpaceCompliance(s.model, data, s.q, nodes);
    EXPECT_LE((fast - slow).cwiseAbs().maxCoeff(), kAgree * (1.0 + slow.cwiseAbs().maxCoeff()));
    // blocks of two nodes are mirrored, those of one are computed whole and round
    EXPECT_LE(relativeError(fast, MatrixXd(fast.transpose())), kRounding);
  });
}

TEST(OperationalSpaceCompliance, RefusesNodesThatAreNowhere) {
  Sample s(makeRandomTree(1, 2), 1);
  Data data(s.model);
  for (const Node& node : {Node{-1}, Node{s.model.bodyCount()}, Node{0, {NAN, 0.0, 0.0}}}) {
    try {
      computeOperationalSpaceCompliance(s.model, data, s.q, {Node{0}, node});
      ADD_FAILURE() << "body " << node.body;
    } catch (const Error& error) {
      EXPECT_EQ(error.where().element, "node 1");
      EXPECT_FALSE(error.remedy().empty());
    }
  }
}

}  // namespace
}  // namespace rigor
