// The stepper in maximal coordinates: what it keeps, how it converges, that it needs nothing but its snapshot.
#include <gtest/gtest.h>

#include "minimal/falling_chain.h"
#include "simulation/motions.h"
#include "simulation/state_hash.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

Scene maximal(Scene scene) {
  scene.stepper = "maximal";
  return scene;
}

VectorXd positionBy(Scene scene, const std::string& stepper, double seconds, double dt) {
  scene.stepper = stepper;
  return positionAfter(scene, "leapfrog", seconds, dt);
}

/// Least and largest energy at the nodes of a run.
struct Band {
  double lowest = 1e300, highest = -1e300, gap = 0.0;
  double width() const { return highest - lowest; }
  double middle() const { return 0.5 * (highest + lowest); }
};
Band energyOf(Simulator& sim, double seconds) {
  Band band;
  const int steps = static_cast<int>(std::lround(seconds / sim.scene().dt));
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = sim.step();
    EXPECT_TRUE(report.accepted()) << report.explain();
    if (!report.accepted()) break;
    band.lowest = std::min(band.lowest, report.kinetic + report.potential);
    band.highest = std::max(band.highest, report.kinetic + report.potential);
    band.gap = std::max(band.gap, report.loop_gap);
  }
  return band;
}

TEST(MaximalTop, KeepsEnergyAndMomentumToRoundingHoweverLongItTumbles) {
  Scene scene = maximal(asymmetricTop());
  scene.dt = 0.01;  // turns by 0.05 rad in a step
  Simulator sim(scene);
  const Band band = energyOf(sim, 100.0);
  EXPECT_LE(band.width(), 1e-11 * band.middle());  // 10 000 steps of some roundings of 25 J each
  const Eigen::Vector<double, 6> momentum = sim.report().momentum;
  EXPECT_NEAR(momentum.tail<3>().norm(), std::sqrt(100.0001), 1e-11);
}

TEST(MaximalTop, TurnsOverWhenTheRealOneDoes) {
  Scene scene = maximal(asymmetricTop());
  Simulator sim(scene);
  // ω2 passes zero at 2.633028 s and every 5.266055 s after: second order at 1 ms leaves some 1e-5 s
  double before = sim.velocity().tail<3>()[1], crossing = 0.0;
  while (crossing == 0.0 && sim.state().time < 4.0) {
    ASSERT_TRUE(sim.step().accepted());
    const double now = sim.velocity().tail<3>()[1];
    if (now <= 0.0 && before > 0.0) crossing = sim.state().time - 1e-3 * now / (now - before);
    before = now;
  }
  EXPECT_NEAR(crossing, 2.633028, 2e-4);
}

TEST(MaximalRobot, KeepsItsMomentumInFreeFlightToRounding) {
  Scene scene = maximal(flyingAnymal());
  scene.dt = 2e-3;
  Simulator sim(scene);
  ASSERT_TRUE(sim.step().accepted());
  const Eigen::Vector<double, 6> first = sim.report().momentum;
  const double mass = scene.model.mass();
  ASSERT_TRUE(sim.run(1.0).accepted());
  const double time = sim.report().time;
  const Vector3d fallen = mass * scene.model.gravity() * time;
  // half a thousand steps: roundings of 100 kg m/s
  EXPECT_LE((sim.report().momentum.head<3>() - first.head<3>() - fallen).norm(), 1e-11 * fallen.norm());
}

TEST(MaximalRobot, KeepsAllMomentumThroughAnImpactWithoutGravity) {
  Simulator sim(maximal(loadNamed("anymal_momentum")));  // a ball of 10 kg at 5 m/s strikes it
  ASSERT_TRUE(sim.step().accepted());
  const Eigen::Vector<double, 6> first = sim.report().momentum;
  EXPECT_NEAR(first.head<3>().norm(), 50.0, 1e-12);
  int impacts = 0;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(sim.step().accepted());
    impacts += sim.report().impacts;
  }
  EXPECT_GT(impacts, 0);
  // two thousand steps: roundings of 50 kg m/s and of their moments about the origin
  EXPECT_LE((sim.report().momentum - first).norm(), 1e-11 * first.norm());
}

