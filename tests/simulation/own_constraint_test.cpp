// Constraints that a user writes: against loops that exist, surfaces, openings at the start, redundancy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "own_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

class OwnConstraintOf : public testing::TestWithParam<const char*> {};

/// A ball in the world's gravity at the end of a rod of 1 m from the origin.
Scene pendulum(const char* stepper, double angle, double dt = 1e-3) {
  FreeBodies world;
  world.gravity = {0, 0, -9.81};
  world.stepper = stepper;
  world.dt = dt;
  world.bodies = {{"bob", 2.0, {std::sin(angle), 0, -std::cos(angle)}}};
  return world.scene();
}

/// Angle of a pendulum of 1 m after 2 s, by Runge–Kutta with steps of 10 µs, whose error is below 1e-14.
double trueAngle(double theta) {
  constexpr double kStep = 1e-5;
  const auto pull = [](double x) { return -9.81 * std::sin(x); };
  double omega = 0.0;
  for (int i = 0; i < 200000; ++i) {
    const double a1 = pull(theta), v2 = omega + 0.5 * kStep * a1, a2 = pull(theta + 0.5 * kStep * omega);
    const double v3 = omega + 0.5 * kStep * a2, a3 = pull(theta + 0.5 * kStep * v2);
    const double v4 = omega + kStep * a3, a4 = pull(theta + kStep * v3);
    theta += kStep / 6 * (omega + 2 * v2 + 2 * v3 + v4);
    omega += kStep / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return theta;
}

TEST_P(OwnConstraintOf, ADistanceSwingsABallAsAPendulum) {
  const double start = 1.2, truth = trueAngle(start);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    Scene scene = pendulum(GetParam(), start, k == 0 ? 2e-3 : 1e-3);
    scene.constraints = {makeRod(kWorld, Vector3d::Zero(), 0, Vector3d::Zero(), 1.0)};
    Simulator sim(scene);
    ASSERT_TRUE(sim.run(2.0).accepted()) << sim.report().explain();
    EXPECT_LE(sim.report().loop_gap, 1e-11);
    EXPECT_NEAR(sim.state().q[1], 0.0, 1e-12);  // nothing pushes it sideways
    error[k] = std::fabs(std::atan2(sim.state().q[0], -sim.state().q[2]) - truth);
  }
  EXPECT_LE(error[1], 5e-6);  // (hω)²/24 of 2.4 rad in 6 swings of phase
  EXPECT_NEAR(error[0] / error[1], 4.0, 0.05);
}

TEST_P(OwnConstraintOf, PointsThatCoincideHoldAsAConnectDoes) {
  const Vector3d arm_1(0.3, 0.0, 0.1), arm_2(-0.2, 0.1, 0.0);
  FreeBodies world;
  world.stepper = GetParam();
  world.bodies = {{"one", 1.0, {0, 0, 0}, {0.1, 0.2, 0}, {0.4, 0, 0.3}},
                  {"two", 2.0, arm_1 - arm_2, {0.1, 0.2, 0}, {0.0, -0.5, 0.2}}};
  Scene own = world.scene(), built_in = own;
  own.constraints = {
      {"joint", 0, 1, [=](const OwnPose& one, const OwnPose& two) { return two.point(arm_2) - one.point(arm_1); }}};
  ModelBuilder builder;
  builder.setGravity(Vector3d::Zero());
  for (int body = 0; body < 2; ++body) builder.addBody(own.model.body(body));
  LoopSpec loop;
  loop.name = "joint";
  loop.kind = LoopKind::kConnect;
  loop.body_1 = 0, loop.body_2 = 1;
  loop.X_1F.position = arm_1, loop.X_2F.position = arm_2;
  builder.addLoop(loop);
  built_in.model = builder.build();
  Simulator a(own), b(built_in);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(a.step().accepted() && b.step().accepted()) << a.report().explain();
    // the same rows by other sums; each step closes to 1e-11 times what rounding leaves
    ASSERT_LE((a.state().q - b.state().q).cwiseAbs().maxCoeff(), 1e-11) << i;
    ASSERT_LE(a.report().loop_gap, 1e-12) << i;
  }
}

TEST_P(OwnConstraintOf, AnEllipsoidKeepsAPointOnItForTenSeconds) {
  const Vector3d semi(1.0, 0.7, 0.5);
  FreeBodies world;
  world.gravity = {0, 0, -9.81};
  world.stepper = GetParam();
  world.bodies = {{"rider", 1.0, {0, 0, 0.4}, {0.5, 0.4, 0}, {0.1, 0.2, 0.3}}};
  Scene scene = world.scene();
  const Vector3d tip(0, 0, 0.1);
  scene.constraints = {{"on_ellipsoid", kWorld, 0, [=](const OwnPose&, const OwnPose& rider) {
                          const PoseVector p = rider.point(tip);
                          const PoseNumber x = p.x / semi.x(), y = p.y / semi.y(), z = p.z / semi.z();
                          return sqrt(x * x + y * y + z * z) - 1.0;
                        }}};
  Simulator sim(scene);
  double worst = 0.0, low = 1e300, high = -1e300;
  for (int i = 0; i < 10000; ++i) {
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    worst = std::max(worst, report.loop_gap);
    low = std::min(low, report.kinetic + report.potential), high = std::max(high, report.kinetic + report.potential);
    const Pose pose = sim.pose(0);
    const Vector3d p = (pose * tip).cwiseQuotient(semi);
    ASSERT_LE(std::fabs(p.norm() - 1.0), 1e-11) << i;
  }
  EXPECT_LE(worst, 1e-11);
  EXPECT_LE(high - low, 2e-3);  // of 5 J; (hω)² of what swings with up to 20 rad/s
}

