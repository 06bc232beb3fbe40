// Law pyramid by stepper event: slip at a corner of friction, along the border between two, and rest within the polygon.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "event/by_events.h"
#include "simulation/closed_form_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kMu = 0.3;

Scene byPyramid(Scene scene, int corners, double dt = 1e-2) {
  scene.law = "pyramid", scene.directions = corners;
  return byEvents(std::move(scene), dt);
}

/// A cube of 1 kg that slides over the floor with 1 m/s.
Scene slidingCube(double azimuth) {
  FreeBody cube{makeBox({0.05, 0.05, 0.05}), 1.0, {{0, 0, 0.05}}};
  cube.velocity = {std::cos(azimuth), std::sin(azimuth), 0};
  return makeFreeBodies({cube}, {makeMaterial("ground", "", kMu)});
}

Vector2d unit(double angle) { return {std::cos(angle), std::sin(angle)}; }

struct Stop {
  double turns, time;  ///< when its slip comes to the border between two corners, and when it rests
  Vector2d place;
};

/// Of slip at 1 m/s: friction μ g along the corner nearest to −u until −u is on the border between two, a parabola; from then on
/// μ g cos(π/n) along that border.
Stop stopOf(int corners, double azimuth) {
  const double half = kPi / corners, brake = kMu * kGravity, against = azimuth + kPi;
  const double corner = 2.0 * half * std::round(against / (2.0 * half)), off = against - corner;
  const double turns = (std::cos(off) - std::fabs(std::sin(off)) / std::tan(half)) / brake;
  const double left = std::fabs(std::sin(off)) / std::sin(half);  // speed on the border
  const Vector2d bent = unit(azimuth) * turns + 0.5 * brake * turns * turns * unit(corner);
  const double steady = brake * std::cos(half);
  return {turns, turns + left / steady, bent - 0.5 * left * left / steady * unit(corner + std::copysign(half, off))};
}

TEST(SlidingCube, ByLawPyramidBendsToTheBorderOfItsSectorAndStopsThere) {
  double worst_time = 0.0, worst_place = 0.0;
  for (const int corners : {4, 8, 16, 64})
    for (int k = 0; k < 8; ++k) {
      const double azimuth = 0.1 + k * 2.0 * kPi / 8.3;
      Simulator simulator(byPyramid(slidingCube(azimuth), corners));
      const Stop told = stopOf(corners, azimuth);
      std::vector<Event> events;
      for (int i = 0; i < 60; ++i) {
        const StepReport& report = simulator.step();
        ASSERT_TRUE(report.accepted()) << report.explain();
        EXPECT_EQ(report.fallbacks, 0);
        events.insert(events.end(), report.events.begin(), report.events.end());
      }
      for (const Event& event : events) {  // its four corners at once
        EXPECT_TRUE(event.kind == EventKind::kTurns || event.kind == EventKind::kSticks);
        worst_time =
            std::max(worst_time, std::fabs(event.time - (event.kind == EventKind::kTurns ? told.turns : told.time)));
      }
      EXPECT_GE(events.size(), 2u) << corners << " corners, azimuth " << azimuth;
      worst_place = std::max(worst_place, (simulator.state().q.head<2>() - told.place).norm());
      EXPECT_LE(simulator.velocity().norm(), 1e-11);
    }
  RecordProperty("time_missed", fmt::format("{:.3g} s", worst_time));
  RecordProperty("place_missed", fmt::format("{:.3g} m", worst_place));
  // slip within 1e-9 m/s of a border is on it: that much over μ g
  EXPECT_LE(worst_time, 1e-9);
  EXPECT_LE(worst_place, 1e-9);
}

TEST(SlidingCube, ByLawPyramidComesToTheConesPlaceAsOneOverTheCorners) {
  double last = 0.0;
  for (const int corners : {4, 8, 16, 32, 64}) {
    double worst = 0.0;  // over azimuths: between none and half a sector off
    for (int k = 0; k < 5; ++k) {
      const double azimuth = (0.05 + 0.2 * k) * kPi / corners;
      Simulator simulator(byPyramid(slidingCube(azimuth), corners));
      ASSERT_TRUE(simulator.run(0.6).accepted()) << simulator.report().explain();
      const Vector2d cone = 1.0 / (2.0 * kMu * kGravity) * unit(azimuth);
      worst = std::max(worst, (simulator.state().q.head<2>() - cone).norm());
    }
    RecordProperty(fmt::format("off_{}", corners), fmt::format("{:.3g} m", worst));
    if (corners == 8) {
      EXPECT_LT(worst, last);
    } else if (corners > 8) {  // the next terms are of 1/n²
      EXPECT_NEAR(last / worst, 2.0, 5.0 / corners) << corners;
    }
    last = worst;
  }
}

// A push holds up to the radius of the polygon in its direction: μ towards a corner, μ cos(π/n) between two.
TEST(PushedBlock, HoldsUpToThePolygonsRadiusInTheDirectionOfThePush) {
  for (const int corners : {4, 8, 16})
    for (const bool between : {false, true})
      for (const bool holds : {true, false}) {
        const double radius = kMu * (between ? std::cos(kPi / corners) : 1.0);
        const double push = radius * (holds ? 1 - 1e-6 : 1 + 1e-6), toward = (between ? 3.0 : 2.0) * kPi / corners;
        Scene scene =
            makeFreeBodies({{makeBox({0.1, 0.1, 0.05}), 1.0, {{0, 0, 0.05}}}}, {makeMaterial("ground", "", kMu)});
        const Vector2d force = push * kGravity * unit(toward);
        scene.wrenches.push_back({.body = 0, .force = {force.x(), force.y(), 0}});
        Simulator simulator(byPyramid(scene, corners));
        ASSERT_TRUE(simulator.run(1.0).accepted()) << simulator.report().explain();
        const double way = holds ? 0.0 : 0.5 * kGravity * (push - radius);
        EXPECT_LE((simulator.state().q.head<2>() - way * unit(toward)).norm(), 1e-10)
            << corners << " corners, between " << between << ", holds " << holds;
      }
}