TEST(MaximalMotion, IsOfSecondOrder) {
  Scene top = asymmetricTop();
  top.v.tail<3>() << 1.0, 2.0, 0.5;
  struct {
    const char* name;
    Scene scene;
    double seconds, h, fine;
  } const motions[] = {{"double pendulum", doublePendulum(1.0, 0.5), 1.0, 2e-3, 1e-3},
                       {"top", top, 1.0, 2e-3, 2e-3},
                       {"flying ANYmal", flyingAnymal(), 0.2, 1e-3, 5e-4}};
  for (const auto& motion : motions) {
    const VectorXd truth = positionAfter(motion.scene, "rk4", motion.seconds, motion.fine);
    const double coarse = distance(positionBy(motion.scene, "maximal", motion.seconds, motion.h), truth);
    const double fine = distance(positionBy(motion.scene, "maximal", motion.seconds, 0.5 * motion.h), truth);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1)
        << motion.name;  // the next term is a few percent of the leading one
  }
}

TEST(MaximalPendulum, SwingsAsTheClosedFormSays) {
  Scene pendulum = maximal(loadNamedScene("pendulum_a01"));
  pendulum.dt = 1e-3;
  Simulator sim(pendulum);
  ASSERT_TRUE(sim.run(10.0).accepted());
  const double angle = std::atan2(-0.275087463, 0.961419205);  // from the rest position down
  // θ of the released bar after 10 s; second order: 6e-3 at 10 ms, a hundredth of it at 1 ms
  EXPECT_NEAR(std::fabs(std::remainder(sim.state().q[0], 2.0 * M_PI)), std::fabs(angle), 1e-4);
}

TEST(MaximalLoop, StaysClosedAndKeepsItsEnergyWithoutTrend) {
  Scene scene = maximal(loadNamed("double_four_bar"));
  scene.dt = 0.01;
  Simulator sim(scene);
  const Band first = energyOf(sim, 20.0), later = energyOf(sim, 20.0);
  EXPECT_LE(std::max(first.gap, later.gap), 1e-12);
  for (const Band& band : {first, later}) {
    EXPECT_NEAR(band.lowest, 35.835, 1.2e-3 * 35.835);
    EXPECT_NEAR(band.highest, 35.835, 1.2e-3 * 35.835);
  }
  EXPECT_NEAR(later.middle(), first.middle(), 0.3 * first.width());
}

TEST(MaximalAndMinimal, ConvergeToEachOtherWithTheSquareOfTheStep) {
  struct {
    const char* name;
    double seconds, h;
  } const scenes[] = {{"double_pendulum", 0.5, 4e-3}, {"double_four_bar", 0.5, 4e-3}, {"anymal_energy", 0.3, 1e-3}};
  for (const auto& one : scenes) {
    const Scene scene = loadNamed(one.name);
    double apart[2];
    for (int k = 0; k < 2; ++k) {
      const double h = one.h / (1 << k);
      apart[k] = distance(positionBy(scene, "maximal", one.seconds, h), positionBy(scene, "minimal", one.seconds, h));
    }
    EXPECT_NEAR(std::log2(apart[0] / apart[1]), 2.0, 0.15) << one.name << " " << apart[0] << " " << apart[1];
  }
}

TEST(MaximalCube, LiesOnTheFloorAndNotAboveIt) {
  Simulator sim(maximal(loadNamed("cube_drop")));
  ASSERT_TRUE(sim.run(1.0).accepted());
  EXPECT_NEAR(sim.state().q[2], 0.25, 1e-12);
  EXPECT_LE(sim.report().penetration, 1e-12);
}

TEST(MaximalCollision, NeedsNoMoreSubStepsThanMinimalCoordinates) {
  for (const char* name : {"anymal_steps", "gallery/stairs"}) {
    int substeps[2] = {0, 0};
    for (const int k : {0, 1}) {
      Scene scene = loadNamed(name);
      scene.stepper = k == 0 ? "minimal" : "maximal";
      Simulator sim(scene);
      for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(sim.step().accepted()) << name << ": " << sim.report().explain();
        substeps[k] += sim.report().substeps;
      }
    }
    // the same impacts; what is looked for before it touches, and struck at a node, is the same too
    EXPECT_LE(substeps[1], substeps[0] + 30) << name;
  }
}

std::uint64_t hashAfter(Simulator& run, int steps) {
  std::uint64_t hash = 0;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(run.step().accepted()) << run.report().explain();
    hash = hash * 31 + hashState(run.state());
  }
  return hash;
}

/// Saves a run at some steps, and takes as many more from there twice.
void expectSameBits(const Scene& scene, const std::vector<int>& saved, int steps) {
  Simulator sim(scene);
  int taken = 0;
  for (const int when : saved) {
    for (; taken < when; ++taken) ASSERT_TRUE(sim.step().accepted());
    const Snapshot snapshot = sim.save();
    const std::uint64_t expected = hashAfter(sim, steps);
    taken += steps;
    Simulator other(scene);
    other.restore(snapshot);
    EXPECT_EQ(hashAfter(other, steps), expected) << scene.name << " at step " << when;
  }
}

