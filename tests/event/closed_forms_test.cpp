// Motions with impacts and friction whose answer stands on paper, by stepper event.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "event/by_events.h"
#include "simulation/many_balls.h"
#include "simulation/motions.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

double energyOf(const StepReport& report) { return report.kinetic + report.potential; }

// √(2h/g)(1 + e)/(1 − e); the peaks are e^(2k) h. There is no threshold: a hundred bounces are counted and the rest is summed.
TEST(BouncingBall, RestsWhenTheSeriesOfItsBouncesEnds) {
  for (const double e : {0.9, 0.8, 0.5, 0.1}) {
    Simulator simulator(
        byEvents(makeFreeBodies({{makeSphere(0.1), 1.0, {{0, 0, 1.1}}}}, {makeMaterial("ground", "", 0.5, e)})));
    const double rests = std::sqrt(2.0 / kGravity) * (1.0 + e) / (1.0 - e);
    std::vector<double> settled;
    std::vector<double> peaks;
    double last = 1.0;
    while (simulator.state().time < rests + 0.05) {
      const StepReport& report = simulator.step();
      ASSERT_TRUE(report.accepted()) << report.explain();
      for (const Event& event : report.events)
        if (event.kind == EventKind::kSettles) settled.push_back(event.time);
      const double peak = (energyOf(report) / kGravity) - 0.1;
      if (peak < last * (1 - 1e-6) && peaks.size() < 10) peaks.push_back(last = peak);
    }
    ASSERT_EQ(settled.size(), 1u) << e;
    RecordProperty(fmt::format("stop_missed_{:g}", e), fmt::format("{:.3g} s", settled[0] - rests));
    EXPECT_NEAR(settled[0], rests, 1e-9) << e;
    double worst = 0.0;
    for (std::size_t k = 0; k < peaks.size(); ++k)
      worst = std::max(worst, std::fabs(peaks[k] - std::pow(e, 2.0 * (k + 1.0))));
    RecordProperty(fmt::format("peak_missed_{:g}", e), fmt::format("{:.3g} m", worst));
    if (e < 0.4) continue;  // bounces follow each other within a step
    EXPECT_EQ(peaks.size(), 10u);
    EXPECT_LE(worst, 1e-9) << e;
    EXPECT_LE(simulator.report().kinetic, 1e-20);
  }
}

TEST(BouncingBall, KeepsItsEnergyThroughAHundredElasticBounces) {
  Simulator simulator(
      byEvents(makeFreeBodies({{makeSphere(0.1), 1.0, {{0, 0, 1.1}}}}, {makeMaterial("ground", "", 0.0, 1.0)})));
  const double start = energyOf(simulator.node());
  int impacts = 0;
  double worst = 0.0;
  while (impacts < 100) {
    const StepReport& report = simulator.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    impacts += report.impacts;
    worst = std::max(worst, std::fabs(energyOf(report) / start - 1.0));
  }
  RecordProperty("relative", fmt::format("{:.3g}", worst));
  EXPECT_LE(worst, 1e-12);
}

// Touching balls answer at once or one after the other, as the scene says; apart always one after the other.
TEST(Cradle, AnswersAsItIsTold) {
  for (const bool in_order : {false, true})
    for (const int n : {2, 3, 5, 10}) {
      std::vector<FreeBody> balls;
      for (int i = 0; i < n; ++i) balls.push_back({makeSphere(0.1), 1.0, {{0.2 * i, 0, 0}}});
      balls[0].pose.position.x() = -0.01;
      balls[0].velocity.x() = 1.0;
      Scene scene = byEvents(makeFreeBodies(balls, {makeMaterial("default", "default", 0.0, 1.0)}, false, 0.0));
      if (in_order) scene.impacts = "sequential";
      Simulator simulator(scene);
      ASSERT_TRUE(simulator.run(0.05).accepted()) << simulator.report().explain();
      const VectorXd v = simulator.velocity();
      for (int i = 0; i < n; ++i) {
        const double together = i == 0 ? 2.0 / n - 1.0 : 2.0 / n, in_turn = i == n - 1 ? 1.0 : 0.0;
        EXPECT_NEAR(v[6 * i], in_order ? in_turn : together, 1e-10) << n << " balls, ball " << i;
      }
    }
}

// Housner's block of 1.0 × 1.5 (1 − 3/2 sin²a, tan a = 1.0/1.5), to the precision of the impact itself.
TEST(RockingBlock, LosesHousnersShareInEveryImpact) {
  const double ratio = 1.0 - 1.5 / (1.0 + 1.5 * 1.5);
  const double lean = 0.2, diagonal = std::hypot(0.5, 0.75), up = std::atan2(0.75, 0.5) + lean;
  FreeBody block{makeBox({0.5, 0.5, 0.75}), 1.0};
  block.pose.rotation = Eigen::AngleAxisd(-lean, Vector3d::UnitY());
  block.pose.position = {diagonal * std::cos(up), 0, diagonal * std::sin(up)};
  Simulator simulator(byEvents(makeFreeBodies({block}, {makeMaterial("ground", "", 5.0)})));
  int impacts = 0;
  double worst = 0.0;
  for (int i = 0; i < 3000 && impacts < 6; ++i) {
    const StepReport& report = simulator.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    for (std::size_t k = 0; k < report.record.substeps.size(); ++k) {
      if (report.record.substeps[k].h > 0.0 || report.record.kick[k] != 0.0) continue;  // no strike
      const double before = report.record.v[6 * k + 4], after = report.record.v_end[6 * k + 4];
      worst = std::max(worst, std::fabs(after / before - ratio));
      ++impacts;
    }
  }
  RecordProperty("missed", fmt::format("{:.3g}", worst));
  EXPECT_EQ(impacts, 6);
  EXPECT_LE(worst, 1e-9);
}

