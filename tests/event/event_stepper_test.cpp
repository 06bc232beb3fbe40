// What stepper event does besides impacts: modes, slopes and edges, friction at rest, loops, memory, refusals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "event/by_events.h"
#include "simulation/closed_form_scenes.h"
#include "simulation/motions.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

std::vector<Event> eventsOf(Simulator& simulator, double seconds) {
  std::vector<Event> events;
  const auto steps = std::lround(seconds / simulator.scene().dt);
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulator.step();
    EXPECT_TRUE(report.accepted()) << report.explain();
    if (!report.accepted()) break;
    events.insert(events.end(), report.events.begin(), report.events.end());
  }
  return events;
}

/// A block of 1 kg on a slide along x with a spring and dry friction: every half swing is shorter by 2f/k.
Scene rubbingBlock(double friction, double stiffness, double start) {
  ModelBuilder builder("rubbing block");
  BodySpec block;
  block.name = "block";
  block.joint.name = "slide";
  block.joint.type = kSlide;
  block.joint.axis = Vector3d::UnitX();
  block.joint.dry_friction = friction;
  block.joint.stiffness = stiffness;
  block.mass = computeMassProperties(makeBox({0.1, 0.1, 0.1}), 1.0);
  block.mass.inertia *= 1.0 / block.mass.mass;
  block.mass.mass = 1.0;
  builder.addBody(block);
  Scene scene;
  scene.model = builder.build();
  scene.q = VectorXd::Constant(1, start);
  scene.v = VectorXd::Zero(1);
  return byEvents(scene);
}

TEST(DryFriction, ShortensEveryHalfSwingByTheClosedFormAndThenHolds) {
  const double f = 0.3, k = 25.0,
               start = 0.1;  // half swings of π/5 s: 0.1, −0.076, 0.052, −0.028, 0.004: there it holds
  Simulator simulator(rubbingBlock(f, k, start));
  const std::vector<Event> events = eventsOf(simulator, 4.0);
  ASSERT_EQ(events.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(events[i].kind, EventKind::kSticks);
    EXPECT_NEAR(events[i].time, (i + 1) * kPi / 5.0, 1e-6) << i;  // of the accuracy, 1e-6 per second
  }
  EXPECT_NEAR(simulator.state().q[0], start - 4 * 2.0 * f / k, 1e-6);
  EXPECT_EQ(simulator.velocity()[0], 0.0);
}

TEST(Accuracy, IsWhatTheMotionErrsByPerSecond) {
  double last = 1.0;
  for (const double accuracy : {1e-5, 1e-7, 1e-9, 1e-11}) {
    Scene scene = byEvents(loadNamedScene("pendulum_a01"), 1e-2);
    scene.step_accuracy = accuracy;
    Simulator simulator(scene);
    ASSERT_TRUE(simulator.run(10.0).accepted());
    const double angle = simulator.state().q[0];  // the answer after 10 s is known to nine digits
    const double missed = std::max(std::fabs(std::sin(angle) - 0.275087463), std::fabs(std::cos(angle) - 0.961419205));
    RecordProperty(fmt::format("missed_{:g}", accuracy), fmt::format("{:.3g} m", missed));
    EXPECT_LE(missed, 10.0 * 10.0 * accuracy + 2e-9) << accuracy;  // what a piece errs grows with the swing
    EXPECT_LE(missed, last + 1e-9);
    last = missed;
  }
}

TEST(FourBar, StaysClosedAndKeepsItsEnergy) {
  Scene scene = byEvents(loadNamedScene("double_four_bar"), 1e-2);
  scene.step_accuracy = 1e-10;
  Simulator simulator(scene);
  const double start = simulator.node().kinetic + simulator.node().potential;
  double gap = 0.0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(simulator.step().accepted()) << simulator.report().explain();
    gap = std::max(gap, simulator.report().loop_gap);
  }
  const StepReport& end = simulator.node();
  RecordProperty("energy", fmt::format("{:.3g} J", end.kinetic + end.potential - start));
  EXPECT_NEAR(end.kinetic + end.potential, start, 1e-8);
  EXPECT_LE(gap, 1e-13);
}

