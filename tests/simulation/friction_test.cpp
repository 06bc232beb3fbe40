// Static and kinetic friction, rolling rods.
#include <gtest/gtest.h>

#include "simulation/simple_scenes.h"
#include "simulation/tolerance.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

/// tan(slope) = 0.5 between kinetic friction 0.4 and static friction 0.6.
Scene blockBetweenFrictions() {
  OneBody spec;
  spec.shape = makeBox({0.1, 0.1, 0.1});
  spec.ground = tilt(std::atan(0.5), 0.3);
  spec.pose = {spec.ground * Vector3d(0, 0, 0.1), spec.ground};
  spec.material.friction = 0.4;
  spec.material.friction_static = 0.6;
  return makeOneBody(spec);
}

TEST(StaticFriction, HoldsABlockThatKineticFrictionWouldNot) {
  Simulator sim(blockBetweenFrictions());
  const Vector3d start = sim.pose(0).position;
  ASSERT_TRUE(sim.run(1.0).accepted()) << sim.report().explain();
  EXPECT_LE((sim.pose(0).position - start).norm(), tolerance::kRest);
}

TEST(KineticFriction, LetsTheBlockSlideOnceItWasPushed) {
  Scene scene = blockBetweenFrictions();
  const Vector3d down = tilt(std::atan(0.5), 0.3) * Vector3d::UnitX();
  scene.v.head<3>() = 0.1 * down;
  Simulator sim(scene);
  const Vector3d start = sim.pose(0).position;
  ASSERT_TRUE(sim.run(1.0).accepted()) << sim.report().explain();
  const double slope = std::atan(0.5), acceleration = kGravity * (std::sin(slope) - 0.4 * std::cos(slope));
  EXPECT_NEAR((sim.pose(0).position - start).dot(down), 0.1 + 0.5 * acceleration, 1e-10);
}

/// A rod of radius 0.05 m across an incline, touching with both ends.
Scene rodOnIncline(double slope, double mu) {
  OneBody spec;
  spec.shape = makeCapsule(0.05, 0.2);
  spec.ground = tilt(slope, 0.0);
  const Eigen::Quaterniond across(Eigen::AngleAxisd(kPi / 2, Vector3d::UnitX()));
  spec.pose = {spec.ground * Vector3d(0, 0, 0.05), spec.ground * across};
  spec.material.friction = mu;
  return makeOneBody(spec);
}

TEST(RollingRod, AcceleratesWithItsMomentOfInertia) {
  const double slope = 0.3;
  Scene scene = rodOnIncline(slope, 0.8);
  const MassProperties& mass = scene.model.body(0).mass;
  const double share = mass.mass / (mass.mass + mass.inertia(2, 2) / (0.05 * 0.05));  // axis of the rod is z
  const double acceleration = share * kGravity * std::sin(slope);
  Simulator sim(scene);
  const Vector3d start = sim.pose(0).position;
  ASSERT_TRUE(sim.run(1.0).accepted()) << sim.report().explain();
  const Vector3d moved = sim.pose(0).position - start, down = tilt(slope, 0.0) * Vector3d::UnitX();
  EXPECT_NEAR(moved.dot(down), 0.5 * acceleration, 1e-10);
  EXPECT_LE((moved - moved.dot(down) * down).norm(), 1e-10);
  EXPECT_EQ(sim.report().contacts.size(), 2u);
  for (const Contact& contact : sim.report().contacts) EXPECT_LE(contact.slip.norm(), 1e-11);
}

// Contacts of round feet that stick: the arm from centre to contact turns, and the error must stay second order.
TEST(RockingRod, HasAPoseErrorOfSecondOrder) {
  const auto poseAfter = [](double dt) {
    OneBody spec;
    spec.shape = makeCapsule(0.05, 0.2);
    const Eigen::Quaterniond lean(Eigen::AngleAxisd(0.2, Vector3d::UnitY()) *
                                  Eigen::AngleAxisd(0.1, Vector3d::UnitX()));
    spec.pose.rotation = lean;
    const double lowest = (lean * Vector3d(0, 0, -0.2)).z() - 0.05;
    spec.pose.position = {0, 0, -lowest};  // stands on its lower end and falls over, rolling on it
    spec.material.friction = 5.0;
    spec.dt = dt;
    Scene scene = makeOneBody(spec);
    Simulator sim(scene);
    EXPECT_TRUE(sim.run(0.2).accepted()) << sim.report().explain();
    EXPECT_EQ(sim.report().contacts.at(0).mode, ContactMode::kStick);
    return Eigen::VectorXd(sim.state().q);
  };
  const Eigen::VectorXd fine = poseAfter(1e-3 / 16);
  const double coarse = (poseAfter(1e-3) - fine).norm(), half = (poseAfter(5e-4) - fine).norm();
  // (1 − 1/256)/(1/4 − 1/256) = 4.05 at second order
  EXPECT_GE(coarse / half, 3.0) << coarse << " " << half;
  EXPECT_LE(coarse / half, 5.3) << coarse << " " << half;
  EXPECT_LE(coarse, 1e-4);
}

// A rod with one end stuck to the ground by friction and a spin about the vertical: pivots, slips or rolls, but the
// work of friction never raises the energy.
TEST(SlidingRod, NeverGainsEnergy) {
  Scene scene = rodOnIncline(0.0, 0.5);
  scene.v << 1.0, 0.3, 0.0, 0.0, 5.0, 2.0;
  Simulator sim(scene);
  ASSERT_TRUE(sim.step().accepted());
  double last = sim.report().kinetic + sim.report().potential;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    const double energy = sim.report().kinetic + sim.report().potential;
    ASSERT_LE(energy, last + 1e-5) << "step " << i;  // node values breathe with h²
    last = energy;
  }
}

}  // namespace
}  // namespace rigor