TEST_P(OwnConstraintOf, SixNumbersHoldABodyAsAWeldDoes) {
  FreeBodies world;
  world.gravity = {0, 0, -9.81};
  world.stepper = GetParam();
  world.bodies = {{"block", 3.0, {0.2, 0.3, 0.4}}};
  Scene scene = world.scene();
  for (int numbers = 4; numbers <= 6; ++numbers) {
    scene.constraints.clear();
    scene.constraints.push_back({"hold", kWorld, 0, [=](const OwnPose&, const OwnPose& block) {
                                   const PoseVector p = block.position - Vector3d(0.2, 0.3, 0.4);
                                   if (numbers == 4) return OwnValues{p.x, p.y, p.z, block.axis_x.y};
                                   if (numbers == 5) return OwnValues{p.x, p.y, p.z, block.axis_x.y, block.axis_y.z};
                                   return OwnValues{p.x, p.y, p.z, block.axis_x.y, block.axis_y.z, block.axis_z.x};
                                 }});
    Simulator sim(scene);
    ASSERT_TRUE(sim.run(0.5).accepted()) << sim.report().explain();
    // nothing turns it: it stays where it is, to the rounding of 500 closings
    EXPECT_LE((sim.state().q - scene.q).cwiseAbs().maxCoeff(), 1e-12) << numbers;
  }
}

TEST_P(OwnConstraintOf, RedundantOnesShareTheLoad) {
  Scene scene = pendulum(GetParam(), 0.7);
  scene.constraints = {makeRod(kWorld, Vector3d::Zero(), 0, Vector3d::Zero(), 1.0)};
  Simulator one(scene);
  scene.constraints.push_back(scene.constraints[0]);
  scene.constraints[1].name = "again";
  Simulator two(scene);
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(one.step().accepted() && two.step().accepted()) << two.report().explain();
  EXPECT_LE((one.state().q - two.state().q).cwiseAbs().maxCoeff(), 1e-11);  // both close to 1e-11
}

INSTANTIATE_TEST_SUITE_P(Stepper, OwnConstraintOf, testing::Values("minimal", "maximal"),
                         [](const auto& test) { return std::string(test.param); });

TEST(OwnConstraint, ThatStartsOpenIsClosedFirstAndSaysSo) {
  Scene scene = pendulum("minimal", 0.7);
  scene.q.head<3>() *= 1.1;
  scene.v[0] = 1.0;  // would open it, too
  scene.constraints = {makeRod(kWorld, Vector3d::Zero(), 0, Vector3d::Zero(), 1.0)};
  Simulator sim(scene);
  EXPECT_NEAR(sim.state().q.head<3>().norm(), 1.0, 1e-12);
  // the least move is along the rod, and so is the least change of the velocity
  EXPECT_NEAR(sim.state().q.head<3>().normalized().dot(scene.q.head<3>().normalized()), 1.0, 1e-12);
  EXPECT_NEAR(sim.state().v.head<3>().dot(sim.state().q.head<3>()), 0.0, 1e-12);
  bool told = false;
  for (const Warning& w : sim.warnings())
    told = told || w.text().find("constraint \"rod\": was open by 0.1") != std::string::npos;
  EXPECT_TRUE(told);
  EXPECT_TRUE(sim.run(0.1).accepted()) << sim.report().explain();
}

TEST(OwnConstraint, HoldsBesideContacts) {
  ModelBuilder builder;
  builder.addWorldShape({"floor", makePlane()});
  BodySpec box;
  box.name = "box";
  box.joint.type = kFree;
  box.shapes = {{"skin", makeBox({0.1, 0.1, 0.1})}};
  box.mass = computeMassProperties(box.shapes[0].shape, 1000);
  builder.addBody(box);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.3;
  scene.v = VectorXd::Zero(6);
  scene.v[0] = 2.0;
  scene.constraints = {{"wall", kWorld, 0, [](const OwnPose&, const OwnPose& body) {
                          return body.position.y - 0.05 * sin(4.0 * body.position.x);
                        }}};
  Simulator sim(scene);
  for (int i = 0; i < 1500; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    const VectorXd& q = sim.state().q;
    ASSERT_LE(std::fabs(q[1] - 0.05 * std::sin(4.0 * q[0])), 1e-11) << i;
    ASSERT_LE(sim.report().penetration, 1e-11) << i;
  }
  EXPECT_NEAR(sim.state().q[2], 0.1, 1e-10);  // it landed and lies
}

}  // namespace
}  // namespace rigor
