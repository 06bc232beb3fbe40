// Springs between points and on loops, and belts, by stepper event: their closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "event/by_events.h"
#include "simulation/closed_form_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

constexpr double kMu = 0.3;

/// Two free masses of 1 and 3 kg, 0.2 m more than the length of their spring apart; the second is held off its centre.
Scene twoMasses(double stiffness, double damping) {
  ModelBuilder builder("two masses");
  builder.setGravity(Vector3d::Zero());
  for (const double mass : {1.0, 3.0}) {
    BodySpec body;
    body.name = mass == 1.0 ? "one" : "two";
    body.joint.type = kFree;
    body.mass = {mass, Vector3d::Zero(), mass * 0.01 * Eigen::Matrix3d::Identity()};
    builder.addBody(body);
  }
  SpringSpec spring;
  spring.body_1 = 0, spring.body_2 = 1;
  spring.stiffness = stiffness, spring.damping = damping, spring.length = 1.0;
  builder.addSpring(spring);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[7] = 1.2;
  scene.v = Eigen::VectorXd::Zero(12);
  scene.step_accuracy = 1e-10;
  return byEvents(scene, 1e-2);
}

// x'' = −ω² x − 2 δ x' of the stretch x, ω² = k/m, 2 δ = c/m, 1/m = 1 + 1/3.
TEST(SpringBetweenMasses, SwingsAndDecaysByTheClosedForm) {
  const double k = 100.0, inverse_mass = 4.0 / 3.0;
  for (const double c : {0.0, 2.0, 40.0}) {
    Simulator simulator(twoMasses(k, c));
    ASSERT_TRUE(simulator.run(1.0).accepted()) << simulator.report().explain();
    const double square = k * inverse_mass, decay = 0.5 * c * inverse_mass;
    const double inside = square - decay * decay, rate = std::sqrt(std::fabs(inside));
    const double swing = inside > 0.0 ? std::cos(rate) + decay / rate * std::sin(rate)
                                      : std::cosh(rate) + decay / rate * std::sinh(rate);
    const double stretch = simulator.state().q[7] - simulator.state().q[0] - 1.0;
    EXPECT_NEAR(stretch, 0.2 * std::exp(-decay) * swing, 1e-9) << c;
    EXPECT_NEAR(simulator.state().q[0] + 3.0 * simulator.state().q[7], 3.6, 1e-12);  // their centre stays
  }
}

// A body that a spring draws over the floor: half swings of π √(m/k), each shorter by 2 μ m g/k, until it is held.
TEST(SliderOnASpring, RubsToRestInTheHalfSwingsOfTheClosedForm) {
  const double k = 100.0, start = 0.2, shorter = 2.0 * kMu * kGravity / k;
  Scene scene = sliderOnASpring({-1.0, 0, 0.05}, k, 1.0, kMu);
  scene.q[0] = start;
  scene.step_accuracy = 1e-10;
  Simulator simulator(byEvents(scene, 1e-2));
  std::vector<double> rests;
  for (int i = 0; i < 150; ++i) {
    const StepReport& report = simulator.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    EXPECT_EQ(report.fallbacks, 0);
    for (const Event& event : report.events)
      if (event.kind == EventKind::kSticks) rests.push_back(event.time);
  }
  int swings = 0;  // it holds where the spring draws less than μ g
  double place = start;
  while (k * std::fabs(place) > kMu * kGravity) place = -std::copysign(std::fabs(place) - shorter, place), ++swings;
  ASSERT_EQ(static_cast<int>(rests.size()), swings);
  for (int i = 0; i < swings; ++i) EXPECT_NEAR(rests[i], (i + 1) * kPi / std::sqrt(k), 1e-8) << i;
  EXPECT_NEAR(simulator.state().q[0], place, 1e-9);
  EXPECT_LE(simulator.velocity().norm(), 1e-10);  // what friction turned it by
}

/// A ball of 1 kg that is set down at rest on a belt, or on a plane with speed.
Scene ballOn(const Vector3d& belt, const Vector3d& velocity) {
  MaterialPair pair = makeMaterial("ground", "", kMu);
  pair.surface_velocity = belt;
  FreeBody ball{makeSphere(0.1), 1.0, {{0, 0, 0.1}}};
  ball.velocity = velocity;
  return byEvents(makeFreeBodies({ball}, {pair}), 1e-2);
}

// μ g until it is as fast as the belt, after v²/(2 μ g); from then on with it, wherever it runs to.
TEST(ParcelOnABelt, IsCarriedAlongWhenTheClosedFormSays) {
  for (const double azimuth : {0.0, 0.7, 2.9}) {
    const Vector3d belt(0.8 * std::cos(azimuth), 0.8 * std::sin(azimuth), 0);
    MaterialPair pair = makeMaterial("ground", "", kMu);
    pair.surface_velocity = belt;
    Simulator simulator(byEvents(makeFreeBodies({{makeBox({0.1, 0.1, 0.05}), 1.0, {{0, 0, 0.05}}}}, {pair}), 1e-2));
    const double sticks = 0.8 / (kMu * kGravity);
    std::vector<double> times;
    for (int i = 0; i < 50; ++i) {
      const StepReport& report = simulator.step();
      ASSERT_TRUE(report.accepted()) << report.explain();
      EXPECT_EQ(report.fallbacks, 0);
      for (const Event& event : report.events) times.push_back(event.time);
    }
    ASSERT_FALSE(times.empty());
    for (const double time : times) EXPECT_NEAR(time, sticks, 1e-9);
    const Vector3d way = (0.5 - 0.5 * sticks) * belt;
    EXPECT_LE((simulator.state().q.head<3>() - way - Vector3d(0, 0, 0.05)).norm(), 1e-9) << azimuth;
    EXPECT_LE((simulator.velocity().head<3>() - belt).norm(), 1e-11) << azimuth;
  }
}

// Seen from a belt that runs evenly, the floor is at rest: the same motion by both laws, with slip that turns.
TEST(BallOnABelt, MovesAsOverAFloorSeenFromTheBelt) {
  for (const char* law : {"coulomb", "pyramid"}) {
    const Vector3d belt(0.5, -0.3, 0), seen(0.7, 0.4, 0);
    Scene still = ballOn(Vector3d::Zero(), seen), runs = ballOn(belt, seen + belt);
    for (Scene* scene : {&still, &runs}) scene->law = law, scene->v.segment<3>(3) = Vector3d(4.0, -9.0, 2.0);
    Simulator over_floor(still), on_belt(runs);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(over_floor.step().accepted() && on_belt.step().accepted()) << law;
    Eigen::VectorXd told = over_floor.state().q;
    told.head<3>() += 0.6 * belt;
    EXPECT_LE((on_belt.state().q - told).norm(), 1e-9) << law;  // accuracies of 1e-6 per second in the same pieces
  }
}

}  // namespace
}  // namespace rigor