TEST(BoxOnATable, SlidesOffItsEdgeAndFalls) {
  FreeBody box{makeBox({0.05, 0.05, 0.05}), 1.0, {{0.4, 0, 0.05}}};
  box.velocity = {1.0, 0, 0};
  Scene scene = makeFreeBodies({box}, {makeMaterial("default", "", 0.0)}, false);
  ModelBuilder builder("table");
  builder.addMaterialPair(makeMaterial("default", "", 0.0));
  builder.addWorldShape({"table", makeBox({0.5, 0.5, 0.5}), {{0, 0, -0.5}}, "default"});
  BodySpec spec;
  spec.name = "box";
  spec.joint.type = kFree;
  spec.mass = withMass(box.shape, 1.0);
  spec.shapes.push_back({"box", box.shape, {}, "default"});
  const int index = builder.addBody(spec);
  VectorXd q(7);
  q << box.pose.position, 1, 0, 0, 0;
  builder.setReference(index, q);
  scene.model = builder.build();
  scene.q = scene.model.q0();
  Simulator simulator(byEvents(scene));
  eventsOf(simulator, 0.5);
  EXPECT_LT(simulator.state().q[2], 0.0);
  EXPECT_EQ(simulator.report().penetration, 0.0);
}

// Where no modes go with the law (Painlevé) a short step of the time stepper gives the impact that stops the rod.
TEST(PainleveRod, GoesOnByTheTimeStepperAndSaysSo) {
  const double angle = std::atan(2.0);
  FreeBody rod{makeCapsule(1e-3, 1.0), 1.0};
  rod.pose.rotation = Eigen::AngleAxisd(-(0.5 * kPi - angle), Vector3d::UnitY());
  rod.pose.position = {0, 0, 0.5 * std::sin(angle) + 1e-3};
  rod.velocity = {1.0, 0, 0};
  for (const double sign : {1.0, -1.0}) {
    rod.velocity.x() = sign;
    Simulator simulator(byEvents(makeFreeBodies({rod}, {makeMaterial("ground", "", 2.0)})));
    const double start = simulator.node().kinetic + simulator.node().potential;
    int fallbacks = 0;
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(simulator.step().accepted()) << simulator.report().explain();
      fallbacks += simulator.report().fallbacks;
      EXPECT_LE(simulator.report().kinetic + simulator.report().potential, start + 1e-9);
    }
    EXPECT_EQ(fallbacks > 0, sign > 0.0) << sign;  // it jams where it is pushed, not where it is drawn
  }
}

TEST(Snapshot, OfStepperEventGoesOnWithTheSameBits) {
  Scene scene = byEvents(loadNamedScene("anymal_drop"));
  Simulator simulator(scene), other(scene);
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE(simulator.step().accepted());
    if (i % 37 == 0) {
      Simulator fresh(scene);
      fresh.restore(simulator.save());
      Simulator fork(simulator);
      for (int k = 0; k < 3; ++k) fresh.step(), fork.step();
      Simulator same(scene);
      same.restore(simulator.save());
      for (int k = 0; k < 3; ++k) same.step();
      EXPECT_EQ(fresh.state().q, same.state().q) << i;
      EXPECT_EQ(fork.state().q, same.state().q) << i;
    }
    ASSERT_TRUE(other.step().accepted());
    ASSERT_EQ(simulator.state().q, other.state().q) << i;
  }
}

void expectRefused(const Scene& scene, const std::string& word) {
  try {
    Simulator simulator(scene);
    FAIL() << "no word of " << word;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(StepperEvent, RefusesByNameWhatItDoesNotFollow) {
  const Scene ball =
      byEvents(makeFreeBodies({{makeSphere(0.1), 1.0, {{0, 0, 0.1}}}}, {makeMaterial("ground", "", 0.5)}));
  Scene scene = ball;
  scene.law = "dissipation", scene.solver = "newton";
  expectRefused(scene, "law \"dissipation\"");
  scene = ball;
  scene.integrator = "heun";
  expectRefused(scene, "heun");
  for (const double accuracy : {1e-14, 1.0, -1.0, std::nan("")}) {
    scene = ball;
    scene.step_accuracy = accuracy;
    expectRefused(scene, "accuracy");
  }
  scene = ball;
  scene.stepper = "minimal", scene.step_accuracy = 1e-6;
  expectRefused(scene, "fixed step");
  MaterialPair soft = makeMaterial("ground", "", 0.5), rolling = soft;
  soft.compliance = 1e-5;
  rolling.rolling = 0.01;
  expectRefused(byEvents(makeFreeBodies({{makeSphere(0.1), 1.0, {{0, 0, 0.1}}}}, {soft})), "compliance");
  expectRefused(byEvents(makeFreeBodies({{makeSphere(0.1), 1.0, {{0, 0, 0.1}}}}, {rolling})), "rolling");
  expectRefused(byEvents(loadNamedScene("gallery/turntable")), "told");
}

}  // namespace
}  // namespace rigor
