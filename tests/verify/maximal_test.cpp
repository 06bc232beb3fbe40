// The second opinion on runs of stepper maximal: it agrees with true ones.
#include <algorithm>
#include <filesystem>

#include "rigor/ledger.h"
#include "verify/maximal_runs.h"

namespace rigor {
namespace {

constexpr double kQuick = 0.05;  // [s] of every scene

std::vector<std::string> namesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + folder))
    if (entry.path().extension() == ".toml") names.push_back(folder + entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(SecondOpinionOnMaximal, AgreesOnEverySceneOfTheProject) {
  const std::vector<std::string> names = namesIn("");
  EXPECT_GT(names.size(), 20u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Scene scene = sceneOf(name);
    const int steps = static_cast<int>(std::lround(kQuick / scene.dt));
    const Recording recording = recordRun(scene, steps);
    EXPECT_EQ(recording.steps(), steps);
    expectHolds(recording);
  }
}

// The momentum of the step before the first is not in the file; all other steps are judged.
TEST(SecondOpinionOnMaximal, AgreesOnTheStartThatVgPrintsAndNamesItsFirstSubstep) {
  for (const char* name : {"double_pendulum", "double_four_bar", "hopper"}) {
    SCOPED_TRACE(name);
    Scene scene = sceneOf(name);
    scene.start = "first_order";
    const Recording recording = recordRun(scene, 50);
    EXPECT_EQ(recording.steps(), 50);
    expectHolds(recording);
    const std::vector<std::string> unchecked = verifyRecording(recording).unchecked;
    EXPECT_TRUE(std::any_of(unchecked.begin(), unchecked.end(),
                            [](const std::string& line) { return line.find("first sub-step") != std::string::npos; }));
  }
}

TEST(SecondOpinionOnMaximal, AgreesOnScenesOfTheGallery) {
  for (const char* name : {"arch", "bowl", "card_house", "dominoes", "funnel", "grasp", "peg_in_hole", "pusher",
                           "stairs", "terrain", "turntable"}) {
    SCOPED_TRACE(name);
    const Recording recording = recordRun(sceneOf(std::string("gallery/") + name), 15);
    EXPECT_EQ(recording.steps(), 15);
    expectHolds(recording);
  }
}

TEST(SecondOpinionOnMaximal, AgreesOnContactsThatStickSlipBounceAndRoll) {
  const Recording recording = recordRun(byMaximal(makePlayground()), 400);
  EXPECT_EQ(recording.steps(), 400);
  expectHolds(recording);
  expectHolds(recordRun(byMaximal(makeBilliards()), 200));
}

TEST(SecondOpinionOnMaximal, AgreesOnLimitsMotorsDryFrictionSpringsWrenchesAndLoops) {
  const Recording workshop = recordRun(byMaximal(makeWorkshop()), 300);
  EXPECT_EQ(workshop.steps(), 300);
  expectHolds(workshop);
  const Recording linkages = recordRun(byMaximal(makeLinkages()), 300);
  EXPECT_EQ(linkages.steps(), 300);
  expectHolds(linkages);
}

TEST(SecondOpinionOnMaximal, AgreesOnRandomTreesOfAllJoints) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    const Recording recording = recordRun(byMaximal(makeRandomScene(seed)), 40);
    EXPECT_GT(recording.steps(), 0);
    expectHolds(recording);
  }
}

// They turn by more than a whole turn per step, of which the poses of both ends know nothing.
TEST(SecondOpinionOnMaximal, AgreesOnABallThatTurnsFarInAStep) {
  Scene scene = sceneOf("free_bodies");
  scene.v.segment<3>(3) << 9e3, 2e3, -4e3;
  Recording recording = recordRun(scene, 30);
  ASSERT_EQ(recording.steps(), 30);
  expectHolds(recording);
  recording.substep_v_end[20 * recording.nv + 4] += 1e-4;  // of 1e4 rad/s
  expectDenied(recording, "momentum balance of \"ball");
}

TEST(SecondOpinionOnMaximal, AgreesOnABallThatASpringHoldsAtItsSurface) {
  ModelBuilder builder("sprung ball");
  BodySpec ball;
  ball.name = "ball", ball.joint.name = "ball_joint", ball.joint.type = kFree;
  ball.mass = computeMassProperties(makeSphere(0.1), 500.0);
  ShapeSpec shape;
  shape.name = "sphere", shape.shape = makeSphere(0.1);
  ball.shapes.push_back(shape);
  builder.addBody(ball);
  SpringSpec spring;
  spring.name = "spring", spring.body_1 = 0, spring.body_2 = kWorld;
  spring.point_1 = {0.1, 0.0, 0.0}, spring.point_2 = {0.0, 0.0, 1.0};
  spring.stiffness = 50.0, spring.length = 0.5;
  builder.addSpring(spring);
  Scene scene;
  scene.name = "sprung ball";
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(6);
  scene.v.tail<3>() << 0.0, 50.0, 20.0;  // it is round no more: the spring feels how it turns
  expectHolds(recordRun(byMaximal(scene), 50));
}

