// rigor against Pinocchio and MuJoCo: three robots and 200 random mechanisms with every kind of joint.
#include "peers/agreement.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "peers/rigor_answers.h"
#include "rigor/io.h"

namespace rigor {
namespace {

/// A few hundred roundings of 1e-16 on the way of a quantity through a tree; Pinocchio and MuJoCo are up to 1e-13 apart
/// in accelerations and 1e-14 in all else (the script prints it). Asked: twelve digits.
constexpr double kTwelveDigits = 1e-12;

/// Each quantity must hold; the numbers go into the test report (docs/results.md is made of them).
void expectAgreement(const std::string& peer, const Differences& worst) {
  ASSERT_GE(worst.size(), 12u);
  for (const auto& [name, difference] : worst) {
    EXPECT_LE(difference, kTwelveDigits) << peer << ": " << name;
    testing::Test::RecordProperty(peer + "_" + name, fmt::format("{:.1e}", difference));
  }
}

class RobotAgreement : public testing::TestWithParam<std::string> {};

TEST_P(RobotAgreement, HoldsToTwelveDigits) {
  const Model model = loadModel(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + GetParam() + ".urdf");
  const PeerFile file = readPeerFile(GetParam());
  Differences pinocchio, mujoco;
  for (const PeerCase& one : file.cases) {
    ASSERT_EQ(model.nq(), one.nq);
    ASSERT_EQ(model.bodyCount(), one.bodies);
    const Answers answers = askRigor(model, one);
    addDifferences(answers, one.pinocchio, one.v, pinocchio);
    ASSERT_TRUE(one.mujoco);
    addDifferences(answers, *one.mujoco, one.v, mujoco);
  }
  expectAgreement("pinocchio", pinocchio);
  expectAgreement("mujoco", mujoco);
}

INSTANTIATE_TEST_SUITE_P(Peers, RobotAgreement, testing::Values("anymal", "a1", "humanoid"),
                         [](const auto& info) { return info.param; });

TEST(RandomTreeAgreement, HoldsToTwelveDigits) {
  Differences pinocchio, mujoco;
  for (const PeerCase& one : readPeerFile("random_trees").cases) {
    const Answers answers = askRigor(*one.model, one);
    addDifferences(answers, one.pinocchio, one.v, pinocchio);
    if (one.mujoco) addDifferences(answers, *one.mujoco, one.v, mujoco);
  }
  expectAgreement("pinocchio", pinocchio);
  expectAgreement("mujoco", mujoco);
}

// A comparison is worth as much as what it compares.
TEST(RandomTreesOfThePeers, HoldEveryJointAndEveryKindOfTree) {
  const PeerFile file = readPeerFile("random_trees");
  EXPECT_EQ(file.versions, "pin 4.1.0\nmujoco 4.0.0");
  ASSERT_EQ(file.cases.size(), 200u);
  std::map<std::string, int> types, types_of_mujoco;
  int several_trees = 0, several_joints = 0, tilted_axes = 0, with_armature = 0, with_mujoco = 0;
  for (const PeerCase& one : file.cases) {
    int roots = 0;
    with_mujoco += one.mujoco.has_value();
    for (const ModelJoint& joint : one.model->joints()) {
      ++types[jointTypeName(joint.spec.type)];
      if (one.mujoco) ++types_of_mujoco[jointTypeName(joint.spec.type)];
      with_armature += joint.spec.armature > 0.0;
      tilted_axes += joint.spec.axis.cwiseAbs().maxCoeff() < 0.99;
    }
    for (int body = 0; body < one.model->bodyCount(); ++body) {
      const BodySpec& spec = one.model->body(body);
      several_joints += !spec.more_joints.empty();
      if (spec.parent == kWorld && spec.joint.type == kFixed) ++types["fixed to the world"];
      if (spec.parent != kWorld && spec.joint.type == kFixed) ++types["fixed to a body"];
      roots += spec.parent == kWorld && spec.joint.type != kFixed;
    }
    several_trees += roots > 1;
  }
  EXPECT_EQ(types.size(), 15u);  // eleven pairs that move, helical, universal, two kinds of fixed
  for (const auto& [type, count] : types) EXPECT_GE(count, 20) << type;
  EXPECT_EQ(types_of_mujoco.size(), 12u);  // all but helical
  for (const auto& [type, count] : types_of_mujoco) EXPECT_GE(count, 10) << type;
  EXPECT_GE(with_mujoco, 100);
  EXPECT_GE(several_trees, 50);
  EXPECT_GE(several_joints, 50);
  EXPECT_GE(tilted_axes, 200);
  EXPECT_GE(with_armature, 200);
}

}  // namespace
}  // namespace rigor
