// Scenes in which stepper event was once wrong, each with what it should have said.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "event/by_events.h"
#include "rigor/rigor.h"
#include "simulation/closed_form_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector2d;

Scene loadFound(const std::string& name) {
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/tests/event/scenes/" + name + ".toml");
  scene.stepper = "event";
  return scene;
}

double bisect(double low, double high, const std::function<double(double)>& f) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) < 0.0 ? low : high) = middle;
  }
  return low;
}

// Static friction lets go, and kinetic friction decides which way: with masses of 5 and 1 kg along x and y, F = m a d + μk N d for the
// direction d that |d| = 1 gives.
TEST(SliderOfTwoMasses, BeginsToSlipTheWayThatKineticFrictionLeavesIt) {
  const Vector2d force(5.0, 5.0), mass(5.0, 1.0);
  const double friction = 0.2 * 14.0;  // μk times the load
  const auto direction = [&](double a) { return Vector2d(force.array() / (mass.array() * a + friction)); };
  const double a = bisect(0.0, 100.0, [&](double x) { return 1.0 - direction(x).norm(); });
  Simulator simulator(loadFound("anisotropic_slider"));
  ASSERT_TRUE(simulator.run(0.5).accepted()) << simulator.report().explain();
  EXPECT_LE((simulator.velocity().head<2>() - a * 0.5 * direction(a)).norm(), 1e-12);  // uniform: nothing but rounding
}

// A ball that rolls down a ball slips where (2/7) g sin θ = μ (g cos θ − v²/L): the cone is that of the contact where it is by then.
TEST(BallOnAHill, SlipsWhereTheClosedFormSays) {
  const double mu = 0.3, v0 = 0.5, length = 1.2;
  const auto slips = [&](double angle) {
    const double square = v0 * v0 + 10.0 / 7.0 * kGravity * length * (1.0 - std::cos(angle));
    return 2.0 / 7.0 * kGravity * std::sin(angle) - mu * (kGravity * std::cos(angle) - square / length);
  };
  const double told = bisect(0.0, 1.2, slips);
  for (const double dt : {1e-3, 1e-2, 5e-2}) {
    Scene scene = loadFound("ball_rolls_off_a_ball");
    scene.dt = dt, scene.step_accuracy = 1e-9;
    Simulator simulator(scene);
    double angle = -1.0;
    for (int i = 0; i < std::lround(1.0 / dt) && angle < 0.0; ++i) {
      const StepReport& report = simulator.step();
      ASSERT_TRUE(report.accepted()) << report.explain();
      for (const Event& event : report.events) {
        if (event.kind != EventKind::kSlips) continue;
        Simulator again(scene);  // to the node before, then to the event itself
        for (int k = 0; k < i; ++k) again.step();
        Scene rest = scene;
        rest.q = again.state().q, rest.v = again.state().v, rest.dt = event.time - i * dt;
        Simulator last(rest);
        last.step();
        angle = std::atan2(last.state().q[0], last.state().q[2]);
      }
    }
    EXPECT_NEAR(angle, told, 1e-7) << dt;  // ten times the accuracy over the second that it takes
  }
}

TEST(Wrench, ThatBeginsAndEndsWithinStepsGivesItsImpulse) {
  Simulator simulator(loadFound("push_within_steps"));
  ASSERT_TRUE(simulator.run(0.3).accepted());
  EXPECT_NEAR(simulator.velocity()[0], 0.5, 1e-14);
  EXPECT_NEAR(simulator.velocity()[1], 1.24, 1e-14);
}

// What creeps is stepped in time; what spins far from it must not be worse for that than its accuracy.
TEST(TopAboveACreepingBlock, SpinsAsItDoesAlone) {
  Scene both = loadFound("top_above_a_creeping_block");
  both.step_accuracy = 1e-5;
  Scene alone = both;
  alone.stepper = "minimal", alone.step_accuracy = 0.0, alone.integrator = "rk4", alone.dt = 1e-4;
  alone.q[both.model.nq() - 7] += 100.0;  // the block is out of the way of the ground
  Simulator simulator(both), truth(alone);
  int fallbacks = 0;
  double error = 0.0;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(simulator.step().accepted()) << simulator.report().explain();
    fallbacks += simulator.report().fallbacks;
    error += simulator.report().step_error;
  }
  ASSERT_TRUE(truth.run(0.2).accepted());
  EXPECT_GT(fallbacks, 0);
  const double missed = (simulator.velocity().segment<3>(3) - truth.velocity().segment<3>(3)).norm();
  EXPECT_LE(missed, 30.0 * 21.0 * error);  // of 1 + 20 rad/s; turns at 20 rad/s make rates of errors of its pose
  EXPECT_LE(error, 2.0 * 0.2 * both.step_accuracy);
}

// A coin on its rim strikes very often: every step comes to an end all the same.
TEST(CoinOnItsRim, EndsEveryStepWithoutGainingEnergy) {
  Simulator simulator(loadFound("coin_on_its_rim"));
  const double start = simulator.node().kinetic + simulator.node().potential;
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(simulator.step().accepted()) << simulator.report().explain();
  const StepReport& end = simulator.node();
  EXPECT_LE(end.kinetic + end.potential,
            start + 1e-5);  // what the accuracy of 1e-6 per second allows in 0.3 s, ten times
}

}  // namespace
}  // namespace rigor
