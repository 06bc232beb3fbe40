// A beam that hangs below the sharp edge it lies on, and rocks: crossing edges of two boxes, an axis that nothing but contact holds.
#include <gtest/gtest.h>

#include <cmath>

#include "solid_scenes.h"

namespace rigor {
namespace {

using Eigen::AngleAxisd, Eigen::Quaterniond, Eigen::Vector3d;

constexpr double kGravity = 9.81, kMass = 1.0, kInertia = 0.05, kBelow = 0.3;  // [kg m²] about the centre of mass, [m]
constexpr double kHalfThick = 0.2, kHalfWedge = 0.1;

/// The edge runs along y through the origin; the beam lies along x across it, turned by `angle` about it.
Scene makeRocker(double angle, double yaw, double dt) {
  ModelBuilder builder("rocker");
  MaterialPair rough;
  rough.material_1 = "default", rough.friction = 1.0;
  builder.addMaterialPair(rough);
  const Quaterniond diamond(AngleAxisd(0.25 * M_PI, Vector3d::UnitY()));
  builder.addWorldShape(
      {"wedge", makeBox({kHalfWedge, 0.2, kHalfWedge}), {{0, 0, -std::sqrt(2.0) * kHalfWedge}, diamond}, "default"});
  BodySpec beam;
  beam.name = "beam", beam.joint.name = "beam_joint", beam.joint.type = kFree;
  beam.shapes.push_back({"beam", makeBox({0.5, 0.05, kHalfThick}), {}, "default"});
  // the bottom of the box is the axis; the weight hangs below it
  beam.mass = {kMass, Vector3d(0, 0, -kHalfThick - kBelow), kInertia * Eigen::Matrix3d::Identity()};
  const int body = builder.addBody(beam);
  const Quaterniond turned = AngleAxisd(angle, Vector3d::UnitY()) * Quaterniond(AngleAxisd(yaw, Vector3d::UnitZ()));
  Eigen::VectorXd q(7);
  q << turned * Vector3d(0, 0, kHalfThick), turned.w(), turned.x(), turned.y(), turned.z();
  builder.setReference(body, q);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0(), scene.v = Eigen::VectorXd::Zero(6);
  scene.dt = dt;
  return scene;
}

/// Period of a pendulum of amplitude a: 2π √(I/mgl) (1 + a²/16 + 11 a⁴/3072), the next term is 6e-8 at 0.2 rad.
double periodOf(double amplitude) {
  const double inertia = kInertia + kMass * kBelow * kBelow, square = amplitude * amplitude;
  return 2.0 * M_PI * std::sqrt(inertia / (kMass * kGravity * kBelow)) *
         (1.0 + square / 16.0 + 11.0 * square * square / 3072.0);
}

class Rocking : public testing::TestWithParam<double> {};  // yaw of the beam [rad]
INSTANTIATE_TEST_SUITE_P(AcrossAndAskew, Rocking, testing::Values(0.0, 0.5));

TEST_P(Rocking, OnTheEdgeOfABoxKeepsGapAxisEnergyAndPeriod) {
  const double amplitude = 0.2, dt = 5e-3, period = periodOf(amplitude);
  const double breathing = std::pow(2.0 * M_PI * dt / period, 2);  // (h ω)², of the swing
  Simulator simulator(makeRocker(amplitude, GetParam(), dt));
  const double swing = kMass * kGravity * kBelow * (1.0 - std::cos(amplitude));
  const double start = simulator.node().kinetic + simulator.node().potential;
  double gained = 0.0, lost = 0.0, before = -1.0, last = 0.0;
  const int steps = static_cast<int>(4.2 * period / dt);
  std::vector<double> turns;  // when it passes the middle towards the side that it began at
  for (int i = 0; i < steps; ++i) {
    ASSERT_TRUE(simulator.step().accepted()) << simulator.report().explain();
    EXPECT_LE(simulator.report().penetration, 1e-11);
    const double energy = simulator.report().kinetic + simulator.report().potential;
    gained = std::max(gained, energy - start), lost = std::max(lost, start - energy);
    const double lean = -(simulator.pose(0).rotation * Vector3d::UnitZ()).x();  // against the angle
    if (before > 0.0 && lean <= 0.0 && i > 10) turns.push_back((i + before / (before - lean)) * dt);
    before = lean;
    last = (simulator.pose(0) * Vector3d(0, 0, -kHalfThick)).norm();
    // A step may leave 1e-10 of the contact's speed as slip, which adds up to less than this. Slip that is followed at the
    // centre of the box, as that of round shapes is, would be off by r θ³/12 in a step that turns by θ: 4e-8 m in a swing.
    ASSERT_LE(last, 1e-9) << "step " << i;
  }
  EXPECT_GE(leastDistance(simulator), -1e-11);
  EXPECT_LE(std::max(gained, lost), breathing * swing);
  ASSERT_GE(turns.size(), 4u);
  // the leapfrog is too fast by (h ω)²/24
  EXPECT_NEAR((turns[3] - turns[0]) / 3.0, (1.0 - breathing / 24.0) * period, 0.2 * breathing / 24.0 * period);
}

}  // namespace
}  // namespace rigor
