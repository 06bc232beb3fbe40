// Energy, momentum and the choice of the world frame.
#include <gtest/gtest.h>

#include "dynamics/samples.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kStep = 1e-5;  // central differences: h² ≈ 1e-10 and eps/h ≈ 1e-11, times rates of motion up to 100

VectorXd moved(const Model& model, const VectorXd& q, const VectorXd& v, double h) {
  VectorXd next(model.nq());
  integrate(model.topology(), q.data(), v.data(), h, next.data());
  return next;
}

TEST(Conservation, EnergyChangesByThePowerOfTheForces) {
  forEachSample([](Sample& s) {
    const VectorXd tau = randomVelocity(s.model, s.random);
    const VectorXd vdot = s.tree.forwardDynamics(s.v, tau);
    const auto energyAfter = [&](double h) {
      const TreeAtPose tree(s.model, moved(s.model, s.q, s.v + 0.5 * h * vdot, h));
      const EnergyMomentum<double> energy = tree.energy(s.v + h * vdot);
      return energy.kinetic + energy.potential;
    };
    const double rate = (energyAfter(kStep) - energyAfter(-kStep)) / (2.0 * kStep);
    const double size = 1.0 + s.tree.energy(s.v).kinetic + vdot.norm() * s.v.norm();
    EXPECT_NEAR(rate, s.v.dot(tau), 1e-6 * size);
  });
}

/// A free body with children on all kinds of joints; the base has no armature, which would hold it to the world.
Model makeFloatingTree(std::uint64_t seed, const Vector3d& gravity) {
  Random random(seed);
  ModelBuilder builder;
  builder.setGravity(gravity);
  BodySpec base;
  base.joint.type = kFree;
  base.mass = random.mass();
  builder.addBody(base);
  int parent = 0;
  for (JointType type : allJointTypes()) {
    if (type == kFree) continue;
    BodySpec body;
    body.parent = random.index(2) ? parent : 0;
    body.joint.type = type;
    body.joint.axis = random.vector(1.0);
    body.joint.X_PJ = random.pose(0.3);
    body.joint.armature = 0.1;
    body.mass = random.mass();
    parent = builder.addBody(body);
  }
  return builder.build();
}

TEST(Conservation, InternalForcesDoNotChangeMomentumAndGravityDoes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Vector3d gravity = seed % 2 ? Vector3d(0.0, 0.0, -9.81) : Vector3d::Zero().eval();
    const Model model = makeFloatingTree(seed, gravity);
    Sample s(model, seed);
    VectorXd tau = randomVelocity(model, s.random);
    tau.head<6>().setZero();
    const VectorXd vdot = s.tree.forwardDynamics(s.v, tau);
    const auto momentumAfter = [&](double h) {
      const EnergyMomentum<double> e =
          TreeAtPose(model, moved(model, s.q, s.v + 0.5 * h * vdot, h)).energy(s.v + h * vdot);
      Eigen::Matrix<double, 6, 1> momentum;
      momentum << toEigen(e.linear), toEigen(e.angular);
      return momentum;
    };
    const Eigen::Matrix<double, 6, 1> rate = (momentumAfter(kStep) - momentumAfter(-kStep)) / (2.0 * kStep);
    Vector3d moment = Vector3d::Zero();  // Σ m c, from the bodies
    const auto motions = slow::computeMotions(model, s.q, s.v, vdot);
    for (int body = 0; body < model.bodyCount(); ++body)
      moment += model.body(body).mass.mass * (motions[body].p() + motions[body].R() * model.body(body).mass.com);
    const double size = 1.0 + momentumAfter(0.0).norm() + vdot.norm();
    EXPECT_LE((rate.head<3>() - model.mass() * gravity).norm(), 1e-6 * size) << "seed " << seed;
    EXPECT_LE((rate.tail<3>() - moment.cross(gravity)).norm(), 1e-6 * size) << "seed " << seed;
  }
}

TEST(FrameInvariance, TurningWorldAndGravityTogetherTurnsOnlyTheBaseForce) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Vector3d gravity = random.vector(10.0), shift = random.vector(3.0);
    const Eigen::Quaterniond turn = random.rotation();
    const Model model = makeFloatingTree(seed, gravity), turned = makeFloatingTree(seed, turn * gravity);
    Sample s(model, seed);
    VectorXd q = s.q, v = s.v, vdot = s.vdot;
    const Eigen::Quaterniond base = turn * Eigen::Quaterniond(q[3], q[4], q[5], q[6]);
    q.head<3>() = turn * s.q.head<3>() + shift;
    q.segment<4>(3) << base.w(), base.x(), base.y(), base.z();
    v.head<3>() = turn * s.v.head<3>();
    vdot.head<3>() = turn * s.vdot.head<3>();

    VectorXd expected = s.tree.inverseDynamics(s.v, s.vdot);
    expected.head<3>() = (turn * expected.head<3>()).eval();
    EXPECT_LE(relativeError(TreeAtPose(turned, q).inverseDynamics(v, vdot), expected), kRounding) << "seed " << seed;
  }
}

TEST(FrameInvariance, DistanceFromTheWorldOriginChangesNoBit) {
  const Model model = makeFloatingTree(1, {0.0, 0.0, -9.81});
  Sample s(model, 1);
  VectorXd far = s.q;
  far.head<3>() += Vector3d(1e7, -3e6, 2e5);
  EXPECT_EQ(TreeAtPose(model, far).inverseDynamics(s.v, s.vdot), s.tree.inverseDynamics(s.v, s.vdot));
  EXPECT_EQ(TreeAtPose(model, far).forwardDynamics(s.v, s.vdot), s.tree.forwardDynamics(s.v, s.vdot));
}

TEST(FallingBody, AcceleratesWithGravityHoweverItSpins) {
  ModelBuilder builder;
  BodySpec ball;
  ball.joint.type = kFree;
  ball.mass = computeMassProperties(makeSphere(0.1), 1000.0);
  builder.addBody(ball);
  const Model model = builder.build();
  VectorXd v(6);
  v << 3.0, -2.0, 1.0, 40.0, -50.0, 60.0;
  const VectorXd vdot = TreeAtPose(model, model.q0()).forwardDynamics(v, VectorXd::Zero(6));
  VectorXd expected = VectorXd::Zero(6);
  expected[2] = -9.81;
  EXPECT_LE((vdot - expected).cwiseAbs().maxCoeff(), 1e-12);  // ω × Iω cancels up to rounding of 5e3·I
}

}  // namespace
}  // namespace rigor
