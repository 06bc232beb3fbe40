// Motion without contact against closed forms, and what integrators do to energy over time.
#include <gtest/gtest.h>

#include "simulation/motions.h"

namespace rigor {
namespace {

Simulator makeSimulator(Scene scene, const std::string& integrator, double dt) {
  scene.integrator = integrator;
  scene.dt = dt;
  return Simulator(scene);
}

struct IntegratorError {
  const char* integrator;
  double limit;
};

class PendulumA01 : public testing::TestWithParam<IntegratorError> {};

TEST_P(PendulumA01, IsWhereTheClosedFormSaysAfterTenSeconds) {
  const auto [integrator, limit] = GetParam();
  Simulator sim = makeSimulator(loadNamedScene("pendulum_a01"), integrator, 1e-3);
  ASSERT_TRUE(sim.run(10.0).accepted());
  const double angle = sim.state().q[0];
  EXPECT_NEAR(-std::sin(angle), -0.275087463, limit);
  EXPECT_NEAR(-std::cos(angle), -0.961419205, limit);
}

// Second order: the period errs by 3e-7 of itself at 1 ms, which is 1.2e-5 m after 10 s at 4.3 m/s; Heun twice that.
// Fourth order: what is left is the nine digits of the closed form.
INSTANTIATE_TEST_SUITE_P(By, PendulumA01,
                         testing::Values(IntegratorError{"leapfrog", 1.5e-5}, IntegratorError{"heun", 3e-5},
                                         IntegratorError{"implicit_midpoint", 1.5e-5}, IntegratorError{"rk4", 1e-9}),
                         [](const auto& test) { return test.param.integrator; });

class FreeTop : public testing::TestWithParam<IntegratorError> {};

TEST_P(FreeTop, FlipsOverAtTheKnownTimesAndKeepsItsMomentum) {
  const auto [integrator, limit] = GetParam();
  Simulator sim = makeSimulator(asymmetricTop(), integrator, 1e-3);
  const double known[3] = {2.633028, 7.899083, 13.165138};
  int crossings = 0;
  double before = 5.0;
  for (int i = 0; i < 14000; ++i) {
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.accepted());
    const double now = report.velocity[4];  // about the middle axis
    if ((before > 0.0) != (now > 0.0)) {
      ASSERT_LT(crossings, 3);
      EXPECT_NEAR(report.time - 1e-3 * now / (now - before), known[crossings++], limit);
    }
    before = now;
    EXPECT_NEAR(2.0 * report.kinetic, 50.0001, 20.0 * limit);
    EXPECT_NEAR(report.momentum.tail<3>().squaredNorm(), 100.0001, 40.0 * limit);
    // no part of the momentum wanders: it was (0.01, 10, 0) in world axes
    EXPECT_LE((report.momentum.tail<3>() - Eigen::Vector3d(0.01, 10.0, 0.0)).norm(), 10.0 * limit);
  }
  EXPECT_EQ(crossings, 3);
}

// The flip starts from a deviation of 2e-3 rad that grows by exp(2.9 t): errors of second order at 1 ms reach 1e-4 s by
// the third one. Fourth order: the six digits of the closed form.
INSTANTIATE_TEST_SUITE_P(By, FreeTop,
                         testing::Values(IntegratorError{"leapfrog", 1e-4}, IntegratorError{"implicit_midpoint", 1e-4},
                                         IntegratorError{"rk4", 1e-6}),
                         [](const auto& test) { return test.param.integrator; });

TEST(HeavyTop, PrecessesSteadilyWithTheRateOfTheClosedForm) {
  for (const char* integrator : {"leapfrog", "rk4", "implicit_midpoint"}) {
    Simulator sim = makeSimulator(loadNamedScene("heavy_top"), integrator, 1e-3);
    const Eigen::VectorXd start = sim.state().q;
    ASSERT_TRUE(sim.run(20.0).accepted()) << sim.report().explain();
    const double A = 0.06 + 0.25, C = 0.1, spin = 100.0, weight = 9.81 * 0.5, c = std::cos(0.5);
    const double rate = (C * spin - std::sqrt(C * spin * C * spin - 4.0 * A * c * weight)) / (2.0 * A * c);
    // a steady motion has no error but rounding, which nutation (30 rad/s) does not amplify
    EXPECT_NEAR(sim.state().q[0] - start[0], rate * 20.0, 1e-9) << integrator;
    EXPECT_NEAR(sim.state().q[1], start[1], 1e-10) << integrator;
  }
}

/// Largest |E − E(0)| over a run [J].
double energyError(Scene scene, const std::string& integrator, double seconds) {
  Simulator sim = makeSimulator(std::move(scene), integrator, 1e-3);
  double start = 0.0, worst = 0.0;
  const int steps = static_cast<int>(std::lround(seconds / 1e-3));
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = sim.step();
    if (!report.accepted()) throw Error(report.explain());
    const double energy = report.kinetic + report.potential;
    if (i == 0) start = energy;
    worst = std::max(worst, std::fabs(energy - start));
  }
  return worst;
}

// Chaotic and fast (10 rad/s). An hour of it is in docs/results.md.
TEST(DoublePendulumFromTheHorizontal, KeepsItsEnergyWithMeanVelocityTermsOnly) {
  const Scene scene = loadNamedScene("double_pendulum");
  EXPECT_LE(energyError(scene, "leapfrog", 60.0), 0.01);
  EXPECT_LE(energyError(scene, "implicit_midpoint", 60.0), 0.01);
  EXPECT_LE(energyError(scene, "rk4", 60.0), 1e-6);
  EXPECT_GE(energyError(scene, "leapfrog_carried", 60.0), 0.5);
  EXPECT_GE(energyError(scene, "explicit_euler", 60.0), 5.0);
  EXPECT_GE(energyError(scene, "implicit_euler_newton", 60.0), 5.0);
}

// Without chaos a symmetric scheme keeps even the small error from growing: the fifth minute is as good as the first.
TEST(DoublePendulumWithSmallSwing, HasNoTrendInItsEnergy) {
  for (const char* integrator : {"leapfrog", "implicit_midpoint"}) {
    const double minute = energyError(doublePendulum(0.1, 0.05), integrator, 60.0);
    const double five_minutes = energyError(doublePendulum(0.1, 0.05), integrator, 300.0);
    EXPECT_LE(five_minutes, 1.05 * minute) << integrator;  // a longer run finds a slightly higher peak of the same wave
    EXPECT_LE(minute, 1e-5) << integrator;                 // (h ω)²/8 of 0.15 J with ω up to 5.8 rad/s
  }
}

TEST(FreeBodies, FlyOnTheirParabolas) {
  for (const IntegratorInfo& info : listIntegrators()) {
    if (info.order < 2) continue;
    Scene scene = loadNamedScene("free_bodies");
    Simulator sim = makeSimulator(scene, std::string(info.name), 1e-3);
    ASSERT_TRUE(sim.run(3.0).accepted());
    for (int body = 0; body < 3; ++body) {
      const Eigen::Vector3d start = scene.q.segment<3>(7 * body), v = scene.v.segment<3>(6 * body);
      const Eigen::Vector3d end = start + 3.0 * v - Eigen::Vector3d(0, 0, 4.5 * kGravity);
      EXPECT_LE((sim.state().q.segment<3>(7 * body) - end).norm(), 1e-10) << info.name;  // exact but for rounding
    }
  }
}

}  // namespace
}  // namespace rigor
