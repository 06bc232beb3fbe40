// The equations of a pendulum by hand, and the simulator beside them.
#include "experiments/pendulum_equations.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/maximal_models.h"
#include "rigor/simulator.h"

namespace rigor::experiments {
namespace {

constexpr Pendulum kBox = {kBoxInertia, 0.5 * 9.81, 0.5};
constexpr double kRate = -2.0;  // [rad/s]
constexpr int kSteps = 100;

/// Angles at multiples of dt, from `first` on.
std::vector<double> simulate(const std::string& start, double dt, int first) {
  Scene scene = makeBoxPendulum(kBox.damper, dt);
  scene.v[0] = kRate;
  scene.start = start;
  Simulator simulator(scene);
  std::vector<double> angles = {simulator.state().q[0]};
  for (int i = first; i < kSteps; ++i) {
    EXPECT_TRUE(simulator.step().accepted());
    angles.push_back(simulator.state().q[0]);
  }
  return angles;
}

// Both solve the same equation to 1e-12 of the momentum, and a pendulum for a second multiplies what is left by ten.
TEST(PendulumEquations, AreThoseOfStepperMaximalFromBothStarts) {
  const double dt = 0.01;
  const auto byHand = [&](StartOrder start) {
    return stepPendulum(kBox, 0.5 * kPi, kRate, dt, kSteps, start, DamperOrder::kSecond).angle;
  };
  EXPECT_LE(largestError(simulate("legendre", dt, 0), byHand(StartOrder::kSecond)), 1e-10);
  std::vector<double> printed = byHand(StartOrder::kFirst);
  printed.erase(printed.begin());  // the run begins where the first step ends
  EXPECT_LE(largestError(simulate("first_order", dt, 1), printed), 1e-10);
}

// Half of a small swing takes π √(I/w); a damper of 2 √(I w) lets it creep back as (1 + t √(w/I)) e^(−t √(w/I)).
TEST(PendulumEquations, HaveTheTrueMotionOfSmallAngles) {
  const double omega = std::sqrt(kBox.weight / kBox.inertia), half = kPi / omega, small = 1e-4;
  EXPECT_NEAR(solvePendulum({kBox.inertia, kBox.weight, 0.0}, small, 0.0, half / 100, 100).angle.back(), -small,
              1e-12);  // sin x − x is 1e-13
  const Pendulum critical{kBox.inertia, kBox.weight, 2.0 * std::sqrt(kBox.inertia * kBox.weight)};
  EXPECT_NEAR(solvePendulum(critical, small, 0.0, half / 100, 100).angle.back(), small * (1.0 + kPi) * std::exp(-kPi),
              1e-12);
}

TEST(PendulumEquations, AreOfTheOrdersThatTheyAreNamedBy) {
  const auto error = [](int steps, StartOrder start, DamperOrder damper) {
    const double dt = 1.0 / steps;
    return std::fabs(stepPendulum(kBox, 0.5 * kPi, kRate, dt, steps, start, damper).angle.back() -
                     solvePendulum(kBox, 0.5 * kPi, kRate, dt, steps).angle.back());
  };
  const auto order = [&](StartOrder start, DamperOrder damper) {
    return std::log2(error(400, start, damper) / error(800, start, damper));
  };
  EXPECT_NEAR(order(StartOrder::kFirst, DamperOrder::kFirst), 1.0, 0.05);
  EXPECT_NEAR(order(StartOrder::kFirst, DamperOrder::kSecond), 1.0, 0.05);
  EXPECT_NEAR(order(StartOrder::kSecond, DamperOrder::kFirst), 1.0, 0.05);
  EXPECT_NEAR(order(StartOrder::kSecond, DamperOrder::kSecond), 2.0, 0.05);
}

}  // namespace
}  // namespace rigor::experiments
