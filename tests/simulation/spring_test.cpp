// Springs on joints: their frequency, their energy, and stiffness beyond what the step can follow.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulation/motions.h"

namespace rigor {
namespace {

/// A wheel of 2 kg m² on a spring that rests at 0.2 rad; released 0.5 rad beyond it.
Scene sprungWheel(double stiffness) {
  OneJoint spec;
  spec.length = 0.0;
  spec.inertia = 2.0;
  spec.joint.stiffness = stiffness;
  spec.joint.spring_reference = Eigen::VectorXd::Constant(1, 0.2);
  Scene scene = makeOneJoint(spec);
  scene.q[0] = 0.7;
  return scene;
}

TEST(SprungWheel, SwingsWithTheFrequencyOfItsSpringUnderEveryIntegrator) {
  const double omega = 10.0, seconds = 1.0;  // k = I ω²
  const double truth = 0.2 + 0.5 * std::cos(omega * seconds);
  for (const IntegratorInfo& info : listIntegrators()) {
    const Eigen::VectorXd q = positionAfter(sprungWheel(2.0 * omega * omega), std::string(info.name), seconds, 1e-3);
    // no velocity-dependent force: the carried leapfrog has order 2 here
    const int order = isLeapfrog(info.integrator) ? 2 : info.order;
    const double limit = order == 1 ? 0.05 : order == 2 ? 5e-5 : 1e-9;  // A (ωt) times hω/2, (hω)²/6, (hω)⁴/120
    EXPECT_NEAR(q[0], truth, limit) << info.name;
  }
}

/// Largest and smallest total energy over a stretch of steps, relative to the first.
struct EnergyRange {
  double low = 1e300, high = -1e300;
};
EnergyRange energyOver(Simulator& sim, int steps) {
  EnergyRange range;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = sim.step();
    if (!report.accepted()) throw Error(report.explain());
    range.low = std::min(range.low, report.kinetic + report.potential);
    range.high = std::max(range.high, report.kinetic + report.potential);
  }
  return range;
}

TEST(SprungWheel, KeepsItsEnergyThroughFiveHundredVibrations) {
  const double omega = 30.0;  // h ω = 0.03
  Simulator sim(sprungWheel(2.0 * omega * omega));
  const double energy = 0.5 * 2.0 * omega * omega * 0.25;
  const EnergyRange first = energyOver(sim, 1000);
  EXPECT_NEAR(first.high, energy, 1e-3 * energy);
  EXPECT_GE(first.low, (1.0 - 0.03 * 0.03) * energy);  // leapfrog: node energies breathe by (hω)²/4
  energyOver(sim, 100000);
  const EnergyRange last = energyOver(sim, 1000);
  EXPECT_NEAR(last.high, first.high, 1e-6 * energy);  // no trend
  EXPECT_NEAR(last.low, first.low, 1e-6 * energy);
}

TEST(SprungWheel, StaysStableHoweverStiffTheSpringIs) {
  for (double h_omega : {0.9, 0.99, 1.01, 1.5, 2.5, 30.0, 1e3}) {
    const double omega = h_omega / 1e-3;
    Scene scene = sprungWheel(2.0 * omega * omega);
    scene.q[0] = 0.22;  // a step may turn a joint by 0.3 rad at most
    Simulator sim(scene);
    double early = 0.0, late = 0.0;
    for (int i = 0; i < 20000; ++i) {
      ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
      const double swing = std::fabs(sim.state().q[0] - 0.2);
      (i < 10000 ? early : late) = std::max(i < 10000 ? early : late, swing);
    }
    // neither grows nor is eaten: 10 000 steps of implicit Euler would leave nothing
    EXPECT_LE(early, 0.02 * 1.01) << h_omega;
    EXPECT_GE(late, 0.99 * early) << h_omega;
    EXPECT_LE(late, 1.01 * early) << h_omega;
  }
}

/// A light body and a heavy one in space, joined by a sprung hinge: the felt inertia is far below the diagonal of M.
Scene sprungPair(double stiffness) {
  ModelBuilder builder;
  builder.setGravity(Eigen::Vector3d::Zero());
  BodySpec base;
  base.name = "light";
  base.joint.type = kFree;
  base.mass = computeMassProperties(makeBox({0.05, 0.05, 0.05}), 1000.0);
  builder.addBody(base);
  BodySpec rod;
  rod.name = "heavy";
  rod.parent = 0;
  rod.joint.name = "hinge";
  rod.joint.type = kHinge;
  rod.joint.axis = Eigen::Vector3d::UnitY();
  rod.joint.stiffness = stiffness;
  rod.mass = computeMassProperties(makeBox({0.5, 0.1, 0.1}), 1000.0);
  rod.mass.com = {0.5, 0.0, 0.0};
  builder.addBody(rod);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  scene.q[7] = 0.05;
  return scene;
}

TEST(SprungPair, StaysStableWhereTheDiagonalOfTheMassMatrixWouldPromiseTooMuch) {
  for (double stiffness : {1e2, 1e3, 1e4, 1e5, 1e6, 1e7}) {
    Simulator sim(sprungPair(stiffness));
    double largest = 0.0;
    for (int i = 0; i < 5000; ++i) {
      ASSERT_TRUE(sim.step().accepted()) << stiffness << ": " << sim.report().explain();
      largest = std::max(largest, std::fabs(sim.state().q[7]));
    }
    EXPECT_LE(largest, 0.06) << stiffness;
    EXPECT_GE(largest, 0.05 * 0.99) << stiffness;
  }
}

TEST(SprungBall, KeepsTheEnergyOfItsRotationVector) {
  OneJoint spec;
  spec.type = kBall;
  spec.inertia = 0.1;
  spec.joint.stiffness = 30.0;
  Scene scene = makeOneJoint(spec);
  scene.q << std::cos(0.4), 0.0, std::sin(0.4), 0.0;
  scene.v << 1.0, 0.5, 2.0;
  scene.integrator = "rk4";
  Simulator sim(scene);
  const EnergyRange range = energyOver(sim, 5000);
  EXPECT_LE(range.high - range.low, 1e-7);  // rk4, hω = 0.02: (hω)⁵ per step
  // gravity −m g z and spring ½ k (0.8 rad)², at the start
  Simulator again(scene);
  EXPECT_NEAR(again.step().potential, -9.81 * std::cos(0.8) + 0.5 * 30.0 * 0.64, 1e-12);
}

}  // namespace
}  // namespace rigor
