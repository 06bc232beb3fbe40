#include "model/merge_links.h"

#include <gtest/gtest.h>

#include "geometry/convert.h"
#include "model/sample_bodies.h"
#include "reference/random_tree.h"
#include "reference/slow_tree.h"

namespace rigor {
namespace {

TEST(LinkAxes, ArePermutationsForAxesOfTheJointFrame) {
  const auto axes = [](double x, double y, double z) { return toEigen(linkAxes(kHinge, {x, y, z})); };
  using M = Eigen::Matrix3d;  // rows here; columns are first, second, axis
  EXPECT_EQ(axes(0, 0, 1), M::Identity());
  EXPECT_EQ(axes(1, 0, 0), (M{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(axes(0, 1, 0), (M{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}));
  EXPECT_EQ(axes(0, 0, -1), (M{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}));
}

TEST(LinkAxes, AreARotationThatTakesZToTheAxis) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Eigen::Vector3d axis = random.vector(1.0).normalized();
    const Eigen::Matrix3d R = toEigen(linkAxes(kPlanar, axis));
    EXPECT_LE((R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), 1e-15);
    EXPECT_NEAR(R.determinant(), 1.0, 1e-15);
    EXPECT_EQ(R.col(2), axis);
  }
}

TEST(LinkAxes, AreThoseOfTheJointFrameWhereTheJointHasNoAxis) {
  for (JointType type : {kBall, kFree, JointType{Translation::kAll, Rotation::kNone}})
    EXPECT_EQ(toEigen(linkAxes(type, Eigen::Vector3d(1, 2, 3).normalized())), Eigen::Matrix3d::Identity());
}

// Two balls of 1 kg on a hinge, the second fixed 2 m away along x: everything follows by hand.
TEST(MergeLinks, AddsMassesByTheParallelAxisTheorem) {
  BodySpec first = ballBody("first", kWorld, kHinge), second = ballBody("second", 0, kFixed);
  first.mass = {1.0, {0.0, 0.0, 0.0}, Eigen::Vector3d(0.1, 0.2, 0.3).asDiagonal()};
  second.mass = {1.0, {0.0, 0.0, 0.0}, Eigen::Vector3d(0.1, 0.2, 0.3).asDiagonal()};
  second.joint.X_PJ = {{2.0, 0.0, 0.0}, Eigen::Quaterniond(Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitZ()))};
  const Links links = mergeLinks({first, second});
  ASSERT_EQ(links.topology.links, 1);
  const LinkInertia<double>& link = links.parameters.inertia[0];
  EXPECT_DOUBLE_EQ(link.mass, 2.0);
  EXPECT_LE((toEigen(link.com) - Eigen::Vector3d(1.0, 0.0, 0.0)).norm(), 1e-15);
  // turned by a quarter, x and y of the second change places; each mass is 1 m from the common centre
  const Eigen::Matrix3d expected = Eigen::Vector3d(0.1 + 0.2, 0.2 + 0.1 + 2.0, 0.6 + 2.0).asDiagonal();
  EXPECT_LE((toEigen(link.rotational) - expected).norm(), 1e-15);
}

TEST(MergeLinks, KeepsTheNumbersOfABodyThatIsAlone) {
  BodySpec body = ballBody("body", kWorld, kFree);
  body.mass.com = {0.1, 0.7, -0.3};
  body.mass.inertia << 0.31, 0.01, 0.02, 0.01, 0.37, 0.03, 0.02, 0.03, 0.41;
  const Links links = mergeLinks({body});
  const LinkInertia<double>& link = links.parameters.inertia[0];
  EXPECT_EQ(link.mass, body.mass.mass);
  EXPECT_EQ(toEigen(link.com), body.mass.com);
  EXPECT_EQ(toEigen(link.rotational), body.mass.inertia);
}

TEST(MergeLinks, PutsBodiesThatCannotMoveIntoTheWorld) {
  BodySpec pole = ballBody("pole", kWorld, kFixed), lamp = ballBody("lamp", 0, kFixed),
           arm = ballBody("arm", 1, kHinge);
  pole.joint.X_PJ.position = {1.0, 0.0, 0.0};
  lamp.joint.X_PJ.position = {0.0, 0.0, 2.0};
  arm.joint.X_PJ.position = {0.0, 0.5, 0.0};
  const Links links = mergeLinks({pole, lamp, arm});
  EXPECT_EQ(links.topology.links, 1);
  EXPECT_EQ(links.placements[0].link, kWorld);
  EXPECT_EQ(links.placements[1].link, kWorld);
  EXPECT_EQ(toEigen(links.placements[1].X_LB.p), Eigen::Vector3d(1.0, 0.0, 2.0));
  EXPECT_EQ(links.placements[2].link, 0);
  EXPECT_EQ(links.topology.parent[0], -1);
  EXPECT_EQ(toEigen(links.parameters.X_PJ[0].p), Eigen::Vector3d(1.0, 0.5, 2.0));
  EXPECT_EQ(links.parameters.inertia[0].mass, arm.mass.mass);  // nothing of the pole
}

TEST(MergeLinks, MakesTheKernelFrameOfAFreeBodyTheWorld) {
  BodySpec body = ballBody("body", kWorld, kFree);
  body.joint.X_PJ = {{1.0, 2.0, 3.0}, Eigen::Quaterniond(Eigen::AngleAxisd(1.0, Eigen::Vector3d::UnitX()))};
  const Links links = mergeLinks({body});
  EXPECT_EQ(toEigen(links.parameters.X_PJ[0].p), Eigen::Vector3d::Zero());
  EXPECT_EQ(toEigen(links.parameters.X_PJ[0].R), Eigen::Matrix3d::Identity());
}

/// X_WB of all bodies by the meaning of topology.h and parameters.h, read literally.
std::vector<Eigen::Matrix4d> posesFromLinks(const Model& model, const Eigen::VectorXd& q) {
  const auto matrix = [](const Transform<double>& X) {
    Eigen::Matrix4d A = Eigen::Matrix4d::Identity();
    A.topLeftCorner<3, 3>() = toEigen(X.R);
    A.topRightCorner<3, 1>() = toEigen(X.p);
    return A;
  };
  const Topology& top = model.topology();
  std::vector<Eigen::Matrix4d> links, bodies;
  for (int link = 0; link < top.links; ++link) {
    Eigen::Affine3d J = Eigen::Affine3d::Identity();
    int k = top.q_index[link];
    switch (top.joint[link].translation) {
      case Translation::kNone:
        break;
      case Translation::kAxis:
        J.translate(Eigen::Vector3d(0, 0, q[k++]));
        break;
      case Translation::kPlane:
        J.translate(Eigen::Vector3d(q[k], q[k + 1], 0));
        k += 2;
        break;
      case Translation::kAll:
        J.translate(Eigen::Vector3d(q[k], q[k + 1], q[k + 2]));
        k += 3;
        break;
    }
    if (top.joint[link].rotation == Rotation::kAxis) J.rotate(Eigen::AngleAxisd(q[k], Eigen::Vector3d::UnitZ()));
    if (top.joint[link] == kHelical) {
      J.translate(Eigen::Vector3d(0, 0, model.parameters().pitch[link] * q[k]));
      J.rotate(Eigen::AngleAxisd(q[k], Eigen::Vector3d::UnitZ()));
    }
    if (top.joint[link] == kUniversal) {
      J.rotate(Eigen::AngleAxisd(q[k], Eigen::Vector3d::UnitZ()));
      J.rotate(Eigen::AngleAxisd(q[k + 1], Eigen::Vector3d::UnitX()));
    }
    if (top.joint[link].rotation == Rotation::kAll) J.rotate(Eigen::Quaterniond(q[k], q[k + 1], q[k + 2], q[k + 3]));
    const Eigen::Matrix4d parent = top.parent[link] < 0 ? Eigen::Matrix4d::Identity().eval() : links[top.parent[link]];
    links.push_back(parent * matrix(model.parameters().X_PJ[link]) * J.matrix());
  }
  for (const BodyPlacement& placement : model.placements())
    bodies.push_back((placement.link < 0 ? Eigen::Matrix4d::Identity().eval() : links[placement.link]) *
                     matrix(placement.X_LB));
  return bodies;
}

TEST(MergeLinks, LeavesEveryBodyWhereItsJointsPutIt) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Model model = makeRandomTree(seed, 3);
    Random random(seed);
    const Eigen::VectorXd q = randomPosition(model, random), zero = Eigen::VectorXd::Zero(model.nv());
    const auto expected = slow::computeMotions(model, q, zero, zero);
    const auto poses = posesFromLinks(model, q);
    for (int body = 0; body < model.bodyCount(); ++body)
      // some ten products of matrices with entries of a few metres
      EXPECT_LE((poses[body] - expected[body].X_WB).norm(), 1e-13 * (1.0 + expected[body].p().norm()))
          << "seed " << seed << " body " << body;
  }
}

TEST(RandomTrees, ContainEveryJointTypeMergedBodiesAndBodiesWithSeveralJoints) {
  std::vector<int> seen(allJointTypes().size(), 0);
  int merged = 0, several = 0;
  for (std::uint64_t seed = 0; seed < 90; ++seed) {
    const Model model = makeRandomTree(seed, 3);
    for (int body = 0; body < model.bodyCount(); ++body) {
      merged += model.body(body).joint.type == kFixed;
      several += !model.body(body).more_joints.empty();
      for (std::size_t i = 0; i < seen.size(); ++i)
        if (model.body(body).joint.type == allJointTypes()[i]) ++seen[i];
    }
  }
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_GE(seen[i], 10) << jointTypeName(allJointTypes()[i]);
  EXPECT_GE(merged, 50);
  EXPECT_GE(several, 50);
}

}  // namespace
}  // namespace rigor
