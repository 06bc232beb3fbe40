// Derivatives of functions that a user writes, against central differences.
#include "stepping/own_terms.h"

#include <gtest/gtest.h>

#include <random>

#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "stepping/close_loops.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// An arm of two hinges with a tool welded to it, and a free body.
Model makeModel() {
  ModelBuilder builder;
  const auto add = [&](const char* name, int parent, JointType type, const Vector3d& axis) {
    BodySpec body;
    body.name = name;
    body.parent = parent;
    body.joint.name = std::string(name) + "_joint";
    body.joint.type = type;
    if (type == kHinge) body.joint.axis = axis;
    body.joint.X_PJ.position = Vector3d(0.2, -0.1, 0.3);
    body.X_JB.position = Vector3d(0.05, 0.1, -0.02);
    body.mass = {1.0, {0.1, 0.0, 0.05}, 0.02 * Eigen::Matrix3d::Identity()};
    return builder.addBody(body);
  };
  const int upper = add("upper", kWorld, kHinge, Vector3d::UnitY());
  const int lower = add("lower", upper, kHinge, Vector3d(0.0, 0.6, 0.8));
  add("tool", lower, kFixed, Vector3d::UnitZ());
  add("ball", kWorld, kFree, Vector3d::UnitZ());
  return builder.build();
}

/// Every function that dual numbers know, of both poses.
PoseNumber mixed(const OwnPose& one, const OwnPose& two) {
  const PoseVector apart = two.point(Vector3d(0.1, 0.2, -0.1)) - one.point(Vector3d(-0.3, 0.1, 0.2));
  const PoseVector seen = one.seenPoint(two.position), turned = one.seenDirection(two.axis_y);
  const PoseNumber d = norm(apart), c = 0.5 * dot(one.axis_x, two.axis_z);
  return exp(-d) + log(1.0 + d) + pow(d, 1.7) + sin(seen.x) * cos(seen.y) + tan(0.3 * seen.z) + asin(c) + acos(c) +
         atan(d) + atan2(turned.y, 2.0 + turned.x) + sinh(c) + cosh(d) + tanh(turned.z) +
         dot(cross(one.axis_y, apart), two.axis_x) + norm(Vector3d::UnitX() - d * Vector3d(0.1, 0.2, 0.3) - apart * c) +
         abs(d - 10.0) / sqrt(1.0 + d * d);
}

OwnValues sixNumbers(const OwnPose& one, const OwnPose& two) {
  const PoseVector apart = two.point(Vector3d(0.1, 0.2, -0.1)) - one.position;
  return {apart.x,           mixed(one, two),
          apart.z * apart.y, dot(one.axis_x, two.axis_y),
          norm(apart),       one.seenPoint(two.position).y};
}

VectorXd somewhere(const Model& model, std::mt19937& random) {
  std::normal_distribution<double> normal;
  VectorXd v(model.nv()), q(model.nq());
  for (double& x : v) x = 0.5 * normal(random);
  integrate(model.topology(), model.q0().data(), v.data(), 1.0, q.data());
  return q;
}

Kinematics<double> kinematicsAt(const Model& model, const VectorXd& q) {
  Kinematics<double> kin;
  kin.resize(model.topology());
  computeKinematics(model.topology(), model.parameters(), q.data(), kin);
  return kin;
}

VectorXd moved(const Model& model, const VectorXd& q, int freedom, double by) {
  const VectorXd v = by * VectorXd::Unit(model.nv(), freedom);
  VectorXd out(model.nq());
  integrate(model.topology(), q.data(), v.data(), 1.0, out.data());
  return out;
}

constexpr double kStep = 1e-5;       // third derivatives of some hundred make (1e-5)²·100/6 = 2e-9 of it,
constexpr double kTolerance = 2e-8;  // rounding 1e-15/1e-5 = 1e-10

