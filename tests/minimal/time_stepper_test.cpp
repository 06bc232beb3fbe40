// Whole steps: islands, bounces, refusals. What goes in bad must come out as a status, never as a state.
#include "minimal/time_stepper.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "minimal/balls.h"

namespace rigor {
namespace {

using Eigen::VectorXd;

constexpr double kGravity = 9.81;

/// A stepper with the snapshots it goes between.
struct SteppedModel {
  explicit SteppedModel(const Model& m, const TimeStepperOptions& options = {})
      : model(m), stepper(model, makeSolver("auto"), options) {
    const int nv = model.nv();
    input = makeIdleInput(nv);
    now.state.q = model.q0();
    now.state.v = VectorXd::Zero(nv);
    now.memory = makeMemory(model.topology().trees, nv);
    now.memory.controller.assign(2, 0.0);
  }
  StepStatus step(double h = 1e-3) {
    stepper.step(input, now, h, next, report);
    if (report.accepted()) std::swap(now, next);
    return report.status;
  }

  Model model;
  TimeStepper stepper;
  StepInput input;
  Snapshot now, next;
  StepReport report;
};

TEST(Islands, AreTwoForTwoBallsApartAndOneForTwoBallsThatTouch) {
  for (const double distance : {0.5, 0.2}) {
    ModelBuilder builder = withGround();
    builder.addBody(ballAt("left", {0, 0, 0.1}));
    builder.addBody(ballAt("right", {distance, 0, 0.1}));
    SteppedModel run(builder.build());
    ASSERT_EQ(run.step(), StepStatus::kAccepted);
    EXPECT_EQ(run.stepper.work().islands.count, distance > 0.2 ? 2 : 1);
    EXPECT_EQ(run.report.contacts.size(), distance > 0.2 ? 2u : 3u);
  }
}

// Leapfrog is exact for constant acceleration, and the impact is stepped to: up to the way of half kTouching, which the
// ball turns above the ground, every node is that of the closed form.
TEST(NodeVelocity, IsTheGivenOneAtTheStartAndExactThroughABounce) {
  const double e = 0.5, h = 1e-3, fall = std::sqrt(2.0 * 0.2 / kGravity), speed = kGravity * fall;
  ModelBuilder builder = withGround(e);
  builder.addBody(ballAt("ball", {0, 0, 0.1 + 0.2}));
  SteppedModel run(builder.build());
  int impacts = 0;
  for (int i = 0; i < 250; ++i) {
    ASSERT_EQ(run.step(h), StepStatus::kAccepted);
    impacts += run.report.impacts;
    const double t = i * h;
    const double expected = t < fall ? -kGravity * t : e * speed - kGravity * (t - fall);
    ASSERT_NEAR(run.report.velocity[2], expected, 1e-8) << "step " << i;  // (1 + e) g kTouching/(2 speed) and rounding
  }
  EXPECT_EQ(impacts, 1);
}

// The impact of a ball is three sub-steps and the rest of the step: each is seen with the impulses that made it.
TEST(SubstepObserver, SeesTheLastPassOfEveryAcceptedSubstep) {
  ModelBuilder builder = withGround(0.5);
  builder.addBody(ballAt("ball", {0, 0, 0.1 + 0.2}));
  SteppedModel run(builder.build());
  int seen = 0;
  double time = 0.0, pushed = 0.0;
  run.stepper.observeSubsteps([&](const StepContext& context, const StepWork& work) {
    ++seen;
    time += work.motion.h;
    double push = 0.0;
    for (int i = 0; i < work.set.size(); ++i) push += work.set.impulse[work.set.at(i).first_row];
    pushed += push;
    const double mass = context.parameters.inertia[0].mass;
    EXPECT_NEAR(mass * work.change[2], push - mass * kGravity * work.motion.kick[2], 1e-12);
  });
  int substeps = 0;
  for (int i = 0; i < 250; ++i) {
    ASSERT_EQ(run.step(), StepStatus::kAccepted);
    substeps += run.report.substeps;
  }
  EXPECT_EQ(seen, substeps);
  EXPECT_GE(seen, 253);
  EXPECT_NEAR(time, 0.25, 1e-12);
  EXPECT_GT(pushed, 0.0);
}

TEST(NodeVelocity, IsZeroAtRest) {
  ModelBuilder builder = withGround();
  builder.addBody(ballAt("ball", {0, 0, 0.1}));
  SteppedModel run(builder.build());
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(run.step(), StepStatus::kAccepted);
    EXPECT_LE(run.report.velocity.cwiseAbs().maxCoeff(), 1e-13);
  }
}

// Gravity is off, so nothing but the impact changes a velocity.
TEST(Bounce, OfUnequalBallsKeepsEnergyAndMomentum) {
  ModelBuilder builder = withGround(1.0);
  builder.setGravity(Eigen::Vector3d::Zero());
  builder.addBody(ballAt("light", {0, 0, 1}));
  BodySpec heavy = ballAt("heavy", {0.5, 0.0, 1});
  heavy.mass.mass *= 3.0;
  builder.addBody(heavy);
  SteppedModel run(builder.build());
  run.now.state.v[0] = 2.0;
  for (int i = 0; i < 400; ++i) ASSERT_EQ(run.step(), StepStatus::kAccepted);
  EXPECT_NEAR(run.report.velocity[0], -1.0, 1e-12);  // (m1 − m2)/(m1 + m2)·v
  EXPECT_NEAR(run.report.velocity[6], 1.0, 1e-12);   // 2 m1/(m1 + m2)·v
}

bool sameBits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

bool sameBits(const Snapshot& a, const Snapshot& b) {
  bool same = a.state.time == b.state.time && sameBits(a.state.q, b.state.q) && sameBits(a.state.v, b.state.v) &&
              a.memory.last_step == b.memory.last_step && a.memory.increments == b.memory.increments &&
              a.memory.controller == b.memory.controller && a.memory.blocks.size() == b.memory.blocks.size();
  for (int k = 0; k < 3; ++k) same = same && sameBits(a.memory.rates[k], b.memory.rates[k]);
  for (std::size_t i = 0; same && i < a.memory.blocks.size(); ++i)
    same = a.memory.blocks[i].id == b.memory.blocks[i].id && a.memory.blocks[i].mode == b.memory.blocks[i].mode &&
           std::memcmp(a.memory.blocks[i].impulse, b.memory.blocks[i].impulse, sizeof a.memory.blocks[i].impulse) == 0;
  return same;
}

TEST(RefusedStep, LeavesNoTraceInTheNextOne) {
  ModelBuilder builder = withGround();
  builder.addBody(ballAt("ball", {0, 0, 0.1}));
  SteppedModel run(builder.build()), calm(builder.build());
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
    const Snapshot before = run.now;
    run.input.tau[3] = bad;
    EXPECT_NE(run.step(), StepStatus::kAccepted) << bad;
    EXPECT_TRUE(sameBits(run.now, before));
    run.input.tau[3] = 0.0;
    ASSERT_EQ(run.step(), StepStatus::kAccepted);
    ASSERT_EQ(calm.step(), StepStatus::kAccepted);
    EXPECT_TRUE(sameBits(run.now, calm.now)) << "after " << bad;
  }
}

