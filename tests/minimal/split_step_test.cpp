// Bodies that cannot meet step on their own: they move as if they were alone, and cost what they need themselves.
#include "minimal/split_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "minimal/balls.h"
#include "minimal/time_stepper.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kStep = 1e-3, kRadius = kBallRadius;

/// A wheel on an axle in the air; one that turns fast needs sub-steps for ever.
BodySpec wheelAt(const std::string& name, const Vector3d& position) {
  BodySpec body = bodyAt(name, kHinge, position, makeBox(Vector3d(0.02, 0.2, 0.1)));
  body.joint.axis = Vector3d::UnitX();
  return body;
}

/// A stepper with the snapshots it goes between, which counts how many trees its sub-steps moved.
struct Watched {
  explicit Watched(const Model& m) : model(m), stepper(model, makeSolver("auto"), {}) {
    input = makeIdleInput(model.nv());
    now.state.q = model.q0();
    now.state.v = VectorXd::Zero(model.nv());
    now.memory = makeMemory(model.topology().trees, model.nv());
    stepper.observeSubsteps(
        [this](const StepContext& context, const StepWork&) { moved += static_cast<int>(context.part.trees.size()); });
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      stepper.step(input, now, kStep, next, report);
      ASSERT_TRUE(report.accepted()) << "step " << i;
      impacts += report.impacts;
      std::swap(now, next);
    }
  }
  VectorXd positionOf(int link, const Topology& topology) const {
    return now.state.q.segment(topology.q_index[link], positionCount(topology.joint[link]));
  }

  Model model;
  TimeStepper stepper;
  StepInput input;
  Snapshot now, next;
  StepReport report;
  int moved = 0, impacts = 0;
};

// Leapfrog and impacts of one ball are exact functions of its own state. In the common world it steps in the company of
// others that are calm at the same time, which solves the same equations to rounding.
TEST(BodiesThatCannotMeet, MoveAsEachOfThemAlone) {
  constexpr int kBalls = 6, kSteps = 1500;
  ModelBuilder together = withGround(0.8);
  for (int i = 0; i < kBalls; ++i)
    together.addBody(ballAt("ball_" + std::to_string(i), {1.0 * i, 0.3 * i, kRadius + 0.07 * i}));
  Watched world(together.build());
  for (int i = 0; i < kBalls; ++i) world.now.state.v.segment(6 * i, 6) << 0.1 * i, 0.2, 0.0, 1.0, -2.0 * i, 0.5;
  world.run(kSteps);
  int impacts = 0;
  for (int i = 0; i < kBalls; ++i) {
    ModelBuilder alone = withGround(0.8);
    alone.addBody(ballAt("ball", {1.0 * i, 0.3 * i, kRadius + 0.07 * i}));
    Watched one(alone.build());
    one.now.state.v << 0.1 * i, 0.2, 0.0, 1.0, -2.0 * i, 0.5;
    one.run(kSteps);
    impacts += one.impacts;
    const VectorXd difference = world.positionOf(i, world.model.topology()) - one.now.state.q;
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), 1e-9) << "ball " << i;  // 1e-12 per impact, of which some have thirty
  }
  EXPECT_GT(impacts, 50);
  EXPECT_EQ(world.impacts, impacts);
}

// One bouncing ball among many that rest: an impact takes landing, half kick, impact and rest, of that ball alone.
TEST(ABouncingBall, CostsTheOthersNoSubStep) {
  constexpr int kResting = 20, kSteps = 600;
  ModelBuilder builder = withGround(0.9);
  builder.addBody(ballAt("bouncing", {0, 0, 0.4}));
  for (int i = 0; i < kResting; ++i) builder.addBody(ballAt("resting_" + std::to_string(i), {1.0 + i, 0, kRadius}));
  Watched world(builder.build());
  world.run(kSteps);
  EXPECT_GE(world.impacts, 1);
  const int sub_steps_of_the_ball = world.moved - kSteps * kResting;
  EXPECT_LE(sub_steps_of_the_ball, kSteps + 3 * world.impacts);
  for (int i = 1; i <= kResting; ++i) EXPECT_EQ(world.now.memory.last_step[i], kStep) << i;
}