/// A dumbbell of two bodies that are fixed to each other and to a third one, with equal moments about all axes in sum.
Scene makeRoundCross(bool round) {
  ModelBuilder builder("cross");
  BodySpec hub;
  hub.name = "hub", hub.joint.name = "hub_joint", hub.joint.type = kFree;
  hub.mass = {1.0, Eigen::Vector3d::Zero(), 0.1 * Eigen::Matrix3d::Identity()};
  hub.mass.inertia(0, 0) += round ? 0.08 : 0.07;  // what two weights at ±0.2 m on x have about y and z
  builder.addBody(hub);
  for (const double side : {-1.0, 1.0}) {
    BodySpec weight;
    weight.name = side < 0 ? "left" : "right", weight.parent = 0;
    weight.joint.name = weight.name + "_joint", weight.joint.type = kFixed;
    weight.joint.X_PJ.position = {0.2 * side, 0.0, 0.0};
    weight.mass = {1.0, Eigen::Vector3d::Zero(), 0.01 * Eigen::Matrix3d::Identity()};
    builder.addBody(weight);
  }
  Scene scene;
  scene.model = builder.build(), scene.q = scene.model.q0(), scene.stepper = "maximal";
  scene.v = Eigen::VectorXd::Zero(6), scene.v.tail<3>() << 20.0, -150.0, 90.0;
  return scene;
}

// What is fixed to each other is one body: what is round of it is decided by their sum.
TEST(SecondOpinionOnMaximal, AgreesOnBodiesThatAreRoundOnlyTogether) {
  for (const bool round : {true, false}) {
    const Recording recording = recordRun(makeRoundCross(round), 50);
    ASSERT_EQ(recording.steps(), 50);
    EXPECT_EQ(recording.substep_h.size() > 50u, false);  // 0.18 rad per step: nothing is halved
    expectHolds(recording);
  }
}

TEST(SecondOpinionOnMaximal, SaysThatTheMomentumOfASnapshotInFlightIsUnchecked) {
  Simulator sim(sceneOf("chain_10"));
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(sim.step().accepted());
  Simulator next(sceneOf("chain_10"));
  next.restore(sim.save());
  Recording recording = makeRecording(next.scene());
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd q = next.state().q;
    recording.append(q, next.step());
  }
  recording.finish(next);
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << firstBad(verdict);
  ASSERT_EQ(verdict.unchecked.size(), 1u);
  EXPECT_NE(verdict.unchecked[0].find("snapshot in flight"), std::string::npos) << verdict.unchecked[0];
  recording.substep_v_end[recording.nv] += 1e-7;  // of the second one
  expectDenied(recording, "momentum balance");
}

/// A ball of 4.2 kg that falls onto the floor from 0.2 m above it.
Scene makeDrop(const std::string& stepper, double restitution = 0.0) {
  ModelBuilder builder("drop");
  MaterialPair surface;
  surface.material_1 = "default", surface.restitution = restitution;
  builder.addMaterialPair(surface);
  builder.addWorldShape({"floor", makePlane(), {}, "default"});
  BodySpec ball;
  ball.name = "ball", ball.joint.name = "ball_joint", ball.joint.type = kFree;
  ball.mass = computeMassProperties(makeSphere(0.1), 1000.0);
  ball.shapes.push_back({"ball", makeSphere(0.1), {}, "default"});
  builder.addBody(ball);
  Scene scene;
  scene.model = builder.build(), scene.q = scene.model.q0(), scene.v = Eigen::VectorXd::Zero(6);
  scene.q[2] = 0.1005 + 0.5 * 9.81 * 0.04, scene.stepper = stepper;
  return scene;
}

// Without restitution all laws hold if the half kick stops the ball and the impact has nothing left to do; with restitution it would not
// bounce.
TEST(SecondOpinion, DeniesAHalfKickThatTakesTheImpact) {
  for (const char* stepper : {"minimal", "maximal"}) {
    SCOPED_TRACE(stepper);
    Recording recording = recordRun(makeDrop(stepper), 250);
    expectHolds(recording);
    const auto found = std::find(recording.substep_h.begin(), recording.substep_h.end(), 0.0);
    const std::int64_t half = found - recording.substep_h.begin(), strike = half + 1;
    ASSERT_LT(strike, static_cast<std::int64_t>(recording.substep_h.size()));
    ASSERT_GT(recording.substep_kick[half], 0.0);
    ASSERT_EQ(recording.substep_kick[strike], 0.0);
    ASSERT_EQ(recording.contact_start[strike + 1] - recording.contact_start[half], 1);
    recording.contact_start[strike] += 1;
    for (int j = 0; j < recording.nv; ++j) {
      double& v_end = recording.substep_v_end[half * recording.nv + j];
      v_end = recording.substep_v_end[strike * recording.nv + j];
      recording.substep_v[strike * recording.nv + j] = v_end;
    }
    expectDenied(recording, "a half kick stops what is about to strike");
  }
}