TEST(RefusedStep, IsNotFiniteForANaNInTorqueStateOrWrench) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ModelBuilder builder = withGround();
  builder.addBody(ballAt("ball", {0, 0, 0.1}));
  const Model model = builder.build();
  {
    SteppedModel run(model);
    run.input.tau[2] = nan;
    EXPECT_EQ(run.step(), StepStatus::kNotFinite);
  }
  {
    SteppedModel run(model);
    run.now.state.v[0] = nan;
    EXPECT_EQ(run.step(), StepStatus::kNotFinite);
  }
  {
    SteppedModel run(model);
    run.now.state.q[1] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(run.step(), StepStatus::kNotFinite);
  }
  {
    SteppedModel run(model);
    run.input.wrenches.push_back({.link = 0, .point = {}, .force = {0, 0, nan}, .torque = {}, .in_world = true});
    EXPECT_EQ(run.step(), StepStatus::kNotFinite);
  }
}

TEST(FastJoint, IsSubSteppedOrRefusedAsTooFast) {
  ModelBuilder builder;
  BodySpec wheel = ballAt("wheel", {0, 0, 0});
  wheel.joint.type = kHinge;
  builder.addBody(wheel);
  const Model model = builder.build();
  for (const double speed : {100.0, 1e3, 1e4, 1e5, 1e8}) {
    SteppedModel run(model);
    run.now.state.v[0] = speed;
    const StepStatus status = run.step();
    if (speed * 1e-3 / 256 > 0.3) {  // eight halvings do not suffice
      EXPECT_EQ(status, StepStatus::kTooFast) << speed;
      continue;
    }
    ASSERT_EQ(status, StepStatus::kAccepted);
    const double turn = speed * 1e-3;
    EXPECT_GE(run.report.substeps, turn / 0.3);
    EXPECT_LE(run.report.substeps, std::max(1.0, 2.0 * turn / 0.3));
    EXPECT_NEAR(run.now.state.q[0], turn, 1e-12 * turn);
    EXPECT_NEAR(run.now.state.time, 1e-3, 1e-18);
  }
}

TEST(FastJoint, IsNeverSubSteppedWhenNoHalvingIsAllowed) {
  ModelBuilder builder;
  BodySpec wheel = ballAt("wheel", {0, 0, 0});
  wheel.joint.type = kHinge;
  builder.addBody(wheel);
  SteppedModel run(builder.build(), {.max_halvings = 0});
  run.now.state.v[0] = 1e3;
  EXPECT_EQ(run.step(), StepStatus::kTooFast);
}

// A ball in free fall lands on the same parabola however the steps are cut.
TEST(SubSteps, OfChangingLengthKeepConstantAccelerationExact) {
  ModelBuilder builder;
  builder.addBody(ballAt("ball", {0, 0, 0}));
  SteppedModel run(builder.build());
  double t = 0.0;
  for (const double h : {1e-3, 5e-4, 5e-4, 2e-3, 1e-2, 1e-4, 3e-3}) {
    ASSERT_EQ(run.step(h), StepStatus::kAccepted);
    t += h;
    EXPECT_NEAR(run.now.state.q[2], -0.5 * kGravity * t * t, 1e-16);
  }
}

}  // namespace
}  // namespace rigor
