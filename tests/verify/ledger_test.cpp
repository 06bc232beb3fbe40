// Where the energy of a run went, against closed forms and against the order of the leapfrog.
#include "rigor/ledger.h"

#include <gtest/gtest.h>

#include "simulation/closed_form_scenes.h"
#include "simulation/motions.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

double worstOf(const EnergyLedger& ledger, int from = 0) {
  double worst = 0.0;
  for (int step = from; step < ledger.steps(); ++step) worst = std::max(worst, std::fabs(ledger.remainder[step]));
  return worst;
}

/// E of every node is that of the first, and all that the accounts and the remainder have in between.
void expectClosed(const EnergyLedger& ledger) {
  ASSERT_GT(ledger.steps(), 0);
  double sum = ledger.energy[0], size = std::fabs(sum);
  for (int step = 0; step < ledger.steps(); ++step) {
    for (const double work : ledger.work[step]) sum += work, size = std::max(size, std::fabs(sum));
    sum += ledger.remainder[step];
    ASSERT_NEAR(sum, ledger.energy[step + 1], 1e-13 * size * (step + 1)) << "step " << step;  // doubles, added up
  }
}

/// A chain of `links` rods of 1 kg and 1 m with their mass at the end, hanging sideways from the world.
Scene makeChain(int links, double damping = 0.0, double stiffness = 0.0) {
  ModelBuilder builder("chain");
  for (int i = 0; i < links; ++i) {
    BodySpec rod;
    rod.name = "rod" + std::to_string(i), rod.parent = i == 0 ? kWorld : i - 1;
    rod.joint.name = rod.name + "_joint", rod.joint.type = kHinge, rod.joint.axis = Vector3d::UnitY();
    if (i > 0) rod.joint.X_PJ.position = {0.0, 0.0, -1.0};
    rod.joint.damping = damping, rod.joint.stiffness = stiffness;
    rod.mass = {1.0, Vector3d(0.0, 0.0, -1.0), 1e-2 * Eigen::Matrix3d::Identity()};
    builder.addBody(rod);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = Eigen::VectorXd::Constant(links, 1.0);
  scene.v = Eigen::VectorXd::Constant(links, 0.5);
  return scene;
}

EnergyLedger ledgerOf(Scene scene, double dt, double seconds) {
  scene.dt = dt;
  return computeLedger(recordRun(scene, static_cast<int>(std::lround(seconds / dt))));
}

/// Halving dt takes the worst remainder of a step to an eighth. The first three steps extrapolate no velocity yet.
void expectThirdOrder(const Scene& scene, double longest = 4e-3) {
  double last = 0.0;
  for (const double dt : {longest, longest / 2, longest / 4, longest / 8}) {
    const EnergyLedger ledger = ledgerOf(scene, dt, 0.4);
    expectClosed(ledger);
    const double worst = worstOf(ledger, 3);
    EXPECT_GT(worst, 0.0);
    if (last > 0.0) {
      EXPECT_NEAR(last / worst, 8.0, 0.5) << "dt " << dt;
    }  // terms of higher order
    last = worst;
  }
}

TEST(EnergyLedger, LeavesTheIntegratorADefectOfThirdOrderInAPendulum) { expectThirdOrder(makeChain(1)); }
TEST(EnergyLedger, LeavesTheIntegratorADefectOfThirdOrderInADoublePendulum) { expectThirdOrder(makeChain(2)); }
TEST(EnergyLedger, LeavesTheIntegratorADefectOfThirdOrderInASpring) { expectThirdOrder(makeChain(1, 0.0, 30.0)); }
TEST(EnergyLedger, LeavesTheIntegratorADefectOfThirdOrderInADampedChain) { expectThirdOrder(makeChain(2, 0.7)); }

TEST(EnergyLedger, LeavesTheIntegratorADefectOfThirdOrderInALimpChain) { expectThirdOrder(makeChain(5), 2e-3); }
TEST(EnergyLedger, LeavesTheIntegratorADefectOfThirdOrderInASpinningTop) { expectThirdOrder(asymmetricTop()); }
TEST(EnergyLedger, LeavesTheIntegratorADefectOfThirdOrderInALimpRobotInFlight) { expectThirdOrder(flyingAnymal()); }

TEST(EnergyLedger, LeavesTheIntegratorADefectOfThirdOrderUnderDrives) {
  Scene scene = makeChain(2);
  scene.holds.push_back({0, 20.0, 1.0, 0.2});
  scene.holds.push_back({1, 20.0, 1.0, -0.2});
  expectThirdOrder(scene);
}

// A pendulum that turns as a coupled pair: the loop does no work, but the chord of a step leaves its surface.
TEST(EnergyLedger, GivesLoopsWorkOfThirdOrder) {
  double last = 0.0;
  for (const double dt : {2e-3, 1e-3, 5e-4}) {
    const EnergyLedger ledger = ledgerOf(makeLinkages(), dt, 0.2);
    expectClosed(ledger);
    double worst = 0.0;
    for (int step = 3; step < ledger.steps(); ++step)
      worst = std::max(worst, std::fabs(ledger.work[step][static_cast<int>(Account::kLoops)]));
    if (last > 0.0) {
      EXPECT_NEAR(last / worst, 8.0, 1.0) << "dt " << dt;
    }
    last = worst;
  }
}

// ∫ d |q̇|² dt is what dampers take; a pendulum with a damper alone has nothing else.
TEST(EnergyLedger, TellsWhatDampersTook) {
  const EnergyLedger ledger = ledgerOf(makeChain(1, 0.7), 1e-3, 1.0);
  const double lost = ledger.energy.back() - ledger.energy.front();
  EXPECT_LT(lost, -0.5);
  EXPECT_NEAR(ledger.total(Account::kDampers), lost, 1e-5);  // the leapfrog breathes (hω)²/24 of 10 J
  EXPECT_EQ(ledger.total(Account::kDrives), 0.0);
}

// The same of dampers on a loop and between points; what springs store is energy.
TEST(EnergyLedger, TellsWhatDampersBetweenBodiesTook) {
  const EnergyLedger ledger = ledgerOf(makeTied(kCylindrical), 1e-3, 0.5);
  expectClosed(ledger);
  const double lost = ledger.energy.back() - ledger.energy.front();
  EXPECT_LT(lost, -0.1);
  EXPECT_NEAR(ledger.total(Account::kDampers), lost, 1e-4);  // breathing of 1 J that vibrates at 15 rad/s
  EXPECT_GT(ledger.springs.front(), 0.5);
}

// Its soft drives let it sway for some seconds after the landing.
TEST(EnergyLedger, HasNoRemainderWhereARobotStands) {
  const EnergyLedger ledger = ledgerOf(loadScene(RIGOR_SOURCE_DIR "/scenes/anymal_stand.toml"), 1e-3, 7.0);
  expectClosed(ledger);
  EXPECT_LE(worstOf(ledger, ledger.steps() - 1000), 1e-12);
}

TEST(EnergyLedger, HasNoRemainderWhereBoxesLieOnEachOther) {
  std::vector<FreeBody> boxes;
  for (int i = 0; i < 5; ++i) {
    const Eigen::Quaterniond askew(Eigen::AngleAxisd(0.3 * i, Vector3d::UnitZ()));
    boxes.push_back({makeBox({0.1, 0.1, 0.05}), 1.0, {{0.01 * i, 0, 0.05 + 0.1 * i + 1e-3}, askew}});
  }
  const EnergyLedger ledger = ledgerOf(makeFreeBodies(boxes, {makeMaterial("default", "", 0.5)}), 1e-3, 1.0);
  expectClosed(ledger);
  EXPECT_LE(worstOf(ledger, ledger.steps() - 300), 1e-12);
}

// Dropped limp, it lies on torso and feet, which go on sliding apart for half a minute.
TEST(EnergyLedger, HasNoRemainderWhereALimpRobotLies) {
  Scene scene = loadNamedScene("anymal_drop");
  scene.reset = {};
  const EnergyLedger ledger = ledgerOf(scene, 1e-3, 33.0);
  expectClosed(ledger);
  EXPECT_LE(worstOf(ledger, ledger.steps() - 1000), 1e-12);
}

Scene makeBlock(const MaterialPair& surface, double speed) {
  ModelBuilder builder("block");
  builder.addWorldShape({"floor", makePlane(), {}, "default"});
  builder.addMaterialPair(surface);
  BodySpec body;
  body.name = "block", body.joint.name = "base", body.joint.type = kFree;
  body.shapes.push_back({"block", makeBox({0.2, 0.2, 0.1}), {}, "default"});
  body.mass = {2.0, Vector3d::Zero(), 0.05 * Eigen::Matrix3d::Identity()};
  builder.addBody(body);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.1;
  scene.v = Eigen::VectorXd::Zero(6);
  scene.v[0] = speed;
  return scene;
}

TEST(EnergyLedger, GivesFrictionItsForceTimesTheWayThatABlockSlides) {
  const Recording recording = [] {
    Scene scene = makeBlock({"default", "default", 0.4}, 2.0);
    return recordRun(scene, 301);
  }();
  const EnergyLedger ledger = computeLedger(recording);
  expectClosed(ledger);
  const double way = recording.q[300 * 7] - recording.q[0];
  ASSERT_GT(recording.v[300 * 6], 0.5);  // it still slides
  EXPECT_NEAR(ledger.total(Account::kFriction), -0.4 * 2.0 * 9.81 * way, 1e-9);
  EXPECT_NEAR(ledger.total(Account::kContacts), 0.0, 1e-12);
  EXPECT_LE(worstOf(ledger), 1e-12);  // constant forces on a straight way: no defect
}

TEST(EnergyLedger, GivesFrictionAllTheKineticEnergyOfABlockThatComesToRest) {
  const EnergyLedger ledger = ledgerOf(makeBlock({"default", "default", 0.4}, 1.0), 1e-3, 0.5);
  EXPECT_NEAR(ledger.total(Account::kFriction), -0.5 * 2.0 * 1.0, 1e-11);
  EXPECT_LE(worstOf(ledger), 1e-12);
}

Scene makeFall(const MaterialPair& surface, double height) {
  ModelBuilder builder("fall");
  builder.addWorldShape({"floor", makePlane(), {}, "default"});
  builder.addMaterialPair(surface);
  BodySpec ball;
  ball.name = "ball", ball.joint.name = "base", ball.joint.type = kFree;
  ball.shapes.push_back({"ball", makeSphere(0.1), {}, "default"});
  ball.mass = {1.5, Vector3d::Zero(), 0.006 * Eigen::Matrix3d::Identity()};
  builder.addBody(ball);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.1 + height;
  scene.v = Eigen::VectorXd::Zero(6);
  return scene;
}

// The gap of an impact closes to 1e-9 m: as much of m g is missing.
TEST(EnergyLedger, GivesImpactsWhatADropLoses) {
  const EnergyLedger ledger = ledgerOf(makeFall({"default", "default", 0.5, -1.0, 0.0}, 0.3), 1e-3, 0.5);
  const double missing = 1.5 * 9.81 * 1e-9;
  expectClosed(ledger);
  EXPECT_NEAR(ledger.total(Account::kImpacts), -1.5 * 9.81 * 0.3, missing);
  EXPECT_NEAR(ledger.total(Account::kContacts), 0.0, missing);
  EXPECT_LE(worstOf(ledger), missing);
}

TEST(EnergyLedger, GivesEveryBounceTheShareThatRestitutionDoesNotReturn) {
  const double e = 0.6;
  const EnergyLedger ledger =
      ledgerOf(makeFall({"default", "default", 0.5, -1.0, e}, 0.3), 1e-3, 0.6);  // two bounces: at 0.25 s and 0.54 s
  const double fall = 1.5 * 9.81 * 0.3;
  EXPECT_NEAR(ledger.total(Account::kImpacts), -fall * (1.0 - e * e * e * e), 1e-7);
  EXPECT_LE(worstOf(ledger), 1e-12);
}

Scene makeLift() {
  ModelBuilder builder("lift");
  BodySpec weight;
  weight.name = "weight", weight.joint.name = "lift", weight.joint.type = kSlide, weight.joint.axis = Vector3d::UnitZ();
  weight.mass = {3.0, Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  builder.addBody(weight);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.v = Eigen::VectorXd::Zero(1);
  return scene;
}

// From rest to rest, all that the motor does is the weight's height. Its force jumps at the start, by 1 kN or by 20 N, and
// where it leaves its bound: there the leapfrog misses ⅛ h² a·m g.
TEST(EnergyLedger, GivesAMotorTheHeightOfTheWeightThatItLifts) {
  Scene scene = makeLift();
  scene.holds.push_back({0, 3000.0, 200.0, 1.0});
  for (const double effort : {1e9, 50.0}) {  // within its bounds, and at them nearly all the way
    scene.holds[0].effort = effort;
    const Recording recording = recordRun(scene, 3001);
    const EnergyLedger ledger = computeLedger(recording);
    expectClosed(ledger);
    const double height = 3.0 * 9.81 * recording.q[3000];
    EXPECT_GT(height, 29.0);
    EXPECT_NEAR(ledger.total(Account::kDrives) + ledger.totalRemainder(), height, 1e-9) << effort;
    EXPECT_NEAR(ledger.total(Account::kDrives), height, 1e-5 * std::min(3000.0, effort)) << effort;
  }
}

TEST(EnergyLedger, GivesATorqueThatLiftsAtConstantSpeedTheHeightWithoutRemainder) {
  Scene scene = makeLift();
  scene.v[0] = 0.7;
  scene.torques = {{0.0}, {Eigen::VectorXd::Constant(1, 3.0 * 9.81)}};
  const EnergyLedger ledger = ledgerOf(scene, 1e-3, 1.001);
  EXPECT_NEAR(ledger.total(Account::kTorques), 3.0 * 9.81 * 0.7, 1e-11);
  EXPECT_LE(worstOf(ledger), 1e-14);
}

TEST(EnergyLedger, TellsTorquesAndWrenchesApart) {
  Scene scene = makeChain(1);
  scene.wrenches.push_back({0, {3.0, 0.0, 0.0}, {0.0, 0.2, 0.0}});
  Simulator sim(scene);
  sim.setController([](const State&, Input& input) { input.tau[0] = 0.5; });
  Recording recording = makeRecording(scene);
  for (int i = 0; i < 200; ++i) {
    const Eigen::VectorXd q = sim.state().q;
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.accepted());
    recording.append(q, report);
  }
  recording.finish(sim);
  const EnergyLedger ledger = computeLedger(recording);
  expectClosed(ledger);
  // constant torque times angle; constant force times way
  const double from = recording.q[0], to = recording.q[199];
  EXPECT_NEAR(ledger.total(Account::kTorques), 0.5 * (to - from), 1e-6);
  EXPECT_NEAR(ledger.total(Account::kWrenches), 3.0 * (std::sin(from) - std::sin(to)) + 0.2 * (to - from), 1e-5);
}

// A belt carries a block from rest to its own speed: the belt gives m v², half of it is the block's and half friction's.
TEST(EnergyLedger, GivesKinematicBodiesTheWorkThatTheyDoThroughFriction) {
  ModelBuilder builder("belt");
  builder.addMaterialPair({"default", "default", 0.4, -1.0, 0.0, 0.01});
  BodySpec belt;
  belt.name = "belt", belt.joint.name = "belt_joint", belt.joint.type = kFree, belt.kinematic = true;
  belt.shapes.push_back({"belt", makeBox({5.0, 1.0, 0.1}), {}, "default"});
  belt.mass = computeMassProperties(belt.shapes[0].shape, 100.0);
  BodySpec block;
  block.name = "block", block.joint.name = "base", block.joint.type = kFree;
  block.shapes.push_back({"block", makeBox({0.2, 0.2, 0.1}), {}, "default"});
  block.mass = {2.0, Vector3d::Zero(), 0.05 * Eigen::Matrix3d::Identity()};
  const int moving = builder.addBody(belt);
  builder.addBody(block);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[9] = 0.2;
  scene.v = Eigen::VectorXd::Zero(12);
  MotionSpec motion;
  motion.body = moving;
  motion.poses = {Pose{}};
  motion.velocity = {1.0, 0.0, 0.0};
  scene.motions.push_back(motion);
  const EnergyLedger ledger = ledgerOf(scene, 1e-3, 0.5);
  expectClosed(ledger);
  EXPECT_NEAR(ledger.total(Account::kKinematic), 2.0 * 1.0, 2e-3);  // the step in which it sticks is cut somewhere
  EXPECT_NEAR(ledger.total(Account::kFriction), -1.0, 2e-3);
  EXPECT_NEAR(ledger.energy.back() - ledger.energy.front(), 1.0, 1e-9);
  EXPECT_LE(worstOf(ledger), 1e-12);
}

// The same with a floor whose surface runs: 2 J of the belt, half of it the block's.
TEST(EnergyLedger, GivesBeltsTheWorkThatTheyDoThroughFriction) {
  Scene scene = makeBlock({"default", "default", 0.4, -1.0, 0.0, 0.01}, 0.0);
  ModelBuilder builder("belt");
  builder.addWorldShape({"floor", makePlane(), {}, "belt"});
  MaterialPair belt{"belt", "default", 0.4, -1.0, 0.0, 0.01};
  belt.surface_velocity = {1.0, 0.0, 0.0};
  builder.addMaterialPair(belt);
  builder.addBody(scene.model.body(0));
  scene.model = builder.build();
  const EnergyLedger ledger = ledgerOf(scene, 1e-3, 0.5);
  expectClosed(ledger);
  EXPECT_NEAR(ledger.total(Account::kKinematic), 2.0, 2e-3);  // the step in which it sticks is cut somewhere
  EXPECT_NEAR(ledger.total(Account::kFriction), -1.0, 2e-3);
  EXPECT_NEAR(ledger.energy.back() - ledger.energy.front(), 1.0, 1e-9);
  EXPECT_LE(worstOf(ledger), 1e-12);
}

// A ball of 1.5 kg that spins where it stands, and one that rolls: friction takes all that they have.
TEST(EnergyLedger, GivesTorsionAndRollingFrictionWhatTheyTake) {
  for (const bool rolls : {false, true}) {
    Scene scene =
        makeFall({"default", "default", 0.8, -1.0, 0.0, 0.01, false, rolls ? 0.0 : 0.01, rolls ? 0.01 : 0.0}, 0.0);
    if (rolls)
      scene.v << 0.5, 0.0, 0.0, 0.0, 5.0, 0.0;
    else
      scene.v[5] = 10.0;
    const EnergyLedger ledger = ledgerOf(scene, 1e-3, 1.5);
    expectClosed(ledger);
    EXPECT_GT(ledger.energy.front() - ledger.energy.back(), 0.1) << rolls;
    EXPECT_NEAR(ledger.energy.back(), 1.5 * 9.81 * 0.1, 1e-10) << rolls;  // it stands
    EXPECT_NEAR(ledger.total(Account::kFriction), ledger.energy.back() - ledger.energy.front(), 1e-9) << rolls;
    EXPECT_LE(worstOf(ledger), 1e-12) << rolls;
  }
}

TEST(EnergyLedger, ClosesInEverythingThatARecordingCanHold) {
  for (const Scene& scene : {makePlayground(), makeBilliards(), makeWorkshop(), makeLinkages(), makeRandomScene(3),
                             makeBouncePast(makeSphere(0.2))}) {
    const EnergyLedger ledger = computeLedger(recordRun(scene, 300));
    expectClosed(ledger);
    EXPECT_LE(worstOf(ledger), 1e-2) << scene.name;
  }
}

TEST(EnergyLedger, TellsWhatWasSetFromOutside) {
  const Scene scene = makeChain(1);
  Simulator sim(scene);
  Recording recording = makeRecording(scene);
  for (int i = 0; i < 20; ++i) {
    if (i == 10) sim.setState(sim.state().q, Eigen::VectorXd::Constant(1, 5.0));
    const Eigen::VectorXd q = sim.state().q;
    recording.append(q, sim.step());
  }
  recording.finish(sim);
  const EnergyLedger ledger = computeLedger(recording);
  expectClosed(ledger);
  const double kinetic = 0.5 * 1.01 * (25.0 - recording.v[9] * recording.v[9]);
  EXPECT_NEAR(ledger.work[9][static_cast<int>(Account::kSet)], kinetic, 0.1);  // and what the step did besides
  EXPECT_EQ(ledger.remainder[9], 0.0);
}

// Another integrator than the leapfrog: mean of the powers at both ends of a step, third order too.
TEST(EnergyLedger, ClosesWithOtherIntegrators) {
  double last = 0.0;
  for (const double dt : {4e-3, 2e-3, 1e-3}) {
    Scene scene = makeChain(2, 0.7);
    scene.integrator = "rk4";
    scene.holds.push_back({0, 20.0, 1.0, 0.2});
    const EnergyLedger ledger = ledgerOf(scene, dt, 0.4);
    expectClosed(ledger);
    EXPECT_EQ(ledger.steps(), std::lround(0.4 / dt));  // all of them: each ends at a node
    const double worst = worstOf(ledger);
    if (last > 0.0) {
      EXPECT_NEAR(last / worst, 8.0, 0.7) << "dt " << dt;
    }
    last = worst;
  }
}

}  // namespace
}  // namespace rigor