// The last node is closed by a half kick that is thrown away: it has the energy of the others.
TEST(SecondOpinionOnMaximal, FindsTheLastNodeOfATopAsItsOtherNodes) {
  for (const char* name : {"heavy_top", "free_bodies", "asymmetric_top"}) {
    SCOPED_TRACE(name);
    const Recording recording = recordRun(sceneOf(name), 50);
    const auto energy = [&](int node) { return recording.energy[2 * node] + recording.energy[2 * node + 1]; };
    EXPECT_NEAR(energy(50), energy(49),
                1e-8 * energy(49));  // what a heavy top breathes; with v′ it would be 1e-3 and more
  }
}

TEST(SecondOpinionOnMaximal, SeesABallBounceAsHighAsByTheOtherStepper) {
  double energy[2];
  for (const bool maximal : {false, true}) {
    Scene scene = makeDrop(maximal ? "maximal" : "minimal", 0.8);
    const Recording recording = recordRun(scene, 300);
    expectHolds(recording);
    energy[maximal] = recording.energy[600] + recording.energy[601];
  }
  EXPECT_NEAR(energy[1], energy[0], 1e-9 * energy[0]);  // a ball that does not turn: both steppers are the same
  EXPECT_GT(energy[1], 1.5 * 9.81 * 0.1 * 4.0);         // it is in the air, where without bounce it would lie
}

TEST(EnergyLedgerOfMaximal, HasNoRemainderWhereAFreeBodyTurns) {
  const EnergyLedger ledger = computeLedger(recordRun(sceneOf("asymmetric_top"), 500));
  double worst = 0.0;
  for (const double left : ledger.remainder) worst = std::max(worst, std::fabs(left));
  EXPECT_LE(worst, 1e-12 * ledger.energy[0]);  // ½ L·J⁻¹L is an invariant of its map: rounding of the node velocities
}

TEST(EnergyLedgerOfMaximal, LeavesTheIntegratorADefectOfThirdOrder) {
  for (const char* name : {"double_pendulum", "chain_10", "puma560"}) {
    SCOPED_TRACE(name);
    double last = 0.0;
    for (const double dt : {2e-3, 1e-3, 5e-4}) {
      Scene scene = sceneOf(name);
      scene.dt = dt;
      const EnergyLedger ledger = computeLedger(recordRun(scene, static_cast<int>(std::lround(0.3 / dt))));
      double worst = 0.0;
      for (const double left : ledger.remainder) worst = std::max(worst, std::fabs(left));
      EXPECT_GT(worst, 0.0);
      if (last > 0.0) {
        EXPECT_NEAR(last / worst, 8.0, 0.5) << "dt " << dt;  // terms of higher order
      }
      last = worst;
    }
  }
}

TEST(EnergyLedgerOfMaximal, TellsWhatTheImpactTook) {
  const EnergyLedger ledger = computeLedger(recordRun(makeDrop("maximal"), 300));
  const double lost = ledger.energy.back() - ledger.energy.front();
  EXPECT_LT(lost, -5.0);
  EXPECT_NEAR(ledger.total(Account::kImpacts), lost, 1e-6);  // 4 kg at 2 m/s land half of 1e-9 m above the floor
}

// Impulses of the heavy boxes on the light ones round to more than these have of momentum.
TEST(SecondOpinionOnStacks, FindsTheVelocitiesOfLightBoxesUnderHeavyOnesAtRest) {
  const Scene scene = byMaximal(loadScene(RIGOR_SOURCE_DIR "/tests/verify/scenes/light_below_heavy.toml"));
  EXPECT_TRUE(verifyRecording(recordRun(scene, 100)).holds);
}

// A normal impulse that is off by 1e-10 widens a cone of μ = 1000 by 1e-7.
TEST(SecondOpinionOnSteepCones, KnowsTheirRadiusAsWellAsTheNormalImpulse) {
  const Scene scene = byMaximal(loadScene(RIGOR_SOURCE_DIR "/tests/verify/scenes/steep_cone.toml"));
  const Verdict verdict = verifyRecording(recordRun(scene, 250));
  EXPECT_TRUE(verdict.holds) << firstBad(verdict);
}

}  // namespace
}  // namespace rigor