// On a border friction across it holds up to μ m g sin(π/n); a stronger push drives slip off, against the corner on its side.
TEST(SlidingCube, ByLawPyramidStaysOnABorderAsLongAsFrictionAcrossHolds) {
  const double brake = kMu * kGravity;
  for (const int corners : {4, 8, 16})
    for (const double share : {0.9, 1.5, -0.9, -1.5}) {
      const double half = kPi / corners, middle = 3.0 * half;  // m; e is a quarter turn on
      Scene scene = slidingCube(middle + kPi);
      const Vector2d push = share * brake * std::sin(half) * unit(middle + 0.5 * kPi);
      scene.wrenches.push_back({.body = 0, .force = {push.x(), push.y(), 0}});
      Simulator simulator(byPyramid(scene, corners));
      for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(simulator.step().accepted()) << simulator.report().explain();
        EXPECT_TRUE(simulator.report().events.empty());  // it is driven off to the right side at once, or not at all
      }
      const double driven = std::copysign(std::max(std::fabs(share) - 1.0, 0.0), share) * brake * std::sin(half);
      const Vector2d told =
          (brake * std::cos(half) * 0.1 - 1.0) * unit(middle) + driven * 0.1 * unit(middle + 0.5 * kPi);
      EXPECT_LE((simulator.velocity().head<2>() - told).norm(), 1e-9) << corners << " corners, push " << share;
    }
}

// A spring beside the way of a body on a border draws it off where its pull across is as large as friction there can be.
TEST(SliderOnASpring, LeavesABorderOfLawPyramidWhereThePullAcrossIsTooStrong) {
  const int corners = 8;
  const double half = kPi / corners, k = 40.0, length = 0.3;
  const Vector2d along = unit(half), across = unit(half + 0.5 * kPi);  // m and e of the first side
  const Vector2d anchor = 0.3 * across + 0.02 * along;
  Scene scene = sliderOnASpring({anchor.x(), anchor.y(), 0.05}, k, length, kMu);
  scene.v.head<2>() = -1.0 * along;
  scene.step_accuracy = 1e-10;
  Simulator simulator(byPyramid(scene, corners, 1e-3));
  double left_at = -1.0;
  for (int i = 0; i < 300 && left_at < 0.0; ++i) {
    const StepReport& report = simulator.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    EXPECT_EQ(report.fallbacks, 0);
    for (const Event& event : report.events) {
      if (event.kind != EventKind::kTurns) continue;
      left_at = event.time;
      const Vector2d v = simulator.velocity().head<2>(), x = simulator.state().q.head<2>();
      const Vector2d at = x - (simulator.state().time - event.time) * v;  // the speed hardly changes in what is left
      const Vector2d way = anchor - at;
      const double pull = k * (1.0 - length / way.norm()) * way.dot(across);
      EXPECT_NEAR(pull, kMu * kGravity * std::sin(half), 1e-4);  // 1e-6 m of v², k and half a step
      EXPECT_NEAR(at.dot(across), 0.0, 1e-5);
    }
  }
  EXPECT_GT(left_at, 0.05);
  ASSERT_TRUE(simulator.run(0.05).accepted());
  EXPECT_GT(simulator.velocity().head<2>().dot(across), 1e-3);  // towards the spring
}

/// A ball that is thrown onto the floor, spinning: its slip turns.
Scene spinningBall(int corners, double dt) {
  FreeBody ball{makeSphere(0.1), 1.0, {{0, 0, 0.1}}};
  ball.velocity = {0.7, -0.4, 0};
  Scene scene = makeFreeBodies({ball}, {makeMaterial("ground", "", kMu)});
  scene.v.segment<3>(3) = Vector3d(9.0, 4.0, 20.0);
  return byPyramid(scene, corners, dt);
}

TEST(SpinningBall, ByLawPyramidGoesWhereTimeSteppingGoesWithShorterSteps) {
  Simulator events(spinningBall(8, 1e-2));
  ASSERT_TRUE(events.run(0.4).accepted()) << events.report().explain();
  double last = 0.0;
  for (const double dt : {1e-3, 5e-4, 2.5e-4}) {
    Scene scene = spinningBall(8, dt);
    scene.stepper = "minimal";
    Simulator steps(scene);
    ASSERT_TRUE(steps.run(0.4).accepted());
    const double apart = (steps.state().q.head<3>() - events.state().q.head<3>()).norm();
    RecordProperty(fmt::format("apart_{:g}", dt), fmt::format("{:.3g} m", apart));
    EXPECT_LE(apart, 1.0 * dt * dt)
        << dt;  // second order; slip comes to borders and to rest within steps, so not by quarters
    if (last > 0.0) {
      EXPECT_LE(apart, 0.5 * last) << dt;
    }
    last = apart;
  }
}

TEST(SpinningBall, ByLawPyramidIsTheSameToEverySolverOfThatLaw) {
  Simulator first(spinningBall(8, 1e-2));
  ASSERT_TRUE(first.run(0.4).accepted()) << first.report().explain();
  for (const char* solver : {"lemke", "interior_point", "newton", "bisection"}) {
    Scene scene = spinningBall(8, 1e-2);
    scene.solver = solver;
    Simulator other(scene);
    ASSERT_TRUE(other.run(0.4).accepted()) << solver << ": " << other.report().explain();
    EXPECT_LE((other.state().q - first.state().q).norm(), 1e-9) << solver;
  }
}

}  // namespace
}  // namespace rigor
