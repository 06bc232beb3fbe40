// How fast springs between points swing across their lines: the eigenvalue beside a dense twin, its bound, and what it costs.
#include "simulation/swing_across.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "rigor/algorithms.h"
#include "simple_scenes.h"

namespace rigor {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

BodySpec makeBody(const std::string& name, int parent, JointType type, const Vector3d& place) {
  BodySpec body;
  body.name = name, body.parent = parent;
  body.joint.name = name + "_joint", body.joint.type = type, body.joint.X_PJ.position = place;
  body.mass = {1.5, Vector3d(0.02, -0.01, 0.03), Vector3d(0.02, 0.03, 0.04).asDiagonal()};
  return body;
}

SpringSpec makeSpring(int body_1, const Vector3d& point_1, int body_2, const Vector3d& point_2) {
  SpringSpec spring;
  spring.body_1 = body_1, spring.body_2 = body_2;
  spring.point_1 = point_1, spring.point_2 = point_2;
  spring.stiffness = 700.0, spring.length = 0.05;
  return spring;
}

/// A free body with two arms, a slider beside it and a body that moves as it is told; what is between them is in `springs`.
Model makeMechanism(const std::vector<SpringSpec>& springs) {
  ModelBuilder builder;
  const int base = builder.addBody(makeBody("base", kWorld, kFree, {0, 0, 1}));
  const int arm = builder.addBody(makeBody("arm", base, kHinge, {0.2, 0, 0}));
  BodySpec hand = makeBody("hand", arm, kUniversal, {0.3, 0.1, 0});
  hand.joint.armature = 0.01;
  builder.addBody(hand);
  builder.addBody(makeBody("slider", kWorld, kSlide, {1, 0, 1}));
  BodySpec told = makeBody("told", kWorld, kFree, {0, 1, 1});
  told.kinematic = true;
  builder.addBody(told);
  int number = 0;
  for (SpringSpec spring : springs) {
    spring.name = "spring" + std::to_string(number++);
    builder.addSpring(spring);
  }
  return builder.build();
}
enum Body { kBase, kArm, kHand, kSlider, kTold };

VectorXd posed(const Model& model) {
  VectorXd q = model.q0();
  q[7] = 0.4, q[8] = -0.3, q[9] = 0.6;  // arm and hand
  return q;
}

/// The same by dense matrices: eigenvalues of M⁻¹ Σ (k x/d) Jᵀ P J, J of the points of a spring against each other.
double solveDense(const Model& model, const VectorXd& q) {
  Data data(model);
  MatrixXd stiffness = MatrixXd::Zero(model.nv(), model.nv());
  for (const SpringSpec& spring : model.springs()) {
    Vector3d line = Vector3d::Zero();
    Matrix3Xd J = Matrix3Xd::Zero(3, model.nv());
    const auto add = [&](int body, const Vector3d& point, double sign) {
      line += sign * (body == kWorld ? point : Vector3d(framePlacement(model, data, q, body) * point));
      if (body != kWorld && !model.body(body).kinematic)
        J += sign * getFrameJacobian(model, data, q, body, point).topRows<3>();
    };
    add(spring.body_1, spring.point_1, -1.0), add(spring.body_2, spring.point_2, 1.0);
    const double distance = line.norm();
    if (distance <= spring.length) continue;
    const Matrix3d across = Matrix3d::Identity() - line * line.transpose() / (distance * distance);
    stiffness += spring.stiffness * (1.0 - spring.length / distance) * J.transpose() * across * J;
  }
  return (computeMinverse(model, data, q) * stiffness).eigenvalues().real().maxCoeff();
}

// 12^(1/1024) is what the root of the trace of a power may be too large by.
TEST(SwingAcross, IsTheEigenvalueOfTheDenseTwinAndNotAboveItsBound) {
  const Vector3d p(0.1, -0.05, 0.02), r(-0.04, 0.07, 0.1);
  const std::vector<std::vector<SpringSpec>> cases = {
      {makeSpring(kHand, p, kWorld, r)},
      {makeSpring(kBase, p, kHand, r)},    // of one tree: its arms move with it
      {makeSpring(kHand, r, kSlider, p)},  // of two trees
      {makeSpring(kTold, r, kHand, p)},
      {makeSpring(kArm, p, kHand, r), makeSpring(kHand, -r, kArm, p), makeSpring(kArm, r, kHand, -p)},
      {makeSpring(kTold, p, kArm, r), makeSpring(kArm, -p, kWorld, r)},  // both of these do not answer
  };
  for (const std::vector<SpringSpec>& springs : cases) {
    const Model model = makeMechanism(springs);
    const VectorXd q = posed(model);
    SwingAcross swing(model);
    ASSERT_EQ(swing.groups().size(), 1u);
    swing.moveTo(q);
    const double dense = solveDense(model, q), found = swing.eigenvalueAbove(0.0, 0);
    EXPECT_GT(dense, 1.0);
    EXPECT_GE(found, dense * (1.0 - 1e-10));
    EXPECT_LE(found, dense * (std::pow(12.0, 1.0 / 1024.0) + 1e-10));
    EXPECT_GE(swing.boundOf(0), dense * (1.0 - 1e-10));
  }
}

// A row of balls on springs at their centres: 1/m + 1/m is all that answers, so the bound is k x/d · 2/m = 700 · 0.5 · 2/1.5.
TEST(SwingAcross, FactorsTheMassOnceAtAPoseAndOnlyAboveItsBound) {
  ModelBuilder builder;
  for (int i = 0; i < 20; ++i) {
    BodySpec ball = makeBody("ball" + std::to_string(i), kWorld, kFree, {0.1 * i, 0, 0});
    ball.mass.com.setZero();
    builder.addBody(ball);
    if (i == 0) continue;
    SpringSpec spring = makeSpring(i - 1, Vector3d::Zero(), i, Vector3d::Zero());
    spring.name = "spring" + std::to_string(i);
    builder.addSpring(spring);
  }
  const Model model = builder.build();
  SwingAcross swing(model);
  ASSERT_EQ(swing.groups().size(), 19u);
  const double bound = 700.0 * 0.5 * 2.0 / 1.5;
  const auto solveAll = [&](double limit) {
    swing.moveTo(model.q0());
    double most = 0.0;
    for (int i = 0; i < 19; ++i) {
      EXPECT_NEAR(swing.boundOf(i), bound, 1e-9 * bound);
      most = std::max(most, swing.eigenvalueAbove(limit, i));
    }
    return most;
  };
  EXPECT_EQ(solveAll(1.001 * bound), 0.0);
  EXPECT_EQ(swing.factorings(), 0);
  EXPECT_NEAR(solveAll(0.999 * bound), bound, 0.003 * bound);
  EXPECT_EQ(swing.factorings(), 1);
  solveAll(0.999 * bound);
  EXPECT_EQ(swing.factorings(), 2);
}

}  // namespace
}  // namespace rigor