TEST(MaximalSnapshot, RestoredAtAnyStepGivesTheSameBits) {
  for (const char* name : {"anymal_stand", "anymal_drop", "double_four_bar"})
    expectSameBits(maximal(loadNamed(name)), {0, 1, 7, 500}, 150);
}

// Before it lands there are no rows, then few that are dense, then many along the links: each with another algebra.
TEST(MaximalSnapshot, OfALongChainRestoredAtAnyStepGivesTheSameBits) {
  expectSameBits(makeFallingChain(60, kBall), {0, 1, 12, 25, 38}, 10);
}

// q ⊖ h·v is where the step began, so its stride tells the momentum that it left, to rounding.
TEST(MaximalSnapshot, WithoutItsMomentumFindsItAgainFromTheVelocityInFlight) {
  Simulator sim(maximal(loadNamed("double_pendulum")));
  ASSERT_TRUE(sim.run(0.3).accepted());
  Snapshot snapshot = sim.save();
  snapshot.memory.momentum.resize(0);
  Simulator other(sim.scene());
  other.restore(snapshot);
  ASSERT_TRUE(sim.step().accepted());
  ASSERT_TRUE(other.step().accepted());
  EXPECT_LE((sim.state().v - other.state().v).cwiseAbs().maxCoeff(),
            1e-10);  // of 3 rad/s; Newton's method leaves 1e-12 of it
}

TEST(MaximalSnapshot, ForgetsMomentumThatTheOtherStepperDidNotKeep) {
  Simulator there(maximal(loadNamed("double_pendulum"))), between(loadNamed("double_pendulum")),
      back(maximal(loadNamed("double_pendulum")));
  ASSERT_TRUE(there.run(0.1).accepted());
  between.restore(there.save());
  ASSERT_TRUE(between.run(0.1).accepted());
  EXPECT_EQ(between.save().memory.momentum.size(), 0);
  back.restore(between.save());
  ASSERT_TRUE(back.step().accepted());
  // it began at rest with 0 J, and both steppers breathe by 1e-4 J at 1 ms
  EXPECT_NEAR(back.report().kinetic + back.report().potential, 0.0, 1e-3);
}

/// Hinges along one line that all turn the same way: the last link turns by the sum of them.
Scene curlingChain(int links, double rate) {
  ModelBuilder builder("chain");
  builder.setGravity(Vector3d::Zero());
  for (int i = 0; i < links; ++i) {
    BodySpec body;
    body.name = "link_" + std::to_string(i);
    body.parent = i - 1;
    body.joint.name = "hinge_" + std::to_string(i);
    body.joint.type = kHinge;
    body.joint.axis = Vector3d::UnitX();
    if (i > 0) body.joint.X_PJ.position = {0, 0, -0.2};
    body.mass = {0.5, {0, 0, -0.1}, Vector3d(2e-3, 2e-3, 2e-4).asDiagonal()};
    builder.addBody(body);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = VectorXd::Zero(links);
  scene.v = VectorXd::Constant(links, rate);
  return scene;
}

TEST(MaximalChain, IsSteppedInPartsWhereItsJointsTogetherTurnTooFar) {
  const Scene scene = curlingChain(8, 12.0);  // 0.96 rad at the tip in 10 ms
  const VectorXd truth = positionAfter(scene, "rk4", 0.3, 1e-4);
  double error[2];
  for (const int k : {0, 1}) {
    Scene coarse = k == 0 ? scene : maximal(scene);
    coarse.dt = 0.01;
    Simulator sim(coarse);
    ASSERT_TRUE(sim.run(0.3).accepted());
    error[k] = distance(sim.state().q, truth);
  }
  EXPECT_LE(error[1],
            error[0]);  // both follow a whip with parts of some ms: 0.3 and 0.5 rad; the whole step was 2.8 rad off
}

TEST(MaximalScene, NamesWhatItCannotHave) {
  Scene scene = maximal(loadNamed("double_pendulum"));
  scene.integrator = "rk4";
  try {
    Simulator sim(scene);
    FAIL() << "an integrator besides the variational one";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("rk4"), std::string::npos);
  }
  scene = loadNamed("double_pendulum");
  scene.stepper = "maximum";
  EXPECT_THROW(Simulator{scene}, Error);
}

}  // namespace
}  // namespace rigor