// A ball that is set down sliding rolls at 5/7 of its first speed from t = 2 v0/(7 μ g) on, after 12/49 v0²/(μ g).
TEST(SlidingBall, RollsWhenAndWhereTheClosedFormSays) {
  const double mu = 0.2, sticks = 2.0 / (7.0 * mu * kGravity);
  FreeBody ball{makeSphere(0.1), 1.0, {{0, 0, 0.1}}};
  ball.velocity = {1.0, 0, 0};
  Simulator simulator(byEvents(makeFreeBodies({ball}, {makeMaterial("ground", "", mu)}), 1e-2));
  std::vector<double> times;
  for (int i = 0; i < 30; ++i) {
    const StepReport& report = simulator.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    for (const Event& event : report.events)
      if (event.kind == EventKind::kSticks) times.push_back(event.time);
  }
  ASSERT_EQ(times.size(), 1u);
  RecordProperty("missed", fmt::format("{:.3g} s", times[0] - sticks));
  EXPECT_NEAR(times[0], sticks, 1e-10);
  EXPECT_NEAR(simulator.velocity()[0], 5.0 / 7.0, 1e-11);
  const double way = 12.0 / (49.0 * mu * kGravity) + 5.0 / 7.0 * (simulator.state().time - sticks);
  EXPECT_NEAR(simulator.state().q[0], way, 1e-10);
}

// The steps in which nothing strikes are parabolas, which a Runge–Kutta method follows to rounding, whatever their length.
TEST(BouncingSet, Of49BallsKeepsItsEnergyThroughEveryBounce) {
  for (const double dt : {1e-3, 1e-2}) {
    double deepest = 0.0;
    const double squares = meanSquareOfEnergy(byEvents(bouncingSet(), dt), 20.0, deepest);
    RecordProperty(fmt::format("mean_square_{:g}", dt), fmt::format("{:.3g} J²", squares));
    EXPECT_LE(squares, 1e-9);
    EXPECT_LE(deepest, 1e-11);
  }
}

// 216 balls that strike each other and the floor; what is left are the times of impacts, known to 1e-12 s.
TEST(SixCubed, KeepsItsEnergyIfItIsElastic) {
  double deepest = 0.0;
  const double squares = meanSquareOfEnergy(byEvents(sixCubed(1.101, 1.0)), 10.0, deepest);
  RecordProperty("mean_square", fmt::format("{:.3g} J²", squares));
  RecordProperty("deepest", fmt::format("{:.3g} m", deepest));
  EXPECT_LE(squares, 1e-6);
  EXPECT_LE(deepest, 1e-11);
}

// v0²/(2 μ g) on a straight line for every azimuth; the time stepper misses it by μ g h²/8.
TEST(SlidingCube, StopsWhereTheClosedFormSays) {
  const double mu = 0.3, half = 0.05;
  for (int k = 0; k < 16; ++k) {
    const double azimuth = 0.1 + k * 2.0 * kPi / 16;
    FreeBody cube{makeBox({half, half, half}), 1.0, {{0, 0, half}}};
    cube.velocity = {std::cos(azimuth), std::sin(azimuth), 0};
    Simulator simulator(byEvents(makeFreeBodies({cube}, {makeMaterial("ground", "", mu)}), 1e-2));
    ASSERT_TRUE(simulator.run(0.5).accepted()) << simulator.report().explain();
    const Vector3d stop = simulator.state().q.head<3>() - Vector3d(0, 0, half);
    const Vector3d told = 1.0 / (2.0 * mu * kGravity) * cube.velocity;
    EXPECT_LE((stop - told).norm(), 1e-10) << "azimuth " << azimuth;
    EXPECT_LE(simulator.velocity().norm(), 1e-11);
  }
}

TEST(BlockOnIncline, SticksOrSlipsAMillionthFromTheLimit) {
  for (const bool holds : {true, false}) {
    const double slope = 0.4, mu = std::tan(slope) * (holds ? 1 + 1e-6 : 1 - 1e-6);
    FreeBody block{makeBox({0.1, 0.1, 0.05}), 1.0, {{0, 0, 0.05}}};
    Scene scene = makeFreeBodies({block}, {makeMaterial("ground", "", mu)});
    // gravity leans instead of the floor: the same motion
    scene.wrenches.push_back({.body = 0, .force = {std::tan(slope) * kGravity, 0, 0}});
    Simulator simulator(byEvents(scene, 1e-2));
    ASSERT_TRUE(simulator.run(1.0).accepted()) << simulator.report().explain();
    // what slips this slowly is stepped in time, whose judge may miss 1e-10 of the weight: 5e-10 m in this second
    const double fall = holds ? 0.0 : 0.5 * kGravity * (std::tan(slope) - mu);
    EXPECT_NEAR(simulator.state().q[0], fall, 1e-10) << "holds " << holds;
  }
}

}  // namespace
}  // namespace rigor