TEST(AFastWheel, IsSubSteppedWithoutTheOthers) {
  constexpr int kSteps = 200;
  ModelBuilder builder = withGround(0.0);
  builder.addBody(ballAt("resting", {0, 0, kRadius}));
  builder.addBody(wheelAt("fast", {3, 0, 1}));
  builder.addBody(wheelAt("slow", {5, 0, 1}));
  Watched world(builder.build());
  world.now.state.v[6] = 1000.0;  // [rad/s] 1 rad per step; a step bears 0.3
  world.now.state.v[7] = 1.0;
  world.run(kSteps);
  EXPECT_EQ(world.moved, kSteps * (2 + 4));  // quarters of steps, 0.25 rad each
  EXPECT_NEAR(world.now.state.q[7], 1000.0 * kSteps * kStep, 1e-6);
  ModelBuilder alone;
  alone.addBody(wheelAt("slow", {5, 0, 1}));
  Watched slow(alone.build());
  slow.now.state.v[0] = 1.0;
  slow.run(kSteps);
  EXPECT_NEAR(world.now.state.q[8], slow.now.state.q[0], 1e-14);
}

// The node velocities, energies and momenta of a step whose trees went different ways are those of the whole world.
TEST(ReportOfASplitStep, TellsTheNodeOfAllTrees) {
  ModelBuilder builder = withGround(0.8);
  builder.addBody(ballAt("a", {0, 0, kRadius + 1e-4}));
  builder.addBody(ballAt("b", {2, 0, 5.0}));
  Watched world(builder.build());
  world.now.state.v.segment(0, 6) << 0, 0, -1.0, 0, 0, 0;
  world.now.state.v.segment(6, 6) << 0.5, 0, 0.25, 0, 0, 0;
  world.stepper.step(world.input, world.now, kStep, world.next, world.report);
  ASSERT_TRUE(world.report.accepted());
  ASSERT_EQ(world.report.impacts, 1);
  EXPECT_EQ(world.report.velocity, world.now.state.v);
  const double mass = world.model.body(0).mass.mass;
  EXPECT_NEAR(world.report.kinetic, 0.5 * mass * (1.0 + 0.25 + 0.0625), 1e-12);
  EXPECT_NEAR(world.report.potential, mass * 9.81 * (kRadius + 1e-4 + 5.0), 1e-9);
  EXPECT_NEAR(world.report.momentum[2], mass * (0.25 - 1.0), 1e-12);
  EXPECT_GT(world.next.state.v[2], 0.5);  // a has bounced, b has not been touched
  EXPECT_NEAR(world.next.state.v[8], 0.25 - 0.5 * 9.81 * kStep, 1e-15);
  EXPECT_EQ(world.next.memory.last_step[1], kStep);
  EXPECT_LT(world.next.memory.last_step[0], kStep);
}

// The second ball rests when the step begins and would go 9 mm if it were pushed softly; by a bounce it goes 18 mm. Both
// parts are found to meet and taken anew as one, and the report knows of the second round alone.
TEST(PartsThatMeetAllTheSame, AreSteppedAgainAsOne) {
  ModelBuilder builder = withGround(1.0);
  builder.setGravity(Vector3d::Zero());
  const double places[] = {0.0, 0.202, 0.415, 5.0, 6.0, 7.0};
  for (int i = 0; i < 6; ++i) builder.addBody(ballAt("ball_" + std::to_string(i), {places[i], 0, 1}));
  Watched world(builder.build());
  world.now.state.v[0] = 20.0;  // [m/s] 2 mm to the second ball, 13 mm from there to the third, 20 mm in the step
  world.run(1);
  EXPECT_EQ(world.impacts, 2);
  EXPECT_NEAR(world.now.state.v[0], 0.0, 1e-10);
  EXPECT_NEAR(world.now.state.v[6], 0.0, 1e-10);
  EXPECT_NEAR(world.now.state.v[12], 20.0, 1e-10);
  EXPECT_NEAR(world.now.state.q[14], 0.415 + 0.005, 1e-8);
  EXPECT_EQ(world.report.record.substeps.size(), static_cast<std::size_t>(world.report.substeps));
  double time_of_first = 0.0;  // the lengths of the sub-steps that the first ball takes part in
  for (std::size_t s = 0; s < world.report.record.substeps.size(); ++s)
    if (world.report.record.kick[6 * s] >= 0.0) time_of_first += world.report.record.substeps[s].h;
  EXPECT_NEAR(time_of_first, kStep, 1e-7);
}

// The first of twelve balls without restitution runs into the row. Whoever it meets grows round by round to more than five,
// and of these the step itself closes the gaps: it ends without overlap, with the momentum that it began with.
TEST(ARowThatIsStruck, BecomesACrowdOnceMoreThanFiveMeet) {
  constexpr int kBalls = 12;
  ModelBuilder builder = withGround(0.0);
  builder.setGravity(Vector3d::Zero());
  for (int i = 0; i < kBalls; ++i)
    builder.addBody(ballAt("ball_" + std::to_string(i), {(2 * kRadius + 1e-5) * i, 0, 1}));
  Watched world(builder.build());
  world.now.state.v[0] = 2.0;
  world.run(1);
  EXPECT_EQ(world.impacts, 0);
  EXPECT_LE(world.report.penetration, 1e-11);
  double momentum = 0.0;
  for (int i = 0; i < kBalls; ++i) momentum += world.now.state.v[6 * i];
  EXPECT_NEAR(momentum, 2.0, 1e-12);
}

