// Controllers of scenes: tables of targets, random targets. Gaits are in gait_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/simple_scenes.h"
#include "simulation/state_hash.h"

namespace rigor {
namespace {

/// A bar of 1 kg on a hinge that a motor turns, far from everything.
Scene makeMotor(int count = 1) {
  ModelBuilder builder("motors");
  for (int i = 0; i < count; ++i) {
    BodySpec bar;
    bar.name = "bar" + std::to_string(i);
    bar.joint.name = "hinge" + std::to_string(i);
    bar.joint.type = kHinge;
    bar.joint.axis = Eigen::Vector3d::UnitX();
    bar.mass = computeMassProperties(makeBox({0.1, 0.05, 0.05}), 1000.0);
    builder.addBody(bar);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = Eigen::VectorXd::Constant(count, 0.25);
  scene.v = Eigen::VectorXd::Zero(count);
  for (int i = 0; i < count; ++i) scene.holds.push_back({.joint = i, .kp = 10.0, .kd = 1.0, .target = 0.25});
  return scene;
}

Eigen::VectorXd row(double x) { return Eigen::VectorXd::Constant(1, x); }

/// Targets of the first drive in the first `steps` steps.
std::vector<double> targetsOf(Simulator& sim, int steps) {
  std::vector<double> targets;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(sim.step().accepted()) << sim.report().explain();
    targets.push_back(sim.report().record.ctrl[0]);
  }
  return targets;
}

TEST(TargetTable, IsLinearBetweenRowsAndHeldAtItsEnds) {
  Scene scene = makeMotor();
  scene.target_tables.push_back({{0}, {0.01, 0.02, 0.04}, {row(1.0), row(2.0), row(-2.0)}});
  Simulator sim(scene);
  const std::vector<double> targets = targetsOf(sim, 60);
  for (int i = 0; i < 60; ++i) {
    const double t = 1e-3 * i;
    const double expected = t < 0.01   ? 1.0
                            : t < 0.02 ? 1.0 + 100.0 * (t - 0.01)
                            : t < 0.04 ? 2.0 - 200.0 * (t - 0.02)
                                       : -2.0;
    EXPECT_NEAR(targets[i], expected, 1e-12) << "step " << i;  // rounding of the times
  }
}

TEST(TargetTable, WithAPeriodGoesRoundAlsoBeforeItsFirstRow) {
  Scene scene = makeMotor();
  scene.target_tables.push_back({{0}, {0.005, 0.010}, {row(0.0), row(1.0)}, 0.02});
  Simulator sim(scene);
  const std::vector<double> targets = targetsOf(sim, 100);
  for (int i = 0; i < 100; ++i) {
    const int place = (i + 15) % 20;  // steps since the first row
    EXPECT_NEAR(targets[i], place < 5 ? place / 5.0 : 1.0 - (place - 5) / 15.0, 1e-9) << "step " << i;
  }
}

TEST(TargetTable, BeginsAnewAfterAReset) {
  Scene scene = makeMotor();
  scene.target_tables.push_back({{0}, {0.0, 0.1}, {row(0.0), row(1.0)}});
  scene.reset.every = 0.03;
  Simulator sim(scene);
  const std::vector<double> targets = targetsOf(sim, 90);
  for (int i = 0; i < 90; ++i) EXPECT_NEAR(targets[i], 0.01 * (i % 30), 1e-9) << "step " << i;
}

TEST(TargetTable, LeavesOtherJointsWhereTheirHoldsSay) {
  Scene scene = makeMotor(2);
  scene.target_tables.push_back({{1}, {0.0}, {row(3.0)}});
  Simulator sim(scene);
  sim.step();
  EXPECT_EQ(sim.report().record.ctrl, Eigen::Vector2d(0.25, 3.0));
}

TEST(Controllers, GiveWayToTheInputOfTheProgramWhileItLasts) {
  Scene scene = makeMotor();
  scene.target_tables.push_back({{0}, {0.0}, {row(3.0)}});
  Simulator sim(scene);
  sim.input().ctrl = row(-1.0);
  EXPECT_EQ(targetsOf(sim, 1)[0], -1.0);
  sim.input().ctrl.resize(0);
  EXPECT_EQ(targetsOf(sim, 1)[0], 3.0);
}

Scene makeRandom(std::uint64_t seed) {
  Scene scene = makeMotor(3);
  scene.random_targets.push_back({{0, 1, 2}, seed, 0.01, 0.5});
  return scene;
}

TEST(RandomTargets, StayBetweenDrawsAndChangeAtEachForEveryJoint) {
  Simulator sim(makeRandom(7));
  Eigen::VectorXd before;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(sim.step().accepted());
    const Eigen::VectorXd now = sim.report().record.ctrl;
    if (i % 10 != 0) {
      EXPECT_EQ(now, before) << "step " << i;
    } else if (i > 0) {
      for (int k = 0; k < 3; ++k) EXPECT_NE(now[k], before[k]) << "step " << i;
    }
    before = now;
  }
}

// 3000 draws of deviation 0.5: their mean scatters by 0.5/√3000, their variance by √2·0.25/√3000. Five of these.
TEST(RandomTargets, AreSpreadAboutTheTargetsOfTheHolds) {
  Simulator sim(makeRandom(7));
  double sum = 0, square = 0;
  int count = 0;
  for (int i = 0; i < 10000; ++i) {
    ASSERT_TRUE(sim.step().accepted());
    if (i % 10 != 0) continue;
    for (const double target : sim.report().record.ctrl) {
      sum += target - 0.25;
      square += (target - 0.25) * (target - 0.25);
      ++count;
    }
  }
  EXPECT_NEAR(sum / count, 0.0, 5 * 0.5 / std::sqrt(count));
  EXPECT_NEAR(square / count, 0.25, 5 * std::sqrt(2.0) * 0.25 / std::sqrt(count));
}

TEST(RandomTargets, DependOnTheSeedAlone) {
  Simulator a(makeRandom(7)), b(makeRandom(7)), c(makeRandom(8));
  const std::vector<double> first = targetsOf(a, 50);
  EXPECT_EQ(first, targetsOf(b, 50));
  EXPECT_NE(first, targetsOf(c, 50));
}

TEST(RandomTargets, GoOnAfterAReset) {
  Scene with_reset = makeRandom(7);
  with_reset.reset.every = 0.05;
  Simulator without(makeRandom(7)), with(with_reset);
  EXPECT_EQ(targetsOf(without, 200), targetsOf(with, 200));
}

TEST(RandomTargets, AreTheSameBitsAfterARestoreInTheMiddleOfADraw) {
  const Scene scene = loadNamed("anymal_random");
  Simulator sim(scene), later(scene);
  ASSERT_TRUE(sim.run(0.45).accepted());
  later.restore(sim.save());
  ASSERT_TRUE(sim.run(0.3).accepted());
  ASSERT_TRUE(later.run(0.3).accepted());
  EXPECT_EQ(hashState(sim.state()), hashState(later.state()));
}

TEST(Controllers, ThatCannotWorkAreRefused) {
  const auto refused = [](const std::function<void(Scene&)>& spoil, const std::string& why) {
    Scene scene = makeMotor(2);
    scene.target_tables.push_back({{0}, {0.0, 1.0}, {row(1.0), row(2.0)}});
    scene.random_targets.push_back({{1}, 1, 0.1, 1.0});
    EXPECT_NO_THROW(scene.check());
    spoil(scene);
    try {
      scene.check();
      ADD_FAILURE() << "accepted: " << why;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused([](Scene& s) { s.random_targets[0].joints = {0}; }, "moves already");
  refused([](Scene& s) { s.random_targets[0].joints = {5}; }, "has no drive");
  refused([](Scene& s) { s.holds.pop_back(); }, "has no drive");
  refused([](Scene& s) { s.random_targets[0].every = 0.0; }, "every");
  refused([](Scene& s) { s.random_targets[0].sigma = std::nan(""); }, "sigma");
  refused([](Scene& s) { s.target_tables[0].time[1] = 0.0; }, "not after");
  refused([](Scene& s) { s.target_tables[0].rows.pop_back(); }, "rows of targets");
  refused([](Scene& s) { s.target_tables[0].rows[1][0] = INFINITY; }, "row 2");
  refused([](Scene& s) { s.target_tables[0].period = 0.5; }, "shorter");
  refused([](Scene& s) { s.gaits.push_back({}); }, "fewer than two feet");
  refused([](Scene& s) { s.gaits.push_back({.feet = {0, 9}}); }, "the model has 2");
  refused([](Scene& s) { s.gaits.push_back({.feet = {0, 1}, .duty = 1.0}); }, "duty");
  refused([](Scene& s) { s.gaits.push_back({.feet = {0, 1}}); }, "not free");
}

}  // namespace
}  // namespace rigor
