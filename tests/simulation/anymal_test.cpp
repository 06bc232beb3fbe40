#include <gtest/gtest.h>

#include <random>

#include "rigor/rigor.h"
#include "simulation/tolerance.h"

namespace rigor {
namespace {

Scene loadNamed(const std::string& name) {
  return loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml");
}

struct Outcome {
  std::int64_t steps = 0, solves = 0;
  std::int64_t substeps = 0;  ///< of steps in which nothing struck: an impact parts its step by nature
  double penetration = 0.0, law = 0.0;
  double stick_creep = 0.0;  ///< longest way that a foot moved while it stuck [m]
};

/// Runs a scene for a number of steps; every one must be accepted.
Outcome runSteps(Simulator& sim, std::int64_t steps) {
  Outcome run;
  struct Foot {
    RowId id;
    Eigen::Vector3d moved;
  };
  std::vector<Foot> feet;
  for (; run.steps < steps; ++run.steps) {
    const StepReport& report = sim.step();
    if (!report.accepted()) {
      ADD_FAILURE() << report.explain();
      return run;
    }
    run.solves += report.solves;
    run.substeps += report.impacts > 0 ? 1 : report.substeps;
    run.penetration = std::max(run.penetration, report.penetration);
    run.law = std::max({run.law, report.law, report.step});
    for (const Contact& contact : report.contacts) {
      auto foot = std::find_if(feet.begin(), feet.end(), [&](const Foot& f) { return f.id == contact.id; });
      if (foot == feet.end()) foot = feet.insert(foot, {contact.id, Eigen::Vector3d::Zero()});
      if (contact.mode == ContactMode::kStick)
        foot->moved += report.dt * contact.slip;
      else
        foot->moved.setZero();
      run.stick_creep = std::max(run.stick_creep, foot->moved.norm());
    }
  }
  return run;
}

constexpr double kJudge = 1e-10;

TEST(StandingAnymal, StandsForAHundredThousandStepsWithoutSinking) {
  Simulator sim(loadNamed("anymal_stand"));
  const Outcome run = runSteps(sim, 100000);
  EXPECT_LE(run.law, kJudge);
  EXPECT_LE(run.penetration, tolerance::kPenetration);
}

TEST(AnymalOnASlope, DoesNotCreep) {
  Simulator sim(loadNamed("anymal_slope"));
  Outcome run = runSteps(sim, 99000);
  const Eigen::Vector3d before = sim.state().q.head<3>();
  const Outcome last = runSteps(sim, 1000);
  EXPECT_LE(std::max(run.law, last.law), kJudge);
  EXPECT_LE((sim.state().q.head<3>() - before).norm(), tolerance::kCreep);  // over the last second
  EXPECT_LE(last.stick_creep, tolerance::kCreep);
}

TEST(FallingAnymal, IsAcceptedAtEveryStepWhileItFallsAndLies) {
  Simulator sim(loadNamed("anymal_drop"));
  const Outcome run = runSteps(sim, 100000);
  EXPECT_LE(run.law, kJudge);
  EXPECT_LE(run.penetration, tolerance::kPenetrationMoving);
}

TEST(FallingAnymal, IsAcceptedAtStepsOfTwentyMilliseconds) {
  Scene scene = loadNamed("anymal_drop");
  scene.dt = 0.02;
  Simulator sim(scene);
  const Outcome run = runSteps(sim, 100000);
  EXPECT_LE(run.law, kJudge);
  EXPECT_LE(run.penetration, tolerance::kPenetrationCoarse);
}

/// Start of the swinging robot: at rest for seed 0, else thrown (0.4 m/s, 0.8 rad/s, joints 0.5 rad/s and 0.1 rad).
Scene hangingAnymal(int seed) {
  Scene scene = loadNamed("anymal_hang");
  if (seed == 0) return scene;
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 3; ++k) scene.v[k] = 0.4 * normal(generator);
  for (int k = 3; k < 6; ++k) scene.v[k] = 0.8 * normal(generator);
  for (int k = 6; k < scene.v.size(); ++k) scene.v[k] = 0.5 * normal(generator);
  for (int k = 7; k < scene.q.size(); ++k) scene.q[k] += 0.1 * normal(generator);
  return scene;
}

class HangingAnymal : public testing::TestWithParam<int> {};

TEST_P(HangingAnymal, NeitherSinksNorCreepsAtOneMillisecond) {
  Simulator sim(hangingAnymal(GetParam()));
  const Outcome run = runSteps(sim, 100000);
  EXPECT_LE(run.law, kJudge);
  EXPECT_LE(run.penetration, tolerance::kPenetrationMoving);
  EXPECT_LE(run.stick_creep, 1e-10);
  EXPECT_LE(static_cast<double>(run.solves) / run.steps, 1.2);
  EXPECT_LE(static_cast<double>(run.substeps) / run.steps, 1.01);
}

TEST_P(HangingAnymal, NeitherSinksNorCreepsAtTwentyMilliseconds) {
  Scene scene = hangingAnymal(GetParam());
  scene.dt = 0.02;
  Simulator sim(scene);
  const Outcome run = runSteps(sim, 5000);
  EXPECT_LE(run.law, kJudge);
  EXPECT_LE(run.penetration, tolerance::kPenetrationCoarse);
  EXPECT_LE(run.stick_creep, 1e-10);
  EXPECT_LE(static_cast<double>(run.substeps) / run.steps, 1.3);
}

INSTANTIATE_TEST_SUITE_P(FromRestAndFromEightThrows, HangingAnymal, testing::Range(0, 9));

// From rest, once the feet hold: the energy has no trend (it breathes with h² while the robot swings).
TEST(HangingAnymalFromRest, KeepsItsEnergy) {
  Simulator sim(hangingAnymal(0));
  runSteps(sim, 2000);
  const auto meanEnergy = [&] {
    double sum = 0.0;
    for (int i = 0; i < 10000; ++i) {
      const StepReport& report = sim.step();
      sum += report.kinetic + report.potential;
    }
    return sum / 10000;
  };
  const double early = meanEnergy();
  runSteps(sim, 78000);
  EXPECT_NEAR(meanEnergy(), early, 1e-3);
}

// Force 2mg up on the base for 1 s, joints limp, then 2 s free.
TEST(LiftedAnymal, KeepsTheEnergyItHadWhenReleased) {
  Simulator sim(loadNamed("anymal_energy"));
  ASSERT_TRUE(sim.run(1.002).accepted());
  const double released = sim.report().kinetic + sim.report().potential;
  double square = 0.0;
  constexpr int kSteps = 1998;
  for (int i = 0; i < kSteps; ++i) {
    ASSERT_TRUE(sim.step().accepted());
    const double error = sim.report().kinetic + sim.report().potential - released;
    square += error * error / kSteps;
  }
  EXPECT_LE(square, 1e-5);  // [J²]; best published for first-order schemes 0.0118
}

TEST(DroppedCube, ComesToRestOnTheGround) {
  Simulator sim(loadNamed("cube_drop"));
  ASSERT_TRUE(sim.run(sim.scene().time).accepted());
  double farthest = 0.0;
  for (const Contact& contact : sim.report().contacts) farthest = std::max(farthest, std::fabs(contact.gap_end));
  EXPECT_EQ(sim.report().contacts.size(), 4u);
  EXPECT_LE(farthest, 1e-10);  // the paper stops 43 µm above the ground
}

}  // namespace
}  // namespace rigor
