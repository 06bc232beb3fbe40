// Arms from DH tables stand where the products of their rows say, in both conventions.
#include "rigor/dh.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <limits>

#include "reference/random_tree.h"
#include "reference/slow_tree.h"

namespace rigor {
namespace {

using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Translation3d;
using Eigen::Vector3d;

std::vector<DhLink> randomTable(int rows, Random& random) {
  std::vector<DhLink> table(rows);
  for (int i = 0; i < rows; ++i) {
    DhLink& link = table[i];
    link.a = random.number(-0.5, 0.5), link.alpha = random.number(-2.0, 2.0);
    link.d = random.number(-0.5, 0.5), link.theta = random.number(-3.0, 3.0);
    link.body.name = "link_" + std::to_string(i);
    link.body.joint.name = "joint_" + std::to_string(i);
    link.body.joint.type = random.index(3) == 0 ? kSlide : kHinge;
    link.body.mass = random.mass();
  }
  return table;
}

/// The row with its joint at q: four moves written out (the third factor is a translation along x by a).
Isometry3d standardRow(const DhLink& link, double q) {
  const bool slides = link.body.joint.type == kSlide;
  return AngleAxisd(link.theta + (slides ? 0.0 : q), Vector3d::UnitZ()) *
         Translation3d(0, 0, link.d + (slides ? q : 0.0)) * Translation3d(link.a, 0, 0) *
         AngleAxisd(link.alpha, Vector3d::UnitX());
}
Isometry3d modifiedRow(const DhLink& link, double q) {
  const bool slides = link.body.joint.type == kSlide;
  return AngleAxisd(link.alpha, Vector3d::UnitX()) * Translation3d(link.a, 0, 0) *
         AngleAxisd(link.theta + (slides ? 0.0 : q), Vector3d::UnitZ()) *
         Translation3d(0, 0, link.d + (slides ? q : 0.0));
}

Model buildArm(DhConvention convention, const std::vector<DhLink>& table) {
  ModelBuilder builder("arm");
  addDhLinks(builder, kWorld, convention, table);
  return builder.build();
}

TEST(DhTable, PlacesEveryFrameAtTheProductOfItsRows) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const std::vector<DhLink> table = randomTable(6, random);
    for (DhConvention convention : {DhConvention::kStandard, DhConvention::kModified}) {
      const Model model = buildArm(convention, table);
      const Eigen::VectorXd q = randomPosition(model, random), zero = Eigen::VectorXd::Zero(6);
      const auto motions = slow::computeMotions(model, q, zero, zero);
      Isometry3d expected = Isometry3d::Identity();
      for (int i = 0; i < 6; ++i) {
        expected = expected *
                   (convention == DhConvention::kStandard ? standardRow(table[i], q[i]) : modifiedRow(table[i], q[i]));
        // a dozen products of matrices with entries of a few metres
        EXPECT_LE((motions[i].X_WB - expected.matrix()).norm(), 1e-13) << "seed " << seed << " row " << i;
      }
    }
  }
}

// The same arm in both conventions: a and alpha move one row down, masses move from one end of a link to the other.
TEST(DhTable, GivesTheSameMassMatrixInBothConventions) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const std::vector<DhLink> standard = randomTable(5, random);
    std::vector<DhLink> modified = standard;
    for (int i = 0; i < 5; ++i) {
      modified[i].a = i == 0 ? 0.0 : standard[i - 1].a;
      modified[i].alpha = i == 0 ? 0.0 : standard[i - 1].alpha;
      const Eigen::Matrix3d R = AngleAxisd(standard[i].alpha, Vector3d::UnitX()).toRotationMatrix();
      MassProperties& mass = modified[i].body.mass;
      mass.com = Vector3d(standard[i].a, 0, 0) + R * standard[i].body.mass.com;
      mass.inertia = R * standard[i].body.mass.inertia * R.transpose();
    }
    const Model one = buildArm(DhConvention::kStandard, standard), other = buildArm(DhConvention::kModified, modified);
    const Eigen::VectorXd q = randomPosition(one, random);
    const Eigen::MatrixXd M = slow::computeMassMatrix(one, q);
    EXPECT_LE((M - slow::computeMassMatrix(other, q)).norm(), 1e-13 * M.norm()) << "seed " << seed;
  }
}

TEST(DhTable, RefusesRowsThatAreNone) {
  Random random(1);
  const auto expectRefused = [&](const std::function<void(std::vector<DhLink>&)>& spoil, const std::string& part) {
    std::vector<DhLink> table = randomTable(3, random);
    spoil(table);
    try {
      buildArm(DhConvention::kStandard, table);
      ADD_FAILURE() << "accepted: " << part;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expectRefused([](auto& table) { table.clear(); }, "no rows");
  expectRefused([](auto& table) { table[1].alpha = std::numeric_limits<double>::quiet_NaN(); },
                "row 1 of the DH table");
  expectRefused([](auto& table) { table[2].body.joint.type = kBall; }, "row 2 of the DH table has a ball joint");
  expectRefused([](auto& table) { table[0].body.more_joints.resize(1); }, "row 0 of the DH table has several joints");
}

}  // namespace
}  // namespace rigor
