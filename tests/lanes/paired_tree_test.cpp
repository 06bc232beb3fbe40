// Two limbs at a time must be the same as one link at a time.
#include "lanes/paired_tree.h"

#include <gtest/gtest.h>

#include <cstring>

#include "dynamics/samples.h"

namespace rigor {
namespace {

using Eigen::VectorXd;

/// A body on `parent` with a joint of this type and all numbers random.
int addRandomBody(int parent, JointType type, Random& random, ModelBuilder& builder) {
  BodySpec body;
  body.parent = parent;
  body.joint.type = type;
  body.joint.axis = random.index(2) ? random.vector(1.0) : Eigen::Vector3d::Unit(random.index(3)).eval();
  body.joint.X_PJ = random.pose(0.3);
  body.joint.armature = random.number(0.0, 0.2);
  if (type.rotation == Rotation::kHelix) body.joint.pitch = random.number(-0.3, 0.3);
  body.mass = random.mass();
  return builder.addBody(body);
}

/// A trunk of two links with pairs on both; every limb forks once and has a joint of the type below the fork.
Model makeLimbedRobot(JointType type, std::uint64_t seed) {
  Random random(seed);
  ModelBuilder builder;
  const int base = addRandomBody(kWorld, seed % 2 ? kFree : kHinge, random, builder);
  const auto addLimb = [&](int carrier) {
    const int hip = addRandomBody(carrier, kHinge, random, builder);
    addRandomBody(addRandomBody(hip, type, random, builder), kHinge, random, builder);
    addRandomBody(hip, kSlide, random, builder);
  };
  addLimb(base);
  const int chest = addRandomBody(base, kHinge, random, builder);
  for (int limb = 0; limb < 3; ++limb) addLimb(limb % 2 ? base : chest);  // between the others in number
  addRandomBody(chest, kBall, random, builder);                           // a head: alone
  return builder.build();
}

void forEachLimbedRobot(const std::function<void(Sample&, PairedTree&)>& check) {
  int number = 0;
  for (const JointType type : allJointTypes())
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      if (type == kFixed || type == kFree) continue;
      SCOPED_TRACE(jointTypeName(type) + ", seed " + std::to_string(seed));
      Sample sample(makeLimbedRobot(type, seed), ++number);
      PairedTree paired(sample.tree.topology, sample.tree.parameters);
      check(sample, paired);
    }
}

TEST(PairedTree, ForwardDynamicsHasTheBitsOfTheKernel) {
  forEachLimbedRobot([](Sample& s, PairedTree& paired) {
    VectorXd vdot(s.model.nv());
    paired.forwardDynamics(s.q.data(), s.v.data(), s.vdot.data(), vdot.data());
    EXPECT_EQ(vdot, s.tree.forwardDynamics(s.v, s.vdot));
  });
}

TEST(PairedTree, InverseDynamicsHasTheBitsOfTheKernel) {
  forEachLimbedRobot([](Sample& s, PairedTree& paired) {
    VectorXd tau(s.model.nv());
    paired.inverseDynamics(s.q.data(), s.v.data(), s.vdot.data(), tau.data());
    EXPECT_EQ(tau, s.tree.inverseDynamics(s.v, s.vdot));
  });
}

TEST(PairedTree, MassMatrixHasTheBitsOfTheKernel) {
  forEachLimbedRobot([](Sample& s, PairedTree& paired) {
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(s.model.nv(), s.model.nv());
    paired.massMatrix(s.q.data(), M.data());
    EXPECT_EQ(M, massMatrix(s.model, s.q));
  });
}

TEST(PairedTree, FactorsOfChainsHaveTheBitsOfTheKernel) {
  forEachLimbedRobot([](Sample& s, PairedTree& paired) {
    const Topology& topology = s.tree.topology;
    std::vector<Motion<double>> S(topology.nv);
    ArticulatedFactors<double> factors;
    factors.resize(topology);
    AbaScratch<double> expected;
    expected.resize(topology);
    std::vector<RootFactors<double>> roots(topology.trees), expected_roots(topology.trees);
    paired.factorChains(s.q.data(), S.data(), factors, roots.data());
    factorChains(topology, s.tree.parameters, s.tree.kinematics, s.tree.inertias, expected, expected_roots.data());

    for (int link = 0; link < topology.links; ++link) {
      const Transform<double> at = paired.placement(link);
      EXPECT_EQ(std::memcmp(&at, &s.tree.kinematics.X_OL[link], sizeof at), 0);
    }
    for (int j = 0; j < topology.nv; ++j) {
      EXPECT_EQ(std::memcmp(&S[j], &s.tree.kinematics.S[j], sizeof S[j]), 0);
      if (topology.joint[topology.dof_link[j]] == kFree) continue;
      EXPECT_EQ(std::memcmp(&factors.U[j], &expected.U[j], sizeof factors.U[j]), 0);
      EXPECT_EQ(factors.inverse_d[j], expected.inverse_d[j]);
    }
    if (topology.joint[0] == kFree)
      for (int k = 0; k < 6; ++k) {
        EXPECT_EQ(roots[0].inverse_D[k], expected_roots[0].inverse_D[k]);
        for (int m = 0; m < k; ++m) EXPECT_EQ(roots[0].L[k][m], expected_roots[0].L[k][m]);
      }
  });
}

TEST(PairedTree, AgreesWithTheKernelsOnRandomTrees) {
  forEachSample([](Sample& s) {
    PairedTree paired(s.tree.topology, s.tree.parameters);
    VectorXd vdot(s.model.nv()), tau(s.model.nv());
    paired.forwardDynamics(s.q.data(), s.v.data(), s.vdot.data(), vdot.data());
    paired.inverseDynamics(s.q.data(), s.v.data(), s.vdot.data(), tau.data());
    EXPECT_EQ(vdot, s.tree.forwardDynamics(s.v, s.vdot));
    EXPECT_EQ(tau, s.tree.inverseDynamics(s.v, s.vdot));
  });
}

TEST(LimbSplit, PairsBranchesWithTheSameJointsAndLeavesTheRestInTheTrunk) {
  const Model model = makeLimbedRobot(kBall, 1);
  const LimbSplit split = splitLimbs(model.topology());
  EXPECT_EQ(split.trunk, (std::vector<int>{0, 5, 18}));  // base, chest, head
  ASSERT_EQ(split.pairs.size(), 2u);                     // two limbs on the base, two on the chest
  for (const LimbPair& pair : split.pairs) {
    ASSERT_EQ(pair.links.size(), 4u);
    for (const std::array<int, 2>& links : pair.links)
      EXPECT_EQ(model.topology().joint[links[0]], model.topology().joint[links[1]]);
  }
}

TEST(LimbSplit, KeepsALongChainAndBranchesThatDifferInTheTrunk) {
  const Topology chain = makeTopology({-1, 0, 1, 2}, {kHinge, kHinge, kHinge, kHinge});
  EXPECT_EQ(splitLimbs(chain).trunk.size(), 4u);
  const Topology fork = makeTopology({-1, 0, 0, 2}, {kHinge, kHinge, kHinge, kSlide});
  EXPECT_TRUE(splitLimbs(fork).pairs.empty());
}

}  // namespace
}  // namespace rigor
