// The Newton step of articulated bodies is that of the graph: all bodies free, all joints with their multipliers (VG Alg. 1–2).
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "dynamics/mass_factors.h"
#include "dynamics/samples.h"
#include "dynamics/two_pose_samples.h"
#include "rigor/block_graph.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd toVector(const Motion<double>& a) {
  VectorXd b(6);
  b << toEigen(a.linear), toEigen(a.angular);
  return b;
}
MatrixXd toMatrix(const TwoPoseInertia<double>& I) {
  MatrixXd A(6, 6);
  A << toEigen(I.push), toEigen(I.twist), toEigen(I.heave), toEigen(I.turn);
  return A;
}
void copyTo(const MatrixXd& A, double* block) {
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(block, A.rows(), A.cols()) += A;
}

/// What a joint keeps at the end of a step, which forces it passes on at the start, and the coordinates of its freedoms.
struct JointSpaces {
  MatrixXd kept;    ///< [6 − k × 6] N: N (V − V_parent) = 0
  MatrixXd held;    ///< [6 × 6 − k] R: forces R λ
  MatrixXd rates;   ///< [k × 6] η of V − V_parent
  MatrixXd pushes;  ///< [6 × k] forces that do the work τ·η at the start and none with `held`
};
JointSpaces spacesOf(const TwoPoseMass<double>& mass, int first, int count) {
  MatrixXd S(6, count), S_end(6, count);
  for (int k = 0; k < count; ++k)
    S.col(k) = toVector(mass.S[first + k]), S_end.col(k) = toVector(mass.S_end[first + k]);
  JointSpaces spaces;
  spaces.kept =
      count < 6 ? MatrixXd(Eigen::FullPivLU<MatrixXd>(S_end.transpose()).kernel().transpose()) : MatrixXd(0, 6);
  spaces.held = count < 6 ? MatrixXd(Eigen::FullPivLU<MatrixXd>(S.transpose()).kernel()) : MatrixXd(6, 0);
  spaces.rates = (S_end.transpose() * S_end).inverse() * S_end.transpose();
  spaces.pushes = S * (S.transpose() * S).inverse();
  return spaces;
}

bool hasMasslessNeighbours(const Sample& s) {
  const Topology& topology = s.tree.topology;
  const auto massless = [&](int link) { return link < 0 || s.tree.parameters.inertia[link].mass == 0.0; };
  for (int link = 0; link < topology.links; ++link)
    if (massless(link) && massless(topology.parent[link])) return true;
  return false;
}

TEST(TwoPoseMass, TakesTheNewtonStepOfTheGraphOfBodiesAndJoints) {
  int compared = 0;
  forEachSample([&](Sample& s) {
    if (hasMasslessNeighbours(s)) return;  // the graph wants those merged into their joint
    ++compared;
    const Topology& topology = s.tree.topology;
    const double h = 0.02;
    MassFactors<double> factors = factorTwoPoses(s, h);
    const TwoPoseMass<double>& mass = factors.editTwoPoses();
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    for (int link = 0; link < topology.links; ++link)
      nodes.push_back(
          {6, s.tree.parameters.inertia[link].mass > 0.0 ? GraphNodeKind::kRegular : GraphNodeKind::kMassless});
    std::vector<int> joint_node(topology.links, -1), child_edge(topology.links), parent_edge(topology.links),
        body_edge(topology.links);
    for (int link = 0; link < topology.links; ++link) {
      const int parent = topology.parent[link];
      if (topology.dofs[link] < 6) {
        joint_node[link] = static_cast<int>(nodes.size());
        nodes.push_back({6 - topology.dofs[link], GraphNodeKind::kConstraint});
        child_edge[link] = static_cast<int>(edges.size());
        edges.emplace_back(link, joint_node[link]);
        parent_edge[link] = static_cast<int>(edges.size());
        if (parent >= 0) edges.emplace_back(parent, joint_node[link]);
      }
      body_edge[link] = static_cast<int>(edges.size());
      if (parent >= 0) edges.emplace_back(parent, link);
    }
    BlockGraph graph(nodes, edges);
    graph.setZero();
    std::vector<JointSpaces> spaces;
    for (int link = 0; link < topology.links; ++link) {
      const int first = topology.v_index[link], parent = topology.parent[link];
      spaces.push_back(spacesOf(mass, first, topology.dofs[link]));
      const JointSpaces& joint = spaces.back();
      const VectorXd armature = Eigen::Map<const VectorXd>(&mass.passive[first], topology.dofs[link]);
      const MatrixXd inertia = joint.pushes * armature.asDiagonal() * joint.rates;
      copyTo(toMatrix(mass.bodies[link]) + inertia, graph.diagonal(link));
      if (parent >= 0) {
        copyTo(inertia, graph.diagonal(parent));
        copyTo(-inertia, graph.block(body_edge[link]));
        copyTo(-inertia, graph.reverse(body_edge[link]));
      }
      if (joint_node[link] < 0) continue;
      copyTo(-joint.held, graph.block(child_edge[link]));
      copyTo(joint.kept, graph.reverse(child_edge[link]));
      if (parent < 0) continue;
      copyTo(joint.held, graph.block(parent_edge[link]));
      copyTo(-joint.kept, graph.reverse(parent_edge[link]));
    }
    ASSERT_TRUE(graph.factor().regular());
    VectorXd tau(topology.nv);
    for (double& x : tau) x = s.random.number(-1.0, 1.0);
    VectorXd right = VectorXd::Zero(graph.rows()), unknown(graph.rows());
    for (int link = 0; link < topology.links; ++link) {
      const VectorXd force = spaces[link].pushes * tau.segment(topology.v_index[link], topology.dofs[link]);
      right.segment(graph.start(link), 6) += force;
      if (topology.parent[link] >= 0) right.segment(graph.start(topology.parent[link]), 6) -= force;
    }
    graph.solveRefined(right.data(), unknown.data(), 1, 4);
    VectorXd expected(topology.nv);
    for (int link = 0; link < topology.links; ++link) {
      VectorXd V = unknown.segment(graph.start(link), 6);
      if (topology.parent[link] >= 0) V -= unknown.segment(graph.start(topology.parent[link]), 6);
      expected.segment(topology.v_index[link], topology.dofs[link]) = spaces[link].rates * V;
    }
    VectorXd found = tau;
    factors.solveLTranspose(topology, found.data());
    for (int j = 0; j < topology.nv; ++j) found[j] *= factors.inverseD()[j];
    factors.solveU(topology, found.data());
    // solutions of systems whose condition is up to some 1e5
    EXPECT_LE(relativeError(found, expected), 1e-9);
  });
  EXPECT_GE(compared, 25);  // the others have several joints on one body
}

}  // namespace
}  // namespace rigor