TEST(OwnConstraint, HasRowsThatAreItsDerivatives) {
  const Model model = makeModel();
  std::mt19937 random(7);
  for (const auto& [one, two] : {std::pair{"tool", "ball"}, {"ball", "lower"}, {"upper", "tool"}}) {
    const OwnConstraint term{"mixed", model.findBody(one), model.findBody(two), sixNumbers};
    const OwnTerms terms = makeOwnTerms(model, {}, {term}, model.q0());
    ASSERT_EQ(terms.constraints.size(), 2u);
    for (int trial = 0; trial < 20; ++trial) {
      const VectorXd q = somewhere(model, random);
      const auto rowsAt = [&](const VectorXd& pose) {
        return computeLoopRowsAtPose(terms.constraints, model.topology(), kinematicsAt(model, pose), pose.data());
      };
      const LoopRowsAtPose rows = rowsAt(q);
      for (int j = 0; j < model.nv(); ++j) {
        const VectorXd change =
            (rowsAt(moved(model, q, j, kStep)).g - rowsAt(moved(model, q, j, -kStep)).g) / (2.0 * kStep);
        EXPECT_LE((change - rows.J.col(j)).cwiseAbs().maxCoeff(), kTolerance * (1.0 + change.cwiseAbs().maxCoeff()))
            << one << " " << two << ", freedom " << j;
      }
    }
  }
}

TEST(OwnPotential, HasForcesThatAreItsDerivatives) {
  const Model model = makeModel();
  const Topology& topology = model.topology();
  std::mt19937 random(8);
  for (const auto& [one, two] : {std::pair{"tool", "ball"}, {"ball", "lower"}, {"", "ball"}, {"tool", ""}}) {
    const auto find = [&](const std::string& name) { return name.empty() ? kWorld : model.findBody(name); };
    const OwnTerms terms = makeOwnTerms(model, {{"mixed", find(one), find(two), mixed}}, {}, model.q0());
    const PotentialPart& part = terms.potentials[0];
    for (int trial = 0; trial < 20; ++trial) {
      const VectorXd q = somewhere(model, random);
      const Kinematics<double> kin = kinematicsAt(model, q);
      const PotentialAt at = computePotential(part, topology, kin);
      ASSERT_TRUE(at.finite);
      VectorXd slope = VectorXd::Zero(model.nv());
      const int links[2] = {part.frames.link_2, part.frames.link_1};
      for (int side = 0; side < 2; ++side) {
        if (links[side] == kWorld) continue;
        std::vector<double> chain(topology.chain_length[links[side]]);
        jacobianRow(topology, kin.S.data(), links[side], at.gradient[side], chain.data());
        for (std::size_t k = 0; k < chain.size(); ++k)
          slope[topology.chain[topology.chain_start[links[side]] + k]] += chain[k];
      }
      for (int j = 0; j < model.nv(); ++j) {
        const auto energyAt = [&](double by) {
          return computePotential(part, topology, kinematicsAt(model, moved(model, q, j, by))).energy;
        };
        const double change = (energyAt(kStep) - energyAt(-kStep)) / (2.0 * kStep);
        EXPECT_NEAR(slope[j], change, kTolerance * (1.0 + std::fabs(change))) << one << " " << two << ", freedom " << j;
      }
    }
  }
}

TEST(OwnTerm, ThatIsNotFiniteIsNoticedByItsSlopesToo) {
  const Model model = makeModel();
  const Kinematics<double> kin = kinematicsAt(model, model.q0());
  const auto finite = [&](auto function) {
    return computePotential(makeOwnTerms(model, {{"edge", kWorld, 0, function}}, {}, model.q0()).potentials[0],
                            model.topology(), kin)
        .finite;
  };
  EXPECT_TRUE(finite([](const OwnPose&, const OwnPose& two) { return sqrt(dot(two.position, two.position)); }));
  // the arm starts unturned: at the edge of acos its value is 0 and its slope infinite
  EXPECT_FALSE(finite([](const OwnPose&, const OwnPose& two) { return acos(two.axis_x.x); }));
  EXPECT_FALSE(finite([](const OwnPose&, const OwnPose& two) { return log(two.axis_x.y); }));
}

}  // namespace
}  // namespace rigor
