// Derivatives of a step against central differences of it, away from switches.
#include <gtest/gtest.h>

#include "derivatives/differences.h"
#include "derivatives/leaper.h"
#include "simulation/simple_scenes.h"

namespace rigor {
namespace {

// What differences of a step round: 1e-16 m of a position over the length of the step and over what it was moved by, 1e-7 where that
// is least. What v̄ misses before it is renewed, 1e-7 of the energy, is as much.
constexpr double kAgree = 1e-6;
// Where little room is left before another mode, q is moved by 4e-7: 2e-15 rad of a joint at 9.42 rad, or of two metres of a humanoid, over
// that and over the length of the step.
constexpr double kAgreeInSmall = 5e-6;

Scene limp(const char* name, std::vector<std::pair<std::string, std::string>> changes = {}) {
  Scene scene = loadChanged(name, changes);
  scene.releaseJoints();
  return scene;
}

void run(Simulator& sim, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
}

int countModes(const StepReport& report, ContactMode mode) {
  return static_cast<int>(std::count_if(report.contacts.begin(), report.contacts.end(),
                                        [&](const Contact& contact) { return contact.mode == mode; }));
}

TEST(StepDerivatives, OfAnymalInFlightAreCentralDifferences) {
  Simulator sim(loadChanged("anymal_stand", {}));
  Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(sim.state().v.size(), -1.0, 1.5);
  sim.setState(sim.state().q, v);
  run(sim, 10);
  expectCentralDifferences(sim, kAgree);
}

TEST(StepDerivatives, OfAStandingAnymalAreCentralDifferences) {
  Simulator sim(loadChanged("anymal_stand", {withoutImpacts(0.8)}));
  run(sim, 400);
  lift(sim, 2e-5);
  expectCentralDifferences(sim, kAgree, {.q = 5e-6});
  EXPECT_EQ(countModes(sim.report(), ContactMode::kStick), 4);
}

TEST(StepDerivatives, OfASlippingAnymalAreCentralDifferences) {
  Simulator sim(loadChanged("anymal_stand", {withoutImpacts(0.1)}));
  Eigen::VectorXd v = Eigen::VectorXd::Zero(sim.state().v.size());
  v[0] = 1.5, v[1] = 0.7, v[5] = 0.5;
  sim.setState(sim.state().q, v);
  run(sim, 110);
  lift(sim, 2e-5);
  expectCentralDifferences(sim, kAgree, {.q = 5e-6});
  EXPECT_EQ(countModes(sim.report(), ContactMode::kSlip), 4);
}

TEST(StepDerivatives, OfAJointThatPressesAgainstItsLimitAreCentralDifferences) {
  Scene scene = limp("anymal_stand");
  scene.q[2] = 5.0;
  const int joint = 7;  // LF_HAA
  scene.q[joint] = 9.42 - 2e-6;
  Simulator sim(scene);
  sim.input().tau[joint - 1] = 1.0;
  StepDerivatives probe(sim);
  Simulator fork(sim);
  ASSERT_TRUE(probe.step(fork).accepted());
  EXPECT_LT(probe.jacobians().dq_dtau.row(joint - 1).norm(), 1e-15) << "it is held";
  expectCentralDifferences(sim, kAgreeInSmall, {.q = 4e-7, .v = 1e-4, .tau = 1e-3});
}

TEST(StepDerivatives, OfFourBarsAreCentralDifferences) {
  Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/double_four_bar.toml"));
  run(sim, 130);
  expectCentralDifferences(sim, kAgree);
}

TEST(StepDerivatives, OfLoopsInSpaceAreCentralDifferences) {
  for (const char* name : {"three_link_loop"}) {
    SCOPED_TRACE(name);
    Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml"));
    run(sim, 50);
    expectCentralDifferences(sim, kAgree);
  }
}

// Eight corners of two soles hold what six rows each would: impulses are not unique, the motion is.
TEST(StepDerivatives, OfAHumanoidOnFlatSolesAreCentralDifferences) {
  Simulator sim(loadChanged("humanoid_stand", {withoutImpacts(0.8)}));
  run(sim, 400);
  lift(sim, 4e-6);
  expectCentralDifferences(sim, kAgreeInSmall, {.q = 4e-7, .v = 1e-5, .ctrl = 1e-6});
  EXPECT_EQ(sim.report().contacts.size(), 8u);
}

/// A leaper that stands on its foot, or moves as told.
Simulator standingLeaper(const std::function<void(LeaperNumbers&)>& change, double speed) {
  Scene scene = makeLeaper(change);
  scene.v << speed, 0.5 * speed, 0, 0.3, -0.4, 0.2, 0.1, 0.2, -0.3, 0.5, 0, 0, 0, 1, 2, 3;
  Simulator sim(scene);
  run(sim, 4);
  Snapshot at = sim.save();
  at.state.q[2] -= sim.pose(2).position.z() + (sim.pose(2).rotation * Eigen::Vector3d(0.01, 0, -0.2)).z() - 0.04 - 5e-5;
  at.state.v[2] = -0.3;
  sim.restore(at);
  return sim;
}

TEST(StepDerivatives, OfALegWithABallJointSpringsAndDampersAreCentralDifferences) {
  for (const double speed : {0.0, 1.0}) {
    Simulator sim = standingLeaper([&](LeaperNumbers& n) { n.surface.friction = speed > 0.0 ? 0.15 : 0.9; }, speed);
    expectCentralDifferences(sim, kAgree, {.q = 1e-5, .v = 1e-3, .tau = 1e-3});
    EXPECT_EQ(countModes(sim.report(), speed > 0.0 ? ContactMode::kSlip : ContactMode::kStick), 1) << speed;
  }
}

TEST(StepDerivatives, OfTwoBallsThatTouchAreCentralDifferences) {
  for (const double speed : {0.02, 0.8}) {
    Scene scene = makeLeaper();
    Eigen::VectorXd& q = scene.q;
    q[2] = 0.6;
    const Eigen::Vector3d n = Eigen::Vector3d(0.3, -0.2, 0.9).normalized();
    q.segment<3>(12) = q.head<3>() + Eigen::Vector3d(0, 0, 0.1) + (0.11 + 4e-5) * n;
    scene.v.tail<6>() << -0.3 * n + speed * Eigen::Vector3d(1, 0.5, 0).cross(n), 1.0, -2.0, 1.5;
    scene.v.segment<3>(3) << 0.5, -1.0, 0.7;
    Simulator sim(scene);
    expectCentralDifferences(sim, kAgree, {.q = 1e-5, .v = 1e-3, .tau = 1e-3});
    ASSERT_EQ(sim.report().contacts.size(), 1u);
    EXPECT_GT(sim.report().contacts[0].impulse.norm(), 1e-3);
  }
}

// Balls that turn about their centres may turn however far: their slip is that of R hω, not of the rotation that it leads to.
TEST(StepDerivatives, OfRoundBallsThatSpinAreCentralDifferences) {
  for (const double spin : {5.0, 300.0, 4000.0}) {
    OneBody spec;
    spec.shape = makeSphere(0.1);
    spec.pose.position.z() = 0.1 + 4e-5;
    spec.material.threshold = 100.0;
    spec.material.friction = 0.3;
    Scene scene = makeOneBody(spec);
    scene.v << 0.5, -0.2, -0.3, 0.3 * spin, spin, -0.2 * spin;
    Simulator sim(scene);
    expectCentralDifferences(sim, kAgree, {.q = 1e-5, .v = 1e-2, .tau = 1e-3});
    EXPECT_EQ(countModes(sim.report(), spin > 5.0 ? ContactMode::kSlip : ContactMode::kStick), 1) << spin;
  }
}

// Two that turn so far that they are followed at their centres.
TEST(StepDerivatives, OfTwoBallsThatSpinFastAreCentralDifferences) {
  ModelBuilder builder;
  MaterialPair surface;
  surface.material_1 = "default";
  surface.threshold = 100.0;
  surface.friction = 0.3;
  builder.addMaterialPair(surface);
  for (const char* name : {"a", "b"}) {
    BodySpec ball;
    ball.name = name;
    ball.joint.type = kFree;
    ball.mass = computeMassProperties(makeSphere(0.1), 500.0);
    ball.shapes = {{.name = name, .shape = makeSphere(0.1)}};
    builder.addBody(ball);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q.segment<3>(7) = (0.2 + 4e-5) * Eigen::Vector3d(2.0, -1.0, 2.0) / 3.0;
  scene.v.setZero(12);
  scene.v.segment<3>(6) = -0.3 * Eigen::Vector3d(2.0, -1.0, 2.0) / 3.0;
  scene.v.segment<3>(3) << 3000.0, 500.0, -200.0;
  Simulator sim(scene);
  expectCentralDifferences(sim, kAgree, {.q = 1e-5, .v = 1e-2, .tau = 1e-3});
  EXPECT_EQ(countModes(sim.report(), ContactMode::kSlip), 1);
}

TEST(StepDerivatives, OfMotorsInsideAndAtTheirBoundsAreCentralDifferences) {
  for (const double effort : {1e9, 0.5}) {
    Scene scene = makeLeaper([&](LeaperNumbers& numbers) { numbers.effort = effort; });
    scene.q[2] = 3.0;
    scene.holds = {{.joint = 2, .kp = 30.0, .kd = 0.4, .target = 0.3, .effort = effort}};
    Simulator sim(scene);
    run(sim, 3);
    expectCentralDifferences(sim, kAgree);
    EXPECT_EQ(std::fabs(sim.report().tau[9]) > 0.49, true);
  }
}

// A motor that was at its bound begins as a row, and stays one in the step in which its torque comes back inside.
TEST(StepDerivatives, OfAMotorThatLeavesItsBoundAreCentralDifferences) {
  Scene scene = makeLeaper([](LeaperNumbers& numbers) { numbers.effort = 0.5; });
  scene.q[2] = 3.0;
  scene.holds = {{.joint = 2, .kp = 30.0, .kd = 0.4, .target = 0.3, .effort = 0.5}};
  Simulator sim(scene);
  run(sim, 3);
  EXPECT_NEAR(std::fabs(sim.report().tau[9]), 0.5, 1e-12);
  const std::vector<BlockMemory> blocks = sim.save().memory.blocks;
  EXPECT_TRUE(std::any_of(blocks.begin(), blocks.end(), [](const BlockMemory& one) { return one.id.high >> 60 == 2; }));
  sim.input().ctrl = Eigen::VectorXd::Constant(1, sim.state().q[11] + 0.01);
  expectCentralDifferences(sim, kAgree);
  EXPECT_LT(std::fabs(sim.report().tau[9]), 0.4);
}

TEST(StepDerivatives, OfDryFrictionThatHoldsAndThatSlidesAreCentralDifferences) {
  for (const double speed : {0.0, 2.0}) {
    Scene scene = makeLeaper([](LeaperNumbers& numbers) { numbers.dry_friction = 0.3; });
    scene.q[2] = 3.0;
    scene.v[9] = speed;
    scene.v[4] = 1.0;
    Simulator sim(scene);
    run(sim, 3);
    expectCentralDifferences(sim, kAgree);
  }
}

TEST(StepDerivatives, OfAWrenchAreCentralDifferences) {
  for (const bool in_world : {true, false}) {
    Scene scene = makeLeaper();
    scene.wrenches = {{.body = 2, .force = {3.0, -2.0, 1.0}, .torque = {0.1, 0.3, -0.2}, .in_world = in_world}};
    scene.q[2] = 3.0;
    scene.v.setLinSpaced(-1.0, 2.0);
    Simulator sim(scene);
    run(sim, 3);
    expectCentralDifferences(sim, kAgree);
  }
}

// --- parameters

using Change = std::function<void(LeaperNumbers&, double)>;

/// Differences by a number that `change` moves, of the next step of the same simulator.
void expectParameter(const Simulator& sim, const std::string& name, const Change& change, double size) {
  Simulator fork(sim);
  StepDerivatives derivatives(sim, {findStepParameter(sim.scene().model, name)});
  ASSERT_TRUE(derivatives.step(fork).accepted());
  ASSERT_TRUE(derivatives.known()) << derivatives.reason();
  const StepJacobians& J = derivatives.jacobians();
  const Eigen::MatrixXd differences = differentiateBy(sim.scene().model, 1, size, [&](int, double by) {
    const Simulator other(makeLeaper([&](LeaperNumbers& numbers) { change(numbers, by); }));
    return derivatives.iteratesMean() ? stepConverged(other, sim.save(), {}, {}) : stepFrom(other, sim.save());
  });
  EXPECT_LE(disagreement(stack(J.dq_dparameters, J.dv_dparameters), differences), kAgree) << name;
  EXPECT_GT(differences.norm(), 1e-5) << name << " plays a part";
}

TEST(StepDerivatives, ByFrictionMassesCentresAndMomentsAreCentralDifferences) {
  const Simulator sim = standingLeaper({}, 1.0);
  const auto moved = [](double& number, double by) { number += by; };
  expectParameter(sim, "friction", [&](auto& n, double by) { moved(n.surface.friction, by); }, 1e-4);
  expectParameter(sim, "friction:shank,world", [&](auto& n, double by) { moved(n.surface.friction, by); }, 1e-4);
  expectParameter(sim, "mass:trunk", [&](auto& n, double by) { moved(n.trunk.mass, by); }, 1e-2);
  expectParameter(sim, "mass:shank", [&](auto& n, double by) { moved(n.shank.mass, by); }, 1e-3);
  const char* axes[3] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k)
    expectParameter(
        sim, std::string("centre.") + axes[k] + ":shank", [&](auto& n, double by) { n.shank.com[k] += by; }, 1e-4);
  const std::pair<const char*, std::pair<int, int>> moments[6] = {{"xx", {0, 0}}, {"yy", {1, 1}}, {"zz", {2, 2}},
                                                                  {"xy", {0, 1}}, {"xz", {0, 2}}, {"yz", {1, 2}}};
  for (const auto& [name, at] : moments) {
    const auto [i, j] = at;
    expectParameter(
        sim, std::string("inertia.") + name + ":trunk",
        [&, i = i, j = j](auto& n, double by) {
          n.trunk.inertia(i, j) += by;
          if (i != j) n.trunk.inertia(j, i) += by;
        },
        5e-5);
  }
}

TEST(StepDerivatives, ByTheFrictionOfOtherBodiesIsZero) {
  Simulator sim = standingLeaper({}, 1.0);
  StepDerivatives derivatives(sim, {findStepParameter(sim.scene().model, "friction:ball")});
  ASSERT_TRUE(derivatives.step(sim).accepted());
  EXPECT_EQ(derivatives.jacobians().dv_dparameters.norm(), 0.0);
}

}  // namespace
}  // namespace rigor