// A ball bounces off the ground towards another that moves away at the start.
TEST(ABallAboveAnother, IsStruckByItsBounceInTheSameStep) {
  ModelBuilder builder = withGround(1.0);
  builder.addBody(ballAt("thrown", {0, 0, kRadius + 0.002}));
  builder.addBody(ballAt("above", {0, 0, 3 * kRadius + 0.0215}));
  Watched world(builder.build());
  world.now.state.v[2] = -20.0;  // 20 mm in a step: 2 mm down, 18 mm up; the gap to the other is 19.5 mm
  world.now.state.v[8] = -6.0;   // which comes down by 6 mm
  world.run(1);
  EXPECT_GE(world.impacts, 2);
  const double distance = (world.now.state.q.segment(7, 3) - world.now.state.q.segment(0, 3)).norm();
  EXPECT_GE(distance, 2 * kRadius - 1e-11);
  EXPECT_GT(world.now.state.v[8], 10.0);  // equal balls change their velocities
}

// A bar of one metre turns by 4 rad in a step of 10 ms. A ball 2.7 rad ahead of its end is not near by the speed at the
// start, and the straight way of the end passes it: only the way that the end really goes tells that both may meet.
TEST(AFastBar, StrikesWhatIsInItsWayFarAhead) {
  constexpr double kArm = 0.5, kBall = 0.05, kAhead = 2.7;
  ModelBuilder builder = withGround(0.0);
  builder.setGravity(Vector3d::Zero());
  BodySpec bar = wheelAt("bar", {0, 0, 2});
  for (const double side : {-1.0, 1.0})
    bar.shapes.push_back(
        {side > 0 ? "front" : "back", makeSphere(kBall), {{0, side * kArm, 0}, Eigen::Quaterniond::Identity()}});
  builder.addBody(bar);
  builder.addBody(ballAt("ball", {0, kArm * std::cos(kAhead), 2 + kArm * std::sin(kAhead)}));
  Watched world(builder.build());
  world.now.state.v[0] = 400.0;
  world.stepper.step(world.input, world.now, 1e-2, world.next, world.report);
  ASSERT_TRUE(world.report.accepted());
  EXPECT_GE(world.report.impacts, 1);
  EXPECT_GT(world.next.state.v.segment(1, 3).norm(), 5.0);
  EXPECT_GE(-world.report.penetration, -1e-11);
}

// Snapshots and forks know the past of every tree.
TEST(ASplitStep, IsFollowedByTheSameBitsFromItsSnapshot) {
  ModelBuilder builder = withGround(0.8);
  for (int i = 0; i < 4; ++i) builder.addBody(ballAt("ball_" + std::to_string(i), {1.0 * i, 0, kRadius + 0.02 * i}));
  Watched first(builder.build());
  bool split = false;
  for (int i = 0; i < 300; ++i) {
    first.run(1);
    const std::vector<double>& h = first.now.memory.last_step;
    if (std::all_of(h.begin(), h.end(), [&](double x) { return x == h[0]; })) continue;
    split = true;
    Watched second(builder.build());
    second.now = first.now;
    Watched third(builder.build());
    third.now = first.now;
    second.run(20);
    third.run(20);
    ASSERT_EQ(second.now.state.q, third.now.state.q) << "step " << i;
  }
  EXPECT_TRUE(split);
}

// Trees that come together bring different pasts: a bounce just before, whole steps until then.
TEST(TreesOfDifferentPasts, CollideWithTheMomentumThatTheyBring) {
  ModelBuilder builder = withGround(1.0);
  builder.addBody(ballAt("bounced", {0, 0, kRadius + 1e-4}));
  builder.addBody(ballAt("above", {0, 0, 3 * kRadius + 0.05}));
  builder.setGravity(Vector3d::Zero());
  Watched world(builder.build());
  world.now.state.v[2] = -1.0;
  world.now.state.v[8] = -0.5;
  for (int i = 0; i < 60; ++i) {
    world.run(1);
    const bool after_the_ground = world.impacts >= 1;
    const double momentum = world.now.state.v[2] + world.now.state.v[8];
    EXPECT_NEAR(momentum, after_the_ground ? 0.5 : -1.5, 1e-12) << "step " << i;
  }
  EXPECT_EQ(world.impacts, 2);
  EXPECT_NEAR(world.now.state.v[2], -0.5, 1e-12);
  EXPECT_NEAR(world.now.state.v[8], 1.0, 1e-12);
}

}  // namespace
}  // namespace rigor
